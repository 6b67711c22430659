"""A gold version as the answer to a request, and as a file; pages, REST and commands send the same.

Every format is made from the version's own file, which never changes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from django.http import StreamingHttpResponse

from annotation.errors import DomainError, NotFound
from annotation.evaluation.models import GoldVersion
from scoring.io import ProblemList
from scoring.io.gold import GoldFacts, read_gold
from scoring.io.gold.card import write_card
from scoring.io.gold.formats import GOLD_FORMATS, why_not, write_gold
from scoring.io.gold.latex import write_tables
from scoring.io.gold.methods import write_methods


@dataclass(frozen=True, slots=True)
class Format:
    """A file that a gold version can be had as; `tell` makes texts that need its facts alone."""

    value: str
    label: str
    suffix: str
    media_type: str
    explanation: str
    tell: Callable[[GoldFacts], str] | None = None


FORMATS: dict[str, Format] = {
    item.value: Format(item.value, item.label, item.suffix, item.media_type, item.explanation)
    for item in GOLD_FORMATS.values()
} | {
    "card": Format(
        "card",
        "Dataset card",
        "md",
        "text/markdown; charset=utf-8",
        "What the dataset is and how it was made, from the study's own facts.",
        write_card,
    ),
    "methods": Format(
        "methods",
        "Methods paragraph",
        "txt",
        "text/plain; charset=utf-8",
        "How labels were made, as a paper tells it.",
        write_methods,
    ),
    "latex": Format(
        "latex",
        "LaTeX tables",
        "tex",
        "application/x-tex",
        "Counts, agreement and scores as tables.",
        write_tables,
    ),
}


def get_format(value: str) -> Format:
    if value not in FORMATS:
        raise NotFound(f"There is no format '{value}'.", f"Use one of {', '.join(FORMATS)}.")
    return FORMATS[value]


def stream_gold(gold: GoldVersion, value: str) -> Iterator[bytes]:
    """The file in blocks; what does not fit into the format is said before it begins."""
    chosen = get_format(value)
    with read_gold(gold.path, problems=ProblemList()) as reader:
        if chosen.tell is not None:
            return iter([chosen.tell(reader.facts).encode()])
        reason = why_not(value, reader.systems, reader.examples()) if value == "lines" else None
    if reason:
        raise DomainError(f"{gold} does not fit into this format: {reason}", "Choose another one.")
    return _blocks(gold, value)


def _blocks(gold: GoldVersion, value: str) -> Iterator[bytes]:
    problems = ProblemList()
    with read_gold(gold.path, problems=problems) as reader:
        yield from write_gold(value, reader.facts, reader.systems, reader.examples())
    # A file that was damaged on the disk ends in an error, not in a dataset that looks whole.
    problems.raise_first()


def name_file(gold: GoldVersion, value: str) -> str:
    name = f"{gold.project.slug}-{gold.name}-v{gold.version}"
    kind = "" if value in ("gold", "csv", "parquet", "card") else f"-{value}"
    return re.sub(r"[^A-Za-z0-9._ -]", "-", f"{name}{kind}.{get_format(value).suffix}")


def gold_response(gold: GoldVersion, value: str) -> StreamingHttpResponse:
    chosen = get_format(value)
    response = StreamingHttpResponse(stream_gold(gold, value), content_type=chosen.media_type)
    response["Content-Disposition"] = f'attachment; filename="{name_file(gold, value)}"'
    return response
