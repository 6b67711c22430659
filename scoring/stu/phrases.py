"""The words of a phrase in a dependency parse, without the asides that hang on it."""

from __future__ import annotations

from collections.abc import Iterable

from scoring.parses import ParsedSentence, list_children

_NOUNS = ("NN", "CD", "DT", "PRP")
_SEPARATE_UNITS = frozenset({"relcl", "appos"})  # they have a frame, or a fact, of their own
_MAYBE_APART = frozenset({"advcl", "parataxis", "prep", "npadvmod"})
_EDGES = frozenset({",", ":", ".", "CC", "NFP"})  # no phrase begins or ends with these
_OPENING = frozenset({",", "-LRB-", ":"})
_PAIRS = (("``", "''"), ("-LRB-", "-RRB-"))


class Phrases:
    """Phrases of one sentence, by their heads."""

    __slots__ = ("children", "sentence")

    def __init__(self, sentence: ParsedSentence) -> None:
        self.sentence = sentence
        self.children = list_children(sentence)

    def read(self, head: int, *, without: Iterable[int] = (), around: int = -1) -> tuple[int, ...]:
        """The words under *head*, in order, without asides, nor those under *without*.

        *around* is a verb that the phrase may hold: the branch that leads to it is left out.
        """
        left_out = {*without, *self._set_off(head), self._branch(head, around)}
        found, open_ = [], [head]
        while open_:
            place = open_.pop()
            found.append(place)
            open_ += [
                child
                for child in self.children[place]
                if child not in left_out and not self.is_aside(child)
            ]
        found.sort()
        return self._trim(found)

    def is_aside(self, place: int) -> bool:
        """Does the word head a relative clause, participle or apposition of a noun before it?"""
        relation, head = self.sentence.relations[place], self.sentence.heads[place]
        if relation in _SEPARATE_UNITS or (relation == "acl" and not self.is_infinitive(place)):
            return head < place and self.sentence.tags[head].startswith(_NOUNS)
        return False

    def is_infinitive(self, place: int) -> bool:
        return any(self.sentence.tags[child] == "TO" for child in self.children[place])

    def _branch(self, head: int, place: int) -> int:
        """The child of *head* under which *place* hangs, or -1."""
        heads = self.sentence.heads
        while place >= 0 and heads[place] != head:
            place = heads[place]
        return place

    def _set_off(self, head: int) -> list[int]:
        """Phrases after the head that a comma or a bracket sets off."""
        tags, relations = self.sentence.tags, self.sentence.relations
        return [
            child
            for child in self.children[head]
            if child > head
            and relations[child] in _MAYBE_APART
            and tags[self._first(child) - 1] in _OPENING
        ]

    def _first(self, place: int) -> int:
        """The leftmost word under *place*."""
        while self.children[place] and self.children[place][0] < place:
            place = self.children[place][0]
        return place

    def _trim(self, words: list[int]) -> tuple[int, ...]:
        """Without the marks and conjunctions at either end, and without a quote's lone half."""
        tags = self.sentence.tags
        start, end = 0, len(words)
        while start < end and tags[words[start]] in _EDGES:
            start += 1
        while end > start and tags[words[end - 1]] in _EDGES:
            end -= 1
        kept = words[start:end]
        for opening, closing in _PAIRS:
            kept = self._without_half(kept, opening, closing)
        return tuple(kept)

    def _without_half(self, words: list[int], opening: str, closing: str) -> list[int]:
        tags = [self.sentence.tags[word] for word in words]
        if opening in tags and closing in tags:
            return words
        return [
            word for word, tag in zip(words, tags, strict=True) if tag not in (opening, closing)
        ]
