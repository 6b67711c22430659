"""`python -m scoring train-s3 --gold gold.zip --out s3.json`: learn to score as people do."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from scoring.errors import InputError
from scoring.metrics.s3_training import lessons_from_folder, lessons_from_gold, train_s3

NAME = "train-s3"
HELP = "Train a metric that predicts human scores from other metrics."


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--gold", type=Path, help="a gold dataset: gold.zip, its folder, gold.jsonl"
    )
    parser.add_argument("--data", type=Path, help="or a study of line files, with labels/")
    parser.add_argument("--scores", type=Path, help="targets of the study: doc_id,system,score")
    parser.add_argument("--target", default="pyr", help="name of the target: pyr or resp")
    parser.add_argument("--penalty", type=float, default=10.0, help="penalty on large weights")
    parser.add_argument("--folds", type=int, default=5, help="folds of documents for testing")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path, required=True, help="file to write the model to")


def run(arguments: argparse.Namespace) -> dict[str, Any]:
    if (arguments.gold is None) == (arguments.data is None):
        raise InputError("Give either --gold or --data.")
    lessons = (
        lessons_from_gold(arguments.gold)
        if arguments.gold
        else lessons_from_folder(arguments.data, arguments.scores)
    )
    model, held_out = train_s3(
        lessons,
        target=arguments.target,
        penalty=arguments.penalty,
        folds=arguments.folds,
        seed=arguments.seed,
    )
    arguments.out.write_text(json.dumps(model.as_json(), indent=1) + "\n", encoding="utf-8")
    weights = zip(model.features, model.ridge.weights.tolist(), strict=True)
    return {
        "out": str(arguments.out),
        **{key: model.trained[key] for key in ("target", "summaries", "documents")},
        "weights": {".".join(feature): weight for feature, weight in weights},
        "held_out": held_out,
    }


def show(found: dict[str, Any]) -> str:
    lines = [
        f"{found['summaries']:,} summaries of {found['documents']:,} documents: {found['target']}",
        f"{'on held-out documents':<28}{'system':>9}{'summary':>9}",
    ]
    lines += [
        f"{name:<28}{row['system']:>9.3f}{row['summary']:>9.3f}"
        for name, row in found["held_out"].items()
    ]
    lines += [f"{name:<28}{weight:>9.4f}" for name, weight in found["weights"].items()]
    return "\n".join([*lines, f"Written to {found['out']}."])
