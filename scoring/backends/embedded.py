"""The embedded default judge: words, and MiniLM's vectors of each word in its context."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

import torch

from scoring.backends.minilm import SHA256, load_encoder
from scoring.backends.tree_judge import TreeJudge, load_trees
from scoring.judge.catalogue import JudgeOptions, Preset
from scoring.judge.frequencies import DocumentFrequencies
from scoring.judge.protocol import Question
from scoring.judge.reading_rows import EMBEDDED, Rows, embedded_rows
from scoring.judge.readings import read_text
from scoring.judge.soft import Vectors

KEPT = 128  # texts whose vectors are kept: units and summaries of an example are judged together


def load(name: str, preset: Preset | None, options: JudgeOptions) -> TreeJudge:
    trees, identity = load_trees(name, preset, EMBEDDED, kind="embedded")
    load_encoder()
    if options.threads:
        torch.set_num_threads(options.threads)
    return TreeJudge(
        trees, replace(identity, options={**identity.options, "encoder": SHA256[:16]}), rows_of
    )


def rows_of(question: Question, frequencies: DocumentFrequencies | None = None) -> Rows:
    """A row for each unit; every text is encoded once, however many pairs it is in."""
    return embedded_rows(question, encode, frequencies)


@lru_cache(maxsize=KEPT)
def encode(text: str) -> Vectors:
    return load_encoder().encode(text, read_text(text, None).spans)
