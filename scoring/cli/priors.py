"""`python -m scoring priors --data DIR`: the figures that plans are simulated from."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from scoring.io.answers import load_answers
from scoring.planning.components import Components, Prior, Votes, measure_prior, to_json
from scoring.planning.mix import Order
from scoring.planning.orders import random_order, read_order
from scoring.planning.priors import write_priors
from scoring.planning.study import HUMAN, UnitStudy, read_study
from scoring.planning.votes import measure_votes

NAME = "priors"
HELP = "Variance components of published studies, which plans are simulated from."
STUDIES = ("realsumm", "pyrxsum")
ANSWERS = "realsumm/raw_crowd"
RANDOM, EASINESS = "random", "easiness"
RANDOM_ORDERS = 10


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--data", type=Path, required=True, help="folder with realsumm/, pyrxsum/")
    parser.add_argument("--judge", default="embedded", help="a judge as `score` takes it")
    parser.add_argument(
        "--easiness",
        type=Path,
        help="folder of <study>.txt: predicted easiness, a line for each document",
    )
    parser.add_argument("--out", type=Path, help="write the figures there as JSON")
    parser.add_argument("--seed", type=int, default=0)


def run(arguments: argparse.Namespace) -> dict[str, Any]:
    votes = measure_votes(load_answers(arguments.data / ANSWERS))
    priors = [prior for name in STUDIES for prior in _measure(name, arguments, votes)]
    if arguments.out:
        arguments.out.write_text(write_priors(priors), encoding="utf-8", newline="")
    return {"priors": [to_json(prior) for prior in priors], "shown": [_told(p) for p in priors]}


def _measure(name: str, arguments: argparse.Namespace, votes: Votes) -> Iterator[Prior]:
    human, judged = (
        read_study(arguments.data / name, judge=judge, seed=arguments.seed)
        for judge in (HUMAN, arguments.judge)
    )
    for order, given in _orders(name, human, arguments).items():
        yield measure_prior(
            human, judged, given, votes, name=name, order=order, seed=arguments.seed
        )


def _orders(name: str, study: UnitStudy, arguments: argparse.Namespace) -> dict[str, list[Order]]:
    size = len(study.sentences)
    drawn: list[Order] = [
        random_order(size, arguments.seed + number) for number in range(RANDOM_ORDERS)
    ]
    if not arguments.easiness:
        return {RANDOM: drawn}
    path = arguments.easiness / f"{name}.txt"
    return {EASINESS: [read_order(path, study.documents, study.sentences)], RANDOM: drawn}


def _told(prior: Prior) -> dict[str, Any]:
    """Standard deviations by level, which are easier to read than covariances."""
    best = prior.best
    return {
        "study": prior.name,
        "order": prior.order,
        "vote": best.vote,
        "tied": best.tied,
        "points": [
            {"percentage": percentage, **_deviations(best, place)}
            for place, percentage in enumerate(best.percentages)
        ],
    }


def _deviations(best: Components, place: int) -> dict[str, Any]:
    levels = {"system": best.system, "document": best.document, "residual": best.residual}
    return {name: np.sqrt(np.diag(table[place])).tolist() for name, table in levels.items()}


def show(found: dict[str, Any]) -> str:
    lines = ["Standard deviations of scores: full, people's and the judge's of the mixed units"]
    for prior in found["shown"]:
        lines.append(
            f"{prior['study']}, {prior['order']} order; one answer varies by {prior['vote']:.4f}, "
            f"tied {prior['tied']:.3f}"
        )
        lines += [_line(point) for point in prior["points"]]
    return "\n".join(lines)


def _line(point: dict[str, Any]) -> str:
    parts = (
        f"{level} " + " ".join(f"{value:.3f}" for value in point[level])
        for level in ("system", "document", "residual")
    )
    return f"  {point['percentage']:>3g} %  " + "   ".join(parts)
