"""Plans: people write the sentences that are named, STUs stand in for the others."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.test import Client

from annotation.corpora.accounts.models import User
from annotation.corpora.corpus.models import Example, Sentence
from annotation.corpora.projects.models import Project
from annotation.errors import DomainError
from annotation.units.plans import leaving
from annotation.units.plans import service as plans_service
from annotation.units.plans.queries import (
    get_difficulties,
    get_plan_counts,
    get_writing_time,
    list_scu_sets,
    list_sentence_plans,
    list_stu_sets,
)
from annotation.units.plans.stand_ins import count_gaps, count_written, list_bare_examples
from annotation.units.sets import service as sets_service
from annotation.units.sets import versions
from annotation.units.sets.models import Unit, UnitSet
from annotation.units.studio import progress
from annotation.units.studio.models import Assignment
from annotation.units.studio.queries import get_progress, list_queue, list_suggestions
from annotation.units.stus.models import SentencePlan
from tests import factories
from tests.annotation.units.writing import (
    act,
    add,
    assert_sound,
    fill,
    freeze,
    live,
    on,
    run,
    span,
    unit_line,
    write_lines,
)

TEXT = "The dam burst on Monday. Nobody was hurt."


@pytest.fixture
def study(owner: User, tmp_path: Path) -> Project:
    """Three examples of two sentences; the last has no STU."""
    project = factories.make_project(owner, "plan")
    lines = [factories.example(f"e{n}", references=[TEXT]) for n in (1, 2, 3)]
    factories.import_corpus(project, factories.write_jsonl(tmp_path / "c.jsonl", lines))
    return project


@pytest.fixture
def stus(study: Project, tmp_path: Path) -> UnitSet:
    units = [
        {"text": "The dam burst.", "kind": "stu", "extractor": "srl", "extractor_version": "1"},
        {"text": "Nobody was hurt.", "kind": "stu", "extractor": "srl", "extractor_version": "1"},
    ]
    lines = [unit_line(key, *units) for key in ("e1", "e2")]
    return fill(study, write_lines(tmp_path / "stus.jsonl", *lines), name="STUs")


@pytest.fixture
def plan_set(study: Project, stus: UnitSet, owner: User) -> UnitSet:
    return factories.make_set(study, owner, "Mixed")


def sentences(project: Project, key: str = "e1") -> list[int]:
    rows = Sentence.objects.filter(reference__example__key=key, reference__example__project=project)
    return list(rows.order_by("position").values_list("pk", flat=True))


def get(project: Project, key: str) -> Example:
    return project.examples.get(key=key)


def states(unit_set: UnitSet) -> list[tuple[str, int | None, float]]:
    rows = Assignment.objects.filter(set=unit_set).order_by("example__position")
    return [(row.state, row.author_id, row.priority) for row in rows]


def plan(unit_set: UnitSet, stus: UnitSet, author: User, *human: int) -> None:
    ids = [pk for key in ("e1", "e2", "e3") for pk in sentences(unit_set.project, key)]
    difficulty = {pk: 0.1 * n for n, pk in enumerate(ids, start=1)}
    plans_service.plan_sentences(
        unit_set=unit_set,
        user=author,
        stus=stus,
        human=human,
        difficulty=difficulty,
        author=author,
        model="giza 1",
    )


def test_it_lets_stus_stand_in_where_nobody_writes(
    study: Project, stus: UnitSet, plan_set: UnitSet, editor: User
):
    first, second = sentences(study)
    plan(plan_set, stus, editor, second)
    assert live(plan_set, get(study, "e1")) == ["The dam burst."]
    assert live(plan_set, get(study, "e2")) == ["The dam burst.", "Nobody was hurt."]
    unit = Unit.objects.get(set=plan_set, example__key="e1")
    assert (unit.kind, unit.extractor, unit.extractor_version) == ("stu", "srl", "1")
    assert unit.promoted_from == Unit.objects.get(set=stus, example__key="e1", position=0)
    assert [row.sentence_id for row in unit.contributors.all()] == [first]
    assert_sound(plan_set)


def test_it_gives_the_author_what_is_left_the_hardest_first(
    study: Project, stus: UnitSet, plan_set: UnitSet, editor: User
):
    plan(plan_set, stus, editor, sentences(study)[1])
    assert states(plan_set) == [
        ("todo", editor.pk, pytest.approx(0.2)),
        ("spared", None, 0.0),
        # Without STUs it would be left without any unit.
        ("todo", editor.pk, pytest.approx(0.6)),
    ]
    assert [row.example.key for row in list_queue(plan_set, editor)] == ["e3", "e1"]
    assert get_progress(plan_set)["spared"] == 1
    assert get_progress(plan_set)["todo"] == 2


def test_it_keeps_how_hard_each_sentence_is(
    study: Project, stus: UnitSet, plan_set: UnitSet, editor: User
):
    plan(plan_set, stus, editor, *sentences(study))
    rows = list_sentence_plans(plan_set)
    assert [row.difficulty for row in rows] == pytest.approx([0.6, 0.5, 0.4, 0.3, 0.2, 0.1])
    assert [row.is_human for row in rows] == [True, True, False, False, True, True]
    assert get_plan_counts(plan_set) == {
        "sentences": 6,
        "human": 4,
        "stus": 2,
        "hardest": pytest.approx(0.6),
        "model": "giza 1",
    }
    assert len(get_difficulties(plan_set)) == 6


def test_it_takes_a_sentence_that_nothing_is_foretold_of_for_the_hardest(
    study: Project, stus: UnitSet, plan_set: UnitSet, owner: User
):
    plans_service.plan_sentences(
        unit_set=plan_set, user=owner, stus=stus, human=sentences(study), difficulty={}
    )
    assert set(get_difficulties(plan_set).values()) == {1.0}
    assert states(plan_set)[0] == ("todo", None, 1.0)


def test_it_plans_again_without_doubling_anything(
    study: Project, stus: UnitSet, plan_set: UnitSet, editor: User
):
    _, second = sentences(study)
    plan(plan_set, stus, editor, second)
    before = states(plan_set), list(SentencePlan.objects.values_list("sentence", "is_human"))
    plan(plan_set, stus, editor, second)
    assert (states(plan_set), list(SentencePlan.objects.values_list("sentence", "is_human"))) == (
        before
    )
    assert live(plan_set, get(study, "e1")) == ["The dam burst."]
    assert_sound(plan_set)
    plan(plan_set, stus, editor, *sentences(study, "e2"))
    assert live(plan_set, get(study, "e1")) == ["The dam burst.", "Nobody was hurt."]
    assert live(plan_set, get(study, "e2")) == []
    assert [state for state, _, _ in states(plan_set)] == ["spared", "todo", "todo"]
    assert_sound(plan_set)


def test_it_takes_a_plan_back_and_leaves_what_people_did(
    study: Project, stus: UnitSet, plan_set: UnitSet, editor: User
):
    e1, e2 = get(study, "e1"), get(study, "e2")
    plan(plan_set, stus, editor, sentences(study)[1])
    add(plan_set, e1, editor, "All are safe.")
    changed = Unit.objects.get(set=plan_set, example=e2, position=1)
    act(plan_set, e2, editor, on(changed, text="Nobody was harmed."))
    plans_service.drop_plan(unit_set=plan_set, user=editor)
    assert live(plan_set, e1) == ["All are safe."]
    assert live(plan_set, e2) == ["Nobody was harmed."]
    assert states(plan_set) == [("todo", editor.pk, 0), ("todo", editor.pk, 0), ("todo", None, 0)]
    assert not SentencePlan.objects.filter(set=plan_set).exists()
    assert_sound(plan_set)
    with pytest.raises(DomainError, match="has no plan"):
        plans_service.drop_plan(unit_set=plan_set, user=editor)


def test_it_copies_no_second_time_what_somebody_changed_or_deleted(
    study: Project, stus: UnitSet, plan_set: UnitSet, editor: User
):
    e2 = get(study, "e2")
    plan(plan_set, stus, editor, *sentences(study))
    first, second = Unit.objects.filter(set=plan_set, example=e2)
    act(plan_set, e2, editor, on(first, "delete"))
    act(plan_set, e2, editor, on(second, text="Nobody was harmed."))
    plan(plan_set, stus, editor, *sentences(study))
    assert live(plan_set, e2) == ["Nobody was harmed."]
    assert_sound(plan_set)


def test_it_hands_an_example_that_stus_stood_in_for_to_whoever_writes_in_it(
    study: Project, stus: UnitSet, plan_set: UnitSet, editor: User
):
    plan(plan_set, stus, editor, *sentences(study))
    add(plan_set, get(study, "e2"), editor, "It was a Monday.")
    assert states(plan_set)[1][:2] == ("todo", editor.pk)


def test_it_freezes_without_a_signature_where_stus_stand_in(
    study: Project, stus: UnitSet, plan_set: UnitSet, owner: User, editor: User
):
    plan(plan_set, stus, editor, sentences(study)[1])
    assert sets_service.count_unsigned(plan_set) == 2
    for key in ("e1", "e3"):
        example = get(study, key)
        add(plan_set, example, editor, "All are safe.")
        progress.mark_written(unit_set=plan_set, example=example, user=editor)
        progress.sign_off(unit_set=plan_set, example=example, user=owner)
    assert sets_service.count_unsigned(plan_set) == 0
    freeze(plan_set, owner)
    assert plan_set.unit_count == 5
    copy = versions.create_next_version(unit_set=plan_set, user=owner)
    assert run(copy.job).state == "done"
    assert get_plan_counts(copy)["human"] == get_plan_counts(plan_set)["human"]
    assert [state for state, _, _ in states(copy)] == ["signed", "spared", "signed"]


@pytest.mark.parametrize("fault", ["sentence", "set", "review", "empty", "frozen"])
def test_it_refuses_a_plan_that_can_not_hold(
    fault: str, study: Project, stus: UnitSet, plan_set: UnitSet, owner: User, tmp_path: Path
):
    human, of = sentences(study), stus
    if fault == "sentence":
        human = [10**9]
    elif fault == "set":
        of = plan_set
    elif fault == "empty":
        of = factories.make_set(study, owner, "Nothing")
    else:
        add(plan_set, get(study, "e1"), owner, "One.")
        sets_service.send_to_review(unit_set=plan_set, user=owner)
        if fault == "frozen":
            factories.freeze(plan_set, owner)
    with pytest.raises(DomainError):
        plans_service.plan_sentences(
            unit_set=plan_set, user=owner, stus=of, human=human, difficulty={}
        )
    assert not SentencePlan.objects.exists()
    assert not Unit.objects.filter(set=plan_set, kind="stu").exists()


def test_it_suggests_an_stu_once_wherever_it_stands_in(
    study: Project, stus: UnitSet, plan_set: UnitSet, owner: User
):
    plan(plan_set, stus, owner, sentences(study)[1])
    other = factories.make_set(study, owner, "Other")
    found = list_suggestions(other, get(study, "e2"))
    sources = Unit.objects.filter(set=stus, example__key="e2").values_list("pk", flat=True)
    assert [unit["id"] for unit in found] == list(sources)


def test_it_removes_a_set_with_its_plan(
    study: Project, stus: UnitSet, plan_set: UnitSet, owner: User
):
    plan(plan_set, stus, owner, *sentences(study))
    sets_service.delete_set(unit_set=plan_set, user=owner)
    assert not SentencePlan.objects.exists()


def test_it_tells_sets_of_stus_from_those_of_scus(
    study: Project, stus: UnitSet, plan_set: UnitSet, owner: User
):
    add(plan_set, get(study, "e1"), owner, "One.")
    assert list(list_stu_sets(study)) == [stus]
    assert list(list_scu_sets(study)) == [plan_set]


def test_it_measures_the_minutes_that_an_scu_takes(
    study: Project, stus: UnitSet, plan_set: UnitSet, owner: User
):
    assert get_writing_time(study) is None
    e1 = get(study, "e1")
    for seconds in (30, 90, 0):
        act(plan_set, e1, owner, {"action": "create", "text": "x", "seconds": seconds})
    assert get_writing_time(study) == 1.0


def test_it_leaves_words_that_somebody_gave_alone(
    study: Project, stus: UnitSet, plan_set: UnitSet, owner: User
):
    """A unit of a person stays before what stands in after it was planned."""
    e1 = get(study, "e1")
    act(plan_set, e1, owner, {"action": "create", "text": "Mine.", "spans": [span(e1, 0, 7)]})
    plan(plan_set, stus, owner, sentences(study)[1])
    assert live(plan_set, e1) == ["Mine.", "The dam burst."]
    assert_sound(plan_set)


def test_it_leaves_the_rest_to_stus_and_takes_that_back(
    study: Project, stus: UnitSet, plan_set: UnitSet, editor: User, owner: User
):
    e1, e2, e3 = (get(study, key) for key in ("e1", "e2", "e3"))
    first, second = sentences(study)
    plan(plan_set, stus, editor, first, second, *sentences(study, "e2"))
    before = states(plan_set)
    act(plan_set, e1, editor, {"action": "create", "text": "It burst.", "spans": [span(e1, 0, 7)]})
    assert count_written(plan_set) == 1
    assert [row.key for row in list_bare_examples(plan_set)] == ["e2", "e3"]
    # Also where a plan, or a ranking, leaves every sentence to people.
    assert leaving.count_rest(plan_set) == {"rest": 5, "left": 0}
    SentencePlan.objects.filter(set=plan_set, sentence__in=sentences(study, "e2")[:1]).update(
        is_human=False
    )
    assert leaving.count_rest(plan_set) == {"rest": 4, "left": 0}
    # Of e3 there are no STUs: it would be left without any unit.
    assert leaving.leave_rest(unit_set=plan_set, user=owner) == 2
    assert live(plan_set, e1) == ["It burst.", "Nobody was hurt."]
    assert live(plan_set, e2) == ["Nobody was hurt."]
    assert live(plan_set, e3) == []
    assert get_plan_counts(plan_set)["human"] == 3
    assert [state for state, _, _ in states(plan_set)] == ["todo", "spared", "todo"]
    assert [row.key for row in list_bare_examples(plan_set)] == ["e3"]
    assert leaving.count_rest(plan_set) == {"rest": 2, "left": 2}
    assert_sound(plan_set)
    assert leaving.leave_rest(unit_set=plan_set, user=owner) == 0
    assert leaving.take_rest_back(unit_set=plan_set, user=owner) == 2
    assert live(plan_set, e1) == ["It burst."]
    assert live(plan_set, e2) == []
    assert [row[:2] for row in states(plan_set)] == [row[:2] for row in before]
    assert leaving.count_rest(plan_set) == {"rest": 4, "left": 0}
    assert_sound(plan_set)


def test_it_counts_planned_sentences_without_a_unit(
    study: Project, stus: UnitSet, plan_set: UnitSet, editor: User, as_owner: Client
):
    """In examples that are marked as written; whoever still writes knows."""
    e1 = get(study, "e1")
    plan(plan_set, stus, editor, *sentences(study))
    act(plan_set, e1, editor, {"action": "create", "text": "It burst.", "spans": [span(e1, 0, 7)]})
    assert count_gaps(plan_set) == 0
    progress.mark_written(unit_set=plan_set, example=e1, user=editor)
    assert count_gaps(plan_set) == 1
    here = f"/p/{study.slug}/units/{plan_set.pk}/"
    assert b'id="gaps"' in as_owner.get(here).content
    SentencePlan.objects.filter(set=plan_set, sentence=sentences(study)[1]).update(is_human=False)
    assert count_gaps(plan_set) == 0


def test_it_leaves_what_is_marked_as_written_alone(
    study: Project, stus: UnitSet, plan_set: UnitSet, editor: User
):
    """Whoever says that an example is done may have found nothing in a sentence."""
    first, second = sentences(study)
    plan(plan_set, stus, editor, first, second)
    add(plan_set, get(study, "e1"), editor, "The dam burst.")
    progress.mark_written(unit_set=plan_set, example=get(study, "e1"), user=editor)
    leaving.leave_rest(unit_set=plan_set, user=editor)
    assert live(plan_set, get(study, "e1")) == ["The dam burst."]
    assert SentencePlan.objects.get(set=plan_set, sentence=second).is_human


def test_it_leaves_nothing_where_there_is_no_plan(plan_set: UnitSet, owner: User):
    with pytest.raises(DomainError, match="has no plan"):
        leaving.leave_rest(unit_set=plan_set, user=owner)
