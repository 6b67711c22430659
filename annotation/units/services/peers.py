"""Writing peers and their marks: from a file, and from one version of a set to the next."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from annotation.corpora.services.jobs import Work
from annotation.units.models import Peer, PeerMark, Unit, UnitSet
from annotation.units.selectors.peers import get_annotation
from scoring.io.units import Mark, PeerAnnotation

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
