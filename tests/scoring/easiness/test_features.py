"""What regressors read of a sentence."""

from pathlib import Path

import pytest

from scoring.easiness.features import (
    FEATURES,
    GIZA,
    PAPER,
    READERS,
    TAGS,
    SentenceCase,
    giza_features,
    paper_features,
    tree_features,
)
from scoring.easiness.trees import leaf, read_tree
from tests.scoring.easiness.sentences import by_hand

TEXT = "(S (NP (DT The) (NNS dogs)) (VP (VBP bark)) (. .))"
PARSED = "The/DT/det/1 dogs/NNS/nsubj/2 bark/VBP/ROOT/-1 ././punct/2"


def named(values: list[float], names: tuple[str, ...] = PAPER) -> dict[str, float]:
    return dict(zip(names, values, strict=True))


def test_it_has_the_published_features_in_their_order(realsumm_dir: Path) -> None:
    text = (realsumm_dir.parent / "README.md").read_text(encoding="utf-8")
    listed = text.split("where some punctuation tags are hard to read):")[1].split("`fold0`")[0]
    assert list(TAGS) == listed.split()
    assert len(set(TAGS)) == 65
    assert (len(PAPER), len(set(PAPER))) == (69, 69)


def test_it_counts_length_depth_and_tags() -> None:
    found = named(tree_features(read_tree(TEXT)))
    told = {name: value for name, value in found.items() if value}
    assert told == {
        "words": 4,
        "tree_length": len(TEXT),
        "depth": 3,
        "words_per_depth": pytest.approx(4 / 3),
        "S": 1,
        "NP": 1,
        "VP": 1,
        "DT": 1,
        "NNS": 1,
        "VBP": 1,
        ".": 1,
    }


@pytest.mark.parametrize(
    "text",
    [
        "(NN x)",
        "(NP (-LRB- -LRB-) (NN x) (-RRB- -RRB-))",
        "(S (NP (PRP$ my) (NN dog)) (VP (VBD said) (`` ``) (INTJ (UH woof)) ('' '')))",
    ],
)
def test_it_measures_the_tree_as_it_is_written(text: str) -> None:
    found = named(tree_features(read_tree(text)))
    assert found["tree_length"] == len(text)
    assert found["depth"] == read_tree(text).depth()


def test_it_leaves_out_labels_that_are_not_listed() -> None:
    found = named(tree_features(read_tree("(PRN (NN x))")))
    assert sum(found[tag] for tag in TAGS) == 1


def test_it_takes_the_tree_that_is_given() -> None:
    parse = by_hand(PARSED)
    assert paper_features(SentenceCase(parse)) == tree_features(read_tree(TEXT))
    given = read_tree("(X (NN x))")
    assert paper_features(SentenceCase(parse, given)) == tree_features(given)
    assert tree_features(leaf("NN", "x"))[:4] == [1, 6, 1, 1]


def test_it_adds_features_of_the_stus() -> None:
    case = SentenceCase(by_hand(PARSED), None, ("dogs bark",))
    found = giza_features(case)
    assert found[:69] == paper_features(case)
    assert named(found, GIZA)["stus"] == 1
    assert len(set(GIZA)) == len(GIZA)


def test_it_has_a_reader_for_each_kind() -> None:
    case = SentenceCase(by_hand(PARSED))
    assert {name: len(READERS[name](case)) for name in FEATURES} == {
        name: len(names) for name, names in FEATURES.items()
    }
