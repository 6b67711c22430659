"""Estimates: what is refused, what the job finds, and that a kill loses nothing."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from annotation.corpora.jobs.models import JobState
from annotation.corpora.jobs.service import cancel_job, claim_job, run_job
from annotation.corpora.jobs.work import Work
from annotation.corpora.projects.service import delete_project
from annotation.errors import DomainError, Invalid
from annotation.evaluation.estimates import service as estimates_service
from annotation.evaluation.estimates.models import ScoreEstimate
from annotation.evaluation.estimates.queries import (
    count_apart,
    find_drawing_plan,
    get_estimate,
    get_ready_estimate,
    list_estimates,
    list_pairs,
    list_rows,
    read_partly_judged,
    stream_pairs,
    stream_scores,
)
from annotation.evaluation.estimates.service import run_estimate
from annotation.evaluation.labels.models import LabelSet
from annotation.evaluation.planning.models import BudgetPlan
from annotation.evaluation.runs import service as runs_service
from annotation.evaluation.runs.models import JudgeRun
from scoring.estimation import Sampling, estimate_means
from tests import factories
from tests.annotation.evaluation.estimating import (
    EXAMPLES,
    JUDGED,
    begin_estimate,
    keep_sample,
    keys_of,
    leave_labels,
    make_estimate,
    make_partly_judged,
)

Study = tuple[LabelSet, JudgeRun]


@pytest.fixture(scope="module")
def kept_study(kept_database: None, tmp_path_factory: pytest.TempPathFactory) -> Study:
    return make_partly_judged(factories.make_user("Owner"), tmp_path_factory.mktemp("study"))


@pytest.fixture
def labels(db: None, kept_study: Study) -> LabelSet:
    return LabelSet.objects.get(pk=kept_study[0].pk)


@pytest.fixture
def run(db: None, kept_study: Study) -> JudgeRun:
    return JudgeRun.objects.get(pk=kept_study[1].pk)


def test_it_estimates_every_system(labels: LabelSet, run: JudgeRun):
    made = make_estimate(labels, run, labels.created_by)
    found = made.found
    assert (found["judged"], found["documents"], found["labels"]) == (JUDGED, EXAMPLES, 3)
    assert {row["system"] for row in found["systems"]} == {"lead", "soup"}
    assert len(found["pairs"]) == 1
    scores = read_partly_judged(labels, run, "examples").scores
    told = estimate_means(scores.human, scores.automatic, Sampling(), is_moderated=True)
    by_name = {row["system"]: row for row in found["systems"]}
    for place, name in enumerate(scores.systems):
        assert by_name[name]["value"] == pytest.approx(told.value[place])
        assert by_name[name]["judge"] == pytest.approx(scores.automatic[place].mean())
    assert made.signature.startswith("estimate:ppi++cf|data:")
    assert made.signature.endswith(f"|run:{run.content_hash[:12]}")
    assert str(made) == f"Estimate {made.pk}: {labels} and toy2"


def test_it_finds_the_same_again(labels: LabelSet, run: JudgeRun):
    first, again = (make_estimate(labels, run) for _ in range(2))
    assert (first.found, first.signature) == (again.found, again.signature)


def test_units_may_count_alike(labels: LabelSet, run: JudgeRun):
    read = read_partly_judged(labels, run, "units")
    assert read.scores.weights is not None
    assert read.scores.weights.tolist() == [3.0] * EXAMPLES
    assert read_partly_judged(labels, run, "examples").scores.weights is None
    assert "|by:units|" in make_estimate(labels, run, by="units").signature


def test_a_ranker_must_say_by_what_chance(labels: LabelSet, run: JudgeRun):
    with pytest.raises(DomainError, match="The judged examples were chosen by a ranker"):
        begin_estimate(labels, run, chosen="ranker")
    assert not ScoreEstimate.objects.exists()
    keys = keys_of(labels.project)
    made = make_estimate(
        labels, run, chosen="ranker", probabilities=dict.fromkeys(keys[:JUDGED], 0.5)
    )
    assert (made.found["sampling"], made.options["chosen"]) == ("probabilities", "ranker")
    sliced = make_estimate(labels, run, chosen="ranker", audit=keys[1:JUDGED])
    assert sliced.found["sampling"] == "audit"
    assert sliced.signature != made.signature


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ({"chosen": "ranker", "audit": ["nobody"]}, "'nobody'"),
        ({"chosen": "ranker", "probabilities": {"e1": 0.5}}, "has no probability"),
        ({"chosen": "plan"}, "No plan in this project"),
        ({"chosen": "sample"}, "No sample in this project"),
    ],
)
def test_it_refuses_choices_that_do_not_fit(
    labels: LabelSet, run: JudgeRun, said: dict[str, Any], words: str
):
    with pytest.raises(DomainError, match=words):
        begin_estimate(labels, run, **said)


@pytest.mark.parametrize("name", ["chosen", "by", "target"])
def test_it_refuses_odd_options(labels: LabelSet, run: JudgeRun, name: str):
    said: dict[str, Any] = {name: "odd"}
    with pytest.raises(Invalid, match=f"{name}: 'odd' is not one of"):
        begin_estimate(labels, run, **said)


def test_an_audit_slice_that_is_too_small_fails_before_it_begins(labels: LabelSet, run: JudgeRun):
    keys = keys_of(labels.project)
    with pytest.raises(DomainError, match="judged 2 examples in the audit slice"):
        begin_estimate(labels, run, chosen="ranker", audit=keys[:2])


def test_a_plan_knows_that_it_drew_by_lot(labels: LabelSet, run: JudgeRun):
    project = labels.project
    ids = dict(project.examples.values_list("key", "pk"))
    people = [ids[key] for key in keys_of(project)[:JUDGED]]
    plan = BudgetPlan.objects.create(
        project=project, chosen="k", work={"people": people, "examples": list(ids.values())}
    )
    made = make_estimate(labels, run, chosen="plan")
    assert made.sources["plan"] == str(plan)
    assert made.found["sampling"] == "random"
    assert find_drawing_plan(project, keys_of(project)[:4]) is None


@pytest.mark.parametrize("chosen", ["random", "sample", "ranker"])
def test_the_chances_of_a_sample_are_used(labels: LabelSet, run: JudgeRun, chosen: str):
    """Whatever was stated: the sample drew exactly the judged examples, with its own chances."""
    sample = keep_sample(labels.project, drawn=JUDGED)
    made = make_estimate(labels, run, chosen=chosen)
    assert (made.options["chosen"], made.sources["sample"]) == ("sample", str(sample))
    assert made.found["sampling"] == "probabilities"
    scores = read_partly_judged(labels, run, "examples").scores
    chances = Sampling(probabilities=(np.arange(EXAMPLES) + 1) / 10)
    told = estimate_means(scores.human, scores.automatic, chances)
    by_name = {row["system"]: row["value"] for row in made.found["systems"]}
    assert [by_name[name] for name in scores.systems] == pytest.approx(told.value.tolist())


def test_people_may_have_judged_a_part_of_a_sample(labels: LabelSet, run: JudgeRun):
    keep_sample(labels.project, drawn=8)
    keep_sample(labels.project, drawn=7)
    keep_sample(labels.project, drawn=4)
    made = make_estimate(labels, run)
    assert made.sources["sample"].endswith("7 of 9 examples, of which people judged 5")
    first = keys_of(labels.project)[0]
    assert made.options["probabilities"][first] == pytest.approx(0.1 * 5 / 7)


def test_a_sample_says_nothing_of_what_it_could_not_draw(labels: LabelSet, run: JudgeRun):
    keep_sample(labels.project, drawn=JUDGED, left_out=2)
    assert make_estimate(labels, run).found["documents"] == EXAMPLES - 2


def test_what_somebody_states_of_chances_goes_before_a_sample(labels: LabelSet, run: JudgeRun):
    keep_sample(labels.project, drawn=JUDGED)
    keys = keys_of(labels.project)
    made = make_estimate(labels, run, chosen="ranker", audit=keys[1:JUDGED])
    assert (made.options["chosen"], made.sources["sample"]) == ("ranker", "")


def test_it_refuses_what_people_judged_whole(labels: LabelSet, run: JudgeRun):
    keys = keys_of(labels.project)[:JUDGED]
    run.presences.exclude(summary__example__key__in=keys).delete()
    with pytest.raises(DomainError, match="People judged every example"):
        begin_estimate(labels, run)
    assert make_estimate(labels, run, target="population").is_ready


def test_it_refuses_too_few_labels(labels: LabelSet, run: JudgeRun):
    leave_labels(labels, 2)
    with pytest.raises(DomainError, match="fewer than 3 examples"):
        begin_estimate(labels, run)


def test_systems_that_people_hardly_judged_are_left_out(labels: LabelSet, run: JudgeRun):
    rows = labels.summaries.filter(summary__system__name="soup")
    rows.filter(pk__in=list(rows.values_list("pk", flat=True)[:3])).delete()
    made = make_estimate(labels, run)
    assert made.found["left_out"] == ["soup"]
    assert [row["system"] for row in made.found["systems"]] == ["lead"]
    assert made.found["pairs"] == []


def test_it_refuses_what_is_not_ready_or_of_other_units(labels: LabelSet, run: JudgeRun):
    with pytest.raises(DomainError, match="different projects"):
        estimates_service.estimate_scores(
            project=factories.make_project(factories.make_user("Other"), "other"),
            user=None,
            label_set=labels,
            run=run,
            chosen="random",
        )
    assert labels.created_by is not None
    other = factories.make_set(labels.project, labels.created_by, "Other")
    run.unit_set = other
    with pytest.raises(DomainError, match="belongs to Judged v1"):
        begin_estimate(labels, run)
    labels.is_ready = False
    with pytest.raises(DomainError, match="isn’t ready yet"):
        begin_estimate(labels, run)


def test_it_goes_on_after_its_worker_died(
    labels: LabelSet, run: JudgeRun, monkeypatch: pytest.MonkeyPatch
):
    expected = make_estimate(labels, run).found
    waiting = begin_estimate(labels, run)
    assert waiting.job is not None
    claimed = claim_job(job_id=waiting.job.pk)
    assert claimed is not None
    with monkeypatch.context() as patch:
        patch.setattr("annotation.evaluation.estimates.service.estimate_systems", _die)
        with pytest.raises(KeyboardInterrupt):
            run_estimate(Work(claimed))
    waiting.refresh_from_db()
    assert not waiting.is_ready
    type(claimed).objects.filter(pk=claimed.pk).update(lease_until="2000-01-01T00:00:00Z")
    assert run_job(job_id=claimed.pk)
    waiting.refresh_from_db()
    assert waiting.found == expected
    assert not run_job(job_id=claimed.pk)


def _die(*args: Any, **options: Any) -> None:
    raise KeyboardInterrupt


def test_it_says_that_its_run_is_gone(labels: LabelSet, run: JudgeRun):
    waiting = begin_estimate(labels, run)
    runs_service.delete_run(run=run, user=None)
    assert waiting.job is not None
    run_job(job_id=waiting.job.pk)
    waiting.job.refresh_from_db()
    assert waiting.job.state == JobState.FAILED
    assert waiting.job.error.startswith("The labels or the run")


def test_what_is_made_outlives_its_run(labels: LabelSet, run: JudgeRun):
    made = make_estimate(labels, run)
    runs_service.delete_run(run=run, user=None)
    made.refresh_from_db()
    assert (made.run, made.sources["judge"], made.is_ready) == (None, "toy2", True)


def test_it_leaves_nothing_behind_when_cancelled(labels: LabelSet, run: JudgeRun):
    waiting = begin_estimate(labels, run)
    assert waiting.job is not None
    cancel_job(job=waiting.job)
    assert not ScoreEstimate.objects.exists()


def test_it_keeps_what_is_still_being_made(labels: LabelSet, run: JudgeRun):
    waiting, ready = begin_estimate(labels, run), make_estimate(labels, run)
    with pytest.raises(DomainError, match="still being computed"):
        estimates_service.delete_estimate(estimate=waiting, user=None)
    estimates_service.delete_estimate(estimate=ready, user=None)
    assert list(list_estimates(labels.project)) == [waiting]
    with pytest.raises(DomainError, match="is not ready"):
        get_ready_estimate(labels.project, waiting.pk)
    with pytest.raises(DomainError, match="no estimate"):
        get_estimate(labels.project, ready.pk)


def test_a_project_takes_its_estimates_along(labels: LabelSet, run: JudgeRun):
    make_estimate(labels, run)
    assert labels.created_by is not None
    delete_project(project=labels.project)
    assert not ScoreEstimate.objects.exists()


def test_rows_go_from_best_to_worst_and_pairs_likewise(labels: LabelSet, run: JudgeRun):
    made = make_estimate(labels, run)
    rows, [pair] = list_rows(made), list_pairs(made)
    assert [row["value"] for row in rows] == sorted((r["value"] for r in rows), reverse=True)
    assert (pair["first"], pair["second"]) == (rows[0]["system"], rows[1]["system"])
    assert pair["low"] <= pair["difference"] <= pair["high"]
    assert pair["difference"] > 0
    assert count_apart(made)["pairs"] == 1


def test_it_writes_scores_and_pairs(labels: LabelSet, run: JudgeRun):
    made = make_estimate(labels, run)
    scores, pairs = list(stream_scores(made)), list(stream_pairs(made))
    assert scores[0].startswith("system,value,low,high,lam,people,")
    assert (len(scores), len(pairs)) == (3, 2)
    assert pairs[0].strip().endswith("p,p_holm,p_bh,p_people,p_people_holm")
    value = float(scores[1].split(",")[1])
    assert np.isclose(value, list_rows(made)[0]["value"])
