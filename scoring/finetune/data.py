"""What a judge learns from: summaries with units and people's labels of them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from scoring.errors import InputError
from scoring.io.errors import ProblemList
from scoring.io.gold import read_gold
from scoring.io.labels import read_labels
from scoring.io.studies import read_summaries, read_units
from scoring.translation import gettext as _
from scoring.types import UnitRecord

Label = int | None


@dataclass(frozen=True, slots=True)
class TrainingRecord:
    """One summary, the units looked for in it, and whether it carries them (None: no label)."""

    document: str
    system: str
    summary: str
    units: tuple[str, ...]
    labels: tuple[Label, ...]
    weights: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        name = f"System '{self.system}'"
        for what, row in (("labels", self.labels), ("weights", self.weights or self.labels)):
            if len(row) != len(self.units):
                raise InputError(
                    _(
                        "{name} has {row} {what} for '{document}', which has "
                        "{units} units. Give one per unit."
                    ).format(
                        name=name,
                        row=len(row),
                        what=what,
                        document=self.document,
                        units=len(self.units),
                    )
                )
        for place, unit in enumerate(self.units, 1):
            if not unit.strip():
                raise InputError(
                    _("Unit {place} of '{document}' is empty. Write it.").format(
                        place=place, document=self.document
                    )
                )
        if wrong := [label for label in self.labels if label not in (0, 1, None)]:
            raise InputError(
                _("{name} has the label {wrong} for '{document}'. Use 0, 1 or None.").format(
                    name=name, wrong=wrong[0], document=self.document
                )
            )

    @property
    def is_empty(self) -> bool:
        """An empty summary carries nothing, and nothing can be learnt from it."""
        return not self.summary.strip()


def data_hash(records: Iterable[TrainingRecord]) -> str:
    """The same for the same texts, labels and weights, in whichever order they came."""
    lines = sorted(
        json.dumps(
            [
                record.document,
                record.system,
                record.summary,
                record.units,
                record.labels,
                record.weights or [1] * len(record.units),
            ]
        )
        for record in records
    )
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


def records_from_labels(
    units: Path, summaries: Path, labels: Path, ids: Path | None = None
) -> list[TrainingRecord]:
    """From a file of units, `<system>.summary` and `<system>.label` files.

    The first problem that they hold is raised. Summaries of systems without labels are not used.
    """
    problems = ProblemList()
    by_document = read_units(units, ids, problems)
    rows = read_labels(labels, list(by_document), problems)
    texts = read_summaries(summaries, list(by_document), problems)
    problems.raise_first()
    if missing := sorted(set(rows) - set(texts)):
        raise InputError(
            _("System '{missing}' has labels, but no summary file.").format(missing=missing[0])
        )
    return check_records(
        _record(document, system, texts[system][document], by_document[document], row)
        for system, labelled in rows.items()
        for document, row in labelled.items()
    )


def records_from_gold(path: Path) -> list[TrainingRecord]:
    """From a gold dataset: `gold.zip`, its folder, or `gold.jsonl`."""
    problems = ProblemList()
    found = []
    with read_gold(path, problems=problems) as reader:
        for example in reader.examples():
            _check_summaries(example.key, example.labels, example.summaries)
            found += [
                _record(example.key, system, example.summaries[system], example.units, row)
                for system, row in example.labels.items()
            ]
    problems.raise_first()
    return check_records(found)


def check_records(records: Iterable[TrainingRecord]) -> list[TrainingRecord]:
    """The records that have a label, in one order; each document and system once."""
    found: dict[tuple[str, str], TrainingRecord] = {}
    for record in records:
        place = record.document, record.system
        if place in found:
            raise InputError(
                _("System '{system}' has two summaries of '{document}'.").format(
                    system=record.system, document=record.document
                )
            )
        if any(label is not None for label in record.labels):
            found[place] = record
    present = {label for record in found.values() for label in record.labels}
    if not {0, 1} <= present:
        raise InputError(
            _("A judge can't be trained: the labels don't include both present and absent units.")
        )
    return [found[place] for place in sorted(found)]


def _check_summaries(key: str, labels: Iterable[str], summaries: Mapping[str, str]) -> None:
    if missing := sorted(set(labels) - set(summaries)):
        raise InputError(
            _(
                "Example '{key}' has labels for '{missing}', but no summary. Export the gold "
                "dataset with its texts."
            ).format(key=key, missing=missing[0])
        )


def _record(
    document: str, system: str, summary: str, units: Sequence[UnitRecord], labels: Sequence[Label]
) -> TrainingRecord:
    return TrainingRecord(
        document,
        system,
        summary,
        tuple(unit.text for unit in units),
        tuple(labels),
        tuple(unit.weight for unit in units),
    )
