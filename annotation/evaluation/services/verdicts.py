"""Verdicts on some summaries: those that are stored, and the judge's on what is missing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np

from annotation.evaluation.models import JudgeIdentity, JudgeRun, StoredVerdict, SummaryPresence
from annotation.evaluation.selectors.run_plan import find_stored
from annotation.evaluation.selectors.run_texts import (
    SummaryText,
    UnitText,
    get_summaries,
    hash_text,
    list_units,
)
from scoring.judge import Judge, Question, Verdict, read_presence
from scoring.judge.scores import weigh

Pair = tuple[bytes, bytes]
FLOAT = np.dtype("<f4")


@dataclass(slots=True)
class Judged:
    """What came of some summaries: rows to write, and how many pairs were known before."""

    verdicts: list[StoredVerdict] = field(default_factory=list)
    presences: list[SummaryPresence] = field(default_factory=list)
    stored: int = 0


def judge_summaries(run: JudgeRun, ids: Sequence[int], judge: Judge) -> Judged:
    """The judge is asked of one summary at a time, about those of its units nobody asked before."""
    assert run.identity is not None
    summaries = get_summaries(ids)
    units = list_units(run.unit_set, {summary.example for summary in summaries})
    known = _read_stored(run.identity, summaries)
    judged = Judged()
    judged.stored = sum(
        (hash_text(summary.text), unit.key) in known
        for summary in summaries
        if not summary.is_empty
        for unit in units[summary.example]
    )
    fresh = _ask(judge, summaries, units, known)
    judged.verdicts = [_row(run.identity, pair, fresh[pair]) for pair in sorted(fresh)]
    known |= fresh
    judged.presences = [_presence(run, row, units[row.example], known) for row in summaries]
    return judged


def _read_stored(identity: JudgeIdentity, summaries: Iterable[SummaryText]) -> dict[Pair, Verdict]:
    keys = sorted({hash_text(summary.text) for summary in summaries})
    fields = ("summary_key", "unit_key", "logits", "sentence")
    return {
        (bytes(summary), bytes(unit)): Verdict(_read_logits(logits, identity.classes), sentence)
        for summary, unit, logits, sentence in find_stored(identity, keys, *fields)
    }


def _read_logits(stored: bytes, classes: int) -> np.ndarray[tuple[int, int], np.dtype[np.float32]]:
    return np.frombuffer(bytes(stored), FLOAT).astype(np.float32).reshape(-1, classes)


def _ask(
    judge: Judge,
    summaries: Iterable[SummaryText],
    units: dict[int, list[UnitText]],
    known: dict[Pair, Verdict],
) -> dict[Pair, Verdict]:
    """Each pair of texts once, though two systems may have written the same."""
    asked: dict[Pair, None] = {}
    questions: list[tuple[bytes, list[UnitText], Question]] = []
    for summary in summaries:
        key = hash_text(summary.text)
        missing = []
        for unit in [] if summary.is_empty else units[summary.example]:
            if (key, unit.key) not in known and (key, unit.key) not in asked:
                asked[(key, unit.key)] = None
                missing.append(unit)
        if missing:
            texts = tuple(unit.text for unit in missing)
            questions.append((key, missing, Question(summary.text, texts)))
    answers = judge.judge([question for _, _, question in questions])
    return {
        (key, unit.key): verdict
        for (key, missing, _), verdicts in zip(questions, answers, strict=True)
        for unit, verdict in zip(missing, verdicts, strict=True)
    }


def _row(identity: JudgeIdentity, pair: Pair, verdict: Verdict) -> StoredVerdict:
    return StoredVerdict(
        identity=identity,
        summary_key=pair[0],
        unit_key=pair[1],
        logits=np.ascontiguousarray(verdict.logits, FLOAT).tobytes(),
        sentence=verdict.sentence,
    )


def _presence(
    run: JudgeRun, summary: SummaryText, units: list[UnitText], known: dict[Pair, Verdict]
) -> SummaryPresence:
    """An empty summary carries nothing."""
    if summary.is_empty:
        values, sentences = [0.0] * len(units), [-1] * len(units)
    else:
        key = hash_text(summary.text)
        verdicts = [known[(key, unit.key)] for unit in units]
        values = [read_presence(run.function, verdict.logits) for verdict in verdicts]
        sentences = [verdict.sentence for verdict in verdicts]
    return SummaryPresence(
        run=run,
        summary_id=summary.pk,
        presence=values,
        sentences=sentences,
        score=weigh(values, [unit.weight for unit in units]),
    )
