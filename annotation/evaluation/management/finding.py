"""What a command was told to work on: a project, a unit set, labels, a gold version."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.core.management.base import CommandError, OutputWrapper
from django.utils.translation import gettext as _

from annotation.corpora.projects.models import Project
from annotation.evaluation.gold.models import GoldVersion
from annotation.evaluation.judges.queries import list_learned_scores
from annotation.evaluation.labels.models import LabelSet
from annotation.evaluation.metrics.models import ScoreSet
from annotation.evaluation.metrics.queries import list_system_scores
from annotation.units.sets.models import UnitSet


def find_set(project: Project, said: str) -> UnitSet:
    """`NAME` is its newest frozen version, `NAME@2` the second one."""
    name, at, version = said.rpartition("@") if "@" in said else (said, "", "")
    rows = UnitSet.objects.filter(project=project, name=name).order_by("-version")
    if at:
        rows = rows.filter(version=int(version)) if version.isdecimal() else rows.none()
    found = next((row for row in rows if row.is_frozen), None) or rows.first()
    if found is None:
        raise CommandError(
            _("There is no unit set '{said}'. Known unit sets: {list}.").format(
                said=said, list=_list(project.unit_sets)
            )
        )
    return found


def find_labels(project: Project, version: int | None, unit_set: str = "") -> LabelSet:
    """The newest that are ready, or those of a version."""
    rows = LabelSet.objects.filter(project=project).select_related("unit_set")
    if unit_set:
        rows = rows.filter(unit_set=find_set(project, unit_set))
    known = _list(rows)
    found = list(rows.filter(version=version) if version else rows.filter(is_ready=True)[:1])
    if not found:
        raise CommandError(
            _("There are no such labels. Known labels: {known}.").format(known=known)
        )
    if len(found) > 1:
        raise CommandError(
            _("Several unit sets have this version. Use --set NAME. Known labels: {known}.").format(
                known=known
            )
        )
    if not found[0].is_ready:
        raise CommandError(
            _("{found} is not ready. Wait until its job has finished.").format(found=found[0])
        )
    return found[0]


def find_gold(project: Project, name: str, version: int | None) -> GoldVersion:
    """The newest, or that of a name and version."""
    rows = GoldVersion.objects.filter(project=project, is_ready=True).select_related("project")
    known = _list(rows)
    if name:
        rows = rows.filter(name=name)
    found = (rows.filter(version=version) if version else rows).first()
    if found is None:
        raise CommandError(
            _("There is no such gold version. Known versions: {known}.").format(known=known)
        )
    return found


def _list(rows: Any) -> str:
    return ", ".join(str(row) for row in rows.all()[:10]) or _("none")


def describe_made(made: LabelSet) -> dict[str, Any]:
    """Labels that were made, in plain values."""
    return {
        "labels": made.pk,
        "version": made.version,
        "recipe": made.recipe,
        "signature": made.signature,
        "hash": made.content_hash,
        **made.figures,
    }


def describe_scores(made: ScoreSet) -> dict[str, Any]:
    """Scores that were made, in plain values."""
    rows = {column: list_system_scores(made, column) for column in made.columns}
    return {
        "id": made.pk,
        "name": made.name,
        "columns": made.columns,
        "signature": made.signature,
        "hash": made.content_hash,
        "learned": list_learned_scores([made]),
        **made.counts,
        "means": {name: {row.system: row.score for row in found} for name, found in rows.items()},
    }


def tell_learned(out: OutputWrapper, learned: Iterable[dict[str, Any]]) -> None:
    """A line for each judge or metric that was trained on the texts at hand."""
    for row in learned:
        which = (
            _("run {run}").format(run=row["run"])
            if row["run"]
            else _("scores {scores}").format(scores=row["scores"])
        )
        out.write(
            _(
                "In-sample: {judge} ({which}) was trained on {words}. "
                "Its figures are better than they would be on new texts."
            ).format(judge=row["judge"], which=which, words=row["words"])
        )
