"""Robustness studies as pages, REST and commands read them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any, TypeAlias

import numpy as np
from django.db.models import QuerySet
from django.utils.translation import gettext as _
from numpy.typing import NDArray

from annotation.corpora.projects.models import Project
from annotation.errors import DomainError, NotFound
from annotation.evaluation.robustness.models import ExampleDrops, RobustnessStudy
from scoring.io.cells import defuse, row_line
from scoring.overlap import tokenize

FLOAT = np.dtype("<f8")
PARTS = 3  # sum before, sum after, count
FIGURES = (
    "actual", "perturbed", "drop", "low", "high", "of_actual", "of_actual_low", "of_actual_high",
)  # fmt: skip

Floats = NDArray[np.float64]
Packed: TypeAlias = "bytes | memoryview[int]"


def list_studies(project: Project) -> QuerySet[RobustnessStudy]:
    """The newest first, those that are still being made among them."""
    return RobustnessStudy.objects.filter(project=project).select_related(
        "project", "job__project", "created_by"
    )


def get_study(project: Project, pk: int) -> RobustnessStudy:
    found = list_studies(project).filter(pk=pk).first()
    if found is None:
        raise NotFound(_("The project has no robustness study {pk}.").format(pk=pk))
    return found


def get_ready_study(project: Project, pk: int) -> RobustnessStudy:
    found = get_study(project, pk)
    if not found.is_ready:
        raise DomainError(
            _("{found} is not ready yet.").format(found=found),
            _("Wait for its job to finish."),
            fix=found,
        )
    return found


def list_example_drops(study: RobustnessStudy) -> QuerySet[ExampleDrops]:
    """In the order of the corpus."""
    rows = ExampleDrops.objects.filter(study=study).select_related("example")
    return rows.order_by("example__position", "example_id")


def unpack_sums(study: RobustnessStudy, sums: Packed) -> Floats:
    """An example's sums: shares × (before, after, count) × columns."""
    shape = (len(study.shares), PARTS, len(study.columns))
    return np.frombuffer(bytes(sums), FLOAT).astype(np.float64).reshape(shape)


def pack_sums(sums: Floats) -> bytes:
    return np.ascontiguousarray(sums, FLOAT).tobytes()


def choose_columns(study: RobustnessStudy, asked: Mapping[str, str]) -> dict[str, str]:
    """By metric, the column that a chart shows: the one asked for, an F1, or the first."""
    found: dict[str, str] = {}
    for metric, names in group_columns(study).items():
        usual = next((name for name in names if "f1" in name), names[0])
        found[metric] = asked[metric] if asked.get(metric) in names else usual
    return found


def group_columns(study: RobustnessStudy) -> dict[str, list[str]]:
    """The columns of each metric."""
    found: dict[str, list[str]] = {}
    for row in study.columns:
        found.setdefault(row["metric"], []).append(row["column"])
    return found


def list_lines(study: RobustnessStudy, chosen: Mapping[str, str]) -> list[dict[str, Any]]:
    """A line for each metric: its drop at every percentage, as a share of the actual value."""
    return [
        {
            "words": f"{row['metric']} {row['column']}",
            "values": [0.0, *(drop["of_actual"] for drop in row["drops"])],
            "low": [0.0, *(drop["of_actual_low"] for drop in row["drops"])],
            "high": [0.0, *(drop["of_actual_high"] for drop in row["drops"])],
        }
        for row in study.found["columns"]
        if chosen.get(row["metric"]) == row["column"]
    ]


@dataclass(frozen=True, slots=True)
class Piece:
    """Some text; `was` is what stood there before, if it was replaced."""

    text: str
    was: str


def list_pieces(before: str, after: str) -> list[Piece]:
    """The changed text, cut where its words differ."""
    old, new = tokenize(before), tokenize(after)
    matcher = SequenceMatcher(
        a=[token.text for token in old], b=[token.text for token in new], autojunk=False
    )
    pieces: list[Piece] = []
    position = 0
    for kind, a_start, a_end, b_start, b_end in matcher.get_opcodes():
        if kind == "equal":
            continue
        start = new[b_start].start if b_start < len(new) else len(after)
        end = new[b_end - 1].end if b_end > b_start else start
        was = before[old[a_start].start : old[a_end - 1].end] if a_end > a_start else ""
        pieces += [Piece(after[position:start], ""), Piece(after[start:end], was)]
        position = end
    rest = [*pieces, Piece(after[position:], "")]
    return [piece for piece in rest if piece.text or piece.was]


def stream_drops(study: RobustnessStudy) -> Iterator[str]:
    """A line for each column and share."""
    yield row_line("metric", "column", "share", *FIGURES, "summaries")
    for row in study.found["columns"]:
        for drop in row["drops"]:
            told = ("" if drop[name] is None else repr(drop[name]) for name in FIGURES)
            names = map(defuse, (row["metric"], row["column"]))
            yield row_line(*names, f"{drop['share']:g}", *told, str(drop["summaries"]))
