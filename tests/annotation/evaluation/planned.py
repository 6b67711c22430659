"""STUs, curves and plans for tests, made through the services that the product uses."""

from __future__ import annotations

from collections import Counter
from typing import Any

from annotation.corpora.accounts.models import User
from annotation.corpora.corpus.models import Sentence
from annotation.corpora.jobs.models import Job, JobState
from annotation.corpora.jobs.service import finish_job
from annotation.corpora.projects.models import Project
from annotation.evaluation.labels.models import LabelSet
from annotation.evaluation.planning import curves
from annotation.evaluation.planning import service as planning_service
from annotation.evaluation.planning.models import BudgetPlan, CurveRun
from annotation.evaluation.power import service as power_service
from annotation.units.sets.models import Contributor, Unit, UnitKind, UnitSet
from annotation.units.stus.models import SentencePlan
from tests import factories

# By the place of the sentence: what an extractor made of it, and how hard it was foretold to be.
STUS = (("The dam burst", "dam burst on Monday"), ("Nobody was hurt",))
DIFFICULTY = (0.8, 0.3)
MODEL = "giza 1"


def make_stus(
    project: Project, owner: User, name: str = "STUs", *, is_foretold: bool = True
) -> UnitSet:
    """A frozen set of STUs that stand on their sentences."""
    unit_set = factories.make_set(project, owner, name)
    rows = Sentence.objects.filter(reference__example__project=project)
    in_order = rows.select_related("reference").order_by("reference__example_id", "position")
    stus = [(row, text) for row in in_order for text in STUS[min(row.position, 1)]]
    places: Counter[int] = Counter()
    units = Unit.objects.bulk_create(_stu(unit_set, row, text, places) for row, text in stus)
    Contributor.objects.bulk_create(
        Contributor(unit=unit, reference=row.reference, sentence=row, start=row.start, end=row.end)
        for unit, (row, _) in zip(units, stus, strict=True)
    )
    factories.freeze(unit_set, owner)
    if is_foretold:
        foretell(unit_set)
    unit_set.refresh_from_db()
    return unit_set


def _stu(unit_set: UnitSet, sentence: Sentence, text: str, places: Counter[int]) -> Unit:
    """At the next place of its example."""
    example = sentence.reference.example_id
    places[example] += 1
    return Unit(
        set=unit_set,
        example_id=example,
        kind=UnitKind.STU,
        text=text,
        position=places[example] - 1,
        extractor="srl",
        extractor_version="1",
    )


def foretell(unit_set: UnitSet) -> None:
    """The first sentence of each reference is the hard one; later examples are harder."""
    rows = Sentence.objects.filter(reference__example__project=unit_set.project)
    in_order = rows.order_by("reference__example__position", "position")
    SentencePlan.objects.bulk_create(
        SentencePlan(
            set=unit_set,
            sentence=row,
            difficulty=DIFFICULTY[min(row.position, 1)] + place / 100,
            model=MODEL,
        )
        for place, row in enumerate(in_order)
    )


def begin_curves(
    labels: LabelSet, stus: UnitSet, user: User | None = None, **said: Any
) -> CurveRun:
    """Curves that wait for a worker, of few resamples."""
    said = {"bootstrap": 20, "step": 50, **said}
    return curves.draw_curves(
        project=labels.project, user=user, label_set=labels, stus=stus, **said
    )


def make_curves(labels: LabelSet, stus: UnitSet, user: User | None = None, **said: Any) -> CurveRun:
    made = begin_curves(labels, stus, user, **said)
    finish(made)
    return made


def make_power(project: Project, user: User | None = None, **said: Any) -> Job:
    """Of small designs: two examples and three, by one annotator."""
    asked = {"differences": [0.5], "examples": [2, 3], "annotators": [1], **said}
    job = power_service.compute_power(project=project, user=user, **asked)
    finish_job(job=job)
    job.refresh_from_db()
    assert job.state == JobState.DONE, job.error
    return job


def begin_plan(project: Project, user: User | None = None, **said: Any) -> BudgetPlan:
    """A plan that waits for a worker, of few rounds."""
    said = {"money": 150, "hours": 6.0, "rounds": 4, **said}
    return planning_service.plan_budget(project=project, user=user, **said)


def make_plan(project: Project, user: User | None = None, **said: Any) -> BudgetPlan:
    made = begin_plan(project, user, **said)
    finish(made)
    return made


def finish(made: CurveRun | BudgetPlan) -> None:
    """Run its job here, and read it anew."""
    assert made.job is not None
    finish_job(job=made.job)
    assert made.job.state == JobState.DONE, made.job.error
    made.refresh_from_db()


def key_of(plan: BudgetPlan, *, people: bool = True) -> str:
    """A plan of the frontier that asks people, and has something written, if there is one."""
    rows = [row for row in plan.plans if bool(row["people"]) == people]
    rows.sort(key=lambda row: (row["written"] == 0, row["percentage"] == 0, -row["examples"]))
    return str(rows[0]["key"])
