"""Answers of a crowd in columns: one row is one person's answer to one statement.

A statement is one unit in one summary; an assignment is one person's work on one summary. What
nobody answered has no row. Codes are positions: `statement_keys[3]` names statement 3.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from typing import overload

import numpy as np
from numpy.typing import NDArray

from scoring.errors import InputError

Counts = NDArray[np.int64]
Codes = NDArray[np.int64]
Mask = NDArray[np.bool_]
KEYS_AT_ONCE = 100_000


class AnswersError(InputError):
    """Answers that can't be aggregated; says which record it is, and how to fix it."""


class PickedKeys(Sequence[str]):
    """Keys that repeat: each is kept once and picked by code, since there may be millions."""

    def __init__(self, names: Sequence[str], codes: NDArray[np.integer]) -> None:
        self.names = names
        self.codes = codes

    def __len__(self) -> int:
        return len(self.codes)

    @overload
    def __getitem__(self, index: int) -> str: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[str]: ...

    def __getitem__(self, index: int | slice) -> str | Sequence[str]:
        if isinstance(index, slice):
            return PickedKeys(self.names, self.codes[index])
        return self.names[self.codes[index]]


@dataclass(frozen=True, slots=True)
class Answers:
    """`statement_keys` name units within their document; other keys are names of their own.

    Where nobody's id is known, every assignment is its own person. Unknown seconds are nan.
    """

    statements: Codes
    assignments: Codes
    labels: NDArray[np.int8]
    statement_summaries: Codes
    assignment_workers: Codes
    summary_documents: Codes
    summary_systems: Codes
    statement_keys: Sequence[str]
    summary_keys: Sequence[str]
    assignment_keys: Sequence[str]
    worker_keys: Sequence[str]
    document_keys: Sequence[str]
    system_keys: Sequence[str]
    assignment_seconds: NDArray[np.float64]
    assignment_gold_asked: NDArray[np.int64]
    assignment_gold_right: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.labels)

    @property
    def assignment_summaries(self) -> Codes:
        """The summary that each assignment is about; -1 if it has no answer."""
        found = np.full(len(self.assignment_keys), -1, dtype=np.int64)
        found[self.assignments] = self.statement_summaries[self.statements]
        return found

    @property
    def assignment_sizes(self) -> Codes:
        """How many answers each assignment gave."""
        return np.bincount(self.assignments, minlength=len(self.assignment_keys))

    def everyone(self) -> Mask:
        """The mask that keeps every assignment."""
        return np.ones(len(self.assignment_keys), dtype=bool)

    def keep(self, kept: Mask) -> Answers:
        """The answers of some assignments; statements, people and codes stay as they are."""
        if kept.all():
            return self
        rows = kept[self.assignments]
        return replace(
            self,
            statements=self.statements[rows],
            assignments=self.assignments[rows],
            labels=self.labels[rows],
        )

    def counts(self, kept: Mask | None = None) -> Counts:
        """For every statement, how many people said *absent* and how many *present*."""
        if kept is not None and not kept.all():
            return self.keep(kept).counts()
        places = self.statements * 2 + self.labels
        return np.bincount(places, minlength=2 * len(self.statement_keys)).reshape(-1, 2)

    def content_hash(self) -> str:
        """A sha256 of every column and key, in their order."""
        digest = hashlib.sha256()
        for field in fields(self):
            value = getattr(self, field.name)
            digest.update(f"\0{field.name}\0{len(value)}\0".encode())
            for block in _blocks(value):
                digest.update(block)
        return digest.hexdigest()


def _blocks(value: NDArray[np.generic] | Sequence[str]) -> Iterator[bytes]:
    if isinstance(value, np.ndarray):
        yield np.ascontiguousarray(value).tobytes()
        return
    for start in range(0, len(value), KEYS_AT_ONCE):
        yield b"".join(_framed(value[start : start + KEYS_AT_ONCE]))


def _framed(keys: Sequence[str]) -> Iterable[bytes]:
    """Each key with its length before it, so that no two lists of keys read alike."""
    if isinstance(keys, PickedKeys):
        codes, places = np.unique(keys.codes, return_inverse=True)
        words = list(_framed([keys.names[code] for code in codes]))
        return [words[place] for place in places.tolist()]
    return [f"{len(key)}:{key}".encode("utf-8", "surrogatepass") for key in keys]
