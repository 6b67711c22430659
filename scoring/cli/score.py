"""`python -m scoring score --units U --summaries S.summary`: a system's score by a judge."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from scoring.judge import PRESETS, JudgeOptions
from scoring.judge.files import read_calibration, score_files
from scoring.judge.learned import Met
from scoring.judge.scores import EMPTY

NAME = "score"
HELP = "Judge which units a system's summaries contain, and score the system."
PRECISIONS = ("fp32", "bf16", "int8")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--units", type=Path, required=True, help="units with their weights")
    parser.add_argument(
        "--summaries", type=Path, required=True, help="a system's summaries, one per line"
    )
    parser.add_argument("--labels", type=Path, help="human labels, one line per summary")
    parser.add_argument(
        "--ids", type=Path, help="document ids, one per line; by default ids.txt next to the units"
    )
    parser.add_argument(
        "--judge", default="", help=f"{', '.join(PRESETS)}, owner/model or a folder"
    )
    parser.add_argument(
        "--function", default="", help="p2c, l2c, p3c or l3c; default: the judge's own"
    )
    parser.add_argument(
        "--calibration", type=Path, help="a file of `calibrate`: also print calibrated scores"
    )
    parser.add_argument("--detail", action="store_true", help="print every unit's presence")
    parser.add_argument(
        "--empty", choices=EMPTY, default="refuse", help="how to treat empty summaries"
    )
    parser.add_argument("--precision", choices=PRECISIONS, default="fp32")
    parser.add_argument("--device", default="cpu", help="cpu, cuda or mps")
    parser.add_argument("--window", type=int, default=0, help="tokens; 0: the model's maximum")
    parser.add_argument("--threads", type=int, default=0, help="0: torch decides")
    parser.add_argument(
        "--evidence", action="store_true", help="also print the sentence with the highest presence"
    )


def run(arguments: argparse.Namespace) -> dict[str, Any]:
    named = ("precision", "device", "window", "threads", "evidence")
    return score_files(
        arguments.units,
        arguments.summaries,
        arguments.labels,
        ids=arguments.ids,
        judge=arguments.judge,
        function=arguments.function,
        empty=arguments.empty,
        detail=arguments.detail,
        options=JudgeOptions(**{name: getattr(arguments, name) for name in named}),
        calibration=read_calibration(arguments.calibration) if arguments.calibration else None,
        progress=_line if sys.stderr.isatty() else None,
    )


def show(found: dict[str, Any]) -> str:
    functions = [name for name in ("p3c", "l3c", "p2c", "l2c") if name in found]
    lines = [f"{name}    {found[name]:.4f}" for name in functions]
    if found["human"] is not None:
        lines.append(f"human  {found['human']:.4f}")
    if "calibrated" in found:
        lines.append(f"calibrated  {found['calibrated']:.4f}")
    lines += [_detail_line(row) for row in found.get("detail", ())]
    met = Met(**found["learned"])
    if met.is_in_sample:
        lines.append(f"in-sample: the judge was trained on {met.words}")
    return "\n".join([*lines, found["signature"]])


def _detail_line(row: dict[str, Any]) -> str:
    units = zip(row["presence"], row["units"], strict=True)
    told = [f"    {presence:.3f}  {unit}" for presence, unit in units]
    return "\n".join([f"{row['document']}  {row['score']:.4f}", *told])


def _line(done: int, total: int) -> None:
    end = "\n" if done == total else ""
    print(f"\r{done:,} of {total:,} summaries", end=end, file=sys.stderr, flush=True)
