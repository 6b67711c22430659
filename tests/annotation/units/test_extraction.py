"""STUs of a corpus by a job: whole, once, the same however often its workers die."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from annotation.corpora.accounts.models import User
from annotation.corpora.jobs.models import Job, JobState
from annotation.corpora.jobs.pausing import pause_job, resume_job
from annotation.corpora.jobs.service import cancel_job, run_job
from annotation.corpora.projects.models import Project
from annotation.errors import DomainError
from annotation.units.overview import find_writing, get_units_stage
from annotation.units.sets.models import Contributor, Unit, UnitSet
from annotation.units.studio.models import Assignment
from annotation.units.stus import easiness
from annotation.units.stus import extraction as stus_extraction
from annotation.units.stus.models import SentencePlan
from tests import factories
from tests.annotation.units.corpus import REFERENCES, extract, make_corpus, sentence_ids
from tests.annotation.units.writing import assert_sound, run


@pytest.fixture
def news(owner: User, tmp_path: Path) -> Project:
    return make_corpus(owner, tmp_path)


@pytest.fixture
def small_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        stus_extraction, "chunk_examples", lambda p, after=0: easiness.chunk_examples(p, after, 2)
    )


def rows_of(unit_set: UnitSet) -> list[tuple[Any, ...]]:
    """All that the job wrote, without ids."""
    units = Unit.objects.filter(set=unit_set).order_by("example__position", "position")
    told = units.values_list("example__key", "kind", "text", "position", "extractor_version")
    plans = SentencePlan.objects.filter(set=unit_set).order_by("sentence")
    return [*told, *plans.values_list("sentence", "difficulty", "is_human", "model")]


def test_it_makes_a_frozen_set_of_stus_on_the_words_they_come_from(news: Project, owner: User):
    made = extract(news, owner)
    assert (made.state, made.extractor, str(made)) == ("frozen", "srl", "STUs by srl v1")
    assert made.extractor_version.startswith("srl-")
    assert made.content_hash
    assert made.frozen_by == owner
    units = Unit.objects.filter(set=made)
    assert units.count() == made.unit_count >= 12
    assert set(units.values_list("kind", "extractor", "extractor_version")) == {
        ("stu", "srl", made.extractor_version)
    }
    fell = Unit.objects.get(set=made, example__key="bridge", position=0)
    [span] = fell.contributors.all()
    reference = span.reference.text
    assert "bridge fell" in fell.text
    assert reference[span.start : span.end] in "The old bridge fell into the river on Monday."
    assert span.sentence is not None
    assert span.sentence.text.startswith("The old bridge")
    assert not span.is_aligned
    assert Contributor.objects.filter(unit__set=made).count() == made.unit_count
    assert_sound(made)


def test_it_foretells_how_hard_each_sentence_is(news: Project, owner: User):
    made = extract(news, owner)
    rows = SentencePlan.objects.filter(set=made)
    assert sorted(rows.values_list("sentence", flat=True)) == sorted(sentence_ids(news))
    assert all(0 < row.difficulty < 1 and not row.is_human for row in rows)
    assert len(set(rows.values_list("difficulty", flat=True))) > 3
    assert {row.model.split()[0] for row in rows} == {"giza"}


def test_it_gives_richer_units_by_the_other_extractor(news: Project, owner: User):
    srl, rich = extract(news, owner, "srl"), extract(news, owner, "rich")
    nurse = Unit.objects.filter(set=rich, example__key="nurse").values_list("text", flat=True)
    assert any("nurse" in text and "is" in text.split() for text in nurse)
    assert rich.content_hash != srl.content_hash
    assert "x1" in rich.extractor_version


@pytest.mark.usefixtures("small_steps")
@pytest.mark.parametrize("at", ["before", "after"])
def test_it_goes_on_after_a_kill_and_gives_the_same_set(
    at: str, news: Project, owner: User, monkeypatch: pytest.MonkeyPatch
):
    whole = extract(news, owner)
    made = stus_extraction.extract_stus(project=news, user=owner, extractor="srl", name="Killed")
    assert made.job is not None
    written = []
    write = stus_extraction._write

    def die_in_the_second_step(unit_set: UnitSet, rows: Any) -> None:
        """A worker that is killed leaves what it had not committed to nobody."""
        written.append(len(rows))
        if at == "after":
            write(unit_set, rows)
        if len(written) == 2:
            raise KeyboardInterrupt
        if at == "before":
            write(unit_set, rows)

    with monkeypatch.context() as patch:
        patch.setattr(stus_extraction, "_write", die_in_the_second_step)
        with pytest.raises(KeyboardInterrupt):
            run_job(job_id=made.job.pk)
    job = Job.objects.get(pk=made.job.pk)
    assert (job.state, job.done) == (JobState.RUNNING, 2)
    assert Unit.objects.filter(set=made).values("example").distinct().count() == 2
    Job.objects.filter(pk=job.pk).update(lease_until="2020-01-01T00:00:00Z")
    assert run(job).state == "done"
    made.refresh_from_db()
    assert made.content_hash == whole.content_hash
    assert rows_of(made) == rows_of(whole)
    assert_sound(made)


@pytest.mark.usefixtures("small_steps")
def test_it_rests_and_goes_on(news: Project, owner: User, monkeypatch: pytest.MonkeyPatch):
    made = stus_extraction.extract_stus(project=news, user=owner, extractor="srl")
    job = made.job
    assert job is not None
    write = stus_extraction._write

    def ask_for_rest(unit_set: UnitSet, rows: Any) -> None:
        write(unit_set, rows)
        pause_job(job=job)

    with monkeypatch.context() as patch:
        patch.setattr(stus_extraction, "_write", ask_for_rest)
        assert run(job).state == "paused"
    assert job.done == 2
    resume_job(job=job)
    assert run(job).state == "done"
    assert job.result["sentences"] == len(sentence_ids(news))


@pytest.mark.usefixtures("small_steps")
def test_it_leaves_nothing_when_it_is_cancelled(
    news: Project, owner: User, monkeypatch: pytest.MonkeyPatch
):
    made = stus_extraction.extract_stus(project=news, user=owner, extractor="srl")
    assert made.job is not None
    write = stus_extraction._write

    def lose_interest(unit_set: UnitSet, rows: Any) -> None:
        write(unit_set, rows)
        Job.objects.filter(kind="extract_stus").update(cancel_requested=True)

    monkeypatch.setattr(stus_extraction, "_write", lose_interest)
    assert run(made.job).state == "cancelled"
    assert not UnitSet.objects.filter(pk=made.pk).exists()
    assert not Unit.objects.exists()
    assert not SentencePlan.objects.exists()


def test_it_leaves_nothing_when_it_is_cancelled_before_it_began(news: Project, owner: User):
    made = stus_extraction.extract_stus(project=news, user=owner)
    assert made.job is not None
    cancel_job(job=made.job)
    assert not UnitSet.objects.filter(pk=made.pk).exists()


@pytest.mark.usefixtures("small_steps")
def test_it_is_one_extractors_from_the_first_unit_to_the_last(news: Project, owner: User):
    made = stus_extraction.extract_stus(project=news, user=owner, extractor="srl")
    UnitSet.objects.filter(pk=made.pk).update(extractor_version="srl-0")
    job = run(made.job)
    assert job.state == "failed"
    assert "srl-0" in job.error


def test_it_gives_a_name_that_was_used_its_next_version(news: Project, owner: User):
    factories.make_set(news, owner, "Mine")
    first = stus_extraction.extract_stus(project=news, user=owner, name="Units")
    second = stus_extraction.extract_stus(project=news, user=owner, name="Units")
    assert [str(first), str(second)] == ["Units v1", "Units v2"]
    with pytest.raises(DomainError, match="not extracted"):
        stus_extraction.extract_stus(project=news, user=owner, name="Mine")


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({"extractor": "alen"}, "Known: srl, rich"),
        ({"x": 0}, "x: expected"),
        ({"x": float("nan")}, "x: expected"),
        ({"regressor": "gizza"}, "Known: giza"),
    ],
)
def test_it_refuses_what_it_does_not_know(
    asked: dict[str, Any], words: str, news: Project, owner: User
):
    with pytest.raises(DomainError) as refused:
        stus_extraction.extract_stus(project=news, user=owner, **asked)
    assert words in f"{refused.value.message} {refused.value.hint}"
    assert not UnitSet.objects.exists()
    assert not Job.objects.filter(kind="extract_stus").exists()


def test_it_refuses_a_project_without_examples(owner: User):
    empty = factories.make_project(owner, "empty")
    with pytest.raises(DomainError, match="no examples"):
        stus_extraction.extract_stus(project=empty, user=owner)


def test_it_cuts_units_that_the_tables_can_not_hold(owner: User, tmp_path: Path):
    project = factories.make_project(owner, "long")
    text = "Word " * 300 + "end."
    lines = [factories.example("e1", references=[text])]
    factories.import_corpus(project, factories.write_jsonl(tmp_path / "c.jsonl", lines))
    made = extract(project, owner)
    assert max(len(unit.text) for unit in Unit.objects.filter(set=made)) <= 1000
    assert made.job is not None
    assert any("1,000 characters" in line.text for line in made.job.lines.all())


def test_it_asks_nobody_to_write_in_it(news: Project, owner: User):
    made = extract(news, owner)
    assert not Assignment.objects.filter(set=made).exists()
    stage = get_units_stage(news)
    assert (stage.state, stage.caption) == ("done", "STUs by srl v1 frozen")


def test_it_leaves_the_overview_to_what_people_write(news: Project, owner: User):
    draft = factories.make_set(news, owner, "SCUs")
    stus_extraction.extract_stus(project=news, user=owner)
    from annotation.access import get_access

    assert "SCUs v1" in get_units_stage(news).caption
    step = find_writing(get_access(owner, news.slug))
    assert step is not None
    assert str(draft) in step.title
    assert len(REFERENCES) == news.examples.count()
