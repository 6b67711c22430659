"""Labels of answers written out: line files by system, or a table with the counts behind them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from scoring.aggregation import Answers, Counts, Labels
from scoring.errors import InputError
from scoring.io.cells import defuse, row_line
from scoring.io.judgements.batch import DEFUSED
from scoring.io.labels import ENDING, IDS, label_line
from scoring.translation import gettext as _

COLUMNS = ("document", "system", "statement", "label", "posterior", "absent", "present", "tie")


def write_labels(path: Path, answers: Answers, labels: Labels, counts: Counts) -> None:
    """A CSV if the name ends so, else a folder of `.label` files with `ids.txt`."""
    if path.suffix.lower() == ".csv":
        with path.open("w", encoding="utf-8", newline="") as out:
            out.writelines(table_lines(answers, labels, counts))
        return
    path.mkdir(parents=True, exist_ok=True)
    for name, lines in line_files(answers, labels):
        (path / name).write_text("\n".join(lines), encoding="utf-8", newline="")


def table_lines(answers: Answers, labels: Labels, counts: Counts) -> Iterator[str]:
    """One row a statement; an empty label where there is none."""
    yield row_line(*COLUMNS, "cells")
    for statement, key in enumerate(answers.statement_keys):
        summary = answers.statement_summaries[statement]
        label, posterior = labels.present[statement], labels.posterior[statement]
        yield row_line(
            defuse(answers.document_keys[answers.summary_documents[summary]]),
            defuse(answers.system_keys[answers.summary_systems[summary]]),
            defuse(key),
            "" if label < 0 else str(label),
            "" if np.isnan(posterior) else repr(float(posterior)),
            str(counts[statement, 0]),
            str(counts[statement, 1]),
            str(int(labels.ties[statement])),
            DEFUSED,
        )


def line_files(answers: Answers, labels: Labels) -> Iterator[tuple[str, list[str]]]:
    """`ids.txt`, `statements.txt` and a file for each system; documents and units as they came.

    A unit's place in its line is the same in every file; a system without an answer to it has an
    empty field there.
    """
    units = _units_by_document(answers)
    yield IDS, [_one_line(key) for key in answers.document_keys]
    yield "statements.txt", ["\t".join(map(_one_line, row)) for row in units]
    places = [{key: place for place, key in enumerate(row)} for row in units]
    summaries: dict[tuple[int, int], list[int]] = {}
    for statement, summary in enumerate(answers.statement_summaries.tolist()):
        pair = (int(answers.summary_systems[summary]), int(answers.summary_documents[summary]))
        summaries.setdefault(pair, []).append(statement)
    for code, system in enumerate(answers.system_keys):
        lines = []
        for document, row in enumerate(units):
            found = [-1] * len(row)
            for statement in summaries.get((code, document), ()):
                place = places[document][answers.statement_keys[statement]]
                found[place] = int(labels.present[statement])
            lines.append(label_line(found) if max(found, default=-1) >= 0 else "")
        yield _file_name(system), lines


def _units_by_document(answers: Answers) -> list[list[str]]:
    found: list[dict[str, None]] = [{} for __ in answers.document_keys]
    documents = answers.summary_documents[answers.statement_summaries].tolist()
    for document, key in zip(documents, answers.statement_keys, strict=True):
        found[document][key] = None
    return [list(keys) for keys in found]


def _file_name(system: str) -> str:
    if "/" in system or "\\" in system or system.startswith(".") or "\0" in system:
        raise InputError(
            _("System '{system}' can't be a file's name. Write the labels to a CSV.").format(
                system=system
            )
        )
    return f"{system}{ENDING}"


def _one_line(key: str) -> str:
    if any(mark in key for mark in "\t\r\n"):
        raise InputError(
            _("'{key}' contains a tab or line break. Write the labels to a CSV.").format(key=key)
        )
    return key
