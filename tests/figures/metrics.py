"""Tables of metrics next to the figures that Zhang & Bansal 2021 print for metrics of that name."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from tests.figures.parts import LOWERCASE, STUDIES, read_stored

Row = Mapping[str, Any]
LEVELS = ("system", "summary")
MEASURES = {"pearson": "", "spearman": " spearman"}
# Columns of few use: the table is long enough.
LEFT_OUT = ("rouge3", "rouge_we3", "unmatched", "copied")
# Of a metric with other options, the column that is shown.
SHOWN = {"reference_free": "score", "pseudo_references": "moverscore"}

# Zhang & Bansal (2021), Table 2: on all documents and systems at once, as ours. By the column's
# name: Pearson's r at the system and the summary level, on REALSumm and on PyrXSum.
PAPER = {
    "rouge rouge1_recall": ((0.91, 0.53), (0.98, 0.52)),
    "rouge rouge2_recall": ((0.96, 0.46), (0.99, 0.53)),
    "rouge rougeL_recall": ((0.94, 0.46), (0.99, 0.52)),
    "bertscore recall": ((0.79, 0.48), (0.97, 0.57)),
    "moverscore moverscore": ((0.44, 0.39), (0.98, 0.57)),
    "basic_elements recall": ((0.91, 0.47), (0.99, 0.54)),
    "s3 s3": ((0.96, 0.54), (0.99, 0.57)),
    "meteor meteor": ((0.94, 0.54), (0.99, 0.58)),
    "autosummeng autosummeng": ((0.59, 0.34), (0.97, 0.56)),
}
# The same table's Spearman's ρ of two metrics that were written again here.
PAPER_RHO = {
    "meteor meteor": ((0.92, 0.49), (0.98, 0.56)),
    "autosummeng autosummeng": ((0.60, 0.34), (0.94, 0.53)),
}


def draw_metrics() -> str:
    """Pearson's r of every metric's columns, with intervals, next to the paper's."""
    found = {study: _read(study) for study in STUDIES.values()}
    sizes = read_stored("correlations")
    head = ["metric, column"]
    for study in STUDIES.values():
        size = "{documents} documents × {systems} systems".format(**sizes[study])
        head += [f"{study}, {size}: system level", "summary level"]
    lines = [head, ["---"] * len(head), *_rows(found)]
    return "".join("| " + " | ".join(line) + " |\n" for line in lines)


def _read(study: str) -> dict[str, Row]:
    """Columns by name; of other options, each stands behind the metric's own."""
    stored = read_stored("correlations")
    rows = {row["metric"]: row for row in stored[study]["metrics"]}
    return rows | {row["metric"]: row for row in stored[f"{study} options"]["metrics"]}


def _rows(found: Mapping[str, Mapping[str, Row]]) -> Iterator[Sequence[str]]:
    first = next(iter(found.values()))
    learned = {
        study: read_stored("correlations")[study]["learned"].get("s3", {}).get("summaries")
        for study in found
    }
    for name in _order(list(first)):
        cells = [_name(name)]
        for place, (study, rows) in enumerate(found.items()):
            mark = "†" if name == "s3 s3" and learned[study] else ""
            for at, level in enumerate(LEVELS):
                cell = _interval(rows[name][level]) + mark
                paper = f"; *{_short(PAPER[name][place][at])}*" if name in PAPER else ""
                cells.append(cell + paper)
        yield cells


def _order(names: Sequence[str]) -> Iterator[str]:
    """Options of a metric behind its own columns; without those that are left out."""
    shown = [name for name in names if not any(part in name for part in LEFT_OUT)]
    own = [name for name in shown if ":" not in name]
    for place, name in enumerate(own):
        yield name
        metric = name.split()[0]
        if place + 1 == len(own) or own[place + 1].split()[0] != metric:
            yield from (other for other in shown if _is_option(other, metric))


def _is_option(name: str, metric: str) -> bool:
    return name.startswith(f"{metric}:") and name.rsplit(maxsplit=1)[-1] == SHOWN.get(metric)


def _name(name: str) -> str:
    metric, column = name.split(" ", 1)
    if ":" in metric:
        return f"… {metric.partition(':')[2]}"
    return metric if metric == column else f"{metric}, {column}"


def _interval(row: Mapping[str, float | None]) -> str:
    if row["value"] is None:
        return "–"
    return "{} [{}, {}]".format(*(_short(row[name]) for name in ("value", "low", "high")))


def _short(value: float | None, places: int = 2) -> str:
    if value is None:
        return "–"
    shown = f"{value:.{places}f}"
    if float(shown) == 0:
        shown = shown.removeprefix("-")
    return re.sub(r"^(-?)0\.", r"\1.", shown).replace("-", "−")


def draw_published() -> str:
    """Pearson's r and Spearman's ρ of two metrics that were written again, and the paper's."""
    lines = [["", "", "system level: paper", "ours", "summary level: paper", "ours"]]
    lines.append(["---"] * len(lines[0]))
    for name, label in (
        ("meteor meteor", "METEOR"),
        ("autosummeng autosummeng", "AutoSummENG"),
        (f"{LOWERCASE} autosummeng", "… `lowercase`"),
    ):
        for place, study in enumerate(STUDIES.values()):
            cells = [label, study]
            for at, level in enumerate(LEVELS):
                printed = [table[name][place][at] for table in (PAPER, PAPER_RHO) if name in table]
                ours = [_value(study, measure, name, level) for measure in MEASURES]
                cells.append(", ".join(_short(value) for value in printed) or "–")
                cells.append(", ".join(_short(value, 3) for value in ours))
            lines.append(cells)
    return "".join("| " + " | ".join(line) + " |\n" for line in lines)


def _value(study: str, measure: str, name: str, level: str) -> float | None:
    stored = read_stored("correlations")
    if measure == "spearman":
        rows = {row["metric"]: row for row in stored[f"{study} spearman"]["metrics"]}
    else:
        rows = dict(_read(study))
    found: float | None = rows[name][level]["value"]
    return found
