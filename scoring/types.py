"""The records that readers yield and writers take: one example with all its texts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from scoring.translation import gettext as _

SYSTEM_KINDS = ("extractive", "abstractive", "human", "other")
MAX_NAME = 200

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class ReferenceText:
    """A reference summary as it came, with the ranges of its sentences where they are given."""

    text: str
    name: str = ""
    sentences: tuple[Span, ...] | None = None


@dataclass(frozen=True, slots=True)
class SystemRecord:
    """A system; `kind` is None where the source does not say."""

    name: str
    kind: str | None = None


@dataclass(frozen=True, slots=True)
class ExampleRecord:
    """One input of a study: source documents, references, a summary per system."""

    key: str
    documents: tuple[str, ...] = ()
    references: tuple[ReferenceText, ...] = ()
    summaries: Mapping[str, str] = field(default_factory=dict)
    file: str = ""
    line: int = 0


@dataclass(frozen=True, slots=True)
class Problem:
    """Something in a file that stops its import: where, what, and what was expected."""

    file: str
    line: int | None
    message: str
    expected: str

    def __str__(self) -> str:
        where = (
            _("{file}, line {line}").format(file=self.file, line=self.line)
            if self.line
            else self.file
        )
        return _("{where}: {message} Expected {expected}").format(
            where=where, message=self.message, expected=self.expected
        )


UNIT_KINDS = ("scu", "stu")


@dataclass(frozen=True, slots=True)
class ContributorRecord:
    """A range of a reference's text that carries a unit; references count from 0."""

    reference: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class UnitRecord:
    """One content unit of an example. Several contributors may lie in the same reference."""

    key: str
    text: str
    kind: str = "scu"
    weight: int = 1
    contributors: tuple[ContributorRecord, ...] = ()
    extractor: str = ""
    extractor_version: str = ""
    file: str = field(default="", compare=False)
    line: int = field(default=0, compare=False)
