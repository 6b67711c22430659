"""What is told of a set of labels: how much there is, how far people agreed, system scores."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np

from annotation.evaluation.selectors.whatif import Outcome, score_systems
from scoring.aggregation import Agreement, AgreementReport, LevelAgreement
from scoring.metaeval.annotators import describe_annotators
from scoring.metaeval.raw_judgements import read_judgements


def describe_outcome(outcome: Outcome) -> dict[str, Any]:
    """Plain values, as a label set keeps them and REST tells them."""
    return {
        "counts": count_outcome(outcome),
        "agreement": describe_agreement(outcome.aggregate.agreement),
        "by_system": _by_system(outcome),
        "drops": _drops(outcome),
        "systems": _systems(outcome),
        "annotators": _annotators(outcome),
    }


def _annotators(outcome: Outcome) -> dict[str, Any] | None:
    """What annotators add to the uncertainty of scores, from the answers that count."""
    kept = outcome.collected.answers.keep(outcome.aggregate.kept)
    return describe_annotators(read_judgements(kept)) if len(kept) else None


def count_outcome(outcome: Outcome) -> dict[str, int]:
    answers, made = outcome.collected.answers, outcome.aggregate
    workers = answers.assignment_workers
    return {
        "answers": len(answers),
        "answers_kept": int(outcome.counts.sum()),
        "assignments": len(made.kept),
        "kept": int(made.kept.sum()),
        "dropped": int((~made.kept).sum()),
        "workers": len(np.unique(workers)),
        "workers_kept": len(np.unique(workers[made.kept])),
        "summaries": len(answers.summary_keys),
        "statements": len(outcome.present),
        "labelled": int((outcome.present >= 0).sum()),
        "present": int((outcome.present == 1).sum()),
        "ties": int(made.labels.ties.sum()),
        "expert": int(outcome.expert.sum()),
    }


def describe_agreement(report: AgreementReport) -> dict[str, Any]:
    return {
        "undefined": report.undefined,
        "pooled": _pooled(report.pooled),
        "by_summary": _level(report.by_summary),
        "by_document": _level(report.by_document),
        "by_system": _level(report.by_system),
        "percent": report.percent,
        "fleiss_kappa": report.fleiss_kappa,
    }


def _pooled(found: Agreement) -> dict[str, Any]:
    return {
        "alpha": found.alpha,
        "low": found.low,
        "high": found.high,
        "statements": found.statements,
        "answers": found.answers,
    }


def _level(found: LevelAgreement) -> dict[str, Any]:
    return {
        "alpha": found.mean,
        "low": found.low,
        "high": found.high,
        "groups": found.groups,
        "undefined": found.undefined,
        "untold": found.untold,
    }


def _by_system(outcome: Outcome) -> list[dict[str, Any]]:
    """Alpha within each system; null where no statement of it was answered twice."""
    found = outcome.aggregate.agreement.by_system
    return [
        {"system": name, "alpha": float(found.alphas[code]) if found.counted[code] else None}
        for code, name in enumerate(outcome.collected.answers.system_keys)
    ]


def _drops(outcome: Outcome) -> list[dict[str, Any]]:
    """How many assignments, answers and workers each rule left out."""
    rules = {drop.assignment: drop.rule for drop in outcome.aggregate.drops}
    rules |= {
        code: rule
        for code, (rule, _) in outcome.overrides.reasons.items()
        if outcome.overrides.drop[code]
    }
    answers = outcome.collected.answers
    sizes = answers.assignment_sizes
    assignments: Counter[str] = Counter(rules.values())
    given: Counter[str] = Counter()
    workers: dict[str, set[int]] = {}
    for code, rule in rules.items():
        given[rule] += int(sizes[code])
        workers.setdefault(rule, set()).add(int(answers.assignment_workers[code]))
    return [
        {
            "rule": rule,
            "assignments": assignments[rule],
            "answers": given[rule],
            "workers": len(workers[rule]),
        }
        for rule in sorted(assignments)
    ]


def _systems(outcome: Outcome) -> list[dict[str, Any]]:
    scores = score_systems(outcome)
    answers = outcome.collected.answers
    numbers = np.bincount(answers.summary_systems, minlength=len(answers.system_keys))
    rows = [
        {
            "system": name,
            "score": None if np.isnan(scores[code]) else float(scores[code]),
            "summaries": int(numbers[code]),
        }
        for code, name in enumerate(answers.system_keys)
    ]
    return sorted(rows, key=lambda row: (-(row["score"] or 0), row["system"]))
