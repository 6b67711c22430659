"""The judge that reads: trees over what words, vectors and the reader's network say of a unit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import torch

from scoring.backends.embedded import encode
from scoring.backends.minilm import SHA256
from scoring.backends.reader.groups import CONTRADICTION
from scoring.backends.reader.reading import NAMES, Reads, load_reader, odds, read_question
from scoring.backends.tree_judge import TreeJudge, load_trees
from scoring.judge import cues
from scoring.judge.catalogue import JudgeOptions, Preset
from scoring.judge.frequencies import DocumentFrequencies
from scoring.judge.protocol import Question, Verdict, contradicted_by
from scoring.judge.reading_rows import EMBEDDED, Rows, match_units, weigh_rows
from scoring.judge.soft import Matches
from scoring.sentences import split_sentences

READER = (*EMBEDDED, *NAMES, *cues.NAMES)
# From these odds on, the sentence that is nearest to a unit is said to contradict it.
LEAST_ODDS = 0.0


def load(name: str, preset: Preset | None, options: JudgeOptions) -> ReaderJudge:
    trees, identity = load_trees(name, preset, READER, kind="reader")
    reader = load_reader()
    if options.threads:
        torch.set_num_threads(options.threads)
    told = {**identity.options, "encoder": SHA256[:16], "network": reader.weights[:16]}
    return ReaderJudge(trees, replace(identity, options=told), rows_of)


class ReaderJudge(TreeJudge):
    """Also says which sentence contradicts a unit that isn't present."""

    def _judge(self, question: Question) -> list[Verdict]:
        reads = read_question(question)
        against = odds(reads.logits)[:, CONTRADICTION]
        return [
            replace(verdict, sentence=contradicted_by(place))
            if odd > LEAST_ODDS and verdict.logits[0, 0] <= 0
            else verdict
            for verdict, odd, place in zip(
                super()._judge(question), against, reads.sentences, strict=True
            )
        ]


def rows_of(question: Question, frequencies: DocumentFrequencies | None = None) -> Rows:
    """A row for each unit, in the order of `READER`."""
    return join_rows(question, match_units(question, encode), read_question(question), frequencies)


def join_rows(
    question: Question,
    matches: Sequence[Matches],
    reads: Reads,
    frequencies: DocumentFrequencies | None,
) -> Rows:
    spans = split_sentences(question.summary) or [(0, len(question.summary))]
    said = [
        cues.cue_features(
            question.summary[slice(*spans[min(place, len(spans) - 1)])], question.summary, unit
        )
        for unit, place in zip(question.units, reads.sentences, strict=True)
    ]
    rows = (weigh_rows(question, matches, frequencies), reads.rows, said)
    return np.hstack(rows).astype(np.float32)
