"""Cross-validation of anything that learns: a judge, a regressor, a learned metric.

Parts of the data are kept from what learns, so that it can be tried on them: by examples, so that
no document was seen, or by systems, so that no system was. Folds are drawn, or read from files.
`cross_validate` and `try_elsewhere` take two functions, one that makes a model of records and one
that says what a model makes of others, and know nothing more of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, NamedTuple, Protocol, TypeVar

import numpy as np

from scoring.errors import InputError
from scoring.io.errors import CorpusError, ProblemList
from scoring.io.studies import read_lines
from scoring.translation import gettext as _
from scoring.types import Problem

FOLDS = ("examples", "systems")
ENDINGS = {".id": "examples", ".sys": "systems"}


class Placed(Protocol):
    """Whatever is of a document and of a system."""

    @property
    def document(self) -> str: ...

    @property
    def system(self) -> str: ...


class Place(NamedTuple):
    """A document and a system, where nothing else of a record matters."""

    document: str
    system: str = ""


Record = TypeVar("Record", bound=Placed)
Model = TypeVar("Model")
Answer = TypeVar("Answer")


@dataclass(frozen=True, slots=True)
class Fold:
    """Documents (`by` examples) or systems that are held out together."""

    name: str
    by: str
    members: tuple[str, ...]

    def has(self, record: Placed) -> bool:
        return member_of(record, self.by) in self.members

    def split(self, records: Sequence[Record]) -> tuple[list[Record], list[Record]]:
        """What is trained on, and what is held out."""
        held_out = [record for record in records if self.has(record)]
        return [record for record in records if not self.has(record)], held_out


@dataclass(frozen=True, slots=True)
class Tried(Generic[Record, Answer]):
    """What was said of records by a model that had not seen them; `fold` is empty elsewhere."""

    fold: str
    records: tuple[Record, ...]
    answers: tuple[Answer, ...]

    def pairs(self) -> Iterator[tuple[Record, Answer]]:
        yield from zip(self.records, self.answers, strict=True)


def cross_validate(
    records: Sequence[Record],
    folds: Sequence[Fold],
    fit: Callable[[list[Record]], Model],
    predict: Callable[[Model, list[Record]], Iterable[Answer]],
) -> Iterator[Tried[Record, Answer]]:
    """Each fold as told by a model of all others. A fold that none of the records is in is skipped.

    A model is made when its fold's turn comes, and let go before the next.
    """
    for fold in folds:
        learned, held = fold.split(records)
        if not held:
            continue
        if not learned:
            raise InputError(
                _("No training data is left when {fold} is held out.").format(fold=fold.name)
            )
        yield _try(fold.name, learned, held, fit, predict)


def try_elsewhere(
    learned: Sequence[Record],
    others: Sequence[Record],
    fit: Callable[[list[Record]], Model],
    predict: Callable[[Model, list[Record]], Iterable[Answer]],
) -> Tried[Record, Answer]:
    """Out of the box: learned from one study, tried on another."""
    if not learned:
        raise InputError(_("There is no training data."))
    return _try("", list(learned), list(others), fit, predict)


def _try(
    fold: str,
    learned: list[Record],
    others: list[Record],
    fit: Callable[[list[Record]], Model],
    predict: Callable[[Model, list[Record]], Iterable[Answer]],
) -> Tried[Record, Answer]:
    answers = tuple(predict(fit(learned), others))
    if len(answers) != len(others):
        raise InputError(
            _(
                "The model returned {answers} predictions for {others} records. "
                "Return one for each."
            ).format(answers=len(answers), others=len(others))
        )
    return Tried(fold, tuple(others), answers)


def make_folds(records: Sequence[Placed], by: str, k: int = 5, *, seed: int = 0) -> list[Fold]:
    """As even as can be, drawn from the names in their order: the same for the same seed."""
    if by not in FOLDS:
        raise InputError(
            _("Folds can be by {folds}, not by '{by}'.").format(folds=" or ".join(FOLDS), by=by)
        )
    names = sorted({member_of(record, by) for record in records})
    if not 2 <= k <= len(names):
        raise InputError(
            _("{k} folds can't be made of {names} {by}. Give 2 to {names}.").format(
                k=k, names=len(names), by=by
            )
        )
    drawn = np.random.default_rng(seed).permutation(len(names))
    return [
        Fold(f"fold{number}", by, tuple(sorted(names[place] for place in part)))
        for number, part in enumerate(np.array_split(drawn, k), 1)
    ]


def read_folds(paths: Sequence[Path], records: Sequence[Placed]) -> list[Fold]:
    """A fold from each file: ids of documents (`.id`) or systems (`.sys`), one a line."""
    if len(paths) < 2:
        raise InputError(_("Give at least 2 files of folds: one is held out, the rest trained on."))
    problems = ProblemList()
    by = _kind(paths)
    names = {member_of(record, by) for record in records}
    folds = [Fold(path.stem, by, tuple(_members(path, by, names, problems))) for path in paths]
    problems.raise_first()
    _check_whole(folds, by, names)
    return folds


def member_of(record: Placed, by: str) -> str:
    return record.document if by == "examples" else record.system


def _kind(paths: Iterable[Path]) -> str:
    kinds = {ENDINGS.get(path.suffix.lower(), "") for path in paths}
    if len(kinds) != 1 or not all(kinds):
        raise InputError(
            _(
                "Files of folds all end in .id (documents) or all in .sys (systems), one id per "
                "line."
            )
        )
    return kinds.pop()


def _members(path: Path, by: str, names: set[str], problems: ProblemList) -> list[str]:
    if not path.is_file():
        raise CorpusError(
            Problem(path.name, None, _("There is no such file."), _("a file of a fold."))
        )
    found = []
    for number, line in enumerate(read_lines(path, problems), 1):
        if not line.strip():
            continue
        if line.strip() not in names:
            message = _("'{line}' is not one of the labelled {by}.").format(
                line=line.strip(), by=by
            )
            problems.add(path.name, number, message, _("an id from the data."))
        found.append(line.strip())
    if not found:
        problems.add(path.name, None, _("The fold is empty."), _("one id per line."))
    return found


def _check_whole(folds: Sequence[Fold], by: str, names: set[str]) -> None:
    """Each name is in one fold, no more and no fewer."""
    seen: dict[str, str] = {}
    for fold in folds:
        for member in fold.members:
            if member in seen:
                raise InputError(
                    _("'{member}' is in {seen} and in {fold}. Leave it in one fold.").format(
                        member=member, seen=seen[member], fold=fold.name
                    )
                )
            seen[member] = fold.name
    if missing := sorted(names - set(seen)):
        raise InputError(
            _("'{missing}' is in no fold ({missing_2} of {names} {by}). Add it to one.").format(
                missing=missing[0], missing_2=len(missing), names=len(names), by=by
            )
        )
