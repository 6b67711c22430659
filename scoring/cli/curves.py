"""`python -m scoring curves --data DIR`: correlation with people at every share of STUs."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from scoring.easiness.regressors import MODELS
from scoring.errors import InputError
from scoring.io.cells import row_line
from scoring.measured_coverage import CURVE_GAIN, say_departures
from scoring.planning.curves import BOOTSTRAP, BY, SEEDS, draw_curves
from scoring.planning.mix import Order, reverse_order
from scoring.planning.orders import read_order, true_damage, true_easiness
from scoring.planning.predicted import hold_out_orders
from scoring.planning.study import FOLDS, HUMAN, UnitStudy, read_study
from scoring.planning.tables import SentenceTables

NAME = "curves"
HELP = "Draw correlation with human scores by the share of STUs, for each order."


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--data", type=Path, required=True, help="folder of a labelled study")
    parser.add_argument("--judge", default="embedded", help="human, or a judge as for `score`")
    parser.add_argument("--stus", type=Path, help="STUs; by default STUs.txt in the folder")
    parser.add_argument("--easiness", type=Path, help="predicted easiness, one line per document")
    parser.add_argument(
        "--predicted",
        nargs="*",
        choices=MODELS,
        default=list(MODELS),
        help="regressors, each trained on the other folds",
    )
    parser.add_argument("--by", choices=BY, default=BY[0], help="unit of the percentages")
    parser.add_argument("--step", type=int, default=10, help="between percentages; must divide 100")
    parser.add_argument("--seeds", type=int, default=SEEDS, help="number of random orders")
    parser.add_argument("--bootstrap", type=int, default=BOOTSTRAP, help="resamples of documents")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--csv", type=Path, help="also write the points to this file")


def run(arguments: argparse.Namespace) -> dict[str, Any]:
    if not 1 <= arguments.step <= 100 or 100 % arguments.step:
        raise InputError(
            f"A step of {arguments.step} doesn't divide 100. Give a divisor such as 5, 10 or 20."
        )
    study = read_study(
        arguments.data, judge=arguments.judge, stus=arguments.stus, seed=arguments.seed
    )
    found = draw_curves(
        study,
        list_orders(study, arguments),
        percentages=range(0, 101, arguments.step),
        by=arguments.by,
        seeds=arguments.seeds,
        bootstrap=arguments.bootstrap,
        seed=arguments.seed,
    ).to_json()
    if arguments.csv:
        arguments.csv.write_text("".join(_csv_lines(found)), encoding="utf-8", newline="")
    return found


def list_orders(study: UnitStudy, arguments: argparse.Namespace) -> dict[str, Order]:
    """Predicted ones are held out by folds; oracles know what only a finished study does."""
    orders = hold_out_orders(study, arguments.predicted, _folds(arguments), seed=arguments.seed)
    if arguments.easiness:
        orders["given"] = read_order(arguments.easiness, study.documents, study.sentences)
    orders["oracle"] = true_easiness(study.own_texts)
    orders["damage-oracle"] = -true_damage(SentenceTables.of(study))
    first = next(iter(orders))
    orders[f"reverse {first}"] = reverse_order(orders[first])
    return orders


def _folds(arguments: argparse.Namespace) -> list[Path]:
    return sorted(arguments.data.glob(FOLDS))


def show(found: dict[str, Any]) -> str:
    judge = "human labels" if found["judge"] == HUMAN else f"judge {found['judge']}"
    head = (
        f"{found['documents']:,} documents, {found['systems']:,} systems, "
        f"{found['sentences']:,} sentences; {judge}; Pearson's r with human scores by the "
        f"percentage of {found['by']} replaced by STUs"
    )
    note = [found["stu_labels"]] if "stu_labels" in found else []
    departures = say_departures(CURVE_GAIN)
    lines = [head, *note, *_level_lines(found, "system"), *_level_lines(found, "summary")]
    return "\n".join([*lines, *(["", departures] if departures else [])])


def _level_lines(found: dict[str, Any], level: str) -> Iterator[str]:
    curves = [row for row in found["curves"] if _is_shown(row, level)]
    gains = {row["order"]: row for row in found["gains"] if _is_shown(row, level)}
    yield ""
    yield f"{level + '-level':<18}" + "".join(f"{p:>6g}" for p in found["percentages"])
    for row in curves:
        points = "".join(f"{value:>6.3f}" for value in row["values"])
        yield f"{row['order']:<18}{points}{_gain(gains.get(row['order']))}"


def _is_shown(row: dict[str, Any], level: str) -> bool:
    return bool(row["level"] == level and row["measure"] == "pearson")


def _gain(row: dict[str, Any] | None) -> str:
    if row is None:
        return "   gain over random, 95 % interval"
    return f"   {row['area']:+.4f} ({row['area_low']:+.4f} to {row['area_high']:+.4f})"


def _csv_lines(found: dict[str, Any]) -> Iterator[str]:
    yield row_line("order", "level", "measure", "percentage", "value", "low", "high")
    for row in found["curves"]:
        for place, percentage in enumerate(found["percentages"]):
            band = [str(row[side][place]) if row[side] else "" for side in ("low", "high")]
            yield row_line(
                row["order"],
                row["level"],
                row["measure"],
                str(percentage),
                str(row["values"][place]),
                *band,
            )
