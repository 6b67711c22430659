"""The table of correlations as LaTeX, for a paper that loads `booktabs`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from scoring.figures.axes import short
from scoring.metaeval.report.section import say_means

Record = Mapping[str, Any]
LEVELS = ("system", "summary")
MEASURES = {"kendall": r"$\tau$", "pearson": "$r$", "spearman": r"$\rho$"}
ESCAPED = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "−": "$-$",
    **{sign: f"\\{sign}" for sign in "&%$#_{}"},
}


def write_latex(record: Record) -> str:
    """Every metric with its correlations and intervals at both levels, the best first."""
    return "\n".join(_lines(record)) + "\n"


def _lines(record: Record) -> Iterator[str]:
    yield r"% Needs \usepackage{booktabs}"
    yield r"\begin{table*}[t]"
    yield r"\centering"
    yield r"\small"
    yield r"\begin{tabular}{l" + "r" * (len(LEVELS) * len(MEASURES)) + "}"
    yield r"\toprule"
    yield r" & \multicolumn{3}{c}{System level} & \multicolumn{3}{c}{Summary level} \\"
    yield r"\cmidrule(lr){2-4}\cmidrule(lr){5-7}"
    yield "Metric & " + " & ".join([*MEASURES.values()] * len(LEVELS)) + r" \\"
    yield r"\midrule"
    for row in record["leaderboard"]:
        cells = [_cell(row[level][measure]) for level in LEVELS for measure in MEASURES]
        yield f"{escape(row['metric'])}{_mark(row)} & " + " & ".join(cells) + r" \\"
    yield r"\bottomrule"
    yield r"\end{tabular}"
    yield rf"\caption{{{escape(_caption(record))}}}"
    yield r"\label{tab:correlations}"
    yield r"\end{table*}"


def _cell(estimate: Sequence[float | None]) -> str:
    value, low, high = estimate
    if value is None:
        return "--"
    if low is None or high is None:
        return escape(short(value))
    return rf"{escape(short(value))} {{\scriptsize [{escape(short(low))}, {escape(short(high))}]}}"


def _mark(row: Mapping[str, Any]) -> str:
    """How many systems a metric has, where it lacks some."""
    return rf" {{\scriptsize ({row['systems']} systems)}}" if row.get("missing") else ""


def _caption(record: Record) -> str:
    options = record["options"]
    return (
        f"Correlation with human scores ({record['human']}) on {record['ranked']} systems. "
        f"{say_means(record)} In brackets: the middle {100 * options['coverage']:g} % of "
        f"{options['resamples']:,} resamples of systems and examples."
    )


def escape(text: str) -> str:
    """Text that LaTeX prints as it is, on one line."""
    plain = "".join(letter if letter.isprintable() else " " for letter in text)
    return "".join(ESCAPED.get(letter, letter) for letter in plain)
