"""ROUGE against rouge-score 0.1.2, against published means, and by hand."""

import random

import numpy as np
import pytest
from rouge_score.rouge_scorer import RougeScorer

from scoring.io.texts import read_texts
from scoring.metrics import load_metric
from scoring.metrics.rouge import KINDS, count_subsequence
from tests.scoring.goldens import golden_parts

ODD = ["", "...", "a", "Flies FLYING flew", "naïve £23million", "the the the cat", "12 dogs' 12th"]


@pytest.fixture(scope="module")
def texts(realsumm_dir):
    return read_texts(realsumm_dir)


def theirs(summaries, references, *, is_stemmed):
    scorer = RougeScorer(list(KINDS), use_stemmer=is_stemmed)
    found = (
        scorer.score_multi(targets, summary)
        for summary, targets in zip(summaries, references, strict=True)
    )
    return [[part for kind in KINDS for part in _parts(row[kind])] for row in found]


def _parts(score):
    return score.recall, score.precision, score.fmeasure


@pytest.mark.parametrize("is_stemmed", [True, False])
def test_it_equals_rouge_score_on_realsumm(texts, is_stemmed):
    some = slice(0, None, 13)
    summaries, references = texts.summaries[some], texts.references[some]
    found = load_metric("rouge", {"stem": is_stemmed}).score(summaries, references, [])
    expected = theirs(summaries, references, is_stemmed=is_stemmed)
    np.testing.assert_allclose(found.values, expected, rtol=0, atol=1e-9)


def test_it_equals_rouge_score_with_several_references(texts):
    summaries = [*ODD, *texts.summaries[:40]]
    references = [*([a, b] for a, b in zip(ODD, reversed(ODD), strict=True))]
    references += [list(texts.summaries[place + 1 : place + 4]) for place in range(40)]
    found = load_metric("rouge").score(summaries, references, [])
    expected = theirs(summaries, references, is_stemmed=True)
    np.testing.assert_allclose(found.values, expected, rtol=0, atol=1e-9)


def test_it_gives_the_published_means_of_realsumm(texts, realsumm_dir):
    table = load_metric("rouge").score(texts.summaries, texts.references, [])
    systems = np.array(texts.systems)
    means = golden_parts(realsumm_dir, "realsumm.rouge_means")
    assert len(means) == 15
    for system, kinds in means.items():
        mean = dict(zip(table.columns, table.values[systems == system].mean(axis=0), strict=True))
        for kind, parts in kinds.items():
            found = [mean[f"{kind}_{part}"] for part in ("recall", "precision", "f1")]
            assert found == pytest.approx(parts, abs=1e-6), (system, kind)


def test_it_takes_the_mean_of_several_references():
    metric = load_metric("rouge", {"several": "mean", "stem": False})
    found = metric.score(["a b c"], [["a b c d", "x y"]], [])
    row = dict(zip(found.columns, found.values[0], strict=True))
    assert row["rouge1_recall"] == pytest.approx(0.375)
    assert row["rouge1_precision"] == pytest.approx(0.5)
    assert row["rouge1_f1"] == pytest.approx(3 / 7)
    assert row["rouge3_recall"] == pytest.approx(0.25)
    assert row["rougeL_f1"] == pytest.approx(3 / 7)


def test_it_gives_rows_in_the_order_of_the_summaries():
    metric = load_metric("rouge")
    found = metric.score(["z", "a", "b"], [["z"], ["b"], ["b"]], []).values[:, 0]
    assert found.tolist() == [1, 0, 1]


def test_it_signs_its_options():
    stemmed, plain = (load_metric("rouge", {"stem": stem}).signature for stem in ("yes", "no"))
    assert stemmed.startswith("metric:rouge|several:best|stem:yes|giza:")
    assert stemmed != plain


def test_it_counts_the_longest_common_subsequence():
    rng = random.Random(5)
    for _ in range(60):
        first, second = (rng.choices("abcde", k=rng.randint(0, 90)) for _ in range(2))
        places = {
            word: sum(1 << place for place, other in enumerate(second) if other == word)
            for word in second
        }
        assert count_subsequence(first, places, len(second)) == longest(first, second)


def longest(first, second):
    """The usual table."""
    row = [0] * (len(second) + 1)
    for mine in first:
        before = 0
        for place, other in enumerate(second, 1):
            here = row[place]
            row[place] = before + 1 if mine == other else max(here, row[place - 1])
            before = here
    return row[-1]
