"""`python -m scoring aggregate ANSWERS`: from answers to labels, with how far people agree."""

from __future__ import annotations

import argparse
from collections import Counter
from pathlib import Path
from typing import Any

from scoring.aggregation import (
    FILTERS,
    TIES,
    UNDEFINED,
    VOTES,
    Aggregate,
    Answers,
    FilterStep,
    LevelAgreement,
    Recipe,
    aggregate,
    score_labels,
    score_systems,
)
from scoring.errors import InputError
from scoring.io.answers import load_answers
from scoring.io.label_files import write_labels

NAME = "aggregate"
HELP = "Turn crowd answers into labels: filter, vote, and compute agreement."


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "answers", type=Path, help="CSV or JSONL of answers, or a folder of batches"
    )
    parser.add_argument(
        "--filter",
        action="append",
        default=[],
        metavar="RULE[:OPTION=VALUE,…]",
        help=f"remove noisy work, in the order given: {', '.join(FILTERS)}",
    )
    parser.add_argument(
        "--count-blank",
        action="store_true",
        help="count answers to BLANK slots of a batch as check items (correct: absent)",
    )
    parser.add_argument("--vote", choices=VOTES, default="majority")
    parser.add_argument("--tie", choices=tuple(TIES), default="absent")
    parser.add_argument(
        "--undefined", choices=UNDEFINED, default="one", help="alpha where answers don't vary"
    )
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument(
        "--samples", type=int, default=500, help="resamples for intervals; 0 for no intervals"
    )
    parser.add_argument("--labels-out", type=Path, metavar="DIR|FILE.csv", help="write the labels")


def run(arguments: argparse.Namespace) -> dict[str, Any]:
    recipe = Recipe(
        filters=tuple(map(parse_filter, arguments.filter)),
        vote=arguments.vote,
        tie=arguments.tie,
        seed=arguments.seed,
        undefined=arguments.undefined,
    )
    if arguments.samples < 0:
        raise InputError("--samples must be 0 or more.")
    answers = load_answers(arguments.answers, count_blank=arguments.count_blank)
    found = aggregate(answers, recipe, samples=arguments.samples)
    if arguments.labels_out:
        write_labels(arguments.labels_out, answers, found.labels, answers.counts(found.kept))
    return describe(answers, found)


def parse_filter(text: str) -> FilterStep:
    """`per-worker:min_hits=20,max_disagreement=0.4`."""
    name, _, rest = text.partition(":")
    options: dict[str, float] = {}
    for item in filter(None, rest.split(",")):
        option, _, value = item.partition("=")
        try:
            options[option.strip()] = float(value)
        except ValueError:
            message = f"Filter '{name}': '{item}' is not an option. Write OPTION=NUMBER."
            raise InputError(message) from None
    return FilterStep(name, options)


def describe(answers: Answers, found: Aggregate) -> dict[str, Any]:
    """What is printed, as plain values."""
    present = found.labels.present
    scores = score_systems(answers, score_labels(answers, present))
    return {
        "answers": len(answers),
        "documents": len(answers.document_keys),
        "systems": len(answers.system_keys),
        "summaries": len(answers.summary_keys),
        "workers": len(answers.worker_keys),
        "assignments": len(answers.assignment_keys),
        "kept": int(found.kept.sum()),
        "dropped": int((~found.kept).sum()),
        "check_items": {
            "asked": int(answers.assignment_gold_asked.sum()),
            "right": int(answers.assignment_gold_right.sum()),
        },
        "dropped_by": dict(Counter(drop.rule for drop in found.drops)),
        "alpha": _agreement(found),
        "labels": {
            "total": int((present >= 0).sum()),
            "present": int((present == 1).sum()),
            "absent": int((present == 0).sum()),
            "unlabelled": int((present < 0).sum()),
            "ties": int(found.labels.ties.sum()),
        },
        "scores": dict(zip(answers.system_keys, scores.tolist(), strict=True)),
        "drops": [
            {
                "assignment": answers.assignment_keys[drop.assignment],
                "worker": answers.worker_keys[drop.worker],
                "rule": drop.rule,
                "reason": drop.reason,
            }
            for drop in found.drops
        ],
        "recipe": found.recipe.to_json(),
        "signature": found.recipe.signature(answers.content_hash()),
    }


def _agreement(found: Aggregate) -> dict[str, Any]:
    report = found.agreement
    levels = (report.by_summary, report.by_document, report.by_system)
    return {
        **{f"mean_per_{level.level}": _level(level) for level in levels},
        "pooled": {
            "value": report.pooled.alpha,
            "low": report.pooled.low,
            "high": report.pooled.high,
        },
        "undefined": report.undefined,
        "percent_agreement": report.percent,
        "fleiss_kappa": report.fleiss_kappa,
    }


def _level(level: LevelAgreement) -> dict[str, Any]:
    return {
        "value": level.mean,
        "low": level.low,
        "high": level.high,
        "groups": level.groups,
        "undefined": level.undefined,
        "untold": level.untold,
    }


def show(found: dict[str, Any]) -> str:
    alpha, labels = found["alpha"]["mean_per_summary"], found["labels"]
    value = "undefined" if alpha["value"] is None else f"{alpha['value']:.4f}"
    counted = ("answers", "assignments", "summaries", "systems")
    lines = [
        ", ".join(f"{found[name]:,} {name}" for name in counted),
        f"kept {found['kept']:,}, dropped {found['dropped']:,}",
        *(f"  {number:,} by {rule}" for rule, number in found["dropped_by"].items()),
        *_check_items(found["check_items"]),
        f"alpha, mean of summaries: {value}",
        f"labels: {labels['total']:,}, {labels['present']:,} present, {labels['ties']:,} ties",
        *(f"  {score:.4f}  {system}" for system, score in found["scores"].items()),
        found["signature"],
    ]
    return "\n".join(lines)


def _check_items(counted: dict[str, int]) -> list[str]:
    if not counted["asked"]:
        return []
    return [f"check items: {counted['right']:,} of {counted['asked']:,} answered correctly"]
