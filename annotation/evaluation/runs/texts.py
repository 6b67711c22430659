"""The texts of a run: units by example, summaries in the order in which they are judged.

- The sentence of a summary that convinced a judge, so that a reader can see for themselves.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from annotation.corpora.corpus.models import Example, Summary, System
from annotation.corpora.projects.models import Project
from annotation.errors import DomainError, NotFound
from annotation.units.sets.models import Unit, UnitSet
from scoring.judge.protocol import contradicted_by
from scoring.overlap import coverage
from scoring.sentences import split_sentences

READ_CHUNK = 2000


def hash_text(text: str) -> bytes:
    """What a text is known by among stored verdicts."""
    return _hash(text.encode())


def _hash(data: bytes) -> bytes:
    return hashlib.blake2b(data, digest_size=16).digest()


@dataclass(frozen=True, slots=True)
class UnitText:
    key: bytes
    text: str
    weight: int


@dataclass(frozen=True, slots=True)
class SummaryText:
    pk: int
    example: int
    example_key: str
    system: str
    text: str

    @property
    def is_empty(self) -> bool:
        return not self.text.strip()


def list_units(
    unit_set: UnitSet, examples: Collection[int] | None = None, *, in_context: bool = False
) -> dict[int, list[UnitText]]:
    """The units of each example, in the order that labels and presence values follow.

    For a judge that reads all units of a summary, a unit's key tells its place among them too.
    """
    rows = Unit.objects.filter(set=unit_set, is_deleted=False).order_by("position", "pk")
    if examples is not None:
        rows = rows.filter(example__in=examples)
    found: dict[int, list[UnitText]] = {}
    for example, text, weight in rows.values_list("example_id", "text", "weight"):
        found.setdefault(example, []).append(UnitText(hash_text(text), text, weight))
    return {key: _tie(units) for key, units in found.items()} if in_context else found


def _tie(units: Sequence[UnitText]) -> list[UnitText]:
    company = b"".join(unit.key for unit in units)
    return [
        replace(unit, key=_hash(company + place.to_bytes(4, "big")))
        for place, unit in enumerate(units)
    ]


def list_summaries(unit_set: UnitSet, systems: Sequence[str]) -> Iterator[SummaryText]:
    rows = choose_summaries(unit_set, systems)
    return _read(rows.order_by("example__position", "example_id", "system__name", "pk"))


def choose_summaries(unit_set: UnitSet, systems: Sequence[str]) -> QuerySet[Summary]:
    """Those of examples that have units, by the systems named, or by all."""
    rows = Summary.objects.live().filter(example__in=_examples(unit_set))
    return rows.filter(system__name__in=systems) if systems else rows


def get_summaries(ids: Sequence[int]) -> list[SummaryText]:
    """In the order of their ids as given; one that is gone is left out."""
    found = {row.pk: row for row in _read(Summary.objects.filter(pk__in=ids))}
    return [found[pk] for pk in ids if pk in found]


def _read(rows: QuerySet[Summary]) -> Iterator[SummaryText]:
    fields = ("pk", "example_id", "example__key", "system__name", "text")
    return (SummaryText(*row) for row in rows.values_list(*fields).iterator(READ_CHUNK))


def _examples(unit_set: UnitSet) -> QuerySet[Unit]:
    rows = Unit.objects.filter(set=unit_set, is_deleted=False).order_by()
    return rows.values("example_id").distinct()  # type: ignore[return-value]


def check_systems(project: Project, names: Sequence[str]) -> list[str]:
    """Each once, by name; one that the project lacks is an error."""
    known = set(System.objects.live().filter(project=project).values_list("name", flat=True))
    for name in names:
        if name not in known:
            raise NotFound(
                _("The project has no system '{name}'.").format(name=name),
                _("Choose one of its systems."),
            )
    return sorted(set(names))


def check_unit_set(unit_set: UnitSet, *, in_context: bool = False) -> dict[int, list[UnitText]]:
    """The units by example, if the set is frozen and none is empty."""
    if not unit_set.is_frozen:
        raise DomainError(
            _("{unit_set} is not frozen.").format(unit_set=unit_set),
            _("Freeze it first. A judge needs units that no longer change."),
            fix=unit_set,
        )
    units = list_units(unit_set, in_context=in_context)
    for example, rows in units.items():
        for place, unit in enumerate(rows, 1):
            if not unit.text.strip():
                key = Example.objects.get(pk=example).key
                raise DomainError(
                    _("Unit {place} of example {key} in {unit_set} is empty.").format(
                        place=place, key=key, unit_set=unit_set
                    ),
                    _("Create the next version of the set, and write or delete the unit."),
                )
    return units


@dataclass(frozen=True, slots=True)
class Evidence:
    """A summary cut at the sentence; `is_named` if it was the judge who named it.

    Where the judge names none, it is the sentence with most of the unit's words; no sentence at
    all if none has any. `contradicts`: the judge named it as one that contradicts the unit.
    """

    before: str
    sentence: str
    after: str
    is_named: bool
    contradicts: bool = False


def find_evidence(summary: str, unit: str, place: int) -> Evidence:
    spans = split_sentences(summary)
    contradicts = place < -1
    place = contradicted_by(place) if contradicts else place
    is_named = 0 <= place < len(spans)
    chosen = place if is_named else _nearest([summary[a:b] for a, b in spans], unit)
    if chosen is None:
        return Evidence(summary, "", "", False)
    start, end = spans[chosen]
    return Evidence(
        summary[:start], summary[start:end], summary[end:], is_named, is_named and contradicts
    )


def _nearest(sentences: Sequence[str], unit: str) -> int | None:
    """The first of those that have the largest share of the unit's words."""
    shares = [coverage(sentence, unit) for sentence in sentences]
    best = max(shares, default=0.0)
    return shares.index(best) if best else None
