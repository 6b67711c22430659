"""`python -m scoring learned-texts --data DIR --out FILE`: what the models that ship learned from.

Writes `scoring/backends/models/learned.json`: short hashes of the texts of REALSumm and PyrXSum, by
which a judge that meets them again is recognised.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from scoring.cli.held_out import STUDIES, read_study
from scoring.io.errors import ProblemList
from scoring.io.studies import read_lines
from scoring.judge.learned import FORMAT, KINDS, LearnedTexts

NAME = "learned-texts"
HELP = "Write hashes of the texts that the built-in models learned from."


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--data", type=Path, required=True, help="folder with realsumm/ and pyrxsum/"
    )
    parser.add_argument("--out", type=Path, required=True, help="the file to write")


def run(arguments: argparse.Namespace) -> dict[str, Any]:
    studies = {name: read_texts(arguments.data / name) for name in STUDIES}
    packed = {name: texts.to_json() for name, texts in studies.items()}
    said = json.dumps({"format": FORMAT, "studies": packed}, separators=(",", ":"))
    arguments.out.write_text(f"{said}\n", encoding="utf-8")
    counts = {
        name: {kind: len(getattr(texts, kind)) for kind in KINDS} for name, texts in studies.items()
    }
    return {"out": str(arguments.out), "studies": counts}


def read_texts(folder: Path) -> LearnedTexts:
    records = read_study(folder)
    return LearnedTexts.of(
        (record.summary for record in records),
        (unit for record in records for unit in record.units),
        read_lines(folder / "references.txt", ProblemList()),
    )


def show(found: dict[str, Any]) -> str:
    return "\n".join([*_lines(found["studies"]), f"Written to {found['out']}."])


def _lines(studies: dict[str, dict[str, int]]) -> Iterator[str]:
    for name, counts in studies.items():
        yield f"{name}: " + ", ".join(f"{counts[kind]:,} {kind}" for kind in KINDS)
