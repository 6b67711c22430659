"""A run comes to the same end, to the bit, however it is cut, shared, stopped and stored."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import numpy as np
import pytest
from django.db import connection
from django.utils import timezone

from annotation.corpora.accounts.models import User
from annotation.corpora.corpus.models import Summary
from annotation.corpora.jobs.models import Job, JobLine, JobState
from annotation.corpora.jobs.service import claim_job
from annotation.evaluation.judges.offered import get_judge, resolve_judge
from annotation.evaluation.runs import judging as runs_judging
from annotation.evaluation.runs import service as runs_service
from annotation.evaluation.runs.judging import claim_chunk, judge_next, recall_helpers
from annotation.evaluation.runs.models import (
    ChunkState,
    JudgeIdentity,
    JudgeRun,
    RunChunk,
    StoredVerdict,
    SummaryPresence,
)
from annotation.units.sets.models import UnitSet
from scoring.errors import InputError
from scoring.judge import read_presence
from tests import factories
from tests.annotation.corpora.counting import for_sure
from tests.annotation.evaluation.running import begin, finish, lead, results
from tests.annotation.evaluation.toy_judge import ASKED, LOADED, ToyJudge

pytestmark = pytest.mark.usefixtures("toys")


def toy(run: JudgeRun) -> Any:
    return get_judge(resolve_judge(run.project, run.judge), run.options)


def identify(run: JudgeRun) -> JudgeRun:
    """Lead it as far as the first chunk, and die there."""
    assert run.job is not None
    claim_job(job_id=run.job.pk)
    runs_judging._identify(run)
    return run


def let_lapse(run: JudgeRun) -> None:
    past = timezone.now() - timedelta(seconds=1)
    run.chunks.filter(state=ChunkState.CLAIMED).update(lease_until=past)
    assert run.job is not None
    Job.objects.filter(pk=run.job.pk).update(lease_until=past)


def test_it_judges_every_unit_of_every_summary(judged_set: UnitSet) -> None:
    run = finish(judged_set, chunk_size=4)
    assert run.function == "p2c"
    summary = Summary.objects.get(example__key="e2", system__name="lead")
    plain = ToyJudge("toy2", 2, toy(run).options)
    row = SummaryPresence.objects.get(run=run, summary=summary)
    units = judged_set.units.filter(example=summary.example).order_by("position")
    expected = [plain.verdict(summary.text, unit.text) for unit in units]
    assert row.presence == [read_presence("p2c", verdict.logits) for verdict in expected]
    assert row.sentences == [verdict.sentence for verdict in expected]
    assert row.score == pytest.approx(np.mean(row.presence))
    assert run.figures["counts"]["judged"] == 18 - run.figures["counts"]["stored"]
    assert [found["system"] for found in run.figures["systems"]] == ["lead", "soup"]
    assert run.signature.startswith("judge:toy2|kind:toy|weights:toy2-weights|toy:1|function:p2c|")


def test_it_weighs_units(judged_set: UnitSet) -> None:
    judged_set.units.filter(text="The dam burst.").update(weight=3)
    row = SummaryPresence.objects.filter(run=finish(judged_set)).earliest("pk")
    assert row.score == pytest.approx(np.average(row.presence, weights=[3, 1, 1]))


@pytest.mark.parametrize("size", [1, 2, 5, 100])
def test_it_is_the_same_however_it_is_cut(judged_set: UnitSet, size: int) -> None:
    whole = finish(judged_set, chunk_size=6)
    StoredVerdict.objects.all().delete()
    cut = finish(judged_set, chunk_size=size)
    assert results(cut) == results(whole)
    assert cut.content_hash == whole.content_hash
    assert cut.signature == whole.signature


def test_it_asks_of_each_pair_of_texts_once(judged_set: UnitSet) -> None:
    """All examples of the corpus have the same two summaries and three units."""
    run = finish(judged_set, chunk_size=2)
    assert [len(question.units) for question in ASKED] == [3, 3]
    assert StoredVerdict.objects.count() == 6
    assert run.figures["counts"]["stored"] == 12


def test_it_computes_only_what_is_new(judged_set: UnitSet, owner: User) -> None:
    first = finish(judged_set, systems=["lead"])
    ASKED.clear()
    both = finish(judged_set, function="l2c")
    assert {question.summary for question in ASKED} == {"dam dam"}
    assert both.figures["counts"] | {"judged": 9, "stored": 9} == both.figures["counts"]
    ASKED.clear()
    again = finish(judged_set, function="p2c")
    assert ASKED == []
    assert again.figures["counts"]["stored"] == 18
    assert results(again).items() >= results(first).items()
    assert "pairs_per_second" not in again.figures


def make_more(judged_set: UnitSet, owner: User) -> UnitSet:
    """Another set, which shares a unit with the first."""
    more = factories.make_set(judged_set.project, owner, "More")
    for example in judged_set.project.examples.all():
        for text in ("Rain fell.", "The dam burst."):
            factories.add_unit(more, example, owner, text)
    factories.freeze(more, owner)
    more.refresh_from_db()
    return more


def test_it_asks_for_the_units_that_are_missing(judged_set: UnitSet, owner: User) -> None:
    before = finish(judged_set)
    more = make_more(judged_set, owner)
    ASKED.clear()
    run = finish(more)
    assert {question.units for question in ASKED} == {("Rain fell.",)}
    mine, old = results(run)[("e1", "lead")], results(before)[("e1", "lead")]
    assert (mine[0][1], mine[1][1]) == (old[0][0], old[1][0])


def test_it_asks_for_all_units_of_a_judge_that_reads_them_all(
    judged_set: UnitSet, owner: User
) -> None:
    finish(judged_set, judge="toy-context2")
    more = make_more(judged_set, owner)
    ASKED.clear()
    stored = finish(more, judge="toy-context2")
    assert {question.units for question in ASKED} == {("Rain fell.", "The dam burst.")}
    StoredVerdict.objects.all().delete()
    assert finish(more, judge="toy-context2").content_hash == stored.content_hash
    ASKED.clear()
    finish(more, judge="toy-context2", function="l2c")
    assert ASKED == []


def test_it_asks_once_of_a_unit_that_is_written_twice(judged_set: UnitSet) -> None:
    judged_set.units.filter(text="It was Monday.").update(text="The dam burst.")
    run = finish(judged_set)
    assert {question.units for question in ASKED} == {("The dam burst.", "Nobody was hurt.")}
    values, _ = results(run)[("e1", "lead")]
    assert values[0] == values[1]


def test_it_seeks_sentences_that_are_not_stored(judged_set: UnitSet) -> None:
    plain = finish(judged_set)
    StoredVerdict.objects.update(sentence=-1)
    stored = list(StoredVerdict.objects.order_by("pk").values_list("pk", "logits"))
    again = finish(judged_set)
    assert results(again)[("e1", "lead")][1] == [-1, -1, -1]
    ASKED.clear()
    sought = finish(judged_set, options={"evidence": True})
    assert len(ASKED) == 2
    assert results(sought) == results(plain)
    assert list(StoredVerdict.objects.order_by("pk").values_list("pk", "logits")) == stored
    assert not StoredVerdict.objects.filter(sentence=-1).exists()
    ASKED.clear()
    finish(judged_set, options={"evidence": True})
    assert ASKED == []


def test_it_stores_by_the_judge(judged_set: UnitSet) -> None:
    finish(judged_set)
    finish(judged_set, judge="toy")
    assert sorted(JudgeIdentity.objects.values_list("name", "classes")) == [("toy", 3), ("toy2", 2)]
    assert StoredVerdict.objects.count() == 12


def test_it_counts_an_empty_summary_as_carrying_nothing(judged_set: UnitSet) -> None:
    Summary.objects.filter(example__key="e3", system__name="soup").update(text=" ")
    run = finish(judged_set, empty="absent")
    assert results(run)[("e3", "soup")] == ([0.0, 0.0, 0.0], [-1, -1, -1])
    assert run.counts["empty"] == 1
    assert run.counts["pairs"] == 15


def test_it_fails_before_anything_is_judged(judged_set: UnitSet) -> None:
    for judge, function, words in (
        ("toy-broken", "", "The toy is broken. Mend it."),
        ("toy2", "l3c", "has two classes and doesn't support l3c."),
    ):
        run = lead(begin(judged_set, judge=judge, function=function))
        assert run.job is not None
        assert (run.job.state, words in run.job.error) == (JobState.FAILED, True)
    assert not SummaryPresence.objects.exists()


def test_it_loads_the_judge_once_in_a_process(judged_set: UnitSet) -> None:
    finish(judged_set, chunk_size=1)
    finish(judged_set, chunk_size=1, function="l2c")
    assert LOADED == ["toy2"]


def test_it_is_shared_by_those_who_help(judged_set: UnitSet) -> None:
    alone = finish(judged_set)
    StoredVerdict.objects.all().delete()
    run = identify(begin(judged_set, chunk_size=1))
    ours = claim_chunk(run)
    assert ours is not None
    runs_judging.work_on_run(run_id=run.pk)
    assert list(run.chunks.exclude(state="done")) == [ours]
    let_lapse(run)
    lead(run)
    assert run.is_ready
    assert run.content_hash == alone.content_hash


def test_it_helps_nobody_who_does_not_run(judged_set: UnitSet) -> None:
    run = begin(judged_set)
    runs_judging.work_on_run(run_id=run.pk)
    runs_judging.work_on_run(run_id=run.pk + 1)
    identify(run)
    runs_service.pause_run(run=run)
    runs_judging.work_on_run(run_id=run.pk)
    assert not run.chunks.filter(state="done").exists()


def test_it_does_not_help_with_another_judge(judged_set: UnitSet) -> None:
    run = identify(begin(judged_set))
    JudgeIdentity.objects.update(key="0" * 64, weights="other")
    runs_judging.work_on_run(run_id=run.pk)
    assert not run.chunks.filter(state="done").exists()
    assert "toy2-weights, not other" in JobLine.objects.latest("pk").text


def test_it_gives_a_chunk_to_one(judged_set: UnitSet) -> None:
    run = begin(judged_set, chunk_size=3)
    first, second, third = (claim_chunk(run) for _ in range(3))
    assert first is not None
    assert second is not None
    assert (first.position, second.position, third) == (0, 1, None)
    let_lapse(run)
    again = claim_chunk(run)
    assert again is not None
    assert (again.pk, again.lease != first.lease) == (first.pk, True)


def test_it_writes_nothing_of_a_chunk_that_was_lost(
    judged_set: UnitSet, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = identify(begin(judged_set))
    real = runs_judging.judge_summaries

    def overtaken(*given: Any) -> Any:
        RunChunk.objects.update(lease="somebody else")
        return real(*given)

    monkeypatch.setattr(runs_judging, "judge_summaries", overtaken)
    assert judge_next(run, toy(run))
    assert not StoredVerdict.objects.exists()
    assert not SummaryPresence.objects.exists()
    assert run.chunks.get().state == ChunkState.CLAIMED


def test_it_leaves_a_chunk_that_it_could_not_judge(
    judged_set: UnitSet, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = begin(judged_set, chunk_size=3)

    def fail(*_: Any) -> Any:
        raise InputError("The model is gone.")

    with monkeypatch.context() as patched:
        patched.setattr(runs_judging, "judge_summaries", fail)
        lead(run)
    assert run.job is not None
    assert (run.job.state, run.job.error) == (JobState.FAILED, "The model is gone.")
    assert set(run.chunks.values_list("state", flat=True)) == {"waiting"}
    runs_service.retry_run(run=run)
    assert lead(run).is_ready


def pausing_after(number: int, monkeypatch: pytest.MonkeyPatch, wish: Any) -> None:
    """After so many chunks somebody has a wish."""
    real, judged = runs_judging.judge_next, []

    def judge(run: JudgeRun, judge: Any) -> bool:
        judged.append(real(run, judge))
        if len(judged) == number:
            wish(run=run)
        return judged[-1]

    monkeypatch.setattr(runs_judging, "judge_next", judge)
    # The job looks for wishes at most twice a second.
    monkeypatch.setattr("annotation.corpora.jobs.work.REPORT_EVERY", 0)


def test_it_rests_and_goes_on(judged_set: UnitSet, monkeypatch: pytest.MonkeyPatch) -> None:
    run = begin(judged_set, chunk_size=1)
    pausing_after(2, monkeypatch, runs_service.pause_run)
    lead(run)
    assert run.job is not None
    assert run.job.state == JobState.PAUSED
    assert run.chunks.filter(state="done").count() == 2
    runs_service.resume_run(run=run)
    assert lead(run).is_ready


def test_it_keeps_what_was_judged_before_it_was_cancelled(
    judged_set: UnitSet, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = begin(judged_set, chunk_size=1)
    pausing_after(2, monkeypatch, runs_service.cancel_run)
    lead(run)
    assert run.job is not None
    assert run.job.state == JobState.CANCELLED
    assert not SummaryPresence.objects.exists()
    assert not run.chunks.exists()
    assert StoredVerdict.objects.count() == 6


def test_it_makes_room_for_other_jobs(judged_set: UnitSet, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runs_judging, "TURN_SECONDS", -1)
    run, other = begin(judged_set, chunk_size=1), begin(judged_set)
    assert other.job is not None
    lead(run)
    assert run.job is not None
    assert run.job.state == JobState.QUEUED
    runs_service.cancel_run(run=other)
    assert lead(run).is_ready


def test_it_is_taken_over_where_the_dead_left_it(judged_set: UnitSet) -> None:
    run = identify(begin(judged_set, chunk_size=2))
    judge_next(run, toy(run))
    claim_chunk(run)
    let_lapse(run)
    ASKED.clear()
    lead(run)
    assert run.is_ready
    assert ASKED == []
    assert run.content_hash == finish(judged_set).content_hash


def test_it_goes_on_with_no_other_judge_than_it_began_with(judged_set: UnitSet) -> None:
    run = identify(begin(judged_set, chunk_size=2))
    judge_next(run, toy(run))
    JudgeIdentity.objects.update(key="0" * 64, weights="other")
    let_lapse(run)
    lead(run)
    assert run.job is not None
    assert run.job.state == JobState.FAILED
    assert "weights toy2-weights, not other" in run.job.error


@pytest.fixture
def called(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    runs: list[int] = []
    path = "annotation.evaluation.runs.judging.enqueue_helper"
    monkeypatch.setattr(path, lambda *, run_id: runs.append(run_id))
    return runs


def test_it_calls_as_many_as_can_help(judged_set: UnitSet, called: list[int]) -> None:
    run = finish(judged_set, chunk_size=2)
    assert called == [run.pk] * 2


def test_it_calls_again_for_chunks_that_nobody_holds(
    judged_set: UnitSet, called: list[int]
) -> None:
    run = identify(begin(judged_set, chunk_size=2))
    assert recall_helpers() == [run.pk]
    assert recall_helpers() == []
    JudgeRun.objects.update(told_at=timezone.now() - timedelta(minutes=1))
    while claim_chunk(run):
        pass
    assert recall_helpers() == []
    let_lapse(run)
    assert recall_helpers() == [run.pk]
    assert called == [run.pk] * 2


@pytest.mark.django_db(transaction=True)
def test_it_gives_each_chunk_to_one_of_many_at_once(judged_set: UnitSet) -> None:
    run = begin(judged_set, chunk_size=1)

    def claim_all(_: int) -> list[int]:
        try:
            chunks = iter(lambda: for_sure(lambda: claim_chunk(run)), None)
            return [chunk.pk for chunk in chunks if chunk is not None]
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as pool:
        claimed = [pk for pks in pool.map(claim_all, range(4)) for pk in pks]
    assert len(set(claimed)) == len(claimed) > 0
    assert set(run.chunks.values_list("state", flat=True)) == {"claimed"}
