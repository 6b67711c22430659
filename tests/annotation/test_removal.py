"""Deleting: whatever refers to a row, it goes with it, is emptied, or is named in a refusal.

A row is put behind every foreign key that leads to what a service deletes, of every app, and the
service is called: it deletes, or it raises a DomainError. A new foreign key is found by itself.
"""

from __future__ import annotations

import ast
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.db import DatabaseError, connection, models, transaction

import annotation
from annotation import clock
from annotation.corpora.accounts.models import User
from annotation.corpora.imports.models import Import
from annotation.corpora.imports.service import undo_import
from annotation.corpora.jobs.models import Job
from annotation.corpora.jobs.service import run_job
from annotation.corpora.projects.models import Project
from annotation.corpora.projects.service import delete_project
from annotation.crowd.campaigns.models import Campaign
from annotation.crowd.campaigns.service import delete_campaign
from annotation.errors import DomainError
from annotation.evaluation.estimates import service as estimates_service
from annotation.evaluation.estimates.models import ScoreEstimate
from annotation.evaluation.gold import service as gold_service
from annotation.evaluation.gold.models import GoldVersion
from annotation.evaluation.judges import service as judges_service
from annotation.evaluation.judges.models import TrainedJudge
from annotation.evaluation.labels import service as labels_service
from annotation.evaluation.labels.models import LabelSet
from annotation.evaluation.metrics import service as metrics_service
from annotation.evaluation.metrics.models import ScoreSet
from annotation.evaluation.planning import curves, taken
from annotation.evaluation.planning import service as planning_service
from annotation.evaluation.planning.models import BudgetPlan, CurveRun
from annotation.evaluation.reports import service as reports_service
from annotation.evaluation.reports.models import Report
from annotation.evaluation.robustness import service as robustness_service
from annotation.evaluation.robustness.models import RobustnessStudy
from annotation.evaluation.runs import service as runs_service
from annotation.evaluation.runs.models import JudgeRun
from annotation.evaluation.samples import service as samples_service
from annotation.evaluation.samples.models import Sample
from annotation.removal import list_relations, remove_rows
from annotation.units.double import service as double_service
from annotation.units.double.models import DoubleAnnotation, DoubleAuthor
from annotation.units.plans import leaving
from annotation.units.plans import service as plans_service
from annotation.units.sets import service as sets_service
from annotation.units.sets.models import Unit, UnitKind, UnitSet
from annotation.units.studio import comments
from annotation.units.studio.models import Presence
from annotation.units.stus import easiness
from annotation.units.stus.models import EasinessModel, SentencePlan
from tests import factories
from tests.test_architecture import layer_of

ROOT = Path(annotation.__file__).parent
PROTECTING = (models.PROTECT, models.RESTRICT, models.DO_NOTHING)


# Columns that may be empty, but not together with others: constraints say so.
ALSO = {"Decision": "worker"}
ALTERNATIVES = {"worker", "assignment"}


@dataclass
class Scene:
    """What is there before something is deleted; rows made for a test refer to these."""

    project: Project
    owner: User
    known: dict[type[models.Model], models.Model] = field(default_factory=dict)

    def make(self, model: type[models.Model], **given: Any) -> Any:
        """A row with only what it must have; one that is there already will do."""
        if (row := model._base_manager.filter(**given).first()) if given else None:
            return row
        wanted = ALSO.get(model.__name__, "")
        for column in model._meta.concrete_fields:
            is_wanted = column.name == wanted and not {*given} & ALTERNATIVES
            if column.name not in given and (is_wanted or self._is_needed(column)):
                given[column.name] = self._value(column)
        return model._base_manager.bulk_create([model(**given)])[0]

    def _is_needed(self, column: Any) -> bool:
        empty = column.null or column.has_default() or column.primary_key
        is_text = isinstance(column, models.CharField | models.TextField)
        return not empty and not (is_text and column.blank and not column.unique)

    def _value(self, column: Any) -> Any:
        if isinstance(column, models.ForeignKey):
            target = column.related_model
            return self.known.get(target) or self.make(target)
        if column.choices:
            return column.choices[0][0]
        if isinstance(column, models.CharField | models.TextField):
            return uuid.uuid4().hex[: column.max_length or 32]
        if isinstance(column, models.DateTimeField):
            return clock.now()
        if isinstance(column, models.BinaryField):
            return b"x"
        return uuid.uuid4() if isinstance(column, models.UUIDField) else 1


Call = Callable[[Any], object]
Attempt = Callable[[], object]


@pytest.fixture
def scene(corpus: Project, owner: User) -> Scene:
    return Scene(corpus, owner, {Project: corpus})


@contextmanager
def rolled_back() -> Iterator[None]:
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


def walk(scene: Scene, row: models.Model, call: Call) -> None:
    """Try the deletion with a row behind each foreign key that leads to this one, near or far."""
    failed: list[str] = []
    _walk(scene, row, lambda: call(type(row)._base_manager.get(pk=row.pk)), set(), failed)
    assert not failed, "\n".join(failed)


def _walk(
    scene: Scene, row: models.Model, attempt: Attempt, seen: set[Any], failed: list[str]
) -> None:
    scene.known[type(row)] = row
    for relation in list_relations(type(row)):
        if relation.field in seen:
            continue
        seen.add(relation.field)
        with rolled_back():
            child = scene.make(relation.related_model, **{relation.field.name: row})
            failed += _try(relation.field, attempt)
            if relation.on_delete is models.CASCADE:
                _walk(scene, child, attempt, seen, failed)
                scene.known.pop(type(child), None)


def _try(what: Any, attempt: Attempt) -> list[str]:
    try:
        with rolled_back():
            attempt()
            connection.check_constraints()
    except DomainError:
        return []
    except DatabaseError as error:
        return [f"{what}: {error}"]
    return []


def expect_gone(call: Call, model: type[models.Model]) -> Call:
    def wrapped(row: Any) -> None:
        pk = row.pk
        call(row)
        assert not model._base_manager.filter(pk=pk).exists()

    return wrapped


# The services by name: what they delete, made here, and how they are called.
Made = tuple[models.Model, Call]


def _set(scene: Scene) -> Made:
    made = factories.make_set(scene.project, scene.owner, "draft")
    return made, lambda row: sets_service.delete_set(unit_set=row, user=scene.owner)


def _plan_of_a_set(scene: Scene) -> Made:
    """The STU that stands in a planned set; what becomes of it is the plan's affair."""
    unit_set, unit = _planned(scene)
    return unit, lambda _: plans_service.drop_plan(unit_set=unit_set, user=scene.owner)


def _rest_of_a_plan(scene: Scene) -> Made:
    unit_set, unit = _planned(scene)
    return unit, lambda _: leaving.take_rest_back(unit_set=unit_set, user=scene.owner)


def _planned(scene: Scene) -> tuple[UnitSet, Unit]:
    unit_set = factories.make_set(scene.project, scene.owner, "draft")
    source = factories.make_set(scene.project, scene.owner, "stus")
    example = scene.project.examples.get(key="e1")
    reference = example.references.get()
    sentence = reference.sentences.earliest("position")
    old = Unit.objects.create(set=source, example=example, kind=UnitKind.STU, position=0)
    unit = Unit.objects.create(
        set=unit_set, example=example, kind=UnitKind.STU, position=0, promoted_from=old
    )
    unit.contributors.create(reference=reference, sentence=sentence, start=0, end=3)
    SentencePlan.objects.create(
        set=unit_set, sentence=sentence, difficulty=1, is_human=False, left_at=clock.now()
    )
    UnitSet.objects.filter(pk=unit_set.pk).update(unit_count=1)
    return unit_set, unit


def _taken_plan(scene: Scene) -> Made:
    made = factories.make_set(scene.project, scene.owner, "budget")
    plan = scene.make(BudgetPlan, project=scene.project, unit_set=made, chosen="a")
    return made, lambda _: taken.undo_plan(plan=plan, user=scene.owner)


def _double(scene: Scene) -> Made:
    """A set of one author, which goes with the double annotation."""
    made = factories.make_set(scene.project, scene.owner, "A")
    double = scene.make(DoubleAnnotation, project=scene.project, name="Double")
    DoubleAuthor.objects.create(double=double, set=made, user=scene.owner, position=0)
    return made, lambda _: double_service.delete_double(double=double, user=scene.owner)


def _import(scene: Scene) -> Made:
    def undo(row: Import) -> None:
        job = undo_import(import_=row, user=scene.owner)
        assert run_job(job_id=job.pk)
        assert Job.objects.get(pk=job.pk).error == ""

    return Import.objects.get(project=scene.project), undo


def _project(scene: Scene) -> Made:
    return scene.project, lambda row: delete_project(project=row)


def _simple(model: type[models.Model], name: str, call: Callable[..., object]) -> Any:
    def make(scene: Scene) -> Made:
        made = scene.make(model, project=scene.project)
        return made, lambda row: call(**{name: row, "user": scene.owner})

    return make


SERVICES: dict[str, Callable[[Scene], Made]] = {
    "delete_set": _set,
    "delete_double": _double,
    "drop_plan": _plan_of_a_set,
    "take_rest_back": _rest_of_a_plan,
    "undo_plan": _taken_plan,
    "undo_import": _import,
    "delete_project": _project,
    "delete_campaign": _simple(Campaign, "campaign", delete_campaign),
    "delete_easiness_model": _simple(EasinessModel, "model", easiness.delete_easiness_model),
    "delete_plan": _simple(BudgetPlan, "plan", planning_service.delete_plan),
    "delete_curves": _simple(CurveRun, "curves", curves.delete_curves),
    "delete_estimate": _simple(ScoreEstimate, "estimate", estimates_service.delete_estimate),
    "delete_gold": _simple(GoldVersion, "gold", gold_service.delete_gold),
    "delete_labels": _simple(LabelSet, "label_set", labels_service.delete_labels),
    "delete_report": _simple(Report, "report", reports_service.delete_report),
    "delete_run": _simple(JudgeRun, "run", runs_service.delete_run),
    "delete_sample": _simple(Sample, "sample", samples_service.delete_sample),
    "delete_score_set": _simple(ScoreSet, "score_set", metrics_service.delete_score_set),
    "delete_study": _simple(RobustnessStudy, "study", robustness_service.delete_study),
    "delete_judge": _simple(TrainedJudge, "judge", judges_service.delete_judge),
}
KEEPS_THE_ROW = {"drop_plan", "take_rest_back", "undo_import"}


@pytest.mark.parametrize("name", SERVICES)
def test_whatever_refers_to_it_a_delete_succeeds_or_says_why_not(name: str, scene: Scene) -> None:
    row, call = SERVICES[name](scene)
    walk(scene, row, call if name in KEEPS_THE_ROW else expect_gone(call, type(row)))


def test_every_service_that_deletes_is_walked() -> None:
    named = {
        node.name
        for path in ROOT.glob("*/*/*.py")
        if layer_of(path.relative_to(ROOT).parts[1:]) == "inner" and path.parent.name != "market"
        for node in ast.parse(path.read_text()).body
        if isinstance(node, ast.FunctionDef) and node.name.startswith("delete_")
    }
    assert named == {name for name in SERVICES if name.startswith("delete_")}


# Rows that are deleted one by one, through a name: what each is.
SINGLE = {
    ("crowd/market/requesters.py", "key"): "RequesterKey",
    ("crowd/market/layouts.py", "layout"): "HitLayout",
    ("crowd/market/workers.py", "found"): "WorkerInvitation",
    ("crowd/market/workers.py", "links"): "WorkerInvitation",
    ("crowd/providers/prolific.py", "self"): "ProlificPlaces",
    ("evaluation/judges/service.py", "judge"): "TrainedJudge",
    ("units/studio/ops.py", "rows"): "Contributor",
    ("corpora/accounts/sign_in.py", "made"): "Attempt",
    ("corpora/accounts/service.py", "token"): "ApiToken",
    ("corpora/projects/service.py", "invitation"): "Invitation",
    ("corpora/projects/service.py", "unused"): "Invitation",
    ("corpora/projects/service.py", "membership"): "Membership",
    ("corpora/imports/cleaning.py", "upload"): "Upload",
    ("corpora/projects/service.py", "project"): "Project",
    ("sessions.py", "store"): "Session",
}
# Who makes sure that nothing protects them any more: a project's go first, the demo's are its own.
CLEARED = {"corpora/projects/service.py", "units/demo_units.py", "evaluation/overview/demo.py"}


def test_what_something_protects_goes_only_through_remove_rows() -> None:
    found = [one for path in ROOT.rglob("*.py") for one in _list_direct(path)]
    assert len(found) > 20, "the search itself works"
    by_name = {model.__name__: model for model in apps.get_models()}
    protected = [
        f"{path}: {name}"
        for path, name in found
        if path not in CLEARED and _is_protected(by_name[SINGLE.get((path, name), name)])
    ]
    assert not protected


def _list_direct(path: Path) -> Iterator[tuple[str, str]]:
    """Calls of `.delete()` without an argument: where, and on what name."""
    where = path.relative_to(ROOT).as_posix()
    if "migrations" in where or "views" in where:
        return
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Call) and _attribute(node) == "delete" and not node.args:
            root: ast.expr = node.func
            while not isinstance(root, ast.Name):
                root = root.func if isinstance(root, ast.Call) else root.value  # type: ignore[attr-defined]
            yield where, root.id


def _attribute(node: ast.Call) -> str:
    return node.func.attr if isinstance(node.func, ast.Attribute) else ""


def _is_protected(model: type[models.Model]) -> bool:
    return any(relation.on_delete in PROTECTING for relation in list_relations(model))


def test_rows_are_deleted_unloaded_in_one_place_only() -> None:
    raw = [path.name for path in ROOT.rglob("*.py") if "_raw_delete(" in path.read_text()]
    assert raw == ["removal.py"]


def test_every_foreign_key_is_of_a_kind_that_remove_rows_knows() -> None:
    known = (models.CASCADE, models.SET_NULL, models.PROTECT)
    relations = [one for model in apps.get_models() for one in list_relations(model)]
    assert len(relations) > 100
    assert not [str(one.field) for one in relations if one.on_delete not in known]


def test_a_draft_that_was_opened_in_the_studio_is_deleted(scene: Scene) -> None:
    draft = factories.make_set(scene.project, scene.owner, "draft")
    example = scene.project.examples.get(key="e1")
    comments.note_presence(unit_set=draft, example=example, user=scene.owner)
    sets_service.delete_set(unit_set=draft, user=scene.owner)
    connection.check_constraints()
    assert not Presence.objects.exists()


def test_a_set_that_a_plan_stands_on_is_named_in_the_refusal(scene: Scene) -> None:
    stus = factories.make_set(scene.project, scene.owner, "stus")
    scene.make(BudgetPlan, project=scene.project, stus=stus)
    with pytest.raises(DomainError, match="still uses it") as caught:
        sets_service.delete_set(unit_set=stus, user=scene.owner)
    assert caught.value.hint
    assert UnitSet.objects.filter(pk=stus.pk).exists()


def test_it_counts_the_rows_and_leaves_others(scene: Scene) -> None:
    gone = factories.make_set(scene.project, scene.owner, "gone")
    kept = factories.make_set(scene.project, scene.owner, "kept")
    example = scene.project.examples.get(key="e1")
    factories.add_units(gone, example, scene.owner, "The dam burst.", "Nobody was hurt.")
    stays = factories.add_unit(kept, example, scene.owner, "The dam burst.")
    old = Unit.objects.filter(set=gone).earliest("pk")
    Unit.objects.filter(pk=stays.pk).update(promoted_from=old)
    assert remove_rows(UnitSet.objects.filter(pk=gone.pk)) == 1
    connection.check_constraints()
    assert list(Unit.objects.values_list("pk", "promoted_from")) == [(stays.pk, None)]
