"""What the regressors read: the 69 features of Zhang & Bansal (2021, A.3) of a sentence's tree."""

from __future__ import annotations

from collections import Counter

from scoring.easiness.trees import Tree

# In the order of the released regressors.
TAGS = tuple(
    """
    WRB RBR ADVP VBG $ '' WHADVP -RRB- JJR NAC PRP NNS WP VBZ MD WDT NP ADJP PDT EX UH NN
    NFP SYM PRP$ RBS FRAG NX CONJP RP WHPP CC VBD LS . SBAR TO JJ IN VP -LRB- S QP SQ
    CD `` X POS XX PP PRT JJS HYPH , RB VBN : VBP DT VB SINV UCP WHNP NNPS NNP
    """.split()
)
PAPER = ("words", "tree_length", "depth", "words_per_depth", *TAGS)


def tree_features(tree: Tree) -> list[float]:
    """Length in words, length of the bracketed tree in characters, depth, words ÷ depth, tags."""
    counts: Counter[str] = Counter()
    length, depth = _walk(tree, counts)
    words = counts.pop("", 0)
    return [words, length, depth, words / depth, *(counts[tag] for tag in TAGS)]


def _walk(tree: Tree, counts: Counter[str]) -> tuple[int, int]:
    """Length in characters and depth; labels are counted, words under the empty label."""
    counts[tree.label] += 1
    if not tree.children:
        counts[""] += 1
        return len(tree.label) + len(tree.word) + 3, 1
    length, depth = len(tree.label) + 2 + len(tree.children), 0
    for child in tree.children:
        inner, below = _walk(child, counts)
        length += inner
        depth = max(depth, below)
    return length, depth + 1
