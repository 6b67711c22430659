"""Bracketed trees: read, written and compared."""

from pathlib import Path

import pytest

from scoring.easiness.trees import (
    DEEPEST,
    Tree,
    compare_trees,
    count_brackets,
    leaf,
    read_tree,
    read_trees,
)

DOGS = "(S (NP (DT The) (NNS dogs)) (VP (VBP bark)) (. .))"


def test_it_reads_and_writes_brackets() -> None:
    tree = read_tree(DOGS)
    assert str(tree) == DOGS
    assert [node.label for node in tree.nodes()] == ["S", "NP", "DT", "NNS", "VP", "VBP", "."]
    assert [word.word for word in tree.leaves()] == ["The", "dogs", "bark", "."]


@pytest.mark.parametrize(
    "text, expected",
    [
        ("(ROOT (NP (NN x)))", "(NP (NN x))"),
        ("((S (NP (NN x))))", "(S (NP (NN x)))"),
        ("(TOP (S (NP-SBJ=1 (NN x)) (VP|extra (VBZ y))))", "(S (NP (NN x)) (VP (VBZ y)))"),
        ("(S (NP-SBJ (-NONE- *)) (VP (VB go)))", "(S (VP (VB go)))"),
        ("(NP (NP (-NONE- *T*)))", None),
        ("(NP (-LRB- -LRB-) (NN x) (-RRB- -RRB-))", "(NP (-LRB- -LRB-) (NN x) (-RRB- -RRB-))"),
        ("(NP\n  (PRP$ my)\n  (NN dog))", "(NP (PRP$ my) (NN dog))"),
        ("(NN x)", "(NN x)"),
    ],
)
def test_it_drops_what_parsers_do_not_say(text: str, expected: str | None) -> None:
    if expected is None:
        with pytest.raises(ValueError, match="not a bracketed tree"):
            read_tree(text)
    else:
        assert str(read_tree(text)) == expected


@pytest.mark.parametrize(
    "text",
    ["", "word", "(S", "(S (NP x)", "(S (NN x)))", "(S (NN x)) (S (NN y))", ")", "x (S (NN y))"],
)
def test_it_refuses_what_is_no_tree(text: str) -> None:
    with pytest.raises(ValueError, match="not a bracketed tree"):
        read_tree(text)


@pytest.mark.parametrize("text", ["()", "(S ())", "(S (NP", "(" * (DEEPEST + 9) + "NN x"])
def test_it_refuses_empty_and_endless_brackets(text: str) -> None:
    with pytest.raises(ValueError):
        read_tree(text)


def test_it_refuses_words_without_tags() -> None:
    with pytest.raises(ValueError, match="In the bracket of NP, words have no tags"):
        read_tree("(S (NP the (NN dog)))")


def test_it_escapes_brackets_in_words() -> None:
    assert str(leaf("-LRB-", "(")) == "(-LRB- -LRB-)"
    assert str(leaf("NN", "dog")) == "(NN dog)"


@pytest.mark.parametrize(
    "text, depth", [("(NN x)", 1), ("(NP (NN x))", 2), (DOGS, 3), ("(S (VP (VP (VB x))))", 4)]
)
def test_it_counts_labels_above_each_other(text: str, depth: int) -> None:
    assert read_tree(text).depth() == depth


def test_it_reads_a_file_of_trees(tmp_path: Path) -> None:
    path = tmp_path / "trees.txt"
    path.write_text(f"{DOGS}\n\n(NP (NN x))\n", encoding="utf-8")
    found = read_trees(path)
    assert [str(tree) if tree else None for tree in found] == [DOGS, None, "(NP (NN x))"]


def test_it_names_the_line_that_is_no_tree(tmp_path: Path) -> None:
    path = tmp_path / "trees.txt"
    path.write_text(f"{DOGS}\n(S (NP\n", encoding="utf-8")
    with pytest.raises(ValueError, match="trees.txt, line 2"):
        read_trees(path)


def test_it_counts_phrases_without_punctuation() -> None:
    expected = {("S", 0, 3): 1, ("NP", 0, 2): 1, ("VP", 2, 3): 1}
    assert count_brackets(read_tree(DOGS)) == expected
    moved = read_tree("(S (NP (DT The) (NNS dogs)) (VP (VBP bark) (. .)))")
    assert count_brackets(moved) == expected


def test_it_compares_phrases() -> None:
    other = read_tree("(S (NP (DT The) (NNS dogs)) (S (VP (VBP bark))) (. .))")
    assert compare_trees(read_tree(DOGS), other) == (3, 3, 4)
    assert compare_trees(Tree("X", (leaf(".", "."),)), read_tree(DOGS)) == (0, 0, 3)
