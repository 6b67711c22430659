"""Training a judge on a project's labels: checked first, then done by a job that can be killed."""

from __future__ import annotations

import logging
import re
import shutil
import time
from collections.abc import Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any

from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from annotation.corpora.accounts.models import User
from annotation.corpora.activity.models import Verb
from annotation.corpora.activity.service import record_activity
from annotation.corpora.jobs.kinds import KINDS, JobKind
from annotation.corpora.jobs.models import Job
from annotation.corpora.jobs.service import create_job
from annotation.corpora.jobs.work import REPORT_EVERY, Work
from annotation.corpora.projects.models import Project
from annotation.errors import DomainError, Invalid
from annotation.evaluation.gold.models import GoldVersion
from annotation.evaluation.judges.models import FoldsBy, TrainedJudge
from annotation.evaluation.judges.offered import (
    DEVICES,
    FOLDS_SUFFIX,
    LIGHT,
    JudgeChoice,
    is_common,
    on_this_machine,
    resolve_judge,
)
from annotation.evaluation.judges.queries import read_records
from annotation.evaluation.labels.models import LabelSet
from annotation.evaluation.runs.models import JudgeRun
from annotation.removal import remove_rows
from annotation.units.stus.easiness import NAME, NAME_WORDS
from scoring.errors import InputError
from scoring.finetune import FineTuneOptions, Fold, TrainingRecord, fine_tune, make_folds
from scoring.finetune.progress import Progress
from scoring.judge.catalogue import OUT_OF_FOLD, PRESETS, read_card

logger = logging.getLogger(__name__)

KIND = "train_judge"
FOLDS_KIND = "train_folds"  # trains, then starts an out-of-fold run
FOLDS = 5
MOST_FOLDS = 100
# Workers share a machine, and one thread gives the same weights again.
USUAL = {"threads": 1}
OPTIONS = tuple(field.name for field in fields(FineTuneOptions) if field.name != "base")
# Beyond these a number is a slip of the pen.
MOST = {
    "learning_rate": 1,
    "epochs": 100,
    "batch_size": 10_000,
    "weight_decay": 1,
    "clip": 1000,
    "window": 100_000,
    "threads": 256,
    "checkpoint_every": 1_000_000,
}


def train_judge(
    *,
    project: Project,
    user: User | None,
    name: str,
    base: str,
    label_set: LabelSet | None = None,
    gold: GoldVersion | None = None,
    folds_by: str = FoldsBy.EXAMPLES,
    folds: int = FOLDS,
    options: Mapping[str, Any] | None = None,
    then_run: JudgeRun | None = None,
) -> TrainedJudge:
    """Begin to train, once everything that can be checked is in order; 0 folds hold out nothing.

    A name that was used before gets its next version. With *then_run*, the models of the folds are
    stored, and that run is done again with them.
    """
    checked = _check_name(name)
    choice = resolve_base(project, base)
    chosen = read_training_options(options or {})
    source = _check_source(label_set, gold)
    _check_data(label_set, gold, folds_by, folds, chosen["seed"])
    with transaction.atomic():
        made = _create(
            project,
            checked,
            base=choice.name,
            options=chosen,
            label_set=label_set,
            gold=gold,
            learned_from=str(source)[:300],
            folds_by=folds_by,
            folds=folds,
            created_by=user,
        )
        made.job = _create_job(made, user, then_run)
        made.save(update_fields=["job"])
        record_activity(
            project=project,
            actor=user,
            verb=Verb.START,
            target=made,
            text=_("started training {made}").format(made=made),
        )
    return made


def _create_job(made: TrainedJudge, user: User | None, then_run: JudgeRun | None) -> Job:
    kind, params = KIND, {"judge": made.pk}
    if then_run is not None:
        kind, params = FOLDS_KIND, params | {"run": then_run.pk}
    return create_job(
        project=made.project,
        user=user,
        kind=kind,
        title=_("Train {made}").format(made=made),
        params=params,
    )


def _check_name(name: str) -> str:
    name = name.strip()
    if not re.match(NAME, name):
        raise Invalid(
            _("name: expected {name_words}.").format(name_words=NAME_WORDS),
            _("For example, 'dams-embedded'."),
        )
    if is_common(name):
        raise DomainError(
            _("This server already has a judge '{name}'.").format(name=name),
            _("Choose another name."),
        )
    return name


def resolve_base(project: Project, base: str) -> JudgeChoice:
    """What training starts from, by the rules by which a run finds its judge."""
    choice = resolve_judge(project, base)
    if choice.kind == OUT_OF_FOLD:
        own = choice.name.removesuffix(FOLDS_SUFFIX)
        raise DomainError(
            _("base: {choice} consists of several models.").format(choice=choice.name),
            _("Choose {own}.").format(own=own),
        )
    if choice.kind in LIGHT and choice.name not in PRESETS:
        raise DomainError(
            _("base: {choice} is a tree model, which can't be trained further.").format(
                choice=choice.name
            ),
            _("Choose '{kind}' to train a new one.").format(kind=choice.kind),
        )
    return choice


def read_training_options(said: Mapping[str, Any]) -> dict[str, Any]:
    """All options with what was left out filled in; a wrong one is an error that names it."""
    if unknown := sorted(set(said) - set(OPTIONS)):
        raise Invalid(
            _("options: '{unknown}' is unknown. Use: {options}.").format(
                unknown=unknown[0], options=", ".join(OPTIONS)
            )
        )
    chosen = {**USUAL, **said}
    for name, most in MOST.items():
        if name in chosen and chosen[name] > most:
            raise Invalid(
                _("{name}: {chosen} is more than {most}.").format(
                    name=name, chosen=chosen[name], most=most
                )
            )
    if chosen.get("device", "cpu") not in DEVICES:
        raise Invalid(
            _("device: '{device}' is not one of {devices}.").format(
                device=chosen["device"], devices=", ".join(DEVICES)
            )
        )
    try:
        found = FineTuneOptions("any", **chosen)
    except InputError as error:
        raise Invalid(str(error)) from None
    return {name: getattr(found, name) for name in OPTIONS}


def _check_source(label_set: LabelSet | None, gold: GoldVersion | None) -> LabelSet | GoldVersion:
    source = label_set or gold
    if source is None or (label_set and gold):
        raise DomainError(_("Choose either labels or a gold version to train on."))
    if not source.is_ready:
        raise DomainError(
            _("{source} is not ready.").format(source=source),
            _("Wait until its job has finished."),
            fix=source,
        )
    return source


def _check_data(
    label_set: LabelSet | None, gold: GoldVersion | None, folds_by: str, folds: int, seed: int
) -> None:
    """Read all that is to be learnt from, as the job will."""
    if folds_by not in FoldsBy.values:
        raise Invalid(
            _("folds_by: '{folds_by}' is not one of {values}.").format(
                folds_by=folds_by[:40], values=", ".join(FoldsBy.values)
            )
        )
    if not 0 <= folds <= MOST_FOLDS:
        raise Invalid(
            _("folds: expected 0 to {most_folds}.").format(most_folds=MOST_FOLDS),
            _("With 0, no data is held out."),
        )
    try:
        records = read_records(label_set, gold)
        for fold in _draw_folds(records, folds_by, folds, seed):
            _check_fold(fold, records)
    except OSError as error:
        raise DomainError(
            _("The gold version's file can't be read: {strerror}.").format(strerror=error.strerror)
        ) from None
    except InputError as error:
        raise DomainError(str(error)) from None


def _draw_folds(records: Sequence[TrainingRecord], by: str, k: int, seed: int) -> list[Fold]:
    return make_folds(records, by, k, seed=seed) if k else []


def _check_fold(fold: Fold, records: Sequence[TrainingRecord]) -> None:
    """Without the fold there must still be something to learn."""
    rest, __ = fold.split(records)
    labels = {label for record in rest if not record.is_empty for label in record.labels}
    if not {0, 1} <= labels:
        raise InputError(
            _(
                "Without {fold} ({members}, …), the labels don't include both "
                "present and absent units. Use more folds, or none."
            ).format(fold=fold.name, members=fold.members[0])
        )


def _create(project: Project, name: str, **values: Any) -> TrainedJudge:
    for __ in range(10):
        rows = TrainedJudge.objects.filter(project=project, name=name).order_by("-version")
        newest = rows.first()
        version = newest.version + 1 if newest else 1
        try:
            with transaction.atomic():
                return TrainedJudge.objects.create(
                    project=project, name=name, version=version, **values
                )
        except IntegrityError:
            continue
    raise DomainError(_("Another judge is being added."), _("Try again in a moment."))


def run_training(work: Work) -> dict[str, Any]:
    """Train, or go on from the last checkpoint of a worker that died."""
    rows = TrainedJudge.objects.select_related("project", "label_set__unit_set", "gold")
    judge = rows.filter(pk=work.job.params["judge"]).first()
    if judge is None:
        raise DomainError(_("The judge was deleted."))
    if not judge.is_ready:
        card = _train(judge, work)
        with work.step():
            _finish(judge, card)
    return {"judge": judge.pk, "name": str(judge), "data": judge.card["data"]["hash"]}


def _train(judge: TrainedJudge, work: Work) -> dict[str, Any]:
    """The card of the judge, whose folder is then in its place."""
    if judge.path.is_dir():
        # Whole, since it is put there at once: who finished it had no time to say so.
        _remove(judge.work_path)
        return read_card(judge.path)
    work.report(work.done, phase=_("Reading labels"))
    records = read_records(judge.label_set, judge.gold)
    options = FineTuneOptions(resolve_base(judge.project, judge.base).where, **judge.options)
    folds = _draw_folds(records, judge.folds_by, judge.folds, options.seed)
    judge.path.parent.mkdir(parents=True, exist_ok=True)
    tell = Teller(work, records, folds)
    with on_this_machine():
        made = fine_tune(
            records,
            options,
            judge.path,
            folds=folds,
            name=str(judge),
            tell=tell,
            keep_folds=work.job.kind != KIND,
            probe=True,
        )
    return made.card


class Teller:
    """Tells the job how far a training is, in labels over all folds and the judge itself.

    What the job's people want, such as to cancel it, is raised here and breaks the training off.
    """

    def __init__(
        self, work: Work, records: Sequence[TrainingRecord], folds: Sequence[Fold]
    ) -> None:
        self.work = work
        self.names = [fold.name for fold in folds]
        self.total = sum(_count(part) for part in [*(f.split(records)[0] for f in folds), records])
        self.told = 0.0

    def __call__(self, progress: Progress) -> None:
        now = time.monotonic()
        if now - self.told < REPORT_EVERY:
            return
        self.told = now
        is_fold = progress.stage in self.names
        place = self.names.index(progress.stage) if is_fold else len(self.names)
        done = int(progress.share * self.total)
        self.work.report(done, self.total, phase=self._phase(progress, place))

    def _phase(self, progress: Progress, place: int) -> str:
        number = len(self.names)
        stage = (
            _("Fold {place} of {number}").format(place=place + 1, number=number)
            if place < number
            else _("Final judge")
        )
        loss = "" if progress.loss is None else _(" · loss {loss:.4f}").format(loss=progress.loss)
        speed = progress.pairs_per_second
        rate = _(" · {speed:,.0f} pairs per second").format(speed=speed) if speed else ""
        return f"{stage}{loss}{rate}"


def _count(records: Sequence[TrainingRecord]) -> int:
    return sum(label is not None for record in records for label in record.labels)


def _finish(judge: TrainedJudge, card: dict[str, Any]) -> None:
    """The base is called as people call it: where its folder lies is nobody's business."""
    judge.card = {
        **card,
        "base": card["base"] | {"name": judge.base},
        "options": card["options"] | {"base": judge.base},
    }
    judge.is_ready = True
    judge.save(update_fields=["card", "is_ready"])
    record_activity(
        project=judge.project,
        actor=judge.created_by,
        verb=Verb.FINISH,
        target=judge,
        text=_("trained {judge}").format(judge=judge),
    )


def delete_judge(*, judge: TrainedJudge, user: User | None) -> None:
    """Only one that no run stands on: a name and version never come to mean another judge."""
    if judge.job is not None and not judge.job.is_over:
        raise DomainError(
            _("{judge} is still being trained.").format(judge=judge),
            _("Cancel its job first."),
            fix=judge,
        )
    names = [str(judge), f"{judge}{FOLDS_SUFFIX}"]
    if run := JudgeRun.objects.filter(project=judge.project_id, judge__in=names).first():
        raise DomainError(_("{run} uses it.").format(run=run), _("Delete its runs first."), fix=run)
    with transaction.atomic():
        text = _("deleted the judge {judge}").format(judge=judge)
        record_activity(
            project=judge.project, actor=user, verb=Verb.DELETE, target=judge, text=text
        )
        remove_rows(TrainedJudge.objects.filter(pk=judge.pk))
    remove_files(judge)


def remove_files(judge: TrainedJudge) -> None:
    for path in (judge.path, judge.work_path):
        _remove(path)


def _remove(path: Path) -> None:
    """What can't be removed stays behind and is told to who looks after the server."""
    if path.exists():
        try:
            shutil.rmtree(path)
        except OSError:
            logger.exception("%s could not be removed", path)


def remove_unfinished(job: Job) -> None:
    for judge in TrainedJudge.objects.filter(pk=job.params["judge"], is_ready=False):
        remove_files(judge)
        judge.delete()


KINDS[KIND] = JobKind(run_training, undo=remove_unfinished, is_long=True)
