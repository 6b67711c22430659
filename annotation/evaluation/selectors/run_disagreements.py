"""Statements on which a run and people differ, the surest first, with what an expert said since."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

import numpy as np

from annotation.corpora.models import Summary
from annotation.evaluation.models import (
    Adjudication,
    JudgeRun,
    LabelSet,
    SummaryLabels,
    SummaryPresence,
)
from annotation.evaluation.selectors.answers import list_adjudications
from annotation.evaluation.selectors.run_evidence import Evidence, find_evidence
from annotation.evaluation.selectors.run_people import THRESHOLD, Codes, Pairs
from annotation.units.models import Unit, UnitSet


@dataclass(frozen=True, slots=True)
class Disagreement:
    """`value` is the judge's, `label` people's; `votes` how many said absent and present."""

    summary: Summary
    unit: Unit
    value: float
    label: int
    votes: list[int]
    evidence: Evidence
    adjudication: Adjudication | None

    @property
    def key(self) -> str:
        return f"{self.summary.pk}-{self.unit.pk}"

    @property
    def sides_with_judge(self) -> bool | None:
        """Whom an expert has borne out; None while nobody was asked, and where they agree."""
        if self.adjudication is None or self.agree:
            return None
        return self.adjudication.present != (self.label == 1)

    @property
    def agree(self) -> bool:
        """Whether judge and people said the same."""
        return (self.value > THRESHOLD) == (self.label == 1)

    @property
    def sides_with_both(self) -> bool:
        """Whether an expert has borne out both."""
        settled = self.adjudication
        return settled is not None and self.agree and settled.present == (self.label == 1)


def rank_disagreements(
    unit_set: UnitSet, pairs: Pairs, show: str = "open", system: str = ""
) -> Codes:
    """Codes of pairs: where the judge is surest of the opposite first, then as in the corpus."""
    wanted = pairs.disagree.copy()
    if system:
        codes = [code for code, name in enumerate(pairs.names) if name == system]
        wanted &= np.isin(pairs.systems, codes)
    if show != "all":
        wanted &= is_settled(unit_set, pairs) == (show == "settled")
    order = np.argsort(-pairs.gaps, kind="stable")
    return order[wanted[order]]


def is_settled(unit_set: UnitSet, pairs: Pairs) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """Of each pair, whether an expert has settled it."""
    rows = list_adjudications(unit_set).values_list("summary_id", "unit_id", "summary__example_id")
    settled = list(rows)
    units = list_unit_ids(unit_set, {example for _, _, example in settled})
    keys = {
        (summary, units[example].index(unit))
        for summary, unit, example in settled
        if unit in units[example]
    }
    found = [
        key in keys for key in zip(pairs.summaries.tolist(), pairs.places.tolist(), strict=True)
    ]
    return np.array(found, dtype=bool)


def list_unit_ids(unit_set: UnitSet, examples: set[int]) -> dict[int, list[int]]:
    """The units of these examples, in the order that presence values follow."""
    rows = Unit.objects.filter(set=unit_set, is_deleted=False, example__in=examples)
    found: dict[int, list[int]] = defaultdict(list)
    for example, pk in rows.order_by("position", "pk").values_list("example_id", "pk"):
        found[example].append(pk)
    return found


def list_disagreements(
    run: JudgeRun, label_set: LabelSet, pairs: Pairs, codes: Codes
) -> list[Disagreement]:
    """The statements of one page, with the sentence behind each."""
    ids = {int(pairs.summaries[code]) for code in codes}
    summaries = Summary.objects.select_related("system", "example").in_bulk(ids)
    order = list_unit_ids(run.unit_set, {row.example_id for row in summaries.values()})
    units = Unit.objects.in_bulk([pk for row in order.values() for pk in row])
    votes = dict(
        SummaryLabels.objects.filter(label_set=label_set, summary__in=ids).values_list(
            "summary_id", "votes"
        )
    )
    sentences = dict(
        SummaryPresence.objects.filter(run=run, summary__in=ids).values_list(
            "summary_id", "sentences"
        )
    )
    settled = {
        (row.summary_id, row.unit_id): row
        for row in list_adjudications(run.unit_set).filter(summary__in=ids)
    }
    found = []
    for code in codes:
        summary = summaries[int(pairs.summaries[code])]
        place = int(pairs.places[code])
        unit = units[order[summary.example_id][place]]
        counted = votes.get(summary.pk) or []
        found.append(
            Disagreement(
                summary,
                unit,
                float(pairs.values[code]),
                int(pairs.labels[code]),
                counted[place] if counted else [],
                find_evidence(summary.text, unit.text, sentences[summary.pk][place]),
                settled.get((summary.pk, unit.pk)),
            )
        )
    return found
