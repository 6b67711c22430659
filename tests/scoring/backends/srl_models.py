"""Small models with random weights that label roles, built on the spot."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import torch
from transformers import BertForTokenClassification, RobertaForTokenClassification

from tests.scoring.backends.tiny_models import make_config, make_tokenizer

ROLES = ("O", "B-V", "I-V", "B-ARG0", "I-ARG0", "B-ARG1", "I-ARG1")


def make_labeller(
    folder: Path, shape: str, labels: tuple[str, ...] = ROLES, *, seed: int = 0
) -> Path:
    """A model with random weights and its tokenizer."""
    kind: Any = BertForTokenClassification if shape == "bert" else RobertaForTokenClassification
    names = dict(enumerate(labels))
    places = {name: place for place, name in names.items()}
    config = make_config(shape, num_labels=len(labels), id2label=names, label2id=places)
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        kind(config).save_pretrained(folder)
    make_tokenizer(shape).save_pretrained(folder)
    return folder
