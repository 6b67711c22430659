"""Judges that a project has trained, and the records that one learns from."""

from __future__ import annotations

from collections.abc import Iterator

from django.db.models import QuerySet

from annotation.corpora.models import Project
from annotation.errors import DomainError, NotFound
from annotation.evaluation.models import GoldVersion, LabelSet, SummaryLabels, TrainedJudge
from annotation.evaluation.selectors.run_texts import READ_CHUNK, list_units
from annotation.translation import gettext as _
from scoring.finetune import TrainingRecord, records_from_gold
from scoring.finetune.data import check_records

TEXTS = ("summary__example__key", "summary__system__name", "summary__text")


def list_trained(project: Project) -> QuerySet[TrainedJudge]:
    """The newest first, those that are still in training among them."""
    return TrainedJudge.objects.filter(project=project).select_related(
        "project", "label_set__unit_set", "gold", "job__project", "created_by"
    )


def get_trained(project: Project, pk: int) -> TrainedJudge:
    found = list_trained(project).filter(pk=pk).first()
    if found is None:
        raise NotFound(_("The project has no trained judge {pk}.").format(pk=pk))
    return found


def get_ready_trained(project: Project, pk: int) -> TrainedJudge:
    found = get_trained(project, pk)
    if not found.is_ready:
        raise DomainError(
            _("{found} is not trained yet.").format(found=found),
            _("Wait until its job has finished."),
            fix=found,
        )
    return found


def list_ready_labels(project: Project) -> QuerySet[LabelSet]:
    rows = LabelSet.objects.filter(project=project, is_ready=True)
    return rows.select_related("unit_set")


def list_ready_gold(project: Project) -> QuerySet[GoldVersion]:
    return GoldVersion.objects.filter(project=project, is_ready=True)


def read_records(label_set: LabelSet | None, gold: GoldVersion | None) -> list[TrainingRecord]:
    """What a judge learns from: the gold version's file, or the labels with their texts."""
    if gold is not None:
        return records_from_gold(gold.path)
    if label_set is None:
        raise DomainError(_("The labels were deleted."), _("Train a judge on other labels."))
    return check_records(_read_labels(label_set))


def _read_labels(label_set: LabelSet) -> Iterator[TrainingRecord]:
    units = list_units(label_set.unit_set)
    rows = SummaryLabels.objects.filter(label_set=label_set)
    fields = ("summary__example_id", *TEXTS, "labels")
    for example, key, system, text, labels in rows.values_list(*fields).iterator(READ_CHUNK):
        yield TrainingRecord(
            key,
            system,
            text,
            tuple(unit.text for unit in units[example]),
            tuple(labels),
            tuple(unit.weight for unit in units[example]),
        )
