"""Peers that come with .pan files: kept with their marks, carried on, and written as they came."""

from __future__ import annotations

import zipfile
from pathlib import Path
from typing import Any

import pytest

from annotation.corpora.accounts.models import User
from annotation.corpora.jobs.models import JobState
from annotation.corpora.projects.models import Project
from annotation.errors import DomainError
from annotation.units.files import filling, peers
from annotation.units.files import service as files_service
from annotation.units.files.peers import iter_canonical_peers
from annotation.units.files.queries import stream_units
from annotation.units.sets import service as sets_service
from annotation.units.sets import versions
from annotation.units.sets.models import Peer, PeerMark, Unit, UnitSet
from scoring.io.units import (
    PeerAnnotation,
    Pyramid,
    PyramidReader,
    open_units,
    peer_file_name,
    write_pyramid,
)
from scoring.types import ContributorRecord, UnitRecord
from tests import factories
from tests.annotation.corpora.counting import let_lapse
from tests.annotation.units.test_files_refused import problems_of
from tests.annotation.units.writing import (
    FIRST,
    SECOND,
    act,
    add,
    fill,
    freeze,
    make_two_references,
    on,
    run,
)

LEAD = "The dam burst.\nIt rained & poured."
BOTH = (ContributorRecord(0, 0, 13), ContributorRecord(1, 2, 16))
TEXTS = ("The dam burst", "All are safe", "On Monday")


def make_units(key: str) -> tuple[UnitRecord, ...]:
    """Of weight two; with words of its own; a program's, with a weight that only it knows."""
    return (
        UnitRecord(key, TEXTS[0], "scu", 2, BOTH),
        UnitRecord(key, TEXTS[1], "scu", 1, (ContributorRecord(1, 17, 29),)),
        UnitRecord(key, TEXTS[2], "stu", 3, (ContributorRecord(0, 14, 23),), "srl", "1;2"),
    )


def make_pyramid(key: str, name: str) -> Pyramid:
    """The first unit is carried twice, once by words that stand apart; the second is not."""
    found = (((0, 13),), ((4, 7), (8, 13)))
    peer = PeerAnnotation(LEAD, (found, (), (((15, 24),),)), (((27, 33),),), name)
    return Pyramid(key, (FIRST, SECOND), make_units(key), peer)


OLD_HASH = "4fc0ca7a873662fa1cd19a183b125b33915d7619c8ebe9ff86f72df034cd7c9e"
PYRAMIDS = [("e1", "12"), ("e1", "lead"), ("e3", "a/b; c")]


def write_pan(path: Path, *pairs: tuple[str, str]) -> Path:
    with zipfile.ZipFile(path, "w") as out:
        for key, name in pairs:
            text = "".join(write_pyramid(make_pyramid(key, name)))
            out.writestr(peer_file_name(key, name), text)
    return path


def files_of(data: bytes, folder: Path) -> dict[str, bytes]:
    path = folder / "out.zip"
    path.write_bytes(data)
    with zipfile.ZipFile(path) as found:
        return {name: found.read(name) for name in found.namelist()}


def export(unit_set: UnitSet) -> bytes:
    return b"".join(stream_units(unit_set, "pan"))


@pytest.fixture
def two(owner: User, tmp_path: Path) -> Project:
    return make_two_references(owner, tmp_path)


@pytest.fixture
def annotated(two: Project, tmp_path: Path) -> UnitSet:
    return fill(two, write_pan(tmp_path / "peers.zip", *PYRAMIDS), "annotated")


# There and back ------------------------------------------------------------------------------


def test_it_writes_peers_as_they_came_byte_for_byte(annotated: UnitSet, tmp_path: Path):
    came = files_of((tmp_path / "peers.zip").read_bytes(), tmp_path)
    assert files_of(export(annotated), tmp_path) == came
    assert list(came) == ["e1.12.pan", "e1.lead.pan", "e3.a%2Fb; c.pan"]
    units = Unit.objects.filter(set=annotated).order_by("example", "position")
    assert list(units.values_list("weight", flat=True)) == [2, 1, 3] * 2


def test_it_is_the_same_set_on_another_server(annotated: UnitSet, owner: User, tmp_path: Path):
    there = make_two_references(owner, tmp_path, "there")
    there.studio.delete()
    there.refresh_from_db()
    (tmp_path / "sent.zip").write_bytes(export(annotated))
    came = fill(there, tmp_path / "sent.zip")
    assert export(came) == export(annotated)
    assert freeze(came, owner) == freeze(annotated, owner)


FOREIGN = """<peerAnnotation><pyramid>
<text><line>---</line><line>A</line><line>---</line><line></line><line>{first}</line><line></line>
<line>---</line><line>B</line><line>---</line><line>{second}</line></text>
<scu uid="31" label="The dam burst"><contributor label="dam has burst">
<part label="A dam has burst" start="62" end="77"/></contributor>
<contributor label="dam"><part label="dam burst" start="15" end="24"/></contributor></scu>
<scu uid="7" label="Safe" comment="sure?"><contributor label="safe">
<part label="All are safe" start="79" end="91"/></contributor></scu></pyramid>
<annotation><text><line>All are</line><line>safe.</line></text>
<peerscu uid="7" label="(1) Safe"><contributor label="All...safe">
<part label="All" start="0" end="3"/><part label="safe" start="8" end="12"/></contributor></peerscu>
<peerscu uid="0" label="none"/></annotation></peerAnnotation>"""


def read_pan(path: Path) -> Pyramid:
    reader = open_units(path, ids=["e1", "e2", "e3"])
    assert isinstance(reader, PyramidReader)
    with reader.source:
        [pyramid] = reader.pyramids()
    assert not reader.problems.count, reader.problems.first
    return pyramid


def by_reference(pyramid: Pyramid) -> Any:
    """All that a pyramid says, whatever order a unit's contributors are in."""
    units = [
        (unit.text, unit.kind, unit.weight, sorted(map(str, unit.contributors)))
        for unit in pyramid.units
    ]
    return pyramid.key, pyramid.references, units, pyramid.peer


def test_it_keeps_what_others_annotated(two: Project, tmp_path: Path):
    path = tmp_path / "e2.17.pan"
    path.write_text(FOREIGN.format(first=FIRST, second=SECOND))
    foreign = read_pan(path)
    assert foreign.peer == PeerAnnotation("All are\nsafe.", ((), (((0, 3), (8, 12)),)), (), "17")
    path.write_bytes(export(fill(two, path)))
    assert by_reference(read_pan(path)) == by_reference(foreign)


def test_it_finds_words_in_references_of_another_order_and_spacing(two: Project, tmp_path: Path):
    path = tmp_path / "e2.17.pan"
    lines = FOREIGN.format(first=FIRST, second=SECOND)
    for reference, text in enumerate((SECOND, FIRST.replace(". ", ".\n\n "))):
        two.examples.get(key="e2").references.filter(position=reference).update(text=text)
    path.write_text(lines)
    units = Unit.objects.filter(set=fill(two, path)).order_by("position")
    words = [
        [part.reference.text[part.start : part.end] for part in unit.contributors.all()]
        for unit in units
    ]
    assert words == [["A dam has burst", "dam burst"], ["All are safe"]]
    path.write_text(lines.replace("on Monday", "on Tuesday"))
    [(file, _, message)] = problems_of(two, path)
    assert file == "e2.17.pan"
    assert message.startswith("The pyramid of 'e2' has different references.")


# What becomes of them ------------------------------------------------------------------------


def test_it_carries_peers_to_the_next_version(annotated: UnitSet, owner: User, editor: User):
    before, digest = export(annotated), freeze(annotated, owner)
    copy = versions.create_next_version(unit_set=annotated, user=owner)
    assert run(copy.job).state == JobState.DONE
    assert export(copy) == before
    assert freeze(copy, owner) == digest


def test_it_drops_the_marks_of_a_deleted_unit(annotated: UnitSet, owner: User, tmp_path: Path):
    example = annotated.project.examples.get(key="e1")
    first = Unit.objects.get(set=annotated, example=example, text=TEXTS[0])
    act(annotated, example, owner, on(first, "delete"))
    [line, *_] = iter_canonical_peers(annotated)
    assert line == ["peer", "e1", "12", LEAD, ((), (((15, 24),),)), (((27, 33),),)]
    freeze(annotated, owner)
    copy = versions.create_next_version(unit_set=annotated, user=owner)
    run(copy.job)
    assert export(copy) == export(annotated)
    written = files_of(export(copy), tmp_path)
    assert b"(2) The dam burst" not in written["e1.12.pan"]
    assert b"(2) The dam burst" in written["e3.a%2Fb; c.pan"]


@pytest.mark.parametrize(
    "change",
    [
        lambda: Peer.objects.filter(name="12").update(name="13"),
        lambda: Peer.objects.filter(name="12").update(text=LEAD + "!"),
        lambda: PeerMark.objects.filter(unit=None).delete(),
        lambda: PeerMark.objects.filter(position=1).update(spans=[[4, 8]]),
    ],
)
def test_it_hashes_every_part_of_a_peer(change: Any, annotated: UnitSet):
    before = sets_service.content_hash(annotated)
    assert change()
    assert sets_service.content_hash(annotated) != before


def test_it_hashes_sets_without_peers_as_ever(draft: UnitSet, e1: Any, owner: User):
    """The hash of a set frozen before there were peers and versions of extractors."""
    add(draft, e1, owner, "One.")
    assert sets_service.content_hash(draft) == OLD_HASH
    Unit.objects.update(extractor_version="1")
    assert sets_service.content_hash(draft) != OLD_HASH


def test_it_goes_with_its_set(annotated: UnitSet, owner: User):
    sets_service.delete_set(unit_set=annotated, user=owner)
    assert not Peer.objects.exists()
    assert not PeerMark.objects.exists()


class Killed(BaseException):
    """A worker that is gone, without a chance to say so."""


def test_it_goes_on_where_a_killed_worker_stopped(
    two: Project, owner: User, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """In the second of three steps, of the import and of the copy."""
    for module in (filling, peers):
        monkeypatch.setattr(module, "PEERS_A_STEP", 1)
    path = write_pan(tmp_path / "peers.zip", *PYRAMIDS)
    outcome = files_service.import_unit_file(project=two, user=owner, name="a", path=path)
    first = outcome.unit_set
    assert first is not None
    die_once(first, monkeypatch)
    whole = export(first)
    assert set(files_of(whole, tmp_path)) == {peer_file_name(*pair) for pair in PYRAMIDS}
    freeze(first, owner)
    copy = versions.create_next_version(unit_set=first, user=owner)
    die_once(copy, monkeypatch)
    assert export(copy) == whole


def die_once(unit_set: UnitSet, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run a set's job, let the worker die when it writes its second peer, and run it again."""
    insert, calls = peers._insert, []

    def die(*args: Any) -> None:
        insert(*args)
        calls.append(args)
        if len(calls) == 2:
            raise Killed

    with monkeypatch.context() as patched:
        patched.setattr(peers, "_insert", die)
        with pytest.raises(Killed):
            run(unit_set.job)
    assert Peer.objects.filter(set=unit_set).count() == 1
    assert unit_set.job is not None
    let_lapse(unit_set.job)
    assert run(unit_set.job).state == JobState.DONE
    unit_set.refresh_from_db()


# What does not fit ---------------------------------------------------------------------------


def test_it_refuses_peers_of_examples_that_are_not_there(two: Project, tmp_path: Path):
    """One whose pyramid is empty, too, so that no unit names the example."""
    empty = Pyramid("e9", (FIRST, SECOND), (), PeerAnnotation(LEAD, (), (), "12"))
    path = write_pan(tmp_path / "peers.zip", *PYRAMIDS)
    with zipfile.ZipFile(path, "a") as out:
        out.writestr("e9.12.pan", "".join(write_pyramid(empty)))
    assert problems_of(two, path) == [("peers.zip", None, "The project has no example 'e9'.")]
    bad = write_pan(tmp_path / "bad.zip", ("e8", "12"))
    assert problems_of(two, bad)[0][2] == "The project has no example 'e8'."


def test_it_refuses_to_write_peers_that_are_not_there(draft: UnitSet, e1: Any, owner: User):
    add(draft, e1, owner, "One.")
    with pytest.raises(DomainError, match="draft v1 has no peer"):
        stream_units(draft, "pan")


def test_it_refuses_references_that_read_like_headers(owner: User, tmp_path: Path):
    project = factories.make_project(owner, "odd")
    odd = "One.\n-----\nReference 2\n-----\n"
    lines = [factories.example("odd", references=[odd], summaries={})]
    factories.import_corpus(project, factories.write_jsonl(tmp_path / "odd.jsonl", lines))
    unit_set = factories.make_set(project, owner)
    example = project.examples.get()
    add(unit_set, example, owner, "One.")
    Peer.objects.create(set=unit_set, example=example, name="lead", text="One.")
    with pytest.raises(DomainError, match="header"):
        stream_units(unit_set, "pan")
