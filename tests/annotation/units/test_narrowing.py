"""All spans of a set that are whole sentences, narrowed at once: shown first, and undone."""

from __future__ import annotations

import json
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from annotation.corpora.accounts.models import User
from annotation.corpora.activity.models import Activity
from annotation.corpora.corpus.models import Example
from annotation.corpora.jobs.models import Job
from annotation.corpora.projects.models import Project
from annotation.errors import DomainError
from annotation.units.sets import narrowing as sets_narrowing
from annotation.units.sets.models import Change, Unit, UnitSet
from annotation.units.sets.narrowing import find_undoable, list_narrowed
from annotation.units.studio.models import Assignment
from scoring.alignment import is_whole
from tests import factories
from tests.annotation.conftest import sign_in
from tests.annotation.corpora.rest import Rest
from tests.annotation.units.writing import act, create, run, span

TEXT = "The old dam near the town burst on Monday. Nobody was hurt."
FIRST, SECOND = (0, 42), (43, 59)


@pytest.fixture
def study(owner: User, tmp_path: Any) -> Project:
    project = factories.make_project(owner, "spans")
    lines = [factories.example(f"e{n}", references=[TEXT, TEXT]) for n in range(3)]
    factories.import_corpus(project, factories.write_jsonl(tmp_path / "c.jsonl", lines))
    return project


@pytest.fixture
def whole(study: Project, owner: User) -> UnitSet:
    """In each example: a unit on a sentence, one on two references, one whose span is by hand."""
    made = factories.make_set(study, owner, "Whole")
    for example in study.examples.all():
        here = [span(example, *FIRST)]
        both = [*here, span(example, *FIRST, reference=1)]
        act(made, example, owner, create("The dam burst.", spans=here))
        act(made, example, owner, create("A dam is near a town.", spans=both))
        act(made, example, owner, create("It was on Monday.", spans=[span(example, 0, 20)]))
        act(made, example, owner, create("Nobody was hurt.", spans=[span(example, *SECOND)]))
    return made


def texts(unit_set: UnitSet, example: Example) -> list[list[str]]:
    rows = Unit.objects.filter(set=unit_set, example=example, is_deleted=False)
    return [
        [TEXT[part.start : part.end] for part in unit.contributors.all()]
        for unit in rows.order_by("position")
    ]


BEFORE = [[TEXT[:42]], [TEXT[:42]] * 2, [TEXT[:20]], [TEXT[43:]]]


def first_of(unit_set: UnitSet) -> Example:
    return unit_set.project.examples.earliest("pk")


@pytest.mark.parametrize(
    "start, end, expected",
    [(0, 15, True), (0, 14, True), (1, 15, False), (0, 9, False), (0, 16, False), (-1, 15, False)],
)
def test_a_range_is_whole_if_it_has_every_word(start: int, end: int, expected: bool) -> None:
    assert is_whole("Nobody got wet.", start, end) is expected
    assert not is_whole("…", 0, 1)


def test_whole_sentences_are_narrowed_and_others_stay(whole: UnitSet, owner: User) -> None:
    example = first_of(whole)
    assert texts(whole, example) == BEFORE
    shown = list_narrowed(whole, [example.pk])
    assert [row.unit.text for row in shown] == ["The dam burst.", "A dam is near a town."]
    assert ["".join(piece.text for piece in part) for row in shown for part in row.sentences] == [
        TEXT[:42]
    ] * 3
    weights = list(whole.units.order_by("pk").values_list("weight", flat=True))
    job = sets_narrowing.narrow_spans(unit_set=whole, user=owner)
    assert run(job).result == {"changed": 6}
    for each in whole.project.examples.all():
        dam, town, by_hand, all_kept = texts(whole, each)
        assert "dam" in dam[0]
        assert "burst" in dam[-1]
        assert "Monday" not in " ".join([*dam, *town])
        assert len(town) >= 2
        assert (by_hand, all_kept) == (BEFORE[2], BEFORE[3])
    assert list(whole.units.order_by("pk").values_list("weight", flat=True)) == weights
    assert list_narrowed(whole, [example.pk]) == []
    assert Change.objects.filter(set=whole, action="narrow").count() == 3
    assert Activity.objects.filter(text__contains="narrowed the spans").count() == 1


def test_it_is_undone_but_for_what_somebody_changed_since(whole: UnitSet, owner: User) -> None:
    assert find_undoable(whole) is None
    with pytest.raises(DomainError, match="no narrowing to undo"):
        sets_narrowing.narrow_spans(unit_set=whole, user=owner, undo=True)
    run(sets_narrowing.narrow_spans(unit_set=whole, user=owner))
    example = first_of(whole)
    unit = whole.units.filter(example=example).earliest("position")
    changed = {"action": "update", "unit": unit.pk, "revision": unit.revision}
    act(whole, example, owner, {**changed, "spans": [span(example, 8, 12)]})
    undone = run(sets_narrowing.narrow_spans(unit_set=whole, user=owner, undo=True))
    assert undone.result == {"changed": 5}
    assert texts(whole, example) == [["dam "], *BEFORE[1:]]
    for other in whole.project.examples.exclude(pk=example.pk):
        assert texts(whole, other) == BEFORE
    assert find_undoable(whole) is None


def test_a_kill_repeats_nothing(
    whole: UnitSet, owner: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sets_narrowing, "EXAMPLES_A_STEP", 1)
    job = sets_narrowing.narrow_spans(unit_set=whole, user=owner)
    steps, change = [], sets_narrowing._change

    def die(*args: Any) -> int:
        steps.append(args)
        if len(steps) == 2:
            raise KeyboardInterrupt
        return change(*args)

    monkeypatch.setattr(sets_narrowing, "_change", die)
    with pytest.raises(KeyboardInterrupt):
        run(job)
    Job.objects.filter(pk=job.pk).update(lease_until=None, state="queued")
    assert run(job).result == {"changed": 6}
    assert Change.objects.filter(set=whole, action="narrow").count() == 3


def test_a_signed_example_must_be_checked_again(
    whole: UnitSet, owner: User, study: Project
) -> None:
    Assignment.objects.filter(set=whole).update(state="signed")
    run(sets_narrowing.narrow_spans(unit_set=whole, user=owner))
    assert set(Assignment.objects.filter(set=whole).values_list("state", flat=True)) == {"written"}


def test_a_frozen_set_is_refused(whole: UnitSet, owner: User) -> None:
    factories.freeze(whole, owner)
    whole.refresh_from_db()
    with pytest.raises(DomainError, match="frozen"):
        sets_narrowing.narrow_spans(unit_set=whole, user=owner)


def test_the_page_shows_narrows_and_undoes(whole: UnitSet, owner: User) -> None:
    client: Client = sign_in(owner)
    here = f"/p/spans/units/{whole.pk}/narrow/"
    assert here in client.get(f"/p/spans/units/{whole.pk}/units/").content.decode()
    html = client.get(here).content.decode()
    assert html.count('<mark class="hit">') >= 6
    assert 'name="undo"' not in html
    assert client.post(here)["Location"] == here
    assert client.post(here).status_code == 409, "one at a time"
    run(Job.objects.latest("pk"))
    html = client.get(here).content.decode()
    assert '<mark class="hit">' not in html
    assert 'name="undo"' in html
    client.post(here, {"undo": "yes"})
    run(Job.objects.latest("pk"))
    assert texts(whole, first_of(whole)) == BEFORE


def test_rest_shows_narrows_and_undoes(whole: UnitSet, owner: User) -> None:
    rest = Rest(owner)
    here = f"/projects/spans/unit-sets/{whole.pk}/narrow/"
    shown = rest.get(here).json()
    assert (shown["count"], len(shown["results"][0]["units"])) == (3, 2)
    assert "Monday" in " ".join(shown["results"][0]["units"][0]["left"])
    made = rest.post(here, {})
    assert made.status_code == 202
    run(Job.objects.get(pk=made.json()["id"]))
    assert rest.get(here).json()["results"][0]["units"] == []
    run(Job.objects.get(pk=rest.post(here, {"undo": True}).json()["id"]))
    assert texts(whole, first_of(whole)) == BEFORE


def test_a_command_shows_narrows_and_undoes(whole: UnitSet) -> None:
    def read(*more: str) -> Any:
        out = StringIO()
        options = ("--project", "spans", "--set", "Whole", "--json", *more)
        call_command("narrow_spans", *options, stdout=out)
        return json.loads(out.getvalue())

    assert [len(row["units"]) for row in read("--check")] == [2, 2, 2]
    assert read() == {"changed": 6}
    assert read("--check") == []
    assert read("--undo") == {"changed": 6}
    with pytest.raises(CommandError, match="no narrowing to undo"):
        read("--undo")
