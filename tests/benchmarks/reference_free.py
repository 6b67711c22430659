"""The reference-free metric over REALSumm's 2,500 summaries: each document is encoded once.

And how long a large job would take: rate and memory over all of it, and what that means for 287,250
summaries, 25 systems of CNN/DailyMail's 11,490 test documents.
"""

from __future__ import annotations

import resource
import time

import torch

from scoring.backends import encoders
from scoring.metrics import load_metric
from scoring.metrics.hybrid import cut_sentences
from tests.benchmarks.bertscore import read_corpus
from tests.benchmarks.judging_sample import GIZA_DATA
from tests.benchmarks.report import Figure

LARGE = 287_250


def measure() -> list[Figure]:
    torch.set_num_threads(1)
    encoders.load_signed.cache_clear()
    systems, _ = read_corpus(GIZA_DATA / "realsumm")
    documents = (GIZA_DATA / "realsumm" / "documents.txt").read_text(encoding="utf-8").split("\n")
    summaries = [text for texts in systems for text in texts]
    sources = [[text] for _ in systems for text in documents]
    distinct = {sentence for text in (*summaries, *documents) for sentence in cut_sentences(text)}
    metric = load_metric("reference_free")
    started = time.process_time()
    metric.score(summaries, [], sources)
    used = time.process_time() - started
    runs = encoders.load("minilm", -1, 1).runs
    return [
        Figure("summaries", len(summaries)),
        Figure("distinct sentences", len(distinct)),
        Figure("sentences encoded, of distinct ones", runs / len(distinct), "x", at_most=1.0),
        Figure("summaries in a second of one core", len(summaries) / used),
        Figure(f"hours of one core for {LARGE:,}", LARGE * used / len(summaries) / 3600, "h"),
        Figure(
            "memory at the most", resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, "MB"
        ),
    ]
