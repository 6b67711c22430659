"""Small models with random weights, built here: no hub is asked."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import torch
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import Whitespace
from tokenizers.processors import TemplateProcessing
from transformers import (
    BertConfig,
    BertForSequenceClassification,
    BertModel,
    PreTrainedTokenizerFast,
    RobertaConfig,
    RobertaForSequenceClassification,
    RobertaModel,
)

TEXT = """the a fox hen pond bird lane grey ran swam sat flew fell sang slept red blue old young
over under near by and not was never two three . ,"""
WORDS = TEXT.split()
SPECIAL = ("<s>", "<pad>", "</s>", "<unk>")
PAIR = {
    "bert": "<s> $A </s> $B:1 </s>:1",
    "roberta": "<s> $A </s> </s> $B </s>",
}
THREE = ("entailment", "neutral", "contradiction")


def make_tokenizer(shape: str) -> PreTrainedTokenizerFast:
    places = {word: place for place, word in enumerate((*SPECIAL, *WORDS))}
    core = Tokenizer(WordLevel(places, unk_token="<unk>"))
    core.pre_tokenizer = Whitespace()
    special = [("<s>", 0), ("</s>", 2)]
    core.post_processor = TemplateProcessing(
        single="<s> $A </s>", pair=PAIR[shape], special_tokens=special
    )
    types = ["token_type_ids"] if shape == "bert" else []
    return PreTrainedTokenizerFast(
        tokenizer_object=core,
        model_input_names=["input_ids", *types, "attention_mask"],
        bos_token="<s>",
        cls_token="<s>",
        eos_token="</s>",
        sep_token="</s>",
        pad_token="<pad>",
        unk_token="<unk>",
    )


def make_config(shape: str, **more: Any) -> Any:
    kind = BertConfig if shape == "bert" else RobertaConfig
    return kind(
        vocab_size=len(SPECIAL) + len(WORDS),
        hidden_size=32,
        num_hidden_layers=2,
        num_attention_heads=4,
        intermediate_size=64,
        max_position_embeddings=66,
        type_vocab_size=2 if shape == "bert" else 1,
        pad_token_id=1,
        bos_token_id=0,
        eos_token_id=2,
        initializer_range=0.2,
        **more,
    )


def make_encoder(folder: Path, shape: str, *, seed: int = 0) -> Path:
    """A plain encoder, as a base for a shared judge."""
    kind = BertModel if shape == "bert" else RobertaModel
    return _save(folder, shape, kind, make_config(shape), seed)


def make_classifier(
    folder: Path, shape: str, labels: tuple[str, ...] = THREE, *, seed: int = 0, **more: Any
) -> Path:
    """A classifier of pairs whose classes have these names, in this order."""
    kind = BertForSequenceClassification if shape == "bert" else RobertaForSequenceClassification
    names = dict(enumerate(labels))
    places = {name: place for place, name in names.items()}
    config = make_config(shape, num_labels=len(labels), id2label=names, label2id=places, **more)
    return _save(folder, shape, kind, config, seed)


def _save(folder: Path, shape: str, kind: Any, config: Any, seed: int) -> Path:
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        kind(config).save_pretrained(folder)
    make_tokenizer(shape).save_pretrained(folder)
    return folder
