"""The table of correlations as LaTeX."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from scoring.figures.axes import short
from scoring.metaeval.report import write_latex
from scoring.metaeval.report.latex import escape
from tests.scoring.metaeval.report.studies import make_record, make_study


def test_every_metric_has_a_row_of_six_cells():
    record = make_record()
    lines = write_latex(record).splitlines()
    rows = {line.split(" & ")[0]: line for line in lines if line.endswith(r" \\")}
    for row in record["leaderboard"]:
        cells = rows[row["metric"]].removesuffix(r" \\").split(" & ")
        assert len(cells) == 7
        value, low, high = row["system"]["kendall"]
        expected = rf"{short(value)} {{\scriptsize [{short(low)}, {short(high)}]}}"
        assert cells[1] == expected.replace("−", "$-$")
    assert lines[1] == r"\begin{table*}[t]"
    assert lines[-1] == r"\end{table*}"


def test_it_is_closed_and_escaped():
    study = make_study(noise={"a_b & 100% {x}": 0.1, "$\\evil~^": 0.2})
    text = write_latex(make_record(study))
    assert r"a\_b \& 100\% \{x\}" in text
    assert r"\$\textbackslash{}evil\textasciitilde{}\textasciicircum{}" in text
    for name in ("table*", "tabular"):
        assert text.count(rf"\begin{{{name}}}") == text.count(rf"\end{{{name}}}") == 1
    assert escape("a\nb\t−1") == "a b $-$1"


def test_what_is_not_known_is_a_dash_and_what_is_missing_is_said():
    study = make_study()
    table = study.scores["fair"].copy()
    table[0] = np.nan
    scores = dict(study.scores) | {"fair": table, "flat": np.ones_like(table)}
    lines = write_latex(make_record(replace(study, scores=scores))).splitlines()
    assert any(line.startswith(r"fair {\scriptsize (11 systems)}") for line in lines)
    assert "flat & -- & -- & -- & -- & -- & -- \\\\" in lines
