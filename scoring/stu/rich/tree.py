"""A parse as the rules of this extractor walk it: children, and phrases without punctuation."""

from __future__ import annotations

from collections.abc import Sequence

from scoring.parses import ParsedSentence, list_children
from scoring.stemming import word_set
from scoring.stu.coreference import Renaming

Words = list[int]
Place = tuple[int, int]

NOUNS = frozenset(("NN", "NNS", "NNP", "NNPS"))
PLURAL = frozenset(("NNS", "NNPS"))
PROPER = frozenset(("NNP", "NNPS"))
VERBS = frozenset(("VB", "VBD", "VBG", "VBN", "VBP", "VBZ"))
RELATIVE = frozenset(("WP", "WDT", "WP$", "WRB"))
MUTE = frozenset((".", ",", ":", "``", "''", "-LRB-", "-RRB-", "HYPH", "NFP", "_SP"))
CLAUSAL = frozenset(("relcl", "acl", "appos", "advcl", "parataxis"))
JOINED = frozenset(("cc", "conj", "preconj"))
_FOLLOWS = CLAUSAL | {"prep", "ccomp", "npadvmod"}
_MANY = word_set("people police they we you these those")


class Tree:
    """One sentence, and what the rules ask of it time and again.

    *renamings* are its mentions of what is named elsewhere; *topic* is who a sentence without a
    subject is about.
    """

    def __init__(
        self, parse: ParsedSentence, renamings: Sequence[Renaming] = (), topic: str = ""
    ) -> None:
        self.topic = topic
        self.words = parse.words
        self.lower = [word.lower() for word in parse.words]
        self.tags = parse.tags
        self.lemmas = parse.lemmas
        self.heads = parse.heads
        self.relations = parse.relations
        self.entities = parse.entities
        self.parse = parse
        self.children = list_children(parse)
        self.names = _name_spans(parse)
        self.is_mute = [tag in MUTE for tag in parse.tags]
        self.phrases: dict[tuple[str, int], Words] = {}
        self.mentions = _mentions(parse, renamings)
        self.mentioned = frozenset(self.mentions)

    def __len__(self) -> int:
        return len(self.words)

    def related(self, place: int, *relations: str) -> Words:
        """The children that stand in one of some relations."""
        return [child for child in self.children[place] if self.relations[child] in relations]

    def below(self, place: int, without: frozenset[str] = frozenset()) -> Words:
        """A word and all that hangs on it, but for what stands in some relations."""
        found, open_ = [], [place]
        while open_:
            word = open_.pop()
            if not self.is_mute[word]:
                found.append(word)
            children = self.children[word]
            if children:
                open_ += [child for child in children if self.relations[child] not in without]
        found.sort()
        return found

    def phrase(self, place: int, without: frozenset[str]) -> Words:
        """A word with its children, but for some of them; without the clauses below any."""
        found = [place]
        for child in self.children[place]:
            if self.relations[child] not in without and not self.is_mute[child]:
                found.extend(self.below(child, CLAUSAL))
        found.sort()
        return found

    def members(self, place: int) -> Words:
        """A word and those joined to it by `and`, `or` or a comma."""
        found = [place]
        for child in self.children[place]:
            if self.relations[child] == "conj":
                found.extend(self.members(child))
        return found

    def is_plural(self, place: int) -> bool:
        return self.tags[place] in PLURAL or self.lower[place] in _MANY

    def are_many(self, place: int) -> bool:
        """The same, with those joined to it."""
        return self.is_plural(place) or len(self.members(place)) > 1

    def edge(self, place: int) -> int:
        """The first word of those that stand before a noun and belong to it."""
        left = place
        for child in self.children[place]:
            if child < place and not self.is_mute[child] and self.relations[child] not in _FOLLOWS:
                left = min(left, self.below(child)[0])
        return left


def _name_spans(parse: ParsedSentence) -> list[Place | None]:
    """For each word of an entity, the place it begins with and the one it ends before."""
    found: list[Place | None] = [None] * len(parse)
    start = 0
    for place, kind in enumerate(parse.entities):
        if not kind:
            continue
        if parse.opens[place] or place == 0 or parse.entities[place - 1] != kind:
            start = place
        for inside in range(start, place + 1):
            found[inside] = (start, place + 1)
    return found


def _mentions(parse: ParsedSentence, renamings: Sequence[Renaming]) -> dict[int, Renaming]:
    """For each word of a mention, what is said in its place."""
    return {
        place: renaming
        for renaming in renamings
        for place, start in enumerate(parse.starts)
        if renaming.start <= start < renaming.end
    }
