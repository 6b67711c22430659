"""`python -m scoring mix --references F --scus F --stus F --percentage 50`: Lite²·ˣ units."""

from __future__ import annotations

import argparse
from collections import Counter
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scoring.cli.ordering import add_order_arguments, find_order
from scoring.errors import InputError
from scoring.io.errors import ProblemList
from scoring.io.studies import read_lines
from scoring.planning.mix import (
    SCU,
    STU,
    Mask,
    Mix,
    choose_budget,
    choose_share,
    count_words,
    take_units,
)
from scoring.planning.orders import read_order
from scoring.planning.prices import MINUTES_PER_WORD
from scoring.planning.study import UnitTexts, read_texts

NAME = "mix"
HELP = "Combine SCUs for hard sentences with STUs for easy ones, on a budget."


def add_arguments(parser: argparse.ArgumentParser) -> None:
    for name, what in (("references", "references"), ("scus", "SCUs"), ("stus", "STUs")):
        parser.add_argument(
            f"--{name}", type=Path, required=True, help=f"{what}, one line per document"
        )
    parser.add_argument(
        "--ids", type=Path, help="document ids, one per line; by default ids.txt next to the SCUs"
    )
    budget = parser.add_mutually_exclusive_group(required=True)
    budget.add_argument(
        "--percentage", type=float, help="share of sentences that get STUs, 0 to 100"
    )
    budget.add_argument(
        "--words", type=float, help="words of the sentences that people write SCUs for"
    )
    budget.add_argument("--minutes", type=float, help="minutes that people have for writing SCUs")
    budget.add_argument("--money", type=float, help="money for writing SCUs, at --wage")
    parser.add_argument("--wage", type=float, help="hourly wage of a writer")
    parser.add_argument(
        "--times", type=Path, help="minutes per sentence, in the format of an order"
    )
    add_order_arguments(parser)
    parser.add_argument(
        "--out", type=Path, help="write the units to this file, one line per document"
    )
    parser.add_argument("--compare", type=Path, help="a file of mixed units to compare with")


def run(arguments: argparse.Namespace) -> dict[str, Any]:
    texts = read_texts(arguments.references, arguments.scus, arguments.stus, arguments.ids)
    order = find_order(arguments, texts)
    minutes = _minutes(arguments, texts)
    mix = take_units(texts, _choose(arguments, order, count_words(texts.sentences), minutes))
    if arguments.out:
        arguments.out.write_text("\n".join(mix.lines()), encoding="utf-8", newline="")
    found = _describe(mix, texts, minutes)
    if arguments.compare:
        found["compared"] = compare_lines(mix, arguments.compare)
    return found


def _minutes(arguments: argparse.Namespace, texts: UnitTexts) -> NDArray[np.float64]:
    if arguments.times:
        return read_order(arguments.times, texts.documents, texts.sentences)
    return count_words(texts.sentences) * MINUTES_PER_WORD


def _choose(
    arguments: argparse.Namespace,
    order: NDArray[np.float64],
    words: NDArray[np.float64],
    minutes: NDArray[np.float64],
) -> Mask:
    if arguments.percentage is not None:
        return choose_share(order, arguments.percentage)
    if arguments.words is not None:
        return choose_budget(order, words, arguments.words)
    if arguments.minutes is not None:
        return choose_budget(order, minutes, arguments.minutes)
    if not arguments.wage:
        raise InputError("--money needs --wage, the hourly wage of a writer.")
    return choose_budget(order, minutes / 60 * arguments.wage, arguments.money)


def _describe(mix: Mix, texts: UnitTexts, minutes: NDArray[np.float64]) -> dict[str, Any]:
    gave_way = np.array(mix.gave_way)
    total = mix.count(SCU) + mix.count(STU)
    return {
        "documents": len(mix.documents),
        "sentences": len(gave_way),
        "gave_way": int(gave_way.sum()),
        "percentage": 100 * float(gave_way.mean()) if len(gave_way) else 0.0,
        "words_written": int(count_words(texts.sentences)[~gave_way].sum()),
        "minutes_written": float(minutes[~gave_way].sum()),
        "scus": mix.count(SCU),
        "stus": mix.count(STU),
        "units": total,
        "mean_per_reference": total / len(mix.documents),
        "detail": [
            {"document": name, "units": [asdict(unit) for unit in row]}
            for name, row in zip(mix.documents, mix.units, strict=True)
        ],
    }


def compare_lines(mix: Mix, path: Path) -> dict[str, Any]:
    """How many units of ours stand, to the letter, in the same line of another mixture."""
    problems = ProblemList()
    lines = read_lines(path, problems)
    problems.raise_first()
    theirs = [Counter(filter(None, line.strip().split("\t"))) for line in lines]
    ours = [Counter(unit.text for unit in row) for row in mix.units]
    shared = sum((one & two).total() for one, two in zip(ours, theirs, strict=True))
    sizes = [sum(row.total() for row in rows) for rows in (ours, theirs)]
    return {
        "units": sizes[1],
        "shared": shared,
        "share_of_ours": shared / max(sizes[0], 1),
        "share_of_theirs": shared / max(sizes[1], 1),
        "same_documents": sum(one == two for one, two in zip(ours, theirs, strict=True)),
    }


def show(found: dict[str, Any]) -> str:
    told = (
        "{gave_way:,} of {sentences:,} sentences ({percentage:.1f} %) were replaced by STUs\n"
        "{scus:,} SCUs and {stus:,} STUs, {mean_per_reference:.2f} units per reference\n"
        "{words_written:,} words, {minutes_written:.0f} minutes for people"
    ).format(**found)
    if "compared" not in found:
        return told
    compared = (
        "{shared:,} units are in both mixtures: {share_of_ours:.1%} of these, "
        "{share_of_theirs:.1%} of those; {same_documents:,} documents are the same"
    )
    return f"{told}\n{compared.format(**found['compared'])}"
