"""`python -m scoring train-reader --data DIR --work DIR --out FILE`: the network of `reader`.

It learns from the pairs in DIR/entailment, from twins made of their sentences by rule, and from
invented scenes; never from a study's labels. What is done is kept in the work folder: the same
command goes on from the last checkpoint.
"""

from __future__ import annotations

import argparse
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

NAME = "train-reader"
HELP = "Train the network of the judge that reads."
# How much there is of each source: premises for twins, pairs of published sets, scenes.
SIZES = {
    "veridicality": 2000,
    "points": 3500,
    "captions": 7000,
    "arguments": 1500,
    "scenes": 9000,
    "told": 2500,
}
GROUPS = "groups.jsonl"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--data", type=Path, required=True, help="folder with entailment/")
    parser.add_argument("--work", type=Path, required=True, help="folder for checkpoints")
    parser.add_argument("--out", type=Path, required=True, help="the file to write")
    parser.add_argument("--steps", type=int, default=2600, help="batches of 2,048 word pieces")
    parser.add_argument("--learning-rate", type=float, default=2e-4)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--checkpoint-every", type=int, default=100, help="steps")
    parser.add_argument(
        "--bf16", action="store_true", help="faster where the processor can; other weights"
    )
    parser.add_argument(
        "--share", type=float, default=1.0, help="of all training data, to try the command"
    )


def run(arguments: argparse.Namespace) -> dict[str, Any]:
    learning: Any = import_module("scoring.backends.reader.learning")
    arguments.work.mkdir(parents=True, exist_ok=True)
    path = arguments.work / GROUPS
    if not path.is_file():
        corpus: Any = import_module("scoring.backends.reader.corpus")
        sizes = {name: round(size * arguments.share) for name, size in SIZES.items()}
        learning.write_groups(path, corpus.make_groups(arguments.data, arguments.seed, sizes))
    groups = learning.read_groups(path)
    options = learning.LearningOptions(
        steps=arguments.steps,
        learning_rate=arguments.learning_rate,
        seed=arguments.seed,
        threads=arguments.threads,
        bf16=arguments.bf16,
        checkpoint_every=arguments.checkpoint_every,
    )
    training = learning.Learning(groups, options, arguments.work)
    network = training.run(lambda line: print(line, file=sys.stderr, flush=True))
    learning.save_trained(network, arguments.out)
    statements = sum(len(group.statements) for group in groups)
    return {
        "out": str(arguments.out),
        "groups": len(groups),
        "statements": statements,
        "steps": arguments.steps,
        "held_out": training.watch(),
    }


def show(found: dict[str, Any]) -> str:
    lines = [f"  {name}: {said}" for name, said in found["held_out"].items()]
    head = f"{found['statements']:,} statements in {found['groups']:,} groups, held-out ones right:"
    return "\n".join([head, *lines, f"Written to {found['out']}."])
