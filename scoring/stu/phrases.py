"""The words of a phrase in a dependency parse, without the asides that hang on it."""

from __future__ import annotations

from collections.abc import Iterable

from scoring.parses import ParsedSentence, list_children

ASIDES = frozenset({"relcl", "acl", "advcl", "appos", "parataxis", "prep", "npadvmod"})
_MARKS = frozenset({",", ":", ".", "-LRB-", "-RRB-", "''", "``", "HYPH", "NFP", "SYM"})
_EDGES = frozenset({",", ":", ".", "CC", "NFP"})  # no phrase begins or ends with these
_PAIRS = {"``": "''", "-LRB-": "-RRB-"}


class Phrases:
    """Phrases of one sentence, by their heads."""

    __slots__ = ("children", "sentence")

    def __init__(self, sentence: ParsedSentence) -> None:
        self.sentence = sentence
        self.children = list_children(sentence)

    def read(self, head: int, *, without: Iterable[int] = ()) -> tuple[int, ...]:
        """All words under *head*, in order, less those under *without* and marks at the edges."""
        left_out = set(without)
        found, open_ = [], [head]
        while open_:
            place = open_.pop()
            found.append(place)
            open_ += [child for child in self.children[place] if child not in left_out]
        found.sort()
        return self.trim(found)

    def trim(self, words: list[int]) -> tuple[int, ...]:
        """Without the marks and conjunctions at either end, and without a quote's lone half."""
        tags = self.sentence.tags
        start, end = 0, len(words)
        while start < end and tags[words[start]] in _EDGES:
            start += 1
        while end > start and tags[words[end - 1]] in _EDGES:
            end -= 1
        return self._balance(words[start:end])

    def _balance(self, words: list[int]) -> tuple[int, ...]:
        tags = self.sentence.tags
        if words and tags[words[0]] in _PAIRS and not _has(tags, words, _PAIRS[tags[words[0]]]):
            words = words[1:]
        if words and tags[words[-1]] in _PAIRS.values():
            opening = next(key for key, value in _PAIRS.items() if value == tags[words[-1]])
            if not _has(tags, words, opening):
                words = words[:-1]
        return tuple(words)

    def noun(self, head: int) -> tuple[int, ...]:
        """A noun phrase without its relative clauses, appositions and what commas set off."""
        return self.read(head, without=self.asides(head))

    def asides(self, head: int) -> list[int]:
        return [
            child
            for child in self.children[head]
            if child > head
            and self.sentence.relations[child] in ASIDES
            and (self.sentence.relations[child] in ("relcl", "appos") or self._is_set_off(child))
        ]

    def _is_set_off(self, child: int) -> bool:
        """Does a comma or a bracket stand right before the phrase?"""
        first = min(self.read(child), default=child)
        return first > 0 and self.sentence.tags[first - 1] in (",", "-LRB-", ":")


def _has(tags: tuple[str, ...], words: list[int], tag: str) -> bool:
    return any(tags[word] == tag for word in words)
