"""The sentences of references, and which of them each unit of a set stands on."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field

from django.db.models import F

from annotation.corpora.models import Project, Sentence
from annotation.errors import DomainError
from annotation.translation import gettext as _
from annotation.units.models import Contributor, Unit, UnitKind, UnitSet
from scoring.easiness.gold import align_scus

READ_CHUNK = 2000


@dataclass(frozen=True, slots=True)
class SentenceText:
    pk: int
    text: str


@dataclass(slots=True)
class ExampleTexts:
    """An example's sentences, over all its references."""

    key: str
    sentences: list[SentenceText] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class PlacedUnits:
    """Texts of units in their order, and the place of the sentence that each belongs to."""

    texts: tuple[str, ...] = ()
    places: tuple[int, ...] = ()

    def of(self, place: int) -> tuple[int, ...]:
        return tuple(unit for unit, own in enumerate(self.places) if own == place)


def read_sentences(
    project: Project, examples: Collection[int] | None = None
) -> dict[int, ExampleTexts]:
    """By example, in the order of the corpus; sentences by reference."""
    rows = Sentence.objects.filter(reference__example__project=project)
    if examples is not None:
        rows = rows.filter(reference__example__in=examples)
    fields = (
        "reference__example_id",
        "reference__example__key",
        "pk",
        "start",
        "end",
        "reference__text",
    )
    ordered = rows.order_by(
        "reference__example__position",
        "reference__example_id",
        "reference__position",
        "position",
    )
    found: dict[int, ExampleTexts] = {}
    for example, key, pk, start, end, text in ordered.values_list(*fields).iterator(READ_CHUNK):
        own = found.setdefault(example, ExampleTexts(key))
        own.sentences.append(SentenceText(pk, text[start:end]))
    return found


def place_units(unit_set: UnitSet, texts: dict[int, ExampleTexts]) -> dict[int, PlacedUnits]:
    """By the words that a unit stands on; where nobody has named them, by those it shares."""
    named = _named_sentences(unit_set)
    found: dict[int, PlacedUnits] = {}
    for example, units in _units_by_example(unit_set, texts):
        sentences = texts[example].sentences
        known = {row.pk: place for place, row in enumerate(sentences)}
        words = align_scus([row.text for row in sentences], [text for __, text in units])
        places = [
            known.get(named.get(pk, 0), by_words)
            for (pk, __), by_words in zip(units, words, strict=True)
        ]
        found[example] = PlacedUnits(tuple(text for __, text in units), tuple(places))
    return found


def _units_by_example(
    unit_set: UnitSet, texts: dict[int, ExampleTexts]
) -> Iterator[tuple[int, list[tuple[int, str]]]]:
    rows = Unit.objects.filter(set=unit_set, is_deleted=False).order_by(
        "example_id", "position", "pk"
    )
    heavy = rows.exclude(weight=1).select_related("example").first()
    if heavy is not None:
        raise DomainError(
            _("A unit of example {example} in {unit_set} weighs {weight}.").format(
                example=heavy.example.key, unit_set=unit_set, weight=heavy.weight
            ),
            _("Curves need units of weight 1. Choose a set of unmerged units."),
        )
    units: dict[int, list[tuple[int, str]]] = {}
    for pk, example, text in rows.values_list("pk", "example_id", "text").iterator(READ_CHUNK):
        units.setdefault(example, []).append((pk, text))
    for example, own in units.items():
        if example in texts:
            yield example, own


def _named_sentences(unit_set: UnitSet) -> dict[int, int]:
    """The sentence that most of each unit's words lie in, where they are named."""
    rows = Contributor.objects.filter(
        unit__set=unit_set, unit__is_deleted=False, sentence__isnull=False
    ).order_by("unit_id", F("start") - F("end"), "start", "pk")
    found: dict[int, int] = {}
    for unit, sentence in rows.values_list("unit_id", "sentence_id").iterator(READ_CHUNK):
        found.setdefault(unit, sentence)
    return found


def has_stus(unit_set: UnitSet) -> bool:
    return Unit.objects.filter(set=unit_set, is_deleted=False, kind=UnitKind.STU).exists()
