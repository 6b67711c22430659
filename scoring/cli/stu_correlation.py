"""`python -m scoring stu-correlation --data DIR`: Lite³Pyramid's agreement with people, by units.

One judge, several sets of units: people's, the released STUs, and `rich` as rankers chose it that
had not seen the fold. The embedded judge is trained for each fold of REALSumm on the others, and
judges PyrXSum with what it learned from REALSumm alone.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from scoring.cli.held_out import read_study as read_labelled
from scoring.finetune.run import TREES
from scoring.stu.rich.correlation import (
    SAMPLES,
    Scores,
    compare_summary_level,
    compare_system_level,
    judge_units,
    summary_level,
    system_level,
)
from scoring.stu.rich.studies import STUDIES, Study, choose_held_out, list_cases, read_studies

NAME = "stu-correlation"
HELP = "Correlate scores by `rich`, released STUs and SCUs with human scores."
LEARNED = "realsumm"
PEOPLES, RELEASED = "SCUs", "released STUs"
ROW = "{study:<10} {units:<24} {x:>5} {summary:>8} {gain:<24} {system:>7} {system_gain:<24}"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--data", type=Path, required=True, help="folder with realsumm/ and pyrxsum/"
    )
    parser.add_argument("--judge", choices=TREES, default=TREES[0])
    parser.add_argument("--x", type=float, nargs="+", default=[1.0, 1.6])
    parser.add_argument("--samples", type=int, default=SAMPLES, help="resamples of documents")
    parser.add_argument("--seed", type=int, default=0)


def run(arguments: argparse.Namespace) -> dict[str, Any]:
    studies = read_studies(arguments.data, seed=arguments.seed)
    chosen = choose_held_out(studies, list_cases(studies), arguments.x, seed=arguments.seed)
    records = {name: read_labelled(arguments.data / name) for name in STUDIES}
    rows = []
    for study, name in zip(studies, STUDIES, strict=True):
        sets = _unit_sets(study, chosen)
        scores = judge_units(
            records[name],
            sets,
            learned=records[LEARNED],
            folds=study.folds if name == LEARNED else (),
            base=arguments.judge,
            seed=arguments.seed,
        )
        rows += list(_rows(study, sets, scores, arguments.samples, arguments.seed))
    return {"judge": arguments.judge, "rows": rows}


def _unit_sets(
    study: Study, chosen: Mapping[tuple[str, float], Mapping[str, Sequence[str]]]
) -> dict[str, Mapping[str, Sequence[str]]]:
    return {
        PEOPLES: {one.document: one.scus for one in study.references},
        RELEASED: {one.document: one.stus for one in study.references},
        **{f"{kind}, x = {x:g}": units for (kind, x), units in chosen.items()},
    }


def _rows(
    study: Study,
    sets: Mapping[str, Mapping[str, Sequence[str]]],
    scores: Mapping[str, Scores],
    samples: int,
    seed: int,
) -> Iterator[dict[str, Any]]:
    documents = [one.document for one in study.references]
    scus = sum(len(one.scus) for one in study.references)
    base = scores[RELEASED]
    for name, found in scores.items():
        yield {
            "study": study.name,
            "units": name,
            "x": sum(len(sets[name][document]) for document in documents) / scus,
            "summary_level": float(np.nanmean(summary_level(found))),
            "summary_gain": asdict(compare_summary_level(found, base, samples=samples, seed=seed)),
            "system_level": system_level(found),
            "system_gain": asdict(compare_system_level(found, base, samples=samples, seed=seed)),
        }


HEAD = {
    "study": "",
    "units": "",
    "x": "x",
    "summary": "summary",
    "gain": "against released STUs",
    "system": "system",
    "system_gain": "against released STUs",
}


def show(found: dict[str, Any]) -> str:
    rows = [HEAD, *map(_short, found["rows"])]
    note = f"Pearson's r of the {found['judge']} judge's scores (p2c) with human scores"
    lines = [ROW.format(**row).rstrip() for row in rows]
    return "\n".join([*lines, f"{note}; 95 % intervals over documents."])


def _short(row: dict[str, Any]) -> dict[str, str]:
    return {
        "study": row["study"],
        "units": row["units"],
        "x": f"{row['x']:.2f}",
        "summary": f"{row['summary_level']:.3f}",
        "gain": _gain(row, "summary_gain"),
        "system": f"{row['system_level']:.3f}",
        "system_gain": _gain(row, "system_gain"),
    }


def _gain(row: dict[str, Any], level: str) -> str:
    if row["units"] == RELEASED:
        return ""
    gain = row[level]
    return f"{gain['value']:+.3f} [{gain['low']:+.3f}, {gain['high']:+.3f}]"
