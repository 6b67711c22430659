"""`python -m scoring robustness --data DIR`: what metrics lose when texts are changed."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from scoring.io.texts import read_texts, take_texts
from scoring.metrics import load_metric
from scoring.metrics.perturbation import Synonyms
from scoring.metrics.perturbations import PERTURBATIONS, SYNONYMS, list_circular, perturb
from scoring.metrics.robustness import measure_drops

NAME = "robustness"
HELP = "Measure how metrics drop when words, names or numbers are changed."
USUAL = ("rouge", "rouge_we", "sem_ncg")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--data", type=Path, required=True, help="a study, with documents.txt")
    parser.add_argument(
        "--metric",
        action="append",
        default=[],
        metavar="NAME",
        help=f"may be repeated; default: {', '.join(USUAL)}",
    )
    parser.add_argument(
        "--perturbation", choices=tuple(PERTURBATIONS), default=SYNONYMS, help="what to change"
    )
    parser.add_argument(
        "--share",
        type=float,
        default=0.2,
        help="share to change, from 0 to 1",
    )
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--systems", default="*", help="only systems that match; * is a wildcard")
    parser.add_argument(
        "--most", type=int, default=0, help="limit the number of documents; 0: no limit"
    )


def run(arguments: argparse.Namespace) -> dict[str, Any]:
    texts = take_texts(read_texts(arguments.data), arguments.systems, arguments.most)
    metrics = [load_metric(name) for name in arguments.metric or USUAL]
    name = arguments.perturbation
    synonyms = _load_synonyms() if name == SYNONYMS else None
    perturbed = perturb(texts, name, share=arguments.share, seed=arguments.seed, synonyms=synonyms)
    drops = measure_drops(metrics, texts, perturbed, seed=arguments.seed)
    signatures = {metric.name: metric.signature for metric in metrics}
    return {
        "perturbation": name,
        "keeps_meaning": PERTURBATIONS[name].keeps_meaning,
        "share": arguments.share,
        "seed": arguments.seed,
        "circular": list_circular(name, signatures),
        "signatures": signatures,
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


def _load_synonyms() -> Synonyms:
    from scoring.backends.wordnet import load_wordnet

    return load_wordnet().list_synonyms


def show(found: dict[str, Any]) -> str:
    kind = PERTURBATIONS[found["perturbation"]]
    wanted = "a small drop" if kind.keeps_meaning else "a large drop"
    lines = [f"{kind.words}, {found['share']:.0%} of {kind.share_of}; {wanted} is expected"]
    lines += [
        f"{metric} matches synonyms by the same WordNet: its drop is not informative."
        for metric in found["circular"]
    ]
    lines += [f"{'':<28}{'actual':>9}{'perturbed':>11}{'drop':>9}{'of it':>8}  95 % interval"]
    lines += [
        f"{row['metric'] + ' ' + row['column']:<28}{row['actual']:>9.4f}{row['perturbed']:>11.4f}"
        f"{row['drop']:>9.4f}{100 * row['of_actual']:>7.1f}%"
        f"  {row['low']:.4f} to {row['high']:.4f}"
        for row in found["drops"]
    ]
    return "\n".join([*lines, *found["signatures"].values()])
