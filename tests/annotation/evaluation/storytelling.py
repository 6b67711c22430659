"""The small study of the browser's story, told without a browser: its files and its answers."""

from __future__ import annotations

import csv
import io
import zipfile
from pathlib import Path

from scoring.io.judgements.batch_input import BLANK
from tests.browser.story_corpus import REFERENCES, is_said, pack_study

WORKERS = ("W1", "W2", "W3")
# One fact of each reference, as its author writes it.
FACTS = {key: text.split(". ")[0].rstrip(".") + "." for key, text in REFERENCES.items()}


def unpack_study(folder: Path) -> Path:
    folder.mkdir()
    with zipfile.ZipFile(io.BytesIO(pack_study())) as packed:
        packed.extractall(folder)
    return folder


def answer_batch(batch: str) -> str:
    """What three careful workers fill in, as a results file; the last one is careless."""
    rows = list(csv.DictReader(io.StringIO(batch)))
    out = io.StringIO()
    writer: csv.DictWriter[str] | None = None
    for place, row in enumerate(rows):
        for worker in WORKERS:
            filled = _fill(row, f"H{place}", worker)
            if writer is None:
                writer = csv.DictWriter(out, list(filled))
                writer.writeheader()
            writer.writerow(filled)
    return out.getvalue()


def _fill(row: dict[str, str], hit: str, worker: str) -> dict[str, str]:
    answers = {}
    for name, text in row.items():
        if name.startswith("statement_"):
            said = text != BLANK and (is_said(row["summary_text"], text) != (worker == "W3"))
            mark = "" if text == BLANK else "p" if said else "n"
            answers[f"Answer.S{name.removeprefix('statement_')}Answer"] = mark
    about = {"HITId": hit, "WorkerId": worker, "AssignmentId": f"{hit}-{worker}"}
    return {**about, **{f"Input.{name}": text for name, text in row.items()}, **answers}
