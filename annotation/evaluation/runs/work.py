"""Verdicts on some summaries: those that are stored, and the judge's on what is missing.

- What came of a run once all its chunks are done: counts, pace, a hash over every value.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from django.db.models import Sum

from annotation.evaluation.runs.models import (
    JudgeIdentity,
    JudgeRun,
    StoredVerdict,
    SummaryPresence,
)
from annotation.evaluation.runs.queries import find_stored, get_run_table
from annotation.evaluation.runs.texts import (
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


@dataclass(frozen=True, slots=True)
class Judged:
    """What came of some summaries: rows to write, and how many pairs were known before."""

    verdicts: list[StoredVerdict]
    presences: list[SummaryPresence]
    stored: int


def judge_summaries(run: JudgeRun, ids: Sequence[int], judge: Judge) -> Judged:
    """The judge is asked of one summary at a time, about those of its units nobody asked before.

    One that reads all units of a summary is asked of all of them, unless all are known. A run that
    wants sentences asks again of pairs that were stored without one; their logits stay.
    """
    assert run.identity is not None
    summaries = get_summaries(ids)
    examples = {summary.example for summary in summaries}
    units = list_units(run.unit_set, examples, in_context=run.identity.reads_context)
    pairs = [_pairs(row, units[row.example]) for row in summaries]
    known = _read_stored(run.identity, summaries)
    enough = _with_sentence(known) if run.options.get("evidence") else known
    fresh = {
        pair: Verdict(known[pair].logits, verdict.sentence) if pair in known else verdict
        for pair, verdict in _ask(judge, summaries, pairs, enough).items()
    }
    rows = [_row(run.identity, pair, fresh[pair]) for pair in sorted(fresh)]
    told = known | fresh
    presences = [_presence(run, row, units[row.example], told) for row in summaries]
    return Judged(rows, presences, stored=sum(pair in enough for row in pairs for pair in row))


def store_verdicts(judged: Judged, *, with_sentences: bool) -> None:
    """Each once; a sentence that was sought may be added to what is stored."""
    if with_sentences:
        StoredVerdict.objects.bulk_create(
            judged.verdicts,
            update_conflicts=True,
            update_fields=["sentence"],
            unique_fields=["identity", "summary_key", "unit_key"],
        )
    else:
        StoredVerdict.objects.bulk_create(judged.verdicts, ignore_conflicts=True)


def _with_sentence(known: dict[Pair, Verdict]) -> dict[Pair, Verdict]:
    return {pair: verdict for pair, verdict in known.items() if verdict.sentence != -1}


def _pairs(summary: SummaryText, units: Sequence[UnitText]) -> dict[Pair, str]:
    """What is judged of a summary, with the units' texts: of an empty one, nothing."""
    key = hash_text(summary.text)
    return {} if summary.is_empty else {(key, unit.key): unit.text for unit in units}


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
    summaries: Sequence[SummaryText],
    pairs: Sequence[dict[Pair, str]],
    known: dict[Pair, Verdict],
) -> dict[Pair, Verdict]:
    """Each pair of texts once, though two systems may have written the same."""
    asked: set[Pair] = set()
    questions: list[tuple[list[Pair], Question]] = []
    for summary, wanted in zip(summaries, pairs, strict=True):
        missing = [pair for pair in wanted if pair not in known and pair not in asked]
        if missing:
            about = list(wanted) if judge.identity.reads_context else missing
            asked.update(about)
            questions.append((about, Question(summary.text, tuple(wanted[pair] for pair in about))))
    answers = judge.judge([question for _, question in questions])
    return {
        pair: verdict
        for (about, _), verdicts in zip(questions, answers, strict=True)
        for pair, verdict in zip(about, verdicts, strict=True)
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


READ_CHUNK = 2000


def describe_results(run: JudgeRun) -> dict[str, Any]:
    """`pairs_per_second` is one worker's, over pairs that had to be judged."""
    sums = run.chunks.aggregate(pairs=Sum("pairs"), stored=Sum("stored"), seconds=Sum("seconds"))
    judged = sums["pairs"] - sums["stored"]
    busy = run.chunks.filter(stored=0).aggregate(pairs=Sum("pairs"), seconds=Sum("seconds"))
    figures: dict[str, Any] = {
        "counts": {**run.counts, "stored": sums["stored"], "judged": judged},
        "seconds": round(sums["seconds"], 3),
        "systems": _systems(run),
    }
    if busy["pairs"] and busy["seconds"]:
        figures["pairs_per_second"] = round(busy["pairs"] / busy["seconds"], 2)
    return figures


def _systems(run: JudgeRun) -> list[dict[str, Any]]:
    """The best first; reckoned here, so that no database adds up in an order of its own."""
    table = get_run_table(run)
    numbers = (~np.isnan(table.scores)).sum(axis=1)
    rows = [
        {"system": name, "score": float(mean), "summaries": int(number)}
        for name, mean, number in zip(table.systems, table.means(), numbers, strict=True)
    ]
    return sorted(rows, key=lambda row: (-row["score"], row["system"]))


def hash_results(run: JudgeRun) -> str:
    """SHA-256 over every value by names: two runs that found the same have the same hash."""
    digest = hashlib.sha256()
    rows = SummaryPresence.objects.filter(run=run).order_by(
        "summary__example__position", "summary__example_id", "summary__system__name"
    )
    fields = ("summary__example__key", "summary__system__name", "presence", "sentences")
    for row in rows.values_list(*fields).iterator(chunk_size=READ_CHUNK):
        line = json.dumps(list(row), ensure_ascii=False, separators=(",", ":"))
        digest.update(line.encode() + b"\n")
    return digest.hexdigest()
