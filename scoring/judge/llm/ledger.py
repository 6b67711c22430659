"""What calls cost: an intent before each, the usage after it, and a cap that holds between them.

A call is reserved at the most that it can cost. One whose answer never came, or came without its
usage, counts at that price: it may have been charged. A ledger in a file grows by whole lines that
are on disk before the next step, so that a killed process loses neither money nor verdicts.
"""

from __future__ import annotations

import fcntl
import json
import os
import threading
from dataclasses import asdict, dataclass
from decimal import Decimal
from pathlib import Path
from typing import IO, Any

from scoring.errors import InputError
from scoring.judge.llm.calls import UnitVerdict
from scoring.translation import gettext as _

Verdicts = dict[int, UnitVerdict]


class CapReached(InputError):
    """The next call could cost more than what is left of the cap."""


@dataclass(frozen=True, slots=True)
class Spending:
    """What was spent on settled calls, and what is reserved by those that are not."""

    spent: Decimal
    reserved: Decimal
    cap: Decimal | None

    @property
    def committed(self) -> Decimal:
        return self.spent + self.reserved


class Ledger:
    """Counts in memory; in a file, too, if there is a path. Threads share it."""

    def __init__(self, cap: Decimal | None, path: Path | None = None) -> None:
        self._cap = cap
        self._changed = threading.Condition()
        self._spent = Decimal(0)
        self._waiting: dict[int, Decimal] = {}
        self._next = 0
        self._verdicts: dict[str, Verdicts] = {}
        self._file: IO[str] | None = None
        if path is not None:
            self._file = _open_alone(path)
            try:
                self._read(path)
            except InputError:
                self.close()
                raise

    def close(self) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None

    @property
    def spending(self) -> Spending:
        with self._changed:
            return Spending(self._spent, sum(self._waiting.values(), Decimal(0)), self._cap)

    def stored(self, key: str) -> Verdicts:
        """The verdicts that were paid for already."""
        with self._changed:
            return dict(self._verdicts.get(key, {}))

    def reserve(self, key: str, most: Decimal) -> int:
        """Write the intent of a call that costs `most` at most. Refused if the cap can't bear it.

        While other calls are on their way, it waits: they may turn out cheaper.
        """
        with self._changed:
            while self._is_above(most):
                if not self._waiting or self._spent + most > (self._cap or 0):
                    raise CapReached(
                        _(
                            "The cap of {cap} is reached: {normalize:f} is spent, "
                            "and the next call could cost {normalize_2:f}."
                        ).format(
                            cap=self._cap,
                            normalize=self._spent.normalize(),
                            normalize_2=most.normalize(),
                        )
                    )
                self._changed.wait()
            self._next += 1
            self._write({"intent": self._next, "call": key, "most": str(most)})
            self._waiting[self._next] = most
            return self._next

    def settle(self, intent: int, key: str, cost: Decimal, **details: Any) -> None:
        """Write what a call cost, and the verdicts of it that count."""
        verdicts: Verdicts = details.pop("verdicts", {})
        rows = {str(unit): asdict(verdict) for unit, verdict in verdicts.items()}
        with self._changed:
            self._write({"settled": intent, "cost": str(cost), "verdicts": rows, **details})
            del self._waiting[intent]
            self._spent += cost
            # What is stored already stays: it was paid for, and may have been shown.
            self._verdicts[key] = {**verdicts, **self._verdicts.get(key, {})}
            self._changed.notify_all()

    def _is_above(self, most: Decimal) -> bool:
        committed = self._spent + sum(self._waiting.values(), Decimal(0))
        return self._cap is not None and most > 0 and committed + most > self._cap

    def _write(self, row: dict[str, Any]) -> None:
        if self._file is None:
            return
        self._file.write(json.dumps(row) + "\n")
        self._file.flush()
        os.fsync(self._file.fileno())

    def _read(self, path: Path) -> None:
        """What earlier processes did. Intents that nobody settled count as spent."""
        open_calls: dict[int, tuple[str, Decimal]] = {}
        text = path.read_text(encoding="utf-8")
        whole = text[: text.rfind("\n") + 1]
        if whole != text:
            # Killed in the middle of a line: what it was to announce had not begun.
            os.truncate(path, len(whole.encode()))
        for place, line in enumerate(whole.splitlines(), 1):
            try:
                self._read_row(json.loads(line), open_calls)
            except (ValueError, KeyError, TypeError, ArithmeticError) as error:
                raise InputError(
                    _("{path}, line {place}: not an entry of a ledger.").format(
                        path=path, place=place
                    )
                ) from error
        self._spent += sum((most for __, most in open_calls.values()), Decimal(0))

    def _read_row(self, row: dict[str, Any], open_calls: dict[int, tuple[str, Decimal]]) -> None:
        if "intent" in row:
            self._next = max(self._next, int(row["intent"]))
            open_calls[int(row["intent"])] = (str(row["call"]), Decimal(row["most"]))
            return
        key, __ = open_calls.pop(int(row["settled"]))
        self._spent += Decimal(row["cost"])
        verdicts = {int(unit): UnitVerdict(**said) for unit, said in row["verdicts"].items()}
        self._verdicts[key] = {**verdicts, **self._verdicts.get(key, {})}


def _open_alone(path: Path) -> IO[str]:
    """For this process only: two with one ledger would each spend the whole cap."""
    opened = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    file = os.fdopen(opened, "a", encoding="utf-8")
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        file.close()
        raise InputError(_("{path} is in use by another process.").format(path=path)) from None
    return file
