"""Training a regressor on a project's own SCUs and STUs, with figures from what it never saw."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import numpy as np
from django.db import IntegrityError, transaction

from annotation.corpora.models import Example, Job, Project, User, Verb
from annotation.corpora.services.activity import record_activity
from annotation.corpora.services.jobs import KINDS, JobKind, Work, create_job
from annotation.errors import DomainError, Invalid
from annotation.removal import remove_rows
from annotation.translation import gettext as _
from annotation.translation import gettext_lazy
from annotation.units.models import EasinessModel, SentencePlan, Unit, UnitKind, UnitSet
from annotation.units.selectors.learned import hash_references, list_written
from annotation.units.services.cases import PlacedSentence, make_sentence_cases, read_placed
from annotation.units.services.locks import refuse_if_not_filled
from annotation.units.services.sentences import EXAMPLES_A_STEP
from scoring.easiness.features import FEATURES
from scoring.easiness.regressors import DEFAULT, MODELS
from scoring.parses import load_parser
from scoring.planning.study import SentenceUnits

if TYPE_CHECKING:
    from scoring.easiness.training import Trained

KIND = "train_easiness"
REGRESSORS = tuple(FEATURES)
FOLDS = 5
MOST_FOLDS = 100
# A regressor that learned from fewer says nothing.
FEWEST = 10
NAME = r"^[A-Za-z0-9][A-Za-z0-9._-]{0,79}$"
NAME_WORDS = gettext_lazy(
    "at most 80 letters, digits, dots, hyphens and underscores, starting with a letter or digit"
)


def train_easiness(
    *,
    project: Project,
    user: User | None,
    name: str,
    scus: UnitSet,
    stus: UnitSet,
    regressor: str = DEFAULT,
    folds: int = FOLDS,
    seed: int = 0,
) -> EasinessModel:
    """Begin to train, once everything that can be checked is in order.

    Folds are of examples: a regressor is told good by sentences of examples that it never saw. A
    name that was used before gets its next version.
    """
    checked = _check_name(name)
    if regressor not in REGRESSORS:
        known = ", ".join(REGRESSORS)
        raise Invalid(
            _("Unknown regressor '{regressor}'.").format(regressor=regressor[:40]),
            _("Known: {known}.").format(known=known),
        )
    _check_sets(project, scus, stus)
    _check_folds(scus, folds)
    with transaction.atomic():
        made = _create(
            project,
            checked,
            regressor=regressor,
            scus=scus,
            stus=stus,
            learned_from=_("{scus} and {stus}").format(scus=scus, stus=stus)[:300],
            folds=folds,
            seed=seed,
            created_by=user,
        )
        made.job = create_job(
            project=project,
            user=user,
            kind=KIND,
            title=_("Train {made}").format(made=made),
            params={"model": made.pk},
        )
        made.save(update_fields=["job"])
        record_activity(
            project=project,
            actor=user,
            verb=Verb.START,
            target=made,
            text=_("started training {made}").format(made=made),
        )
    return made


def _check_name(name: str) -> str:
    name = name.strip()
    if not re.match(NAME, name):
        raise Invalid(
            _("name: expected {name_words}.").format(name_words=NAME_WORDS),
            _("For example, 'our-news'."),
        )
    if name in MODELS:
        raise DomainError(
            _("A built-in regressor is already called '{name}'.").format(name=name),
            _("Choose another name."),
        )
    return name


def _check_sets(project: Project, scus: UnitSet, stus: UnitSet) -> None:
    for unit_set, kind in ((scus, UnitKind.SCU), (stus, UnitKind.STU)):
        if unit_set.project_id != project.pk:
            raise DomainError(
                _("{unit_set} doesn't belong to this project.").format(unit_set=unit_set)
            )
        refuse_if_not_filled(unit_set)
        if not Unit.objects.filter(set=unit_set, kind=kind, is_deleted=False).exists():
            raise DomainError(
                _("{unit_set} contains no {kind}s.").format(unit_set=unit_set, kind=kind.label),
                _("Choose another set."),
            )


def _check_folds(scus: UnitSet, folds: int) -> None:
    examples = len(list_written(scus))
    if not 2 <= folds <= MOST_FOLDS:
        raise Invalid(_("folds: expected 2 to {most_folds}.").format(most_folds=MOST_FOLDS))
    if examples < folds:
        raise DomainError(
            _("{scus} has SCUs for only {examples} examples, too few for {folds} folds.").format(
                scus=scus, examples=examples, folds=folds
            ),
            _("Write SCUs for more examples, or use fewer folds."),
        )


def _create(project: Project, name: str, **values: Any) -> EasinessModel:
    for __ in range(10):
        rows = EasinessModel.objects.filter(project=project, name=name).order_by("-version")
        newest = rows.first()
        version = newest.version + 1 if newest else 1
        try:
            with transaction.atomic():
                return EasinessModel.objects.create(
                    project=project, name=name, version=version, **values
                )
        except IntegrityError:
            continue
    raise DomainError(_("Other regressors are being trained."), _("Try again in a moment."))


# The job -------------------------------------------------------------------------------------


def run_training(work: Work) -> dict[str, Any]:
    """Some hundred sentences are learned in seconds: who is killed begins anew."""
    rows = EasinessModel.objects.select_related("project", "scus", "stus", "created_by")
    model = rows.filter(pk=work.job.params["model"]).first()
    if model is None:
        raise DomainError(_("The regressor was deleted."))
    if model.scus is None or model.stus is None:
        raise DomainError(_("A set that it was to be trained on was deleted."))
    if not model.is_ready:
        trained = _train(work, model, model.scus, model.stus)
        with work.step():
            _finish(model, trained)
    return {"model": model.pk, "name": str(model), "held_out": model.card["held_out"]}


def _train(work: Work, model: EasinessModel, scus: UnitSet, stus: UnitSet) -> Trained:
    # Late: its statistics take a second to load, and no page needs them.
    from scoring.easiness.training import Options, choose_folds, train_regressor

    placed = _read(work, scus, stus)
    known = sum(one.easiness is not None for one in placed)
    if known < FEWEST:
        raise DomainError(
            _("Only {known} sentences have SCUs; training needs at least {fewest}.").format(
                known=known, fewest=FEWEST
            ),
            _("Write more SCUs first."),
        )
    work.report(work.done, phase=_("Parsing"))
    cases = make_sentence_cases(placed, load_parser())
    work.report(work.done, phase=_("Training"))
    sentences = _as_sentences(placed)
    targets = np.array([np.nan if one.easiness is None else one.easiness for one in placed])
    documents = list(dict.fromkeys(sentence.document for sentence in sentences))
    folds = choose_folds(documents, k=model.folds, seed=model.seed)
    options = Options(model.regressor, model.target, name=str(model), seed=model.seed)
    return train_regressor(sentences, cases, targets, folds, options)


def _read(work: Work, scus: UnitSet, stus: UnitSet) -> list[PlacedSentence]:
    examples = list_written(scus)
    work.report(0, len(examples), phase=_("Reading units"))
    placed: list[PlacedSentence] = []
    for at in range(0, len(examples), EXAMPLES_A_STEP):
        placed += read_placed(examples[at : at + EXAMPLES_A_STEP], stus, scus)
        work.report(min(at + EXAMPLES_A_STEP, len(examples)))
    return placed


def _as_sentences(placed: Sequence[PlacedSentence]) -> list[SentenceUnits]:
    """By the keys of examples, so that folds are the same wherever the corpus is."""
    keys = dict(
        Example.objects.filter(pk__in={one.example for one in placed}).values_list("pk", "key")
    )
    return [SentenceUnits(keys[one.example], 0, one.row.text, (), ()) for one in placed]


def _finish(model: EasinessModel, trained: Trained) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "regressor.json"
        trained.save(path)
        model.file = json.loads(path.read_text(encoding="utf-8"))
    learned = hash_references(list_written(model.scus) if model.scus else [])
    model.card = {**trained.regressor.card, "learned": learned.to_json()}
    model.is_ready = True
    model.save(update_fields=["file", "card", "is_ready"])
    record_activity(
        project=model.project,
        actor=model.created_by,
        verb=Verb.FINISH,
        target=model,
        text=_("trained {model}").format(model=model),
    )


def delete_easiness_model(*, model: EasinessModel, user: User | None) -> None:
    """Only one that no ranking stands on: a name and version never come to mean another."""
    if model.job is not None and not model.job.is_over:
        raise DomainError(
            _("{model} is still being trained.").format(model=model),
            _("Cancel its job first."),
            fix=model,
        )
    used = SentencePlan.objects.filter(set__project=model.project_id, model=str(model))
    if plan := used.select_related("set").first():
        raise DomainError(
            _("The ranking of {set} uses it.").format(set=plan.set),
            _("Rank that set with another regressor first."),
        )
    with transaction.atomic():
        text = _("deleted the regressor {model}").format(model=model)
        record_activity(
            project=model.project, actor=user, verb=Verb.DELETE, target=model, text=text
        )
        remove_rows(EasinessModel.objects.filter(pk=model.pk))


def remove_unfinished(job: Job) -> None:
    EasinessModel.objects.filter(pk=job.params["model"], is_ready=False).delete()


KINDS[KIND] = JobKind(run_training, undo=remove_unfinished, is_long=True)
