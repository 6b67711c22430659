"""The words of a parsed sentence as the builders of trees want them: what hangs left and right."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from scoring.easiness.trees import Tree, leaf
from scoring.parses import ROOT, ParsedSentence

SPACE = "_SP"
DEEPEST = 60  # words that hang on each other; deeper ones are hung on the last of these
VERBS = {"VB", "VBD", "VBG", "VBN", "VBP", "VBZ", "MD"}
FINITE = {"VBD", "VBP", "VBZ", "MD"}
ADJECTIVES = {"JJ", "JJR", "JJS"}
ADVERBS = {"RB", "RBR", "RBS", "WRB"}
WH = {"WDT", "WP", "WP$", "WRB"}
SUBJECTS = {"nsubj", "nsubjpass", "csubj", "csubjpass", "expl"}
NOMINAL_RELATIONS = {
    "appos",
    "attr",
    "dobj",
    "expl",
    "nsubj",
    "nsubjpass",
    "pobj",
    "poss",
}


@dataclass(frozen=True, slots=True)
class Words:
    """Columns of a parse whose phrases are all unbroken, and who builds a phrase of it."""

    words: Sequence[str]
    tags: Sequence[str]
    relations: Sequence[str]
    heads: Sequence[int]
    left: list[list[int]]
    right: list[list[int]]
    roots: list[int]
    build: Callable[[Words, int], Tree]
    build_conjunct: Callable[[Words, int], Tree]

    def leaf(self, i: int) -> Tree:
        return leaf(self.tags[i], self.words[i])

    def phrase(self, i: int) -> Tree:
        return self.build(self, i)

    def conjunct(self, i: int) -> Tree:
        """The phrase of a word without what is tied to it, which stands beside it already."""
        return self.build_conjunct(self, i)

    @property
    def is_question(self) -> bool:
        return "?" in self.words[-2:]

    def around(self, i: int) -> list[int]:
        return self.left[i] + self.right[i]

    def is_tied(self, i: int) -> bool:
        """Is it a conjunct of another word? One that was hung at the top is of none."""
        return self.relations[i] == "conj" and self.heads[i] != ROOT

    def split_chain(self, i: int) -> tuple[list[int], list[int]]:
        """What is right of a word: its own, and from the first `and` or conjunct on.

        Conjuncts of conjuncts are told as its own. A comma before `and` belongs to the chain.
        """
        right = self.right[i]
        relations = self.relations
        for cut, item in enumerate(right):
            if relations[item] in ("cc", "conj"):
                while cut and relations[right[cut - 1]] == "punct":
                    cut -= 1
                return right[:cut], self._chain(right[cut:])
        return right, []

    def _chain(self, items: Sequence[int]) -> list[int]:
        found: list[int] = []
        for item in items:
            found.append(item)
            if self.relations[item] == "conj":
                found += self.split_chain(item)[1]
        return found


def has_wh(words: Words, i: int) -> bool:
    """Is it a word such as `who`, or is there one left of it, as in `whose car`?"""
    return words.tags[i] in WH or any(
        words.tags[item] in WH and words.relations[item] in ("det", "poss", "advmod")
        for item in words.left[i]
    )


def read_words(
    sentence: ParsedSentence,
    build: Callable[[Words, int], Tree],
    build_conjunct: Callable[[Words, int], Tree],
) -> Words:
    """Spaces are left out; a word that breaks another's phrase is hung higher up."""
    heads = list(sentence.heads)
    spaces = {i for i, tag in enumerate(sentence.tags) if tag == SPACE}
    if spaces:
        heads = _without(heads, spaces)
    _hang_end(heads, sentence.tags, spaces)
    heads = _flattened(heads)
    left, right, roots = _sides(heads, spaces)
    if not _is_unbroken(left, right, roots):
        heads = _lifted(heads, spaces)
        left, right, roots = _sides(heads, spaces)
    return Words(
        sentence.words,
        sentence.tags,
        sentence.relations,
        heads,
        left,
        right,
        roots,
        build,
        build_conjunct,
    )


def _sides(
    heads: Sequence[int], spaces: set[int]
) -> tuple[list[list[int]], list[list[int]], list[int]]:
    left: list[list[int]] = [[] for _ in heads]
    right: list[list[int]] = [[] for _ in heads]
    roots = []
    for i, head in enumerate(heads):
        if i in spaces:
            continue
        if head == ROOT:
            roots.append(i)
        elif i < head:
            left[head].append(i)
        else:
            right[head].append(i)
    return left, right, roots


def _hang_end(heads: list[int], tags: Sequence[str], spaces: set[int]) -> None:
    """The full stop hangs on the sentence's root, whatever the parser says."""
    roots = [i for i, head in enumerate(heads) if head == ROOT and i not in spaces]
    for i in range(len(heads) - 1, -1, -1):
        if i in spaces or len(roots) != 1 or i == roots[0]:
            continue
        if tags[i] not in (".", "''"):
            return
        if tags[i] == ".":
            heads[i] = roots[0]


def _flattened(heads: list[int]) -> list[int]:
    """No hostile text makes a tree so deep that it can't be walked."""
    if len(heads) <= DEEPEST:
        return heads
    found = []
    for head in heads:
        above = [head]
        while above[-1] != ROOT:
            above.append(heads[above[-1]])
        found.append(above[max(0, len(above) - DEEPEST)])
    return found


def _without(heads: list[int], spaces: set[int]) -> list[int]:
    """What hangs on a space hangs on what the space hangs on."""
    found = []
    for head in heads:
        while head in spaces:
            head = heads[head]
        found.append(head)
    return found


def _is_unbroken(left: list[list[int]], right: list[list[int]], roots: list[int]) -> bool:
    """Do the words come in their order, phrase by phrase?"""
    last = -1
    stack: list[tuple[int, bool]] = [(root, False) for root in reversed(roots)]
    while stack:
        i, is_opened = stack.pop()
        if is_opened:
            if i < last:
                return False
            last = i
            continue
        stack += [(item, False) for item in reversed(right[i])]
        stack.append((i, True))
        stack += [(item, False) for item in reversed(left[i])]
    return True


def _lifted(heads: Sequence[int], spaces: set[int]) -> list[int]:
    """Heads with each word hung on the nearest one above whose phrase it does not break."""
    found = list(heads)
    changed = True
    while changed:
        changed = False
        for i in range(len(found)):
            if i not in spaces and found[i] != ROOT and _is_crossed(found, i, spaces):
                found[i] = found[found[i]]
                changed = True
    return found


def _is_crossed(heads: Sequence[int], i: int, spaces: set[int]) -> bool:
    """Is there a word between this and its head that does not hang below that head?"""
    low, high = sorted((i, heads[i]))
    return any(k not in spaces and not _is_below(heads, k, heads[i]) for k in range(low + 1, high))


def _is_below(heads: Sequence[int], i: int, top: int) -> bool:
    while i not in (top, ROOT):
        i = heads[i]
    return i == top
