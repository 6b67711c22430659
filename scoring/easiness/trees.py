"""Constituency trees in the Penn treebank's brackets: `(S (NP (NNS Dogs)) (VP (VBP bark)))`."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from scoring.errors import InputError
from scoring.translation import gettext as _

ROOTS = ("", "ROOT", "TOP", "VROOT")  # what some parsers write around a sentence
BRACKETS = {"(": "-LRB-", ")": "-RRB-", "[": "-LSB-", "]": "-RSB-", "{": "-LCB-", "}": "-RCB-"}
DEEPEST = 400  # nested phrases; real sentences have up to about 40
_TOKENS = re.compile(r"[()]|[^\s()]+")


@dataclass(frozen=True, slots=True)
class Tree:
    """A phrase with its parts, or a word under its tag."""

    label: str
    children: tuple[Tree, ...] = ()
    word: str = ""

    def __str__(self) -> str:
        if not self.children:
            return f"({self.label} {self.word})"
        return f"({self.label} {' '.join(map(str, self.children))})"

    def nodes(self) -> Iterator[Tree]:
        """This and all below, from the top and from the left."""
        yield self
        for child in self.children:
            yield from child.nodes()

    def leaves(self) -> list[Tree]:
        return [node for node in self.nodes() if not node.children]

    def depth(self) -> int:
        """How many labels stand above each other where it is deepest; a tag alone has 1."""
        return 1 + max((child.depth() for child in self.children), default=0)


def leaf(tag: str, word: str) -> Tree:
    """A tagged word. Brackets are written as the treebank has them."""
    return Tree(tag, (), BRACKETS.get(word, word))


def read_tree(text: str) -> Tree:
    """One tree; functions such as `-SBJ` and traces are dropped, as parsers do."""
    tokens = _TOKENS.findall(text)
    stack: list[tuple[str, list[Tree]]] = []
    done: Tree | None = None
    place = 0
    while place < len(tokens) and done is None:
        place, done = _step(tokens, place, stack)
    if done is None or place < len(tokens):
        raise InputError(
            _("'{short}' is not a bracketed tree, such as (S (NP …) (VP …)).").format(
                short=_short(text)
            )
        )
    return _bare(done)


def read_trees(path: Path) -> list[Tree | None]:
    """A tree a line; None for an empty line."""
    found: list[Tree | None] = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        try:
            found.append(read_tree(line) if line.strip() else None)
        except ValueError as error:
            raise InputError(
                _("{path}, line {number}: {error}").format(
                    path=path.name, number=number, error=error
                )
            ) from error
    return found


def count_brackets(tree: Tree) -> Counter[tuple[str, int, int]]:
    """Each phrase as its label, first word and word after the last; tags and marks left out.

    As parsers are compared: punctuation has no place, so it matters not where it hangs.
    """
    found: Counter[tuple[str, int, int]] = Counter()
    _count_brackets(tree, 0, found)
    return found


def compare_trees(gold: Tree, made: Tree) -> tuple[int, int, int]:
    """Phrases that both have, those of the first, and those of the second."""
    one, other = count_brackets(gold), count_brackets(made)
    return (one & other).total(), one.total(), other.total()


def _step(
    tokens: list[str], place: int, stack: list[tuple[str, list[Tree]]]
) -> tuple[int, Tree | None]:
    """Read one bracket; the next place, and the tree if it has come to its end."""
    if tokens[place] == "(":
        following = tokens[place + 1] if place + 1 < len(tokens) else ")"
        label = "" if following == "(" else following
        if following == ")" or len(stack) > DEEPEST:
            raise InputError(_("An empty bracket, or brackets nested too deeply."))
        stack.append((label, []))
        return place + (2 if label else 1), None
    if not stack:
        return len(tokens) + 1, None
    label, children = stack[-1]
    if tokens[place] != ")":
        children.append(Tree("", (), tokens[place]))
        return place + 1, None
    stack.pop()
    tree = _closed(label, children)
    if stack and tree:
        stack[-1][1].append(tree)
    return place + 1, None if stack else tree


def _closed(label: str, children: list[Tree]) -> Tree | None:
    """A bracket that ended: a tagged word, a phrase, or None for a trace."""
    if label == "-NONE-" or not children:
        return None
    words = [child.word for child in children if child.word and not child.label]
    if words and len(children) == 1:
        return Tree(label, (), words[0])
    if words:
        raise InputError(_("In the bracket of {label}, words have no tags.").format(label=label))
    return Tree(_plain(label), tuple(children))


def _plain(label: str) -> str:
    """`NP-SBJ=1` is an NP."""
    return re.split(r"[-=|]", label, maxsplit=1)[0] or label


def _bare(tree: Tree) -> Tree:
    while tree.label in ROOTS and len(tree.children) == 1:
        tree = tree.children[0]
    return tree


def _count_brackets(tree: Tree, start: int, found: Counter[tuple[str, int, int]]) -> int:
    if not tree.children:
        return start + tree.label[0].isalpha()
    end = start
    for child in tree.children:
        end = _count_brackets(child, end, found)
    if end > start:
        found[tree.label, start, end] += 1
    return end


def _short(text: str) -> str:
    return text if len(text) <= 60 else f"{text[:60]}…"
