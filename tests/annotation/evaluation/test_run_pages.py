"""What is told of a run: its plan, how far it is, its figures beside people, its evidence."""

from __future__ import annotations

import csv
import io
import json
from datetime import timedelta

import numpy as np
import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from annotation.corpora.accounts.models import User
from annotation.corpora.corpus.models import Example
from annotation.evaluation.judges.offered import read_options, resolve_judge
from annotation.evaluation.labels import settling
from annotation.evaluation.labels.models import LabelSet, SummaryLabels
from annotation.evaluation.runs import comparison as run_people
from annotation.evaluation.runs.comparison import get_beside, get_pairs, list_labels_beside
from annotation.evaluation.runs.judging import claim_chunk, judge_next
from annotation.evaluation.runs.models import ChunkState, SummaryPresence
from annotation.evaluation.runs.presence import get_matrix, get_reason
from annotation.evaluation.runs.queries import RunPlan, get_progress, list_run_scores, plan_run
from annotation.evaluation.runs.review import list_disagreements, rank_disagreements
from annotation.evaluation.runs.summaries import stream_pairs_csv, stream_pairs_jsonl
from annotation.evaluation.runs.texts import find_evidence
from annotation.units.sets.models import UnitSet
from tests.annotation.evaluation.running import begin, finish
from tests.annotation.evaluation.test_judging import identify, toy

pytestmark = pytest.mark.usefixtures("toys")


def plan(unit_set: UnitSet, judge: str = "toy2", systems: tuple[str, ...] = ()) -> RunPlan:
    return plan_run(
        project=unit_set.project,
        unit_set=unit_set,
        systems=systems,
        choice=resolve_judge(unit_set.project, judge),
        options=read_options({}),
    )


def test_it_says_what_a_run_would_compute(judged_set: UnitSet) -> None:
    first = plan(judged_set)
    assert (first.counts["pairs"], first.distinct_pairs) == (18, 6)
    assert (first.stored, first.to_judge, first.seconds) == (None, 6, None)
    finish(judged_set, systems=["lead"])
    again = plan(judged_set)
    assert (again.stored, again.to_judge) == (3, 3)
    assert plan(judged_set, systems=("lead",)).to_judge == 0
    assert plan(judged_set, "toy").stored is None
    finish(judged_set, judge="toy-context2")
    assert plan(judged_set, "toy-context2").to_judge == 0


def test_it_estimates_from_the_last_pace(judged_set: UnitSet) -> None:
    run = finish(judged_set, systems=["lead"], chunk_size=1)
    run.figures["pairs_per_second"] = 1.5
    run.save()
    finish(judged_set, systems=["lead"])
    assert plan(judged_set).seconds == pytest.approx(2)


def test_it_says_how_far_it_is(judged_set: UnitSet) -> None:
    run = identify(begin(judged_set, chunk_size=2))
    judge_next(run, toy(run))
    claim_chunk(run)
    assert run.job is not None
    run.job.refresh_from_db()
    found = get_progress(run)
    assert (found.pairs, found.total, found.chunks, found.all_chunks) == (6, 18, 1, 3)
    assert (found.workers, found.percent) == (1, 33)
    assert found.rate is not None
    assert found.time_left is not None
    run.chunks.filter(state=ChunkState.DONE).update(done_at=timezone.now() - timedelta(hours=1))
    assert get_progress(run).rate is None


def test_it_ranks_systems_with_intervals(judged_set: UnitSet) -> None:
    run = finish(judged_set)
    first, second = list_run_scores(run)
    assert (first.system, first.rank, first.documents) == ("lead", 1, 3)
    row = SummaryPresence.objects.filter(run=run, summary__system__name="lead").earliest("pk")
    assert first.score == pytest.approx(row.score)
    assert None not in (first.low, first.high, second.score)


def test_it_stands_beside_people(labelled: LabelSet) -> None:
    run = finish(labelled.unit_set)
    assert list(list_labels_beside(run)) == [labelled]
    pairs = get_pairs(run, labelled)
    assert len(pairs.values) == 18
    found = get_beside(run, labelled)
    assert found is not None
    assert found.figures["units"] == sum(found.figures["confusion"].values()) == 18
    assert found.disagreements == int(pairs.disagree.sum())
    assert found.figures["accuracy"] == pytest.approx(1 - found.disagreements / 18)
    assert found.bias == pytest.approx(np.mean([row.bias for row in found.systems]))
    assert None not in (found.precision, found.recall)
    lead = next(row for row in found.systems if row.system == "lead")
    said = SummaryLabels.objects.filter(label_set=labelled, summary__system__name="lead")
    assert lead.people == pytest.approx(np.mean([np.mean(row.labels) for row in said]))
    assert lead.bias == pytest.approx(lead.judge - lead.people)
    assert lead.bias_low is not None
    assert lead.bias_low <= lead.bias <= (lead.bias_high or 0)
    assert found.bias_low is not None
    assert found.bias_low <= found.bias <= (found.bias_high or 0)
    # Two systems have no interval of a correlation.
    assert found.intervals == {}


def test_intervals_of_correlations_say_how_often_they_hold(
    labelled: LabelSet, as_owner: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As for three systems or more; the two of this study have no interval."""
    run = finish(labelled.unit_set)
    path = reverse("evaluation:people", args=[run.project.slug, run.pk])
    rest = f"/api/v1/projects/{run.project.slug}/runs/{run.pk}/scores/"
    assert "actual coverage" not in as_owner.get(path).content.decode()
    assert as_owner.get(rest).json()["people"]["coverage"] == ""
    bounds = {level: {"pearson": (0.1, 0.9)} for level in ("system", "summary")}
    monkeypatch.setattr(run_people, "bound_correlations", lambda *tables: bounds)
    other = finish(labelled.unit_set, judge="lexical")
    path = reverse("evaluation:people", args=[run.project.slug, other.pk])
    assert "kendall, percentile: 98.8 %" in as_owner.get(path).content.decode()
    rest = f"/api/v1/projects/{run.project.slug}/runs/{other.pk}/scores/"
    assert "different actual coverage" in as_owner.get(rest).json()["people"]["coverage"]


def test_it_leaves_out_what_nobody_labelled(labelled: LabelSet) -> None:
    run = finish(labelled.unit_set)
    SummaryLabels.objects.filter(label_set=labelled, summary__example__key="e1").delete()
    row = SummaryLabels.objects.filter(label_set=labelled).earliest("pk")
    row.labels[0] = None
    row.save()
    cache.clear()
    assert len(get_pairs(run, labelled).values) == 11
    found = get_beside(run, labelled)
    assert found is not None
    assert found.figures["units"] == 11
    SummaryLabels.objects.filter(label_set=labelled).delete()
    cache.clear()
    assert get_beside(run, labelled) is None


def test_judge_and_people_are_compared_on_the_same_examples(labelled: LabelSet) -> None:
    run = finish(labelled.unit_set)
    SummaryLabels.objects.filter(label_set=labelled, summary__example__key="e1").delete()
    cache.clear()
    found = get_beside(run, labelled)
    assert found is not None
    assert found.examples == 2
    for row in found.systems:
        judged = SummaryPresence.objects.filter(run=run, summary__system__name=row.system)
        same = judged.exclude(summary__example__key="e1")
        assert row.judge == pytest.approx(np.mean([each.score for each in same]))
        assert row.judge_row.documents == row.people_row.documents == row.documents == 2
        assert judged.count() == 3


def test_it_puts_the_surest_disagreements_first(labelled: LabelSet, owner: User) -> None:
    run = finish(labelled.unit_set)
    pairs = get_pairs(run, labelled)
    codes = rank_disagreements(labelled.unit_set, pairs)
    gaps = pairs.gaps[codes]
    assert len(codes) == pairs.disagree.sum() > 0
    assert (np.diff(gaps) <= 0).all()
    first, *_ = rows = list_disagreements(run, labelled, pairs, codes)
    assert all((row.value > 0.5) != (row.label == 1) for row in rows)
    settling.adjudicate(
        project=run.project,
        user=owner,
        summary=first.summary,
        unit=first.unit,
        present=first.label != 1,
    )
    assert len(rank_disagreements(labelled.unit_set, pairs)) == len(codes) - 1
    (settled,) = list_disagreements(
        run, labelled, pairs, rank_disagreements(labelled.unit_set, pairs, "settled")
    )
    assert (settled.key, settled.sides_with_judge) == (first.key, True)
    assert len(rank_disagreements(labelled.unit_set, pairs, "all")) == len(codes)
    assert not len(rank_disagreements(labelled.unit_set, pairs, "all", "nobody"))


def test_it_shows_units_by_systems(labelled: LabelSet) -> None:
    run = finish(labelled.unit_set)
    example = Example.objects.get(key="e1")
    found = get_matrix(run, example, ["soup", "lead", "other"], labelled)
    assert found.systems == ["soup", "lead"]
    row = SummaryPresence.objects.get(
        run=run, summary__example=example, summary__system__name="lead"
    )
    cells = [line.cells[1] for line in found.rows]
    assert [cell and cell.value for cell in cells] == row.presence
    assert all(cell is not None and cell.label in (0, 1) for cell in cells)
    assert {cell.shade for line in found.rows for cell in line.cells if cell} <= set(range(5))
    assert get_matrix(run, example, ["lead"], None).rows[0].cells[0].label is None  # type: ignore[union-attr]


def test_it_gives_the_reason_of_a_value(labelled: LabelSet) -> None:
    run = finish(labelled.unit_set)
    unit = labelled.unit_set.units.filter(example__key="e1").order_by("position")[0]
    found = get_reason(run, labelled, unit.pk, "lead")
    assert found is not None
    assert (found.evidence.sentence, found.evidence.is_named) == ("The dam burst.", True)
    assert get_reason(run, labelled, unit.pk, "nobody") is None
    assert get_reason(run, labelled, 0, "lead") is None


@pytest.mark.parametrize(
    "place, sentence, is_named",
    [(1, "Nobody was hurt.", True), (-1, "A dam burst.", False), (7, "A dam burst.", False)],
)
def test_it_finds_the_sentence(place: int, sentence: str, is_named: bool) -> None:
    text = "A dam burst. Nobody was hurt."
    found = find_evidence(text, "The dam burst.", place)
    assert (found.sentence, found.is_named) == (sentence, is_named)
    assert found.before + found.sentence + found.after == text


def test_it_finds_no_sentence_without_a_word_in_common() -> None:
    found = find_evidence("A dam burst.", "It rained.", -1)
    assert (found.before, found.sentence) == ("A dam burst.", "")


def test_it_is_downloaded_with_every_value(judged_set: UnitSet) -> None:
    run = finish(judged_set)
    rows = list(csv.DictReader(io.StringIO("".join(stream_pairs_csv(run)))))
    assert len(rows) == 18
    head, first, *others = (json.loads(line) for line in stream_pairs_jsonl(run))
    assert (head["signature"], head["hash"]) == (run.signature, run.content_hash)
    assert len(others) == 5
    assert [float(row["presence"]) for row in rows[:3]] == first["presence"]
    assert (rows[0]["text"], rows[0]["unit"]) == ("The dam burst.", "1")


def test_it_defuses_cells(judged_set: UnitSet) -> None:
    judged_set.units.filter(text="It was Monday.").update(text="=1+1")
    assert "'=1+1" in "".join(stream_pairs_csv(finish(judged_set)))
