"""The commands of `python -m scoring`, one a file: each has a NAME, arguments and a run."""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from scoring import __version__
from scoring.cli import (
    aggregate,
    annotators,
    calibrate,
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
    probe,
    pyramid,
    robustness,
    sample,
    score,
    stu_correlation,
    stu_ranker,
    train_reader,
    train_s3,
)
from scoring.errors import InputError
from scoring.extras import MissingLibrary

GROUPS = {
    "Score summaries": (score, probe, calibrate, pyramid, metrics, metric, finetune, train_s3),
    "Write and extract units": (extract_stus, easiness, mix, curves),
    "Plan and aggregate crowd work": (sample, plan, power, aggregate, annotators),
    "Statistics": (metaeval, correlations, estimate, disagreement, robustness),
    "Reproduce published figures": (
        held_out,
        train_reader,
        stu_ranker,
        stu_correlation,
        priors,
        coverage,
        document_frequencies,
        learned_texts,
    ),
}
COMMANDS = {command.NAME: command for group in GROUPS.values() for command in group}
SCRIPT = "giza-scoring"


def main(argv: Sequence[str]) -> int:
    """Run one command; 0 if it went well, 2 if what it was given can't be used."""
    parser = build_parser()
    arguments = parser.parse_args(argv)
    command = COMMANDS[arguments.command]
    try:
        found = command.run(arguments)
    except (InputError, MissingLibrary, OSError) as error:
        print(f"{parser.prog} {command.NAME}: {error}", file=sys.stderr)
        return 2
    print(as_json(found) if arguments.json else command.show(found))
    return 0


def build_parser() -> argparse.ArgumentParser:
    """The program by the name that it was called by, with its commands in groups."""
    is_script = Path(sys.argv[0]).stem == SCRIPT
    parser = argparse.ArgumentParser(
        prog=SCRIPT if is_script else "python -m scoring",
        usage="%(prog)s [--help] [--version] COMMAND [ARGUMENT …]",
        description="Evaluate summaries by content: units, crowd labels, judges and statistics.",
        epilog=describe_commands(),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"Giza {__version__}")
    commands = parser.add_subparsers(
        dest="command", required=True, metavar="COMMAND", help=argparse.SUPPRESS, prog=parser.prog
    )
    for name, command in COMMANDS.items():
        part = commands.add_parser(name, description=command.HELP)
        command.add_arguments(part)
        part.add_argument("--json", action="store_true", help="print JSON")
    return parser


def describe_commands() -> str:
    """One line for each command, by group."""
    lines = []
    for title, group in GROUPS.items():
        lines += [f"{title}:", *(f"  {row.NAME:<21} {row.HELP}" for row in group), ""]
    return "\n".join([*lines, "See the options of a command with COMMAND --help."])


def as_json(found: dict[str, Any]) -> str:
    return json.dumps(_known(found), ensure_ascii=False, indent=2, allow_nan=False)


def _known(value: Any) -> Any:
    """The same with null in place of nan, which JSON has no word for."""
    if isinstance(value, dict):
        return {key: _known(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_known(item) for item in value]
    return None if isinstance(value, float) and math.isnan(value) else value
