"""`python -m scoring stu-ranker --data DIR`: train the ranker of `rich`, and try it held out.

Held out are REALSumm's released folds and five drawn of PyrXSum; a ranker learns from the other
folds of both. What is written with `--out` learned from all.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from scoring.stu.quality import ReferenceUnits, measure_extraction
from scoring.stu.rich.studies import Study, choose_held_out, list_cases, read_studies
from scoring.stu.rich.training import train_ranker

NAME = "stu-ranker"
HELP = "Train the ranker of `rich`, and measure it on held-out folds."
XS = (1.0, 1.6)
ROW = "{study:<10} {units:<24} {accuracy:>8} {precision:>9} {x:>6}"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--data", type=Path, required=True, help="folder with realsumm/ and pyrxsum/"
    )
    parser.add_argument(
        "--parser", default="", help="a spaCy pipeline; by default the embedded one"
    )
    parser.add_argument("--x", type=float, nargs="+", default=list(XS), help="STUs per SCU")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path, help="write the ranker trained on everything")


def run(arguments: argparse.Namespace) -> dict[str, Any]:
    studies = read_studies(arguments.data, seed=arguments.seed)
    cases = list_cases(studies, arguments.parser)
    chosen = choose_held_out(studies, cases, arguments.x, seed=arguments.seed)
    found: dict[str, Any] = {"rows": list(_rows(studies, chosen))}
    if arguments.out:
        learned = [case for kind in cases.values() for case in kind]
        ranker = train_ranker(learned, seed=arguments.seed)
        arguments.out.write_bytes(ranker.to_bytes())
        found |= {"out": str(arguments.out), "version": ranker.version}
    return found


def _rows(
    studies: Sequence[Study], chosen: Mapping[tuple[str, float], Mapping[str, Sequence[str]]]
) -> Iterator[dict[str, Any]]:
    for study in studies:
        released = {one.document: one.stus for one in study.references}
        yield _row(study, "released STUs", released)
        for (kind, x), units in chosen.items():
            yield _row(study, f"{kind}, x = {x:g}", units)


def _row(study: Study, name: str, units: Mapping[str, Sequence[str]]) -> dict[str, Any]:
    quality = measure_extraction(
        ReferenceUnits(one.sentences, one.scus, units[one.document]) for one in study.references
    )
    figures = {"accuracy": quality.accuracy, "precision": quality.precision, "x": quality.x}
    return {"study": study.name, "units": name, **figures}


def show(found: dict[str, Any]) -> str:
    head = {"study": "", "units": "", "accuracy": "accuracy", "precision": "precision", "x": "x"}
    lines = [ROW.format(**head), *(ROW.format(**_short(row)) for row in found["rows"])]
    if "out" in found:
        lines.append("{version} is in {out}.".format(**found))
    return "\n".join(lines)


def _short(row: dict[str, Any]) -> dict[str, str]:
    figures = {name: f"{row[name]:.3f}" for name in ("accuracy", "precision")}
    return {"study": row["study"], "units": row["units"], **figures, "x": f"{row['x']:.2f}"}
