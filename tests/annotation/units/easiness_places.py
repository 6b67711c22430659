"""STUs, rankings, plans and regressors that an address can name, each where its verbs succeed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from annotation.corpora.accounts.models import User
from annotation.corpora.corpus.models import Example, Sentence
from annotation.corpora.jobs.pausing import pause_job
from annotation.corpora.projects.models import Project
from annotation.units.plans import service as plans_service
from annotation.units.sets.models import SetState, Unit, UnitSet
from annotation.units.stus import extraction
from annotation.units.stus.models import EasinessModel, SentencePlan
from tests import factories

HELD_OUT = {
    "sentences": 12,
    "mae": 0.11,
    "rho": 0.4,
    "mean_mae": 0.12,
    "gain": 0.01,
    "gain_low": 0.002,
    "gain_high": 0.02,
}
CARD = {
    "name": "ours@1",
    "held_out": HELD_OUT,
    "data": {"documents": 6, "sentences": 12, "hash": "0" * 64},
}


@dataclass(frozen=True, slots=True)
class EasinessPlaces:
    """`filling` waits to be extracted, `resting` was paused before; `human` has SCUs."""

    stus: UnitSet
    filling: UnitSet
    resting: UnitSet
    human: UnitSet
    planned: UnitSet
    sentence: int
    model: EasinessModel


def make_easiness_places(
    project: Project, examples: Sequence[Example], writer: User
) -> EasinessPlaces:
    stus = make_stus(project, examples)
    human, planned = (factories.make_set(project, writer, name) for name in ("human", "planned"))
    for example in examples:
        factories.add_unit(human, example, writer, "The dam burst.", reference=0)
    sentence = Sentence.objects.filter(reference__example=examples[0]).earliest("pk").pk
    plans_service.plan_sentences(
        unit_set=planned, user=writer, stus=stus, human=[sentence], difficulty={sentence: 0.4}
    )
    filling, resting = (
        extraction.extract_stus(project=project, user=writer, name=name) for name in ("new", "rest")
    )
    assert resting.job is not None
    pause_job(job=resting.job)
    return EasinessPlaces(
        stus, filling, resting, human, planned, sentence, make_model(project, human, stus)
    )


def make_stus(project: Project, examples: Sequence[Example]) -> UnitSet:
    """As an extractor leaves them, without one."""
    made = UnitSet.objects.create(
        project=project,
        name="STUs",
        extractor="srl",
        extractor_version="srl-1",
        state=SetState.FROZEN,
        content_hash="0" * 64,
        unit_count=len(examples),
    )
    Unit.objects.bulk_create(
        Unit(set=made, example=example, kind="stu", text="Dams burst.", position=0, extractor="srl")
        for example in examples
    )
    rows = Sentence.objects.filter(reference__example__in=examples)
    SentencePlan.objects.bulk_create(
        SentencePlan(set=made, sentence=row, difficulty=0.5, is_human=False, model="giza 1")
        for row in rows
    )
    return made


def make_model(project: Project, scus: UnitSet, stus: UnitSet) -> EasinessModel:
    """One that is ready, as far as pages and REST look at it."""
    return EasinessModel.objects.create(
        project=project,
        name="ours",
        version=1,
        regressor="giza",
        scus=scus,
        stus=stus,
        learned_from=f"{scus} and {stus}",
        is_ready=True,
        card=CARD,
        file={"format": 1, "features": "giza"},
    )
