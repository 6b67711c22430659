"""Easiness as the paper defines it, and the published figures."""

from pathlib import Path

import numpy as np
import pytest

from scoring.easiness import (
    align_scus,
    align_scus_by_span,
    sentence_easiness,
    unit_accuracies,
)
from tests.scoring.easiness.published import read_published
from tests.scoring.goldens import golden

SENTENCES = ["The cat sat on the mat.", "A dog barked at the cat."]


@pytest.mark.parametrize(
    "scu, place",
    [
        ("A dog barked", 1),
        ("The mat was sat on", 0),
        ("the cat", 0),  # both have both words: the first
        ("Nothing shared", 0),
        ("", 0),
        ("mat mat mat dog barked", 1),  # words count once
    ],
)
def test_it_gives_an_scu_to_the_sentence_with_most_of_its_words(scu: str, place: int) -> None:
    assert align_scus(SENTENCES, [scu]) == [place]


def test_it_compares_words_as_written_for_alignment() -> None:
    assert align_scus(["Cats sit.", "A cat sits."], ["cat"]) == [1]


def test_it_refuses_scus_without_a_sentence() -> None:
    with pytest.raises(ValueError, match="no sentence"):
        align_scus([], ["A dog barked."])
    assert align_scus([], []) == []


def test_it_aligns_by_span_where_there_is_one() -> None:
    text = " ".join(SENTENCES)
    sentences = [(0, 23), (24, 48)]
    scus = ["the cat", "the cat", "A dog barked", "the cat sat", "on the mat"]
    spans = [[(40, 47)], [(0, 7)], [], [(18, 22), (24, 48)], [(23, 24)]]
    assert align_scus_by_span(sentences, scus, spans, text) == [1, 0, 1, 1, 0]


def test_it_takes_the_nearest_stu_of_the_whole_reference() -> None:
    stus = ["cat sat on the mat", "dog barked"]
    assert unit_accuracies(["A dog barked"], stus) == [pytest.approx(0.8)]
    found = sentence_easiness(SENTENCES, ["The cat sat", "dogs barked"], stus)
    assert found == [pytest.approx(0.75), pytest.approx(1.0)]


def test_it_says_nothing_of_a_sentence_without_scus() -> None:
    assert sentence_easiness(SENTENCES, ["The cat sat"], ["The cat sat"]) == [1.0, None]
    assert sentence_easiness(SENTENCES, ["The cat sat"], []) == [0.0, None]


def test_it_believes_the_places_it_is_given() -> None:
    assert sentence_easiness(SENTENCES, ["cat"], ["cat"], places=[1]) == [None, 1.0]
    with pytest.raises(ValueError, match="sentence 2"):
        sentence_easiness(SENTENCES, ["cat"], ["cat"], places=[2])
    with pytest.raises(ValueError):
        sentence_easiness(SENTENCES, ["cat", "dog"], ["cat"], places=[1])


@pytest.mark.parametrize(
    "name, is_stemmed", [("realsumm.easiness", True), ("realsumm.easiness.unstemmed", False)]
)
def test_it_has_the_published_distribution(realsumm_dir: Path, name: str, is_stemmed: bool) -> None:
    found = [
        value
        for _, sentences, scus, stus in read_published(realsumm_dir)
        for value in sentence_easiness(sentences, scus, stus, is_stemmed=is_stemmed)
    ]
    known = np.array([value for value in found if value is not None])
    figure = golden(realsumm_dir, name)
    wanted = figure["value"]
    assert (len(known), len(found) - len(known)) == (
        wanted["sentences"],
        wanted["sentences_without_scu"],
    )
    # A value that is just on an edge, as 0.9, lies on one side of it or the other by rounding.
    edges = np.arange(1, 10) / 10
    below = np.cumsum(wanted["histogram_10_bins_0_1"])[:-1]
    assert all((known < edge - 1e-9).sum() <= n for edge, n in zip(edges, below, strict=True))
    assert all((known < edge + 1e-9).sum() >= n for edge, n in zip(edges, below, strict=True))
    shape = {
        "mean": known.mean(),
        "sd_population": known.std(),
        "min": known.min(),
        "q25": np.quantile(known, 0.25),
        "median": np.median(known),
        "q75": np.quantile(known, 0.75),
        "max": known.max(),
    }
    assert shape == {key: pytest.approx(wanted[key], abs=figure["tolerance"]) for key in shape}


def test_it_has_each_published_value_of_the_first_documents(realsumm_dir: Path) -> None:
    figure = golden(realsumm_dir, "realsumm.easiness.first10")
    found: dict[str, float | None] = {}
    for document, sentences, scus, stus in list(read_published(realsumm_dir))[:10]:
        values = sentence_easiness(sentences, scus, stus)
        found |= {f"{document}/{place}": value for place, value in enumerate(values)}
    known = {name: value for name, value in found.items() if value is not None}
    wanted = figure["value"]
    assert known == {
        name: pytest.approx(value, abs=figure["tolerance"]) for name, value in wanted.items()
    }


def test_it_is_near_the_published_mean_of_pyrxsum(pyrxsum_dir: Path) -> None:
    found = [
        value
        for _, sentences, scus, stus in read_published(pyrxsum_dir, whole=True)
        for value in sentence_easiness(sentences, scus, stus)
    ]
    known = [value for value in found if value is not None]
    assert len(known) == 100
    assert np.mean(known) == pytest.approx(0.543, abs=0.0005)
