"""Peer summaries that came with a set, and what each of them carries.

- Writing peers and their marks: from a file, and from one version of a set to the next.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from django.db.models import QuerySet

from annotation.corpora.corpus.models import Example, Summary, System
from annotation.corpora.jobs.work import Work
from annotation.units.sets.models import Peer, PeerMark, Unit, UnitSet
from scoring.io.units import Mark, PeerAnnotation

CHUNK = 500


def list_peers(unit_set: UnitSet) -> QuerySet[Peer]:
    """In the order of the corpus, then by name."""
    rows = Peer.objects.filter(set=unit_set).select_related("example").prefetch_related("marks")
    return rows.order_by("example__position", "example_id", "name", "pk")


def get_annotation(peer: Peer, units: Sequence[int]) -> PeerAnnotation:
    """What a peer carries of these units, in their order; marks of other units are left out."""
    marks: dict[int | None, list[Mark]] = {}
    for row in peer.marks.all():
        marks.setdefault(row.unit_id, []).append(_mark(row))
    matches = tuple(tuple(marks.get(unit, ())) for unit in units)
    return PeerAnnotation(peer.text, matches, tuple(marks.get(None, ())), peer.name)


def _mark(row: PeerMark) -> Mark:
    return tuple((start, end) for start, end in row.spans)


def iter_canonical_peers(unit_set: UnitSet) -> Iterator[list[Any]]:
    """What the peers add to what a set is made of: nothing, where there are none."""
    example, units = 0, []
    for peer in list_peers(unit_set).iterator(chunk_size=CHUNK):
        if peer.example_id != example:
            example, units = peer.example_id, _live_ids(unit_set, peer.example_id)
        found = get_annotation(peer, units)
        yield ["peer", peer.example.key, peer.name, peer.text, found.matches, found.unmatched]


def _live_ids(unit_set: UnitSet, example: int) -> list[int]:
    rows = Unit.objects.filter(set=unit_set, example=example, is_deleted=False)
    return list(rows.order_by("position", "pk").values_list("pk", flat=True))


def describe_peers(unit_set: UnitSet, example: Example) -> list[dict[str, Any]]:
    """The peers of an example: what each carries, and the system of that name if there is one."""
    peers = list(list_peers(unit_set).filter(example=example))
    if not peers:
        return []
    live = Unit.objects.filter(set=unit_set, example=example, is_deleted=False)
    units = list(live.order_by("-weight", "position", "pk"))
    named = System.objects.live().filter(
        project=unit_set.project, name__in=[peer.name for peer in peers]
    )
    systems = {system.name: system for system in named}
    summaries = Summary.objects.live().filter(example=example, system__in=systems.values())
    texts = dict(summaries.values_list("system__name", "text"))
    return [
        {
            **_carried(peer, units),
            "name": peer.name,
            "text": peer.text,
            "system": systems.get(peer.name),
            "differs": texts.get(peer.name, peer.text) != peer.text,
        }
        for peer in peers
    ]


def _carried(peer: Peer, units: list[Unit]) -> dict[str, Any]:
    """The units that a peer carries, the heaviest first, with its words for them."""
    found = get_annotation(peer, [unit.pk for unit in units])
    pairs = list(zip(units, found.matches, strict=True))
    carried = [
        {"unit": unit, "words": [_words(peer.text, mark) for mark in marks]}
        for unit, marks in pairs
        if marks
    ]
    return {
        "carried": carried,
        "count": len(units),
        "weight": sum(unit.weight for unit, marks in pairs if marks),
        "most": sum(unit.weight for unit in units),
        "unmatched": [_words(peer.text, mark) for mark in found.unmatched],
    }


def _words(text: str, mark: Mark) -> str:
    return " … ".join(text[start:end] for start, end in mark)


PEERS_A_STEP = 200
# A peer, its example, and the units that its matches go by.
Placed = tuple[int, Sequence[int], PeerAnnotation]


def write_peers(unit_set: UnitSet, chunk: Iterable[tuple[int, PeerAnnotation]]) -> None:
    """Peers by example; their matches go by the units of that example, in order."""
    found = list(chunk)
    units = _units_by_example(unit_set, [example for example, _ in found])
    _insert(unit_set, [(example, units.get(example, []), peer) for example, peer in found])


def copy_peers(work: Work, parent: UnitSet, copy: UnitSet) -> None:
    """The parent's peers with the marks of units that the copy has, too."""
    rows = Peer.objects.filter(set=parent).order_by("pk").prefetch_related("marks")
    while chunk := list(rows.filter(pk__gt=work.cursor.get("peer", 0))[:PEERS_A_STEP]):
        examples = [peer.example_id for peer in chunk]
        before, after = (_units_by_example(each, examples) for each in (parent, copy))
        with work.step():
            _insert(
                copy,
                [
                    (peer.example_id, after.get(peer.example_id, []), get_annotation(peer, units))
                    for peer in chunk
                    for units in [before.get(peer.example_id, [])]
                ],
            )
            work.cursor = {**work.cursor, "peer": chunk[-1].pk}


def _units_by_example(unit_set: UnitSet, examples: list[int]) -> dict[int, list[int]]:
    """Live units in their order: a copy has the same number of them in the same places."""
    rows = Unit.objects.filter(set=unit_set, example__in=examples, is_deleted=False)
    grouped: dict[int, list[int]] = {}
    for example, pk in rows.order_by("position", "pk").values_list("example_id", "pk"):
        grouped.setdefault(example, []).append(pk)
    return grouped


def _insert(unit_set: UnitSet, peers: list[Placed]) -> None:
    rows = Peer.objects.bulk_create(
        Peer(set=unit_set, example_id=example, name=peer.name, text=peer.text)
        for example, _, peer in peers
    )
    PeerMark.objects.bulk_create(
        (
            PeerMark(peer=row, unit_id=unit, position=position, spans=mark)
            for row, (_, units, peer) in zip(rows, peers, strict=True)
            for position, (unit, mark) in enumerate(_marks(units, peer))
        ),
        batch_size=500,
    )


def _marks(units: Sequence[int], peer: PeerAnnotation) -> Iterator[tuple[int | None, Mark]]:
    for unit, marks in zip(units, peer.matches, strict=True):
        yield from ((unit, mark) for mark in marks)
    yield from ((None, mark) for mark in peer.unmatched)
