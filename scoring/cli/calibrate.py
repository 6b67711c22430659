"""`python -m scoring calibrate --units U --summaries DIR --labels DIR`: a judge for your study.

From a handful of labels, a temperature and a shift adapt the judge's presence to your texts and
your annotators: presence = sigmoid(logit / temperature + shift). Errors are of documents left out
of the fit.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from scoring.errors import InputError
from scoring.finetune import TrainingRecord, records_from_gold, records_from_labels
from scoring.judge import PRESETS, JudgeOptions, Question, load_judge, read_presence
from scoring.judge.functions import check_function
from scoring.judge.held_out import HeldOutRecord, evaluate_held_out

NAME = "calibrate"
HELP = "Adapt a judge's presence to a few labels of your own study."


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--gold", type=Path, help="a gold dataset")
    parser.add_argument("--units", type=Path, help="or units,")
    parser.add_argument("--summaries", type=Path, help="a folder of <system>.summary,")
    parser.add_argument("--labels", type=Path, help="and a folder of <system>.label")
    parser.add_argument("--ids", type=Path, help="IDs of documents; default: next to the units")
    parser.add_argument(
        "--judge", default="", help=f"{', '.join(PRESETS)}, owner/model or a folder"
    )
    parser.add_argument("--function", default="", help="default: the judge's default")
    parser.add_argument("--threads", type=int, default=0, help="0: the library decides")
    parser.add_argument("--out", type=Path, help="write the calibration, for `score --calibration`")


def run(arguments: argparse.Namespace) -> dict[str, Any]:
    judge = load_judge(arguments.judge, JudgeOptions(threads=arguments.threads))
    function = check_function(arguments.function or judge.default_function, judge.classes)
    labelled = [record for record in read_labelled(arguments) if _is_labelled(record)]
    asked = [Question(record.summary, record.units) for record in labelled]
    answers = judge.judge(asked)
    figures = evaluate_held_out(
        HeldOutRecord(
            record.document,
            record.system,
            record.labels,
            [read_presence(function, verdict.logits) for verdict in verdicts],
            record.weights,
        )
        for record, verdicts in zip(labelled, answers, strict=True)
    )
    told = figures.to_json()
    found = {
        "judge": judge.identity.name,
        "key": judge.identity.key,
        "function": function,
        "labels": figures.units,
        "documents": len({record.document for record in labelled}),
        "before": {name: told[name] for name in ("ece", "brier")},
        "after": {name: told["recalibrated"][name] for name in ("ece", "brier")},
        **{name: told["recalibrated"][name] for name in ("temperature", "shift")},
    }
    if arguments.out:
        arguments.out.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    return found


def read_labelled(arguments: argparse.Namespace) -> list[TrainingRecord]:
    files = (arguments.units, arguments.summaries, arguments.labels)
    if arguments.gold and not any(files):
        return records_from_gold(arguments.gold)
    if arguments.gold or not all(files):
        raise InputError("Give --gold, or --units, --summaries and --labels together.")
    return records_from_labels(*files, arguments.ids)


def _is_labelled(record: TrainingRecord) -> bool:
    return not record.is_empty and any(label is not None for label in record.labels)


def show(found: dict[str, Any]) -> str:
    counts = f"{found['labels']:,} labels of {found['documents']:,} documents"
    lines = [
        f"{found['judge']} ({found['function']}), {counts}",
        f"  temperature {found['temperature']:.3f}, shift {found['shift']:+.3f}",
    ]
    for name, word in (("ece", "calibration error"), ("brier", "Brier score")):
        before, after = found["before"][name], found["after"][name]
        told = "unknown with one document" if after is None else f"{after:.4f}"
        lines.append(f"  {word} {before:.4f}, on documents left out of the fit {told}")
    return "\n".join(lines)
