"""Labels that don't seem to be of the units and summaries that they were put to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from annotation.corpora.models import Project, Summary
from annotation.translation import gettext as _
from annotation.translation import gettext_lazy
from annotation.units.models import Unit, UnitSet
from scoring.io import ProblemList
from scoring.io.errors import shown
from scoring.io.labels import ENDING, Row
from scoring.relatedness import Words, content_words, share
from scoring.types import Problem

# Labels of each kind; fewer say nothing.
LEAST = 15
# Units that are present share more of their words with the summary than others, by so much: 0.33
# in REALSumm and 0.39 in PyrXSum, but less than 0.1 if the lines are shifted. Single systems have
# 0.14 at least.
LEAST_GAP, LEAST_OF_SYSTEM = 0.2, 0.05
Shares = dict[int, list[float]]
EXPECTED = gettext_lazy("labels of these summaries, in the order of the examples and their units.")


def find_label_doubts(
    project: Project,
    unit_set: UnitSet,
    examples: Mapping[str, int],
    found: Mapping[str, Mapping[str, Row]],
) -> list[dict[str, Any]]:
    """Where units labelled present share hardly more words with summaries than others do."""
    units = _read_units(unit_set)
    doubts, everything = ProblemList(), _new_shares()
    for system, rows in sorted(found.items()):
        summaries, shares = _read_summaries(project, system), _new_shares()
        for key, row in rows.items():
            pk = examples.get(key, 0)
            if pk in summaries:
                _collect(row, units.get(pk, []), summaries[pk], shares)
        _compare(f"{system}{ENDING}", shares, LEAST_OF_SYSTEM, doubts)
        for label, values in shares.items():
            everything[label] += values
    _compare(_("All files together"), everything, LEAST_GAP, doubts)
    return [asdict(problem) for problem in doubts.first]


def _new_shares() -> Shares:
    return {0: [], 1: []}


def _collect(row: Row, units: list[Words], summary: Words, shares: Shares) -> None:
    for label, words in zip(row, units, strict=False):
        if label is not None and words:
            shares[label].append(share(words, summary))


def _compare(file: str, shares: Shares, least: float, doubts: ProblemList) -> None:
    if min(map(len, shares.values())) < LEAST:
        return
    absent, present = (sum(shares[label]) / len(shares[label]) for label in (0, 1))
    if present - absent < least:
        message = _(
            "Units labelled present share {present:.0%} of their words with the summaries; "
            "units labelled not present share {absent:.0%}."
        ).format(present=present, absent=absent)
        doubts.take(Problem(shown(file), None, message, str(EXPECTED)))


def _read_units(unit_set: UnitSet) -> dict[int, list[Words]]:
    """By example, in the order in which labels go by them."""
    found: dict[int, list[Words]] = {}
    rows = Unit.objects.filter(set=unit_set, is_deleted=False).order_by("position", "pk")
    for example, text in rows.values_list("example_id", "text").iterator(5000):
        found.setdefault(example, []).append(content_words(text))
    return found


def _read_summaries(project: Project, system: str) -> dict[int, Words]:
    rows = Summary.objects.live().filter(system__project=project, system__name=system)
    texts = rows.values_list("example_id", "text").iterator(5000)
    return {example: content_words(text) for example, text in texts}


def find_fitting_set(
    unit_set: UnitSet, examples: Mapping[str, int], found: Mapping[str, Mapping[str, Row]]
) -> UnitSet | None:
    """Another frozen set of the project that has a unit for each of the labels."""
    others = UnitSet.objects.filter(project=unit_set.project).exclude(pk=unit_set.pk)
    for other in others.exclude(content_hash="").order_by("-pk"):
        counts: dict[int, int] = {}
        rows = Unit.objects.filter(set=other, is_deleted=False).order_by()
        for example in rows.values_list("example_id", flat=True):
            counts[example] = counts.get(example, 0) + 1
        if all(
            len(row) == counts.get(examples.get(key, 0), 0)
            for rows_of in found.values()
            for key, row in rows_of.items()
        ):
            return other
    return None
