"""`python -m scoring robustness --data DIR`: what metrics lose when texts are said otherwise."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from scoring.io.texts import read_texts, take_texts
from scoring.metrics import load_metric
from scoring.metrics.robustness import measure_drops, perturb_texts

NAME = "robustness"
HELP = "What metrics lose when a share of words is replaced by synonyms."
USUAL = ("rouge", "rouge_we", "sem_ncg")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--data", type=Path, required=True, help="a study, with documents.txt")
    parser.add_argument(
        "--metric",
        action="append",
        default=[],
        metavar="NAME",
        help=f"may be repeated; {', '.join(USUAL)} if none is named",
    )
    parser.add_argument("--share", type=float, default=0.2, help="share of content words")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--systems", default="*", help="only systems of that name, * for any part")
    parser.add_argument("--most", type=int, default=0, help="only so many documents; 0: all")


def run(arguments: argparse.Namespace) -> dict[str, Any]:
    from scoring.backends.wordnet import load_wordnet

    texts = take_texts(read_texts(arguments.data), arguments.systems, arguments.most)
    metrics = [load_metric(name) for name in arguments.metric or USUAL]
    wordnet = load_wordnet()
    perturbed = perturb_texts(
        texts, wordnet.list_synonyms, share=arguments.share, seed=arguments.seed
    )
    drops = measure_drops(metrics, texts, perturbed, seed=arguments.seed)
    return {
        "share": arguments.share,
        "seed": arguments.seed,
        "synonyms": wordnet.name,
        "signatures": {metric.name: metric.signature for metric in metrics},
        "drops": [
            {
                "metric": one.metric,
                "column": one.column,
                "actual": one.actual,
                "perturbed": one.perturbed,
                "drop": one.drop,
                "low": one.low,
                "high": one.high,
                "of_actual": one.share,
                "summaries": one.summaries,
            }
            for one in drops
        ],
    }


def show(found: dict[str, Any]) -> str:
    lines = [f"{'':<28}{'actual':>9}{'perturbed':>11}{'drop':>9}{'of it':>8}  95 % interval"]
    lines += [
        f"{row['metric'] + ' ' + row['column']:<28}{row['actual']:>9.4f}{row['perturbed']:>11.4f}"
        f"{row['drop']:>9.4f}{100 * row['of_actual']:>7.1f}%"
        f"  {row['low']:.4f} to {row['high']:.4f}"
        for row in found["drops"]
    ]
    return "\n".join([*lines, *found["signatures"].values()])
