"""How often intervals hold, on made-up studies and on REALSumm."""

from __future__ import annotations

import numpy as np
import pytest

from scoring.estimation import DOCUMENTS, POPULATION, PartialScores, measure_coverage
from scoring.io.score_files import load_study
from tests.scoring.estimation.toys import judge_some, make_scores


def test_intervals_hold_and_are_narrower():
    found = measure_coverage(make_scores(systems=10), 15, draws=200)
    assert 0.92 <= found.covered <= 0.98
    assert found.lowest <= found.covered
    assert found.width < 0.9 * found.people_width
    assert found.people_alone > 17
    assert found.bias < 0.01


def test_it_is_the_same_for_the_same_seed_and_tells_how_far_it_is():
    told = []
    first = measure_coverage(make_scores(), 10, draws=5, tell=lambda *far: told.append(far))
    assert told == [(number, 5) for number in range(1, 6)]
    assert first == measure_coverage(make_scores(), 10, draws=5)
    assert first != measure_coverage(make_scores(), 10, draws=5, seed=1)


def test_intervals_for_all_documents_of_the_kind_are_wider():
    near, far = (
        measure_coverage(make_scores(), 15, draws=20, target=target)
        for target in (DOCUMENTS, POPULATION)
    )
    assert far.width > near.width


@pytest.mark.parametrize("judged", [2, 60])
def test_it_refuses_draws_that_can_not_be(judged):
    with pytest.raises(ValueError, match=f"{judged} of 60 documents"):
        measure_coverage(make_scores(), judged)


def test_it_takes_a_whole_study():
    with pytest.raises(ValueError, match="all documents"):
        measure_coverage(judge_some(make_scores(), np.arange(10)), 5)


def test_it_holds_on_realsumm_with_a_plain_metric(realsumm_dir):
    """ROUGE-1 recall for the judge: weaker than the embedded one, and not trained on anything."""
    study = load_study(
        [realsumm_dir / "metric_scores.csv"], human="litepyramid_recall", flagged=False
    )
    metric = study.scores["rouge_1_recall"]
    found = measure_coverage(
        PartialScores(study.systems, study.documents, study.people, metric), 20, draws=150
    )
    assert found.covered >= 0.93
    assert found.width < 0.95 * found.people_width
