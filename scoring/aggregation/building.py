"""Building `Answers` from rows that name things: in chunks, each name kept once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from scoring.aggregation.answers import Answers, AnswersError, Codes, PickedKeys
from scoring.translation import gettext as _

ROWS_AT_ONCE = 50_000
COLUMNS = ("document", "system", "statement", "worker", "assignment")

SmallCodes = NDArray[np.int32]
Column = NDArray[Any]


class AnswerRow(NamedTuple):
    """One answer. `gold` is the known answer of a check item, which is no statement to label.

    Without a worker every assignment is its own person; without an assignment it is what the
    worker did on this summary. `seconds` are those of the whole assignment.
    """

    document: str
    system: str
    statement: str
    worker: str
    assignment: str
    present: bool
    seconds: float | None = None
    gold: bool | None = None


class _Names(dict[str, int]):
    """Codes by name, given in the order in which names first come."""

    def __missing__(self, name: str) -> int:
        self[name] = code = len(self)
        return code

    def encode(self, names: Sequence[str]) -> SmallCodes:
        return np.fromiter(map(self.__getitem__, names), np.int32, len(names))


class AnswerBuilder:
    """Takes rows in chunks and makes `Answers` of them. Memory is some 40 bytes a row."""

    def __init__(self) -> None:
        self._names = {column: _Names() for column in COLUMNS}
        self._chunks: dict[str, list[Column]] = {}

    def add(self, rows: Sequence[AnswerRow]) -> None:
        if not rows:
            return
        documents, systems, statements, workers, assignments, present, seconds, gold = zip(
            *rows, strict=True
        )
        self.add_columns(
            (documents, systems, statements, workers, assignments),
            np.array(present, dtype=np.int8),
            np.array([np.nan if item is None else item for item in seconds], dtype=np.float32),
            np.array([-1 if item is None else item for item in gold], dtype=np.int8),
        )

    def add_columns(
        self,
        names: tuple[Sequence[str], ...],
        present: NDArray[np.int8],
        seconds: NDArray[np.float32],
        gold: NDArray[np.int8],
    ) -> None:
        """Like `add`, by column; *names* in the order of `COLUMNS`, -1 for no gold answer."""
        given = dict(zip(COLUMNS, names, strict=True))
        given["assignment"] = list(map(_assignment_key, *names))
        given["worker"] = list(map(_worker_key, given["worker"], given["assignment"]))
        for column, found in given.items():
            self._chunks.setdefault(column, []).append(self._names[column].encode(found))
        for column, values in (("present", present), ("seconds", seconds), ("gold", gold)):
            self._chunks.setdefault(column, []).append(values)

    def build(self) -> Answers:
        """The answers; raises `AnswersError` where rows contradict one another."""
        if not self._chunks:
            raise AnswersError(_("There are no answers. Give at least one row."))
        columns = {name: np.concatenate(parts) for name, parts in self._chunks.items()}
        self._chunks.clear()
        return _Table(columns, {name: list(found) for name, found in self._names.items()}).build()


class _Table:
    """All rows as codes, and the tables that follow from them."""

    def __init__(self, columns: dict[str, Column], names: dict[str, list[str]]) -> None:
        self.columns = columns
        self.names = names
        self.summaries, self.first_of_summary = _pair_codes(
            columns["document"], columns["system"], len(names["system"])
        )

    def build(self) -> Answers:
        self._check_one_value("worker", self.columns["worker"], self.names["worker"])
        self._check_one_value("summary", self.summaries, self._summary_keys())
        is_answer = self.columns["gold"] < 0
        statements, first = _pair_codes(
            self.summaries[is_answer],
            self.columns["statement"][is_answer],
            len(self.names["statement"]),
        )
        assignments = self.columns["assignment"][is_answer].astype(np.int64)
        units = self.columns["statement"][is_answer][first]
        self._check_answered_once(assignments, statements, units)
        asked, right = self._gold()
        return Answers(
            statements=statements,
            assignments=assignments,
            labels=self.columns["present"][is_answer].astype(np.int8),
            statement_summaries=self.summaries[is_answer][first],
            assignment_workers=self._by_assignment(self.columns["worker"]),
            summary_documents=self.columns["document"][self.first_of_summary].astype(np.int64),
            summary_systems=self.columns["system"][self.first_of_summary].astype(np.int64),
            statement_keys=PickedKeys(self.names["statement"], units),
            summary_keys=self._summary_keys(),
            assignment_keys=self.names["assignment"],
            worker_keys=self.names["worker"],
            document_keys=self.names["document"],
            system_keys=self.names["system"],
            assignment_seconds=self._seconds(),
            assignment_gold_asked=asked,
            assignment_gold_right=right,
        )

    def _summary_keys(self) -> list[str]:
        documents, systems = self.names["document"], self.names["system"]
        pairs = zip(
            self.columns["document"][self.first_of_summary],
            self.columns["system"][self.first_of_summary],
            strict=True,
        )
        return [f"{documents[document]}/{systems[system]}" for document, system in pairs]

    def _by_assignment(self, values: Column) -> Codes:
        found = np.zeros(len(self.names["assignment"]), dtype=np.int64)
        found[self.columns["assignment"]] = values
        return found

    def _check_one_value(self, what: str, values: Column, names: Sequence[str]) -> None:
        kept = self._by_assignment(values)[self.columns["assignment"]]
        if len(other := np.flatnonzero(kept != values)):
            row = other[0]
            key = self.names["assignment"][self.columns["assignment"][row]]
            both = f"'{names[int(values[row])]}' and '{names[kept[row]]}'"
            raise AnswersError(
                _(
                    "Assignment '{key}' belongs to more than one {what}: {both}. "
                    "Use a separate assignment for each worker and summary."
                ).format(key=key, what=what, both=both)
            )

    def _check_answered_once(self, assignments: Codes, statements: Codes, units: Column) -> None:
        pairs = np.sort(assignments * len(units) + statements)
        if len(again := np.flatnonzero(pairs[1:] == pairs[:-1])):
            assignment, statement = divmod(int(pairs[again[0]]), len(units))
            raise AnswersError(
                _(
                    "Assignment '{assignment}' answers statement '{statement}' twice. Leave one "
                    "answer."
                ).format(
                    assignment=self.names["assignment"][assignment],
                    statement=self.names["statement"][int(units[statement])],
                )
            )

    def _seconds(self) -> NDArray[np.float64]:
        found = np.full(len(self.names["assignment"]), np.nan)
        np.fmax.at(found, self.columns["assignment"], self.columns["seconds"].astype(np.float64))
        return found

    def _gold(self) -> tuple[Codes, Codes]:
        gold, present = self.columns["gold"], self.columns["present"]
        size = len(self.names["assignment"])
        asked = np.bincount(self.columns["assignment"][gold >= 0], minlength=size)
        right = np.bincount(self.columns["assignment"][gold == present], minlength=size)
        return asked, right


def build_answers(rows: Iterable[AnswerRow]) -> Answers:
    """`Answers` of any number of rows, which are taken in chunks."""
    builder = AnswerBuilder()
    for chunk in chunks_of(rows):
        builder.add(chunk)
    return builder.build()


def chunks_of(rows: Iterable[AnswerRow], size: int = ROWS_AT_ONCE) -> Iterator[list[AnswerRow]]:
    rest = iter(rows)
    while chunk := list(islice(rest, size)):
        yield chunk


def _assignment_key(document: str, system: str, statement: str, worker: str, given: str) -> str:
    if given:
        return given
    if not worker:
        raise AnswersError(
            _(
                "The answer to '{statement}' of '{document}' by '{system}' has neither a worker "
                "nor an assignment. Add one of them to identify the worker."
            ).format(statement=statement, document=document, system=system)
        )
    return f"{worker}@{document}/{system}"


def _worker_key(worker: str, assignment: str) -> str:
    return worker or f"?{assignment}"


def _pair_codes(first: Column, second: Column, width: int) -> tuple[Codes, Codes]:
    """Codes of pairs in the order in which they first come, and the row where each does."""
    pairs = first.astype(np.int64) * width + second
    __, starts, inverse = np.unique(pairs, return_index=True, return_inverse=True)
    order = np.argsort(starts)
    codes = np.empty_like(order)
    codes[order] = np.arange(len(order))
    return codes[inverse], starts[order]
