"""Curves of mixed units: what is refused, what the job draws, and that a kill loses nothing."""

from __future__ import annotations

import math
from typing import Any

import pytest

from annotation.corpora.accounts.models import User
from annotation.corpora.jobs.models import JobState
from annotation.corpora.jobs.service import cancel_job, claim_job, run_job
from annotation.corpora.jobs.work import Work
from annotation.errors import DomainError, Invalid
from annotation.evaluation.labels.models import LabelSet, SummaryLabels
from annotation.evaluation.labels.wording import defined
from annotation.evaluation.planning import curves as planning_curves
from annotation.evaluation.planning.curves import run_curves
from annotation.evaluation.planning.models import CurveRun
from annotation.evaluation.planning.queries import (
    get_curves,
    get_ready_curves,
    list_curve_rows,
    list_curves,
    list_frozen_stus,
    stream_curves,
)
from annotation.units.sets.models import UnitSet
from tests import factories
from tests.annotation.evaluation.planned import begin_curves, make_curves
from tests.annotation.evaluation.running import finish


def test_it_draws_every_order(labelled: LabelSet, stus: UnitSet, owner: User):
    curves = make_curves(labelled, stus, owner)
    found = curves.found
    assert curves.is_ready
    assert (found["documents"], found["systems"], found["sentences"]) == (3, 2, 6)
    assert found["percentages"] == [0, 50, 100]
    assert found["seeds"] == 20
    assert {row["order"] for row in found["curves"]} == {
        *("regressor", "oracle", "damage-oracle", "reverse", "random")
    }
    assert curves.sources["regressor"] == "giza 1"
    assert curves.signature.startswith("curves|judge:human|data:")
    assert str(curves) == f"Curves {curves.pk}: Judged v1 and STUs v1"


def test_it_draws_the_same_again(labelled: LabelSet, stus: UnitSet):
    first, again = (make_curves(labelled, stus).found for _ in range(2))
    assert first == again


@pytest.mark.usefixtures("toys")
def test_it_draws_what_a_judge_says(labelled: LabelSet, stus: UnitSet):
    runs = [finish(unit_set) for unit_set in (labelled.unit_set, stus)]
    curves = make_curves(labelled, stus, judge="toy2")
    assert (curves.judge, curves.sources["runs"]) == ("toy2", [run.pk for run in runs])
    assert curves.found["judge"] == "toy2"


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ({"step": 7}, "step: 7 is not one of 5, 10"),
        ({"seeds": 19}, "seeds: expected 20 to 200"),
        ({"bootstrap": 0}, "bootstrap: expected 1 to 5,000"),
        ({"seed": -1}, "seed: expected 0"),
    ],
)
def test_it_refuses_odd_options(
    labelled: LabelSet, stus: UnitSet, said: dict[str, Any], words: str
):
    with pytest.raises(Invalid, match=words):
        begin_curves(labelled, stus, **said)
    assert not CurveRun.objects.exists()


def test_it_refuses_stus_that_may_change(labelled: LabelSet, owner: User):
    draft = factories.make_set(labelled.project, owner, "Draft")
    with pytest.raises(DomainError, match="Draft v1 is not frozen"):
        begin_curves(labelled, draft)


def test_it_refuses_labels_that_are_not_ready(labelled: LabelSet, stus: UnitSet):
    labelled.is_ready = False
    with pytest.raises(DomainError, match="still being created"):
        begin_curves(labelled, stus)


def test_it_refuses_what_is_of_another_project(labelled: LabelSet, stus: UnitSet, owner: User):
    stus.project = factories.make_project(owner, "other")
    with pytest.raises(DomainError, match="different projects"):
        begin_curves(labelled, stus)


def test_it_goes_on_after_its_worker_died(
    labelled: LabelSet, stus: UnitSet, monkeypatch: pytest.MonkeyPatch
):
    expected = make_curves(labelled, stus).found
    curves = begin_curves(labelled, stus)
    assert curves.job is not None
    claimed = claim_job(job_id=curves.job.pk)
    assert claimed is not None
    with monkeypatch.context() as patch:
        patch.setattr("annotation.evaluation.planning.curves.draw", _die)
        with pytest.raises(KeyboardInterrupt):
            run_curves(Work(claimed))
    curves.refresh_from_db()
    assert not curves.is_ready
    type(claimed).objects.filter(pk=claimed.pk).update(lease_until="2000-01-01T00:00:00Z")
    assert run_job(job_id=claimed.pk)
    curves.refresh_from_db()
    assert curves.found == expected
    run_curves_again(curves)


def _die(*args: Any, **options: Any) -> None:
    raise KeyboardInterrupt


def run_curves_again(curves: CurveRun) -> None:
    """Delivered twice, it draws nothing anew."""
    assert curves.job is not None
    assert not run_job(job_id=curves.job.pk)


def test_it_says_that_its_labels_are_gone(labelled: LabelSet, stus: UnitSet):
    curves = begin_curves(labelled, stus)
    SummaryLabels.objects.filter(label_set=labelled).delete()
    labelled.delete()
    assert curves.job is not None
    run_job(job_id=curves.job.pk)
    curves.job.refresh_from_db()
    assert curves.job.state == JobState.FAILED
    assert "have been deleted" in curves.job.error


def test_it_leaves_nothing_behind_when_cancelled(labelled: LabelSet, stus: UnitSet):
    curves = begin_curves(labelled, stus)
    assert curves.job is not None
    cancel_job(job=curves.job)
    assert not CurveRun.objects.filter(pk=curves.pk).exists()


def test_it_keeps_what_is_still_being_drawn(labelled: LabelSet, stus: UnitSet, owner: User):
    waiting, ready = begin_curves(labelled, stus), make_curves(labelled, stus)
    with pytest.raises(DomainError, match="still being computed"):
        planning_curves.delete_curves(curves=waiting, user=owner)
    planning_curves.delete_curves(curves=ready, user=owner)
    assert list(list_curves(labelled.project)) == [waiting]
    with pytest.raises(DomainError, match="not ready yet"):
        get_ready_curves(labelled.project, waiting.pk)
    with pytest.raises(DomainError, match="no curves"):
        get_curves(labelled.project, ready.pk)


def test_it_lists_curves_with_their_gain(labelled: LabelSet, stus: UnitSet):
    curves = make_curves(labelled, stus)
    rows = list_curve_rows(curves, "summary")
    assert [row["order"] for row in rows] == [
        *("regressor", "oracle", "damage-oracle", "reverse", "random")
    ]
    assert rows[-1]["gain"] is None
    assert rows[0]["gain"]["order"] == "regressor"
    assert list(list_frozen_stus(labelled.project)) == [stus]


def test_it_writes_every_point(labelled: LabelSet, stus: UnitSet):
    lines = list(stream_curves(make_curves(labelled, stus)))
    assert lines[0].strip() == "order,level,measure,percentage,value,low,high"
    # Five orders, two levels, two measures, three percentages.
    assert len(lines) == 1 + 5 * 2 * 2 * 3
    assert any(line.startswith("random,system,pearson,50,") for line in lines)


def test_it_stores_no_nan():
    assert defined({"a": [1.0, math.nan, (math.inf,)], "b": "nan"}) == {
        "a": [1.0, None, [None]],
        "b": "nan",
    }
