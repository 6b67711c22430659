"""`python -m scoring document-frequencies`: the table of rare words that the embedded judges use.

It is counted in summaries alone: a document counts a stem once, however many of its systems'
summaries have it, and stems of a single document are left out.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from scoring.errors import InputError
from scoring.io.errors import ProblemList
from scoring.io.studies import IDS, read_lines, read_summaries
from scoring.judge.frequencies import count_frequencies

NAME = "document-frequencies"
HELP = "Count in how many documents each stem occurs, for the embedded judges."


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--data", type=Path, required=True, help="folder with summaries/, ids.txt")
    parser.add_argument("--without", type=Path, help="file of held-out document ids, one per line")
    parser.add_argument("--out", type=Path, help="write the table to this file")


def run(arguments: argparse.Namespace) -> dict[str, Any]:
    problems = ProblemList()
    documents = read_lines(arguments.data / IDS, problems)
    held_out = read_lines(arguments.without, problems) if arguments.without else []
    problems.raise_first()
    if unknown := sorted(set(held_out) - set(documents)):
        raise InputError(f"{arguments.without.name} names '{unknown[0]}', which {IDS} lacks.")
    summaries = read_summaries(arguments.data / "summaries", documents, problems)
    problems.raise_first()
    table = count_frequencies(
        (document, text)
        for texts in summaries.values()
        for document, text in texts.items()
        if document not in held_out
    )
    if arguments.out:
        arguments.out.write_text(table.to_text(), encoding="utf-8", newline="")
    return {"documents": table.documents, "stems": len(table.stems), "version": table.version}


def show(found: dict[str, Any]) -> str:
    return "{stems:,} stems in {documents:,} documents; version {version}".format(**found)
