"""The formats that a gold dataset is downloaded in, by name."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from scoring.errors import InputError
from scoring.io.gold.archive import write_archive
from scoring.io.gold.canonical import write_canonical
from scoring.io.gold.columnar import write_parquet
from scoring.io.gold.huggingface import write_huggingface
from scoring.io.gold.lines import why_not_lines, write_lines
from scoring.io.gold.records import GoldExample, GoldFacts, GoldSystem
from scoring.io.gold.sacrerouge import write_sacrerouge
from scoring.io.gold.table import write_csv

BLOCK = 1 << 16
Write = Callable[[GoldFacts, Sequence[GoldSystem], Iterable[GoldExample]], Iterator[bytes]]


@dataclass(frozen=True, slots=True)
class GoldFormat:
    value: str
    label: str
    suffix: str
    media_type: str
    explanation: str
    write: Write


_ALL = (
    GoldFormat(
        "gold",
        "Gold dataset",
        "zip",
        "application/zip",
        "Everything: gold.jsonl, dataset card, methods paragraph and LaTeX tables. Use this one to "
        "archive the dataset or to restore the study elsewhere.",
        write_archive,
    ),
    GoldFormat(
        "lines",
        "Line files",
        "zip",
        "application/zip",
        "Texts, units and labels in the format of REALSumm and PyrXSum.",
        write_lines,
    ),
    GoldFormat(
        "jsonl",
        "JSONL",
        "jsonl",
        "application/x-ndjson",
        "Only gold.jsonl: facts, systems and one example per line. Contains everything.",
        write_canonical,
    ),
    GoldFormat(
        "csv",
        "CSV",
        "csv",
        "text/csv; charset=utf-8",
        "One label per row, safe to open in a spreadsheet.",
        write_csv,
    ),
    GoldFormat(
        "parquet",
        "Parquet",
        "parquet",
        "application/vnd.apache.parquet",
        "One label per row with its summary, typed and compressed.",
        write_parquet,
    ),
    GoldFormat(
        "sacrerouge",
        "SacreROUGE JSONL",
        "jsonl",
        "application/x-ndjson",
        "One summary per line with its score, units and labels.",
        write_sacrerouge,
    ),
    GoldFormat(
        "hf",
        "Hugging Face dataset",
        "zip",
        "application/zip",
        "A directory for datasets.load_dataset, with the dataset card.",
        write_huggingface,
    ),
)
GOLD_FORMATS = {item.value: item for item in _ALL}


def write_gold(
    value: str,
    facts: GoldFacts,
    systems: Sequence[GoldSystem],
    examples: Iterable[GoldExample],
) -> Iterator[bytes]:
    """The file in the format named *value*, in blocks, while examples pass by once."""
    if value not in GOLD_FORMATS:
        raise InputError(f"There is no format '{value}'. Use one of {', '.join(GOLD_FORMATS)}.")
    return _blocks(GOLD_FORMATS[value].write(facts, systems, examples))


def why_not(
    value: str, systems: Sequence[GoldSystem], examples: Iterable[GoldExample]
) -> str | None:
    """Why the dataset does not fit into a format; None when it does."""
    if value != "lines":
        return None
    reasons = (why_not_lines(systems, example) for example in examples)
    return next((reason for reason in reasons if reason), None)


def _blocks(parts: Iterable[bytes]) -> Iterator[bytes]:
    held: list[bytes] = []
    size = 0
    for part in parts:
        held.append(part)
        size += len(part)
        if size >= BLOCK:
            yield b"".join(held)
            held.clear()
            size = 0
    if held:
        yield b"".join(held)
