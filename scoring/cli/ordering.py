"""The order in which sentences give way to STUs, as commands take it."""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from scoring.easiness.regressors import MODELS
from scoring.errors import InputError
from scoring.planning.mix import reverse_order
from scoring.planning.orders import random_order, read_order, true_easiness
from scoring.planning.predicted import predict_order
from scoring.planning.study import UnitTexts

Floats = NDArray[np.float64]
DEFAULT = "giza"
RANDOM, ORACLE = "random", "oracle"
KNOWN = (*MODELS, RANDOM, ORACLE)


def add_order_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--order",
        default=DEFAULT,
        help=f"{', '.join(KNOWN)}, a regressor's JSON file, or a file of easiness",
    )
    parser.add_argument("--reverse", action="store_true", help="replace the hardest first")
    parser.add_argument("--seed", type=int, default=0)


def find_order(arguments: argparse.Namespace, texts: UnitTexts) -> Floats:
    """Easiness of each sentence, by what `--order` names."""
    found = _named(arguments.order, texts, arguments.seed)
    return reverse_order(found) if arguments.reverse else found


def _named(name: str, texts: UnitTexts, seed: int) -> Floats:
    """`oracle` is what only the SCUs themselves can tell."""
    if name == RANDOM:
        return random_order(len(texts.sentences), seed)
    if name == ORACLE:
        return true_easiness(texts)
    if name in MODELS or Path(name).suffix.lower() == ".json":
        return predict_order(texts, name)
    if Path(name).is_file():
        return read_order(Path(name), texts.documents, texts.sentences)
    raise InputError(f"No order is called '{name}', and no file. Known: {', '.join(KNOWN)}.")
