"""Labels as a long table, one row a label, and the score that they add up to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from scoring.io.gold.records import GoldExample, GoldSystem, Label, Posterior
from scoring.types import UnitRecord


@dataclass(frozen=True, slots=True)
class LabelRow:
    """One label. `position` counts an example's units from 1; answers are those that were kept."""

    example_id: str
    system: str
    system_kind: str
    position: int
    unit_kind: str
    weight: int
    unit: str
    label: Label
    posterior: Posterior
    answers: int
    answers_present: int
    adjudicated: bool


def label_rows(kinds: Mapping[str, str], example: GoldExample) -> Iterator[LabelRow]:
    """The labels of an example, its systems in the order of *kinds*."""
    kept = [answer for answer in example.answers if answer.kept]
    asked = Counter((answer.system, answer.unit) for answer in kept)
    present = Counter((answer.system, answer.unit) for answer in kept if answer.present)
    settled = {(item.system, item.unit) for item in example.adjudications}
    for system, kind in kinds.items():
        if system not in example.labels:
            continue
        posteriors = example.posteriors.get(system) or (None,) * len(example.units)
        labels = example.labels[system]
        for at, (unit, label, share) in enumerate(
            zip(example.units, labels, posteriors, strict=True)
        ):
            place = (system, at)
            yield LabelRow(
                example.key,
                system,
                kind,
                at + 1,
                unit.kind,
                unit.weight,
                unit.text,
                label,
                share,
                asked[place],
                present[place],
                place in settled,
            )


def kinds_of(systems: Iterable[GoldSystem]) -> dict[str, str]:
    return {system.name: system.kind for system in systems}


def exhaustive_score(units: Sequence[UnitRecord], labels: Sequence[Label]) -> float | None:
    """Weights of present units over weights of all that have a label; None where none has."""
    known = [
        (unit.weight, label) for unit, label in zip(units, labels, strict=True) if label is not None
    ]
    total = sum(weight for weight, _ in known)
    return sum(weight * label for weight, label in known) / total if total else None
