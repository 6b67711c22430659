"""The commands of `python -m scoring`, one a file: each has a NAME, arguments and a run."""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections.abc import Sequence
from typing import Any

from scoring.cli import (
    aggregate,
    annotators,
    correlations,
    coverage,
    curves,
    disagreement,
    document_frequencies,
    easiness,
    estimate,
    extract_stus,
    finetune,
    held_out,
    learned_texts,
    metaeval,
    metric,
    metrics,
    mix,
    plan,
    power,
    priors,
    pyramid,
    robustness,
    sample,
    score,
    stu_correlation,
    stu_ranker,
    train_s3,
)
from scoring.errors import InputError
from scoring.extras import MissingLibrary

COMMANDS = {
    command.NAME: command
    for command in (
        aggregate,
        annotators,
        correlations,
        coverage,
        curves,
        disagreement,
        document_frequencies,
        easiness,
        estimate,
        extract_stus,
        finetune,
        held_out,
        learned_texts,
        metaeval,
        metric,
        metrics,
        mix,
        plan,
        power,
        priors,
        pyramid,
        robustness,
        sample,
        score,
        stu_correlation,
        stu_ranker,
        train_s3,
    )
}


def main(argv: Sequence[str]) -> int:
    """Run one command; 0 if it went well, 2 if what it was given can't be used."""
    arguments = build_parser().parse_args(argv)
    command = COMMANDS[arguments.command]
    try:
        found = command.run(arguments)
    except (InputError, MissingLibrary, OSError) as error:
        print(f"giza: {error}", file=sys.stderr)
        return 2
    print(as_json(found) if arguments.json else command.show(found))
    return 0


def build_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m scoring", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name, command in COMMANDS.items():
        part = commands.add_parser(name, help=command.HELP, description=command.HELP)
        command.add_arguments(part)
        part.add_argument("--json", action="store_true", help="print JSON")
    return parser


def as_json(found: dict[str, Any]) -> str:
    return json.dumps(_known(found), ensure_ascii=False, indent=2, allow_nan=False)


def _known(value: Any) -> Any:
    """The same with null in place of nan, which JSON has no word for."""
    if isinstance(value, dict):
        return {key: _known(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_known(item) for item in value]
    return None if isinstance(value, float) and math.isnan(value) else value
