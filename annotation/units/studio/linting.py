"""What the linter says of an example's units, as far as a page can wait for it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.utils.translation import gettext as _

from annotation.corpora.corpus.models import Example, Reference
from annotation.corpora.corpus.queries import list_references
from annotation.units.sets.models import Unit, UnitSet
from annotation.units.sets.queries import get_settings
from scoring.linting import LintWarning, lint_example, lint_unit
from scoring.overlap import tokenize

# Each unit is compared with every other one, and with every sentence of the references. Beyond
# this, one page would occupy the server for minutes.
MOST_UNITS = 200
MOST_TOKENS = 50_000


def lint(
    unit_set: UnitSet, references: list[Reference], units: list[Unit]
) -> dict[str, list[dict[str, Any]]]:
    """Warnings by unit id, and under "example" those about the whole."""
    return find_warnings(references, units, get_settings(unit_set.project).disabled_rules)


def find_warnings(
    references: list[Reference], units: list[Unit], disabled: Sequence[str]
) -> dict[str, list[dict[str, Any]]]:
    live = [unit for unit in units if not unit.is_deleted]
    sentences = _sentences(references)
    if refusal := _find_excess(sentences, len(live), len(live)):
        return {**{str(unit.pk): [] for unit in live}, "example": [_warning(refusal)]}
    found: dict[str, list[dict[str, Any]]] = {}
    for unit in live:
        others = [other.text for other in live if other.pk != unit.pk]
        warnings = lint_unit(
            unit.text, reference_sentences=sentences, others=others, disabled=disabled
        )
        found[str(unit.pk)] = [_warning(warning) for warning in warnings]
    whole = lint_example(
        [unit.text for unit in live],
        reference_sentences=sentences,
        spans_by_sentence=_spans_by_sentence(references, live),
        disabled=disabled,
    )
    found["example"] = [_warning(warning) for warning in whole]
    return found


def _sentences(references: list[Reference]) -> list[str]:
    return [
        reference.text[row.start : row.end]
        for reference in references
        for row in reference.sentences.all()
    ]


def lint_text(
    unit_set: UnitSet, example: Example, text: str, unit: int | None
) -> list[dict[str, Any]]:
    """What the linter says of a text that is being typed, as if it were the unit's."""
    sentences = _sentences(list_references(example))
    rows = Unit.objects.filter(set=unit_set, example=example, is_deleted=False)
    others = list(rows.exclude(pk=unit or 0).values_list("text", flat=True))
    if refusal := _find_excess(sentences, 1, len(others)):
        return [_warning(refusal)]
    warnings = lint_unit(
        text,
        reference_sentences=sentences,
        others=others,
        disabled=get_settings(unit_set.project).disabled_rules,
    )
    return [_warning(warning) for warning in warnings]


def _find_excess(sentences: Sequence[str], units: int, others: int) -> LintWarning | None:
    """Why these texts are not checked, if they are too many."""
    if max(units, others) > MOST_UNITS:
        message = _(
            "{units:,} units are too many for the linter. The limit is {most_units}."
        ).format(units=max(units, others), most_units=MOST_UNITS)
    elif units * sum(len(tokenize(text)) for text in sentences) > MOST_TOKENS:
        message = _(
            "These texts are too long for the linter: {units:,} units times the tokens of the "
            "references exceed {most_tokens:,}."
        ).format(units=units, most_tokens=MOST_TOKENS)
    else:
        return None
    return LintWarning("too-many-units", message)


def _spans_by_sentence(
    references: list[Reference], units: list[Unit]
) -> list[list[tuple[int, int]]]:
    """For each sentence, the ranges of its own text that some unit stands on."""
    spans = [span for unit in units for span in unit.contributors.all()]
    return [
        [
            (max(span.start, row.start) - row.start, min(span.end, row.end) - row.start)
            for span in spans
            if span.reference_id == reference.pk and span.start < row.end and span.end > row.start
        ]
        for reference in references
        for row in reference.sentences.all()
    ]


def _warning(warning: Any) -> dict[str, Any]:
    return {
        "rule": warning.rule,
        "message": warning.message,
        "start": warning.start,
        "end": warning.end,
    }
