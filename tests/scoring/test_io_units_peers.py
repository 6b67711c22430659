"""Peers of pyramid files: whose they are, what they carry, and what does not go together."""

from pathlib import Path

import pytest

from scoring.io.units import PeerAnnotation, Pyramid, peer_file_name, write_pyramid
from tests.scoring.pyramids import BRIDGE, DECLARED, EXPECTED, NEAR, PAN, PEER, PYRAMID, read_all
from tests.scoring.unit_records import read


def test_it_reads_a_peer_annotation(tmp_path: Path) -> None:
    data = f"{DECLARED}<peerAnnotation>\n{PYRAMID}{PEER}</peerAnnotation>\n"
    (tmp_path / "D9901.pan").write_text(data)
    (pyramid,), problems = read_all(tmp_path / "D9901.pan")
    assert problems.first == []
    assert pyramid.units == EXPECTED
    assert pyramid.peer == PeerAnnotation(
        "Near Dresden,\na bridge fell.", (((BRIDGE,),), (), ()), ((NEAR,),)
    )


@pytest.mark.parametrize(
    "file, expected",
    [
        ("D1.pan", ("D1", "peer")),
        ("D1.12.pan", ("D1", "12")),
        ("D1-A_bart-large.pan", ("D1-A", "bart-large")),
        ("D1-B.x.pan", ("D1", "B.x")),
        ("lead/D1.pan", ("D1", "lead")),
        ("D1..pan", ("D1.", "peer")),
        ("other.12.pan", ("other.12", "peer")),
    ],
)
def test_it_names_examples_and_peers_by_their_files(
    file: str, expected: tuple[str, str], tmp_path: Path
) -> None:
    (tmp_path / file).parent.mkdir(exist_ok=True)
    (tmp_path / file).write_text(PAN)
    (tmp_path / "D1.pyr").write_text(PYRAMID)
    pyramids, problems = read_all(tmp_path, ["D1", "D1-A"])
    assert problems.first == []
    assert [(it.key, it.peer.name) for it in pyramids if it.peer] == [expected]


def test_it_takes_the_name_of_a_peer_from_the_file_itself(tmp_path: Path) -> None:
    peer = PeerAnnotation("Here.", (), (), "a; peer: b/c")
    pyramid = Pyramid("D%1; x/y", ("One.",), (), peer)
    assert peer_file_name("D%1; x/y", peer.name) == "D%251; x%2Fy.a; peer: b%2Fc.pan"
    (tmp_path / "copy (1).pan").write_text("".join(write_pyramid(pyramid)))
    assert read_all(tmp_path, ["copy"])[0] == [pyramid]


@pytest.mark.parametrize(
    "file, data, message",
    [
        ("D1.b.pan", "loud", "Example 'D1' has a different pyramid in D1.a.pan."),
        ("a/D1.pan", "", "The peer 'a' of 'D1' is already in D1.a.pan."),
        ("D1." + "x" * 201 + ".pan", "", "The peer's name has 201 characters."),
    ],
)
def test_it_refuses_peers_that_do_not_go_together(
    file: str, data: str, message: str, tmp_path: Path
) -> None:
    (tmp_path / "D1.a.pan").write_text(PAN)
    (tmp_path / file).parent.mkdir(exist_ok=True)
    (tmp_path / file).write_text(PAN.replace("It was loud", "It was quiet") if data else PAN)
    units, (problem,) = read(tmp_path, ids=["D1"])
    assert len(units) == 3
    assert problem.message == message


def test_it_keeps_contributors_of_a_peer_apart(tmp_path: Path) -> None:
    split = '<part label="Near" start="0" end="4"/>\n   <part label="Dresden" start="5" end="12"/>'
    whole = '<part label="Near Dresden" start="0" end="12"/>'
    (tmp_path / "D1.pan").write_text(PAN.replace(whole, split))
    [pyramid], _ = read_all(tmp_path)
    assert pyramid.peer is not None
    assert pyramid.peer.unmatched == (((0, 4), (5, 12)),)


@pytest.mark.parametrize("where", ['start="14" end="29"', 'start="14" end="14"'])
def test_it_refuses_a_part_beyond_the_peer(where: str, tmp_path: Path) -> None:
    old = 'label="a bridge fell" start="14" end="27"'
    (tmp_path / "x.pan").write_text(PAN.replace(old, f'label="" {where}'))
    _, (problem,) = read(tmp_path / "x.pan")
    assert "is outside its text" in problem.message


@pytest.mark.parametrize(
    "old, new",
    [('<peerscu uid="12"', '<peerscu uid="99"'), ('<peerscu uid="12"', '<peerscu uid="7"')],
)
def test_it_refuses_a_peer_of_another_pyramid(old: str, new: str, tmp_path: Path) -> None:
    data = f"<peerAnnotation>{PYRAMID}{PEER.replace(old, new)}</peerAnnotation>"
    (tmp_path / "x.pan").write_text(data)
    _, (problem,) = read(tmp_path / "x.pan")
    assert problem.expected == "the uid of each <scu>, once."


def test_it_reads_back_what_it_wrote_of_a_foreign_file(tmp_path: Path) -> None:
    data = f"{DECLARED}<peerAnnotation>\n{PYRAMID}{PEER}</peerAnnotation>\n"
    (tmp_path / "D9901.pan").write_text(data)
    (pyramid,), _ = read_all(tmp_path / "D9901.pan")
    (tmp_path / "D9901.pan").write_text("".join(write_pyramid(pyramid)))
    (again,), problems = read_all(tmp_path / "D9901.pan")
    assert (again, problems.first) == (pyramid, [])
