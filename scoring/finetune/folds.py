"""Parts of the data that a judge is kept from, so that it can be tried on them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from scoring.finetune.data import TrainingRecord
from scoring.finetune.options import FOLDS
from scoring.io.errors import CorpusError, ProblemList
from scoring.io.studies import read_lines
from scoring.types import Problem

ENDINGS = {".id": "examples", ".sys": "systems"}


@dataclass(frozen=True, slots=True)
class Fold:
    """Documents (`by` examples) or systems that are held out together."""

    name: str
    by: str
    members: tuple[str, ...]

    def has(self, record: TrainingRecord) -> bool:
        return member_of(record, self.by) in self.members

    def split(
        self, records: Sequence[TrainingRecord]
    ) -> tuple[list[TrainingRecord], list[TrainingRecord]]:
        """What is trained on, and what is held out."""
        held_out = [record for record in records if self.has(record)]
        return [record for record in records if not self.has(record)], held_out


def make_folds(
    records: Sequence[TrainingRecord], by: str, k: int = 5, *, seed: int = 0
) -> list[Fold]:
    """As even as can be, drawn from the names in their order: the same for the same seed."""
    if by not in FOLDS:
        raise ValueError(f"Folds are by {' or '.join(FOLDS)}, not by '{by}'.")
    names = sorted({member_of(record, by) for record in records})
    if not 2 <= k <= len(names):
        raise ValueError(f"{k} folds can't be made of {len(names)} {by}. Give 2 to {len(names)}.")
    drawn = np.random.default_rng(seed).permutation(len(names))
    return [
        Fold(f"fold{number}", by, tuple(sorted(names[place] for place in part)))
        for number, part in enumerate(np.array_split(drawn, k), 1)
    ]


def read_folds(paths: Sequence[Path], records: Sequence[TrainingRecord]) -> list[Fold]:
    """A fold from each file: ids of documents (`.id`) or systems (`.sys`), one a line."""
    if len(paths) < 2:
        raise ValueError("Give at least 2 files of folds: one is held out, the rest trained on.")
    problems = ProblemList()
    by = _kind(paths)
    names = {member_of(record, by) for record in records}
    folds = [Fold(path.stem, by, tuple(_members(path, by, names, problems))) for path in paths]
    problems.raise_first()
    _check_whole(folds, by, names)
    return folds


def member_of(record: TrainingRecord, by: str) -> str:
    return record.document if by == "examples" else record.system


def _kind(paths: Iterable[Path]) -> str:
    kinds = {ENDINGS.get(path.suffix.lower(), "") for path in paths}
    if len(kinds) != 1 or not all(kinds):
        raise ValueError(
            "Files of folds all end in .id (documents) or all in .sys (systems), one id a line."
        )
    return kinds.pop()


def _members(path: Path, by: str, names: set[str], problems: ProblemList) -> list[str]:
    if not path.is_file():
        raise CorpusError(Problem(path.name, None, "There is no such file.", "a file of a fold."))
    found = []
    for number, line in enumerate(read_lines(path, problems), 1):
        if not line.strip():
            continue
        if line.strip() not in names:
            message = f"None of the labelled {by} is called '{line.strip()}'."
            problems.add(path.name, number, message, "an id that the data has.")
        found.append(line.strip())
    if not found:
        problems.add(path.name, None, "The fold is empty.", "an id in each line.")
    return found


def _check_whole(folds: Sequence[Fold], by: str, names: set[str]) -> None:
    """Each name is in one fold, no more and no fewer."""
    seen: dict[str, str] = {}
    for fold in folds:
        for member in fold.members:
            if member in seen:
                raise ValueError(
                    f"'{member}' is in {seen[member]} and in {fold.name}. Leave it in one fold."
                )
            seen[member] = fold.name
    if missing := sorted(names - set(seen)):
        raise ValueError(
            f"'{missing[0]}' is in no fold ({len(missing)} of {len(names)} {by}). Put it into one."
        )
