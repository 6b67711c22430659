"""How documents were chosen, from files: a table of chances, or a list of ids.

doc_id,probability
a1,0.25
"""

from __future__ import annotations

import math
from pathlib import Path

from scoring.io.errors import ProblemList
from scoring.io.sheets import read_table
from scoring.io.source import Source
from scoring.io.studies import read_lines
from scoring.translation import gettext as _

COLUMNS = ("doc_id", "probability")


def read_chances(path: Path) -> dict[str, float]:
    """The chance that each document had to be judged; the first problem is raised."""
    problems = ProblemList()
    found: dict[str, float] = {}
    with Source(path) as source:
        table = read_table(source, path.name, problems)
        if not set(COLUMNS) <= set(table.header):
            table.report_columns(problems, f"{' and '.join(COLUMNS)}.")
            problems.raise_first()
        for line, row in table.rows:
            document = row["doc_id"]
            if document in found:
                message = _("'{document}' has a second probability.").format(document=document)
                problems.add(path.name, line, message, _("one per document."))
            found[document] = _chance(row["probability"], path.name, line, problems)
    problems.raise_first()
    return found


def _chance(text: str, name: str, line: int, problems: ProblemList) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not 0 <= value <= 1:
        problems.add(
            name,
            line,
            _("The probability is '{text}'.").format(text=text),
            _("a number from 0 to 1."),
        )
    return value


def read_document_ids(path: Path) -> list[str]:
    """Ids of documents, one a line."""
    problems = ProblemList()
    found = [line.strip() for line in read_lines(path, problems) if line.strip()]
    problems.raise_first()
    return found
