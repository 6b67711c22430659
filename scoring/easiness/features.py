"""What the regressors read of a sentence.

`paper`: the 69 features of Zhang & Bansal (2021, A.3), all of the sentence's tree. `giza`: these,
and features of the STUs themselves.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

from scoring.easiness.constituents import build_tree
from scoring.easiness.stu_features import STU_FEATURES, stu_features
from scoring.easiness.trees import Tree
from scoring.parses import ParsedSentence

# In the order of the released regressors.
_LISTED = """
    WRB RBR ADVP VBG $ '' WHADVP -RRB- JJR NAC PRP NNS WP VBZ MD WDT NP ADJP PDT EX UH NN
    NFP SYM PRP$ RBS FRAG NX CONJP RP WHPP CC VBD LS . SBAR TO JJ IN VP -LRB- S QP SQ
    CD `` X POS XX PP PRT JJS HYPH , RB VBN : VBP DT VB SINV UCP WHNP NNPS NNP
"""
TAGS = tuple(_LISTED.split())
PAPER = ("words", "tree_length", "depth", "words_per_depth", *TAGS)
GIZA = (*PAPER, *STU_FEATURES)


@dataclass(frozen=True, slots=True)
class SentenceCase:
    """A sentence and its STUs; without a tree, one is built from the parse."""

    parse: ParsedSentence
    tree: Tree | None = None
    stus: tuple[str, ...] = ()


def paper_features(case: SentenceCase) -> list[float]:
    """In the order of `PAPER`."""
    return tree_features(case.tree or build_tree(case.parse))


def giza_features(case: SentenceCase) -> list[float]:
    """In the order of `GIZA`."""
    return paper_features(case) + stu_features(case.parse, case.stus)


FEATURES = {"paper": PAPER, "giza": GIZA}
READERS: dict[str, Callable[[SentenceCase], list[float]]] = {
    "paper": paper_features,
    "giza": giza_features,
}


def tree_features(tree: Tree) -> list[float]:
    """Length in words, length of the bracketed tree in characters, depth, words ÷ depth, tags."""
    labels: list[str] = []
    length, depth = _walk(tree, labels)
    words = labels.count("")
    counts = Counter(labels)
    return [words, length, depth, words / depth, *(counts.get(tag, 0) for tag in TAGS)]


def _walk(tree: Tree, labels: list[str]) -> tuple[int, int]:
    """Length in characters and depth; labels are noted, and an empty one for each word."""
    labels.append(tree.label)
    if not tree.children:
        labels.append("")
        return len(tree.label) + len(tree.word) + 3, 1
    length, depth = len(tree.label) + 2 + len(tree.children), 0
    for child in tree.children:
        inner, below = _walk(child, labels)
        length += inner
        depth = max(depth, below)
    return length, depth + 1
