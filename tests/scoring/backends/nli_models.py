"""Small classifiers of pairs, made on the spot, and a plain way to ask them."""

from __future__ import annotations

import math
import string
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import torch
from tokenizers.pre_tokenizers import ByteLevel
from transformers import (
    AutoModelForSequenceClassification,
    AutoTokenizer,
    BertConfig,
    BertForSequenceClassification,
    BertTokenizer,
    RobertaConfig,
    RobertaForSequenceClassification,
    RobertaTokenizer,
)

ENC = ("entailment", "neutral", "contradiction")
CNE = ("CONTRADICTION", "NEUTRAL", "ENTAILMENT")
NEC = ("Neutral", "Entailment", "Contradiction")
TWO = ("not_entailment", "entailment")

SUMMARY = (
    "The council of Brack lit the harbour lamp on Friday. It paid 300 crowns for the glass. "
    "Nobody came to see it, because of rain."
)
OTHER = "A ferry struck the pier at Ammer. Two of its crew were hurt."
UNITS = (
    "The council lit the lamp.",
    "300 crowns were paid for the glass of the lamp in the harbour of Brack.",
    "Rain kept people away.",
    "Rain",
)
SHAPE = {
    "hidden_size": 32,
    "num_hidden_layers": 2,
    "num_attention_heads": 2,
    "intermediate_size": 64,
    "initializer_range": 0.4,  # so that verdicts differ
}


def make_model(
    folder: Path, shape: str = "bert", labels: Sequence[str] | None = ENC, **changed: Any
) -> str:
    """Write a model with random weights and its tokenizer; without labels it has generic ones."""
    torch.manual_seed(changed.pop("seed", 0))
    make, positions = {"bert": (_bert, 256), "roberta": (_roberta, 258)}[shape]
    settings: dict[str, Any] = SHAPE | {"max_position_embeddings": positions} | changed
    if labels is not None:
        settings["id2label"] = dict(enumerate(labels))
        settings["label2id"] = {label: place for place, label in enumerate(labels)}
    model, tokenizer = make(settings)
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return str(folder)


def _bert(settings: dict[str, Any]) -> tuple[Any, Any]:
    letters = [*string.ascii_lowercase, *string.digits, *string.punctuation]
    marks = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    words = [*marks, *letters, *(f"##{letter}" for letter in letters), "the", "lamp", "##ed"]
    tokenizer = BertTokenizer(vocab=_numbered(words), model_max_length=512)
    config = BertConfig(vocab_size=len(words), **settings)
    return BertForSequenceClassification(config), tokenizer


def _roberta(settings: dict[str, Any]) -> tuple[Any, Any]:
    merges = [("t", "h"), ("Ġ", "t"), ("Ġt", "h"), ("Ġth", "e"), ("o", "f"), ("Ġ", "of")]
    marks = ["<s>", "<pad>", "</s>", "<unk>", "<mask>"]
    words = [*marks, *sorted(ByteLevel.alphabet()), *(left + right for left, right in merges)]
    tokenizer = RobertaTokenizer(vocab=_numbered(words), merges=merges, model_max_length=512)
    config = RobertaConfig(
        vocab_size=len(words), pad_token_id=1, bos_token_id=0, eos_token_id=2, **settings
    )
    return RobertaForSequenceClassification(config), tokenizer


def _numbered(words: Sequence[str]) -> dict[str, int]:
    return {word: place for place, word in enumerate(words)}


@cache
def _loaded(folder: str) -> tuple[Any, Any]:
    model = AutoModelForSequenceClassification.from_pretrained(folder).eval()
    return model, AutoTokenizer.from_pretrained(folder)


def ask_plainly(folder: str, summary: str, unit: str, padded_to: int = 0) -> list[float]:
    """The model's logits for one pair alone, in the model's own order."""
    model, tokenizer = _loaded(folder)
    padding = {"padding": "max_length", "max_length": padded_to} if padded_to else {}
    pair = tokenizer(summary, unit, return_tensors="pt", **padding)
    with torch.no_grad():
        found: list[float] = model(**pair).logits[0].tolist()
    return found


def read_plainly(logits: Sequence[float], labels: Sequence[str]) -> dict[str, float]:
    """The paper's functions, by the book."""
    by_name = {label.lower(): value for label, value in zip(labels, logits, strict=True)}
    entailed = by_name.pop("entailment")
    rest = list(by_name.values())
    found = {
        "p2c": math.exp(entailed) / (math.exp(entailed) + math.exp(sum(rest))),
        "l2c": float(entailed > sum(rest)),
    }
    if len(rest) == 2:
        total = math.exp(entailed) + sum(math.exp(value) for value in rest)
        found["p3c"] = math.exp(entailed) / total
        found["l3c"] = float(entailed > max(rest))
    return found
