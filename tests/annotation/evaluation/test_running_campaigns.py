"""Labels and gold of a campaign that runs on: what comes in later belongs to later labels."""

from __future__ import annotations

from typing import Any

import pytest

from annotation.corpora.accounts.models import User
from annotation.crowd.campaigns.models import Assignment, Campaign, Judgement, Worker
from annotation.evaluation.gold.models import WorkerNames
from annotation.evaluation.gold.queries import get_facts
from annotation.evaluation.gold.records import get_names, iter_gold_examples
from annotation.evaluation.labels import answers
from annotation.evaluation.labels.models import LabelSet
from scoring.aggregation import Recipe
from scoring.io.gold import GoldExample, count_gold
from tests.annotation.evaluation.campaigns import make_gold, make_labels


def come_late(campaign: Campaign) -> None:
    """A fifth worker finds everything in every summary."""
    eva, _ = Worker.objects.get_or_create(
        project=campaign.project, provider=campaign.provider, provider_id="EVA"
    )
    for hit in campaign.hits.all():
        made = Assignment.objects.create(
            campaign=campaign, hit=hit, worker=eva, provider_id=f"EVA-{hit.pk}", raw="", seconds=9
        )
        Judgement.objects.bulk_create(
            Judgement(assignment=made, unit_id=statement["unit"], present=True)
            for statement in hit.statements
        )


def examples_of(label_set: LabelSet) -> list[GoldExample]:
    names = get_names(label_set.project, WorkerNames.ID)
    return list(iter_gold_examples(label_set, names))


def test_its_gold_holds_the_answers_that_its_labels_were_made_of(judged: Campaign, owner: User):
    labels = make_labels(judged, owner, Recipe())
    before = examples_of(labels)
    come_late(judged)
    assert examples_of(LabelSet.objects.get(pk=labels.pk)) == before
    facts = get_facts(make_gold(labels, owner), count_gold([], before), "")
    assert [row.assignments for row in facts.campaigns] == [24]


def test_its_next_labels_hear_everybody(judged: Campaign, owner: User):
    first = make_labels(judged, owner, Recipe())
    come_late(judged)
    second = make_labels(judged, owner, Recipe())
    workers = {answer.worker for example in examples_of(second) for answer in example.answers}
    assert "EVA" in workers
    assert first.answers_hash != second.answers_hash


def test_it_takes_no_answer_for_somebody_elses(judged: Campaign, monkeypatch: pytest.MonkeyPatch):
    """An assignment comes in after the assignments were read and before the judgements are."""
    read = answers._read_judgements
    alone = answers.get_collected([judged]).answers.content_hash()

    def read_later(campaigns: Any) -> Any:
        come_late(judged)
        return read(campaigns)

    answers._collected.clear()
    monkeypatch.setattr(answers, "_read_judgements", read_later)
    assert answers.get_collected([judged]).answers.content_hash() == alone
