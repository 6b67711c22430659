"""`python -m scoring priors --data DIR`: the figures that plans are simulated from."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from scoring.easiness.regressors import DEFAULT
from scoring.io.answers import load_answers
from scoring.planning.checking import check_simulation
from scoring.planning.components import Components, Prior, Votes, measure_prior, to_json
from scoring.planning.mix import Order
from scoring.planning.orders import random_order
from scoring.planning.predicted import hold_out_orders
from scoring.planning.priors import write_priors
from scoring.planning.study import FOLDS, HUMAN, UnitStudy, read_study
from scoring.planning.votes import measure_votes

NAME = "priors"
HELP = "Estimate variance components of published studies, for planning."
STUDIES = ("realsumm", "pyrxsum")
ANSWERS = "realsumm/raw_crowd"
RANDOM = "random"
RANDOM_ORDERS = 10


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--data", type=Path, required=True, help="folder with realsumm/, pyrxsum/")
    parser.add_argument("--judge", default="embedded", help="a judge, as for `score`")
    parser.add_argument(
        "--check", action="store_true", help="also compare simulations with the studies themselves"
    )
    parser.add_argument("--out", type=Path, help="write the figures to this file, as JSON")
    parser.add_argument("--seed", type=int, default=0)


def run(arguments: argparse.Namespace) -> dict[str, Any]:
    votes = measure_votes(load_answers(arguments.data / ANSWERS))
    priors: list[Prior] = []
    checks: list[dict[str, Any]] = []
    for name in STUDIES:
        human, judged = (
            read_study(arguments.data / name, judge=judge, seed=arguments.seed)
            for judge in (HUMAN, arguments.judge)
        )
        folds = sorted((arguments.data / name).glob(FOLDS))
        priors += _measure(name, human, judged, folds, votes, arguments.seed)
        if arguments.check:
            order = random_order(len(human.sentences), arguments.seed)
            found = check_simulation(human, judged, order, seed=arguments.seed)
            checks += [{"study": name, **asdict(check)} for check in found]
    if arguments.out:
        arguments.out.write_text(write_priors(priors), encoding="utf-8", newline="")
    told = [_told(prior) for prior in priors]
    return {"priors": [to_json(prior) for prior in priors], "shown": told, "checks": checks}


def _measure(
    name: str, human: UnitStudy, judged: UnitStudy, folds: list[Path], votes: Votes, seed: int
) -> Iterator[Prior]:
    for order in (DEFAULT, RANDOM):
        given = find_orders(order, human, folds, seed)
        yield measure_prior(human, judged, given, votes, name=name, order=order, seed=seed)


def find_orders(name: str, study: UnitStudy, folds: list[Path], seed: int) -> list[Order]:
    """A regressor's, held out; or random ones, which are averaged."""
    if name != RANDOM:
        return [hold_out_orders(study, [name], folds, seed=seed)[name]]
    size = len(study.sentences)
    return [random_order(size, seed + number) for number in range(RANDOM_ORDERS)]


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
    if found["checks"]:
        lines.append("Correlation with full human scoring: in the study and in simulations")
        lines += [_check_line(check) for check in found["checks"]]
    return "\n".join(lines)


def _line(point: dict[str, Any]) -> str:
    parts = (
        f"{level} " + " ".join(f"{value:.3f}" for value in point[level])
        for level in ("system", "document", "residual")
    )
    return f"  {point['percentage']:>3g} %  " + "   ".join(parts)


def _check_line(check: dict[str, Any]) -> str:
    design = check["design"]
    way = "corrected" if design["is_corrected"] else "plain"
    figures = (
        "{value:.3f} ({low:.3f} to {high:.3f})".format(**check[name])
        for name in ("real", "simulated")
    )
    what = (
        f"{check['study']:<9} {design['percentage']:>3g} % STUs, {design['examples']:>3} examples, "
        f"{design['people']:>3} by people, {way:<9}"
    )
    return "  ".join([what, *figures])
