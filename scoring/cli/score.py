"""`python -m scoring score --units U --summaries S.summary`: a system's score by a judge."""

from __future__ import annotations

import argparse
import math
import re
import sys
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import Any

from scoring.judge import PRESETS, JudgeOptions
from scoring.judge.files import estimate_files, read_calibration, score_files
from scoring.judge.learned import Met
from scoring.judge.llm.endpoints import FILE, VARIABLE
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
        "--judge", default="", help=f"{', '.join(PRESETS)}, owner/model, llm:NAME or a folder"
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
    paid = parser.add_argument_group("language models (--judge llm:NAME)")
    paid.add_argument(
        "--endpoints",
        type=Path,
        help=f"file of endpoints; default: {VARIABLE}, or JUDGES_DIR/{FILE}",
    )
    paid.add_argument("--cap", type=_amount, help="the most that may be spent")
    paid.add_argument(
        "--ledger", type=Path, help="file of payments and verdicts; with it, a run can be resumed"
    )
    paid.add_argument("--estimate", action="store_true", help="print the cost and ask nothing")


def _amount(text: str) -> Decimal:
    if not re.fullmatch(r"[0-9]{1,9}(\.[0-9]{1,6})?", text):
        raise argparse.ArgumentTypeError(f"expected an amount such as 5 or 0.50, not '{text}'")
    return Decimal(text)


def run(arguments: argparse.Namespace) -> dict[str, Any]:
    named = ("precision", "device", "window", "threads", "evidence", "endpoints", "cap", "ledger")
    options = JudgeOptions(**{name: getattr(arguments, name) for name in named})
    if arguments.estimate:
        return estimate_files(
            arguments.units,
            arguments.summaries,
            ids=arguments.ids,
            judge=arguments.judge,
            empty=arguments.empty,
            # Nothing is spent.
            options=replace(options, cap=Decimal(0), ledger=None),
        )
    return score_files(
        arguments.units,
        arguments.summaries,
        arguments.labels,
        ids=arguments.ids,
        judge=arguments.judge,
        function=arguments.function,
        empty=arguments.empty,
        detail=arguments.detail,
        options=options,
        calibration=read_calibration(arguments.calibration) if arguments.calibration else None,
        progress=_line if sys.stderr.isatty() else None,
        announce=lambda estimate: print(_show_estimate(estimate), file=sys.stderr),
    )


def show(found: dict[str, Any]) -> str:
    if "likely_cost" in found:
        return _show_estimate(found)
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
    if found["missing"]:
        lines.append(f"missing: {found['missing']:,} of {found['units']:,} units have no verdict")
    lines += _usage_lines(found["usage"]) if "usage" in found else []
    return "\n".join([*lines, found["signature"]])


def _show_estimate(found: dict[str, Any]) -> str:
    return (
        f"{found['calls']:,} calls; about {found['likely_cost']} {found['currency']}, "
        f"at most {found['cost_at_most']} if no call is repeated"
    )


def _usage_lines(usage: dict[str, Any]) -> list[str]:
    faults = ", ".join(f"{name} {count:,}" for name, count in usage["faults"].items())
    cap = f" of {usage['cap']}" if usage["cap"] is not None else ""
    lines = [
        f"calls  {usage['calls']:,}, and {usage['reused_calls']:,} reused",
        f"tokens {usage['input_tokens']:,} in, {usage['output_tokens']:,} out",
        f"spent  {usage['spent']}{cap} {usage['currency']}",
    ]
    lines += [f"faults {faults}"] if faults else []
    if usage["stopped"]:
        lines.append(
            f"stopped: {usage['stopped']} {usage['not_asked']:,} units were not asked about."
        )
    return lines


def _detail_line(row: dict[str, Any]) -> str:
    units = zip(row["presence"], row["units"], strict=True)
    told = [f"    {_show_presence(presence)}  {unit}" for presence, unit in units]
    return "\n".join([f"{row['document']}  {row['score']:.4f}", *told])


def _show_presence(presence: float) -> str:
    return "  –  " if math.isnan(presence) else f"{presence:.3f}"


def _line(done: int, total: int) -> None:
    end = "\n" if done == total else ""
    print(f"\r{done:,} of {total:,} summaries", end=end, file=sys.stderr, flush=True)
