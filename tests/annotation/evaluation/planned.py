"""STUs, curves and plans for tests, made through the services that the product uses."""

from __future__ import annotations

from typing import Any

from annotation.corpora.models import JobState, Project, Sentence, User
from annotation.corpora.services.jobs import finish_job
from annotation.evaluation import services
from annotation.evaluation.models import BudgetPlan, CurveRun, LabelSet
from annotation.units.models import Contributor, SentencePlan, Unit, UnitKind, UnitSet
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
    for sentence in rows.select_related("reference").order_by("reference__example_id", "position"):
        for text in STUS[min(sentence.position, 1)]:
            _add_stu(unit_set, sentence, text)
    factories.freeze(unit_set, owner)
    if is_foretold:
        foretell(unit_set)
    unit_set.refresh_from_db()
    return unit_set


def _add_stu(unit_set: UnitSet, sentence: Sentence, text: str) -> Unit:
    example = sentence.reference.example_id
    unit = Unit.objects.create(
        set=unit_set,
        example_id=example,
        kind=UnitKind.STU,
        text=text,
        position=Unit.objects.filter(set=unit_set, example=example).count(),
        extractor="srl",
        extractor_version="1",
    )
    Contributor.objects.create(
        unit=unit,
        reference=sentence.reference,
        sentence=sentence,
        start=sentence.start,
        end=sentence.end,
    )
    return unit


def foretell(unit_set: UnitSet) -> None:
    """The first sentence of each reference is the hard one; later examples are harder."""
    rows = Sentence.objects.filter(reference__example__project=unit_set.project)
    for place, row in enumerate(rows.order_by("reference__example__position", "position")):
        SentencePlan.objects.create(
            set=unit_set,
            sentence=row,
            difficulty=DIFFICULTY[min(row.position, 1)] + place / 100,
            model=MODEL,
        )


def begin_curves(
    labels: LabelSet, stus: UnitSet, user: User | None = None, **said: Any
) -> CurveRun:
    """Curves that wait for a worker, of few resamples."""
    said = {"bootstrap": 20, "step": 50, **said}
    return services.draw_curves(
        project=labels.project, user=user, label_set=labels, stus=stus, **said
    )


def make_curves(labels: LabelSet, stus: UnitSet, user: User | None = None, **said: Any) -> CurveRun:
    made = begin_curves(labels, stus, user, **said)
    finish(made)
    return made


def begin_plan(project: Project, user: User | None = None, **said: Any) -> BudgetPlan:
    """A plan that waits for a worker, of few rounds."""
    said = {"money": 150, "hours": 6.0, "rounds": 4, **said}
    return services.plan_budget(project=project, user=user, **said)


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
