"""The judged campaign that tests share is what it says it is."""

from __future__ import annotations

from annotation.crowd.campaigns.models import Campaign, Judgement
from annotation.evaluation.labels.models import LabelSet
from annotation.evaluation.labels.outcome import compare, get_outcome
from scoring.aggregation import Recipe
from tests.annotation.evaluation.campaigns import NOISY, STRICT


def test_it_has_the_answers_of_four_workers(judged: Campaign):
    judgements = Judgement.objects.filter(assignment__campaign=judged)
    assert (judged.hits.count(), judged.assignments.count()) == (6, 24)
    assert judgements.count() == 72


def test_it_changes_one_label_when_the_noisy_worker_goes(judged: Campaign):
    plain, strict = (
        get_outcome(judged.project, judged.unit_set, [judged], recipe)
        for recipe in (Recipe(), STRICT)
    )
    found = compare(plain, strict)
    assert found.labels_changed == 1
    assert int(plain.aggregate.labels.ties.sum()) == 2


def test_it_leaves_out_the_noisy_worker_of_every_summary(labelled: LabelSet):
    workers = labelled.drops.values_list("assignment__worker__provider_id", flat=True)
    assert set(workers) == {NOISY}
    assert labelled.figures["counts"]["dropped"] == 6
