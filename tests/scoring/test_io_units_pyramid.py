"""Pyramid files of DUC and TAC: read as they are, written as their tools write them."""

import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.io.units import PeerAnnotation, Pyramid, write_pyramid
from scoring.io.units.pyramid_model import join_references
from scoring.types import ContributorRecord, UnitRecord
from tests.scoring.pyramids import EXPECTED, HEADERS, PYRAMID, REFERENCES, read_all
from tests.scoring.unit_records import TEXTS, read


def test_it_reads_a_pyramid(tmp_path: Path) -> None:
    (tmp_path / "D9901.pyr").write_text(PYRAMID)
    (pyramid,), problems = read_all(tmp_path / "D9901.pyr")
    assert problems.first == []
    assert pyramid == Pyramid("D9901", REFERENCES, EXPECTED)
    first, second, third = (
        [pyramid.references[it.reference][it.start : it.end] for it in unit.contributors]
        for unit in pyramid.units
    )
    assert first == ['The "old" bridge fell', "A bridge fell"]
    assert second == ["fell.\nTwo cyclists"]
    assert third == ["two people", "Two cyclists were saved"]


def test_it_reads_many_files_and_names_each_example_by_its_file(tmp_path: Path) -> None:
    for name in ("peers/D1.pyr", "D2.pyr", "D2.pan"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(PYRAMID)
    units, problems = read(tmp_path)
    assert [unit.key for unit in units] == ["D2"] * 3 + ["D1"] * 3
    assert problems == []


@pytest.mark.parametrize(
    "pattern",
    [
        "",
        r"<startDocumentRegEx>-+\n D\d{4}-[A-Z]\.M.*\n-{3,}\n</startDocumentRegEx>",
        "<startDocumentRegEx>(-+\\n)+x|y</startDocumentRegEx>",
        "<startDocumentRegEx>[z-a]\\n</startDocumentRegEx>",
        "<startDocumentRegEx>=====</startDocumentRegEx>",
        "<startDocumentRegEx>=*</startDocumentRegEx>",
    ],
)
def test_it_finds_the_references_of_duc_whatever_the_pattern(pattern: str, tmp_path: Path) -> None:
    data = PYRAMID.replace(f"{HEADERS}</startDocumentRegEx>", pattern)
    (tmp_path / "D9901.pyr").write_text(data)
    (pyramid,), problems = read_all(tmp_path / "D9901.pyr")
    assert problems.first == []
    assert pyramid.references == REFERENCES


def test_it_takes_a_text_without_headers_for_one_reference(tmp_path: Path) -> None:
    (tmp_path / "x.pyr").write_text("<pyramid><text><line> One. </line><line/></text></pyramid>")
    (pyramid,), _ = read_all(tmp_path / "x.pyr")
    assert pyramid.references == ("One.",)


@pytest.mark.parametrize(
    "old, new",
    [
        ('start="165" end="178"', 'start="0" end="9"'),
        ('start="60" end="81"', 'start="60" end="80"'),
        ('start="60" end="81"', 'start="59" end="81"'),
        ('start="60" end="81"', 'start=" 60 " end="81 "'),
        ('label="two people" start', 'label="" start'),
        ("[-]*\\n D", "[=]+\\n D"),
    ],
)
def test_it_takes_what_is_odd_but_clear(old: str, new: str, tmp_path: Path) -> None:
    assert old in PYRAMID
    (tmp_path / "D9901.pyr").write_text(PYRAMID.replace(old, new))
    (pyramid,), problems = read_all(tmp_path / "D9901.pyr")
    assert (pyramid.units, problems.first) == (EXPECTED, [])


@pytest.mark.parametrize(
    "old, new, message",
    [
        ("<pyramid>", "<tower>", "The file is not XML: mismatched tag."),
        ("pyramid>", "tower>", "The root element is <tower>."),
        ("text>", "words>", "<pyramid> has no <text>."),
        (' label="It was loud"', "", "A <scu> has no 'label'."),
        (' start="60"', "", "A <part> has no 'start'."),
        ('start="60"', 'start="-1"', "The start of a part is '-1'."),
        (
            'label="two people" start="181"',
            'label="fell" start="181"',
            "The part 181–191 has the text",
        ),
        (
            'label="Two cyclists were saved" start="83" end="106"',
            'label="" start="100" end="170"',
            "The part 100–170 (' saved.",
        ),
        ("It was loud", " ", "In example 'D9901', a unit is empty."),
        ("-----------------", "=====", "The startDocumentRegEx '[-]*\\\\n D[0-9]*"),
    ],
)
def test_it_says_what_is_wrong(old: str, new: str, message: str, tmp_path: Path) -> None:
    assert old in PYRAMID
    (tmp_path / "D9901.pyr").write_text(PYRAMID.replace(old, new))
    units, (problem,) = read(tmp_path / "D9901.pyr")
    assert units == []
    assert problem.message.startswith(message)
    assert problem.file == "D9901.pyr"


def test_it_refuses_a_reference_that_reads_like_a_header() -> None:
    with pytest.raises(ValueError, match="look like the header"):
        join_references(["One.\n-----\nReference 7\n-----\nTwo."])


@pytest.mark.parametrize(
    "pyramid, message",
    [
        (
            Pyramid(
                "a", ("One.",), (UnitRecord("a", "x", "scu", 1, (ContributorRecord(1, 0, 1),)),)
            ),
            "a unit of example 'a' names reference 1",
        ),
        (
            Pyramid("a", ("One.",), (), PeerAnnotation("One.", ((),))),
            "0 units, but matches of 1",
        ),
    ],
)
def test_it_refuses_to_write_what_does_not_fit(pyramid: Pyramid, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        list(write_pyramid(pyramid))


def test_it_writes_weight_and_kind_where_the_elements_do_not_say_them() -> None:
    units = (UnitRecord("a", "x"), UnitRecord("a", "y", "stu", 3, (), "srl <1>", "2;1"))
    written = "".join(write_pyramid(Pyramid("a", ("One.",), units)))
    assert ' <scu uid="1" label="x">\n' in written
    assert 'comment="kind: stu; weight: 3; version: 2%3B1; extractor: srl &lt;1&gt;"' in written


def test_it_keeps_offsets_where_xml_has_no_such_character(tmp_path: Path) -> None:
    unit = UnitRecord("x", "y", "scu", 1, (ContributorRecord(0, 2, 5),))
    written = "".join(write_pyramid(Pyramid("x", ("a\x00b\x0cc",), (unit,))))
    (tmp_path / "x.pyr").write_text(written)
    (pyramid,), _ = read_all(tmp_path / "x.pyr")
    assert pyramid == Pyramid("x", ("a\ufffdb\ufffdc",), (unit,))


REFERENCE = st.text(
    st.one_of(
        st.sampled_from("-\n\r\t <>&\"'Ré"),
        st.characters(
            min_codepoint=32, exclude_categories=["Cs"], exclude_characters="\ufffe\uffff"
        ),
    ),
    min_size=1,
    max_size=40,
)


@st.composite
def pyramids(draw: st.DrawFn) -> Pyramid:
    references = draw(st.lists(REFERENCE, min_size=1, max_size=3))
    units = []
    for text in draw(st.lists(TEXTS, max_size=4)):
        parts = []
        for number in draw(st.lists(st.integers(0, len(references) - 1), max_size=3)):
            start = draw(st.integers(0, len(references[number]) - 1))
            end = draw(st.integers(start + 1, len(references[number])))
            parts.append(ContributorRecord(number, start, end))
        kind, weight = draw(st.sampled_from(["scu", "stu"])), draw(st.integers(1, 5))
        by, version = (draw(st.one_of(st.just(""), TEXTS)) for _ in range(2))
        units.append(UnitRecord("x", text, kind, weight, tuple(parts), by, version))
    spans = st.tuples(st.integers(0, 3), st.integers(4, 6))
    marks = st.lists(st.lists(spans, min_size=1, max_size=2).map(tuple), max_size=2).map(tuple)
    matches = tuple(draw(marks) for _ in units)
    peer = PeerAnnotation("A peer\nhere.", matches, draw(marks), draw(TEXTS))
    return Pyramid("x", tuple(references), tuple(units), draw(st.sampled_from([None, peer])))


@given(pyramids())
def test_it_reads_back_what_it_wrote(pyramid: Pyramid) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / ("x.pan" if pyramid.peer else "x.pyr")
        path.write_bytes("".join(write_pyramid(pyramid)).encode())
        (again,), problems = read_all(path)
    assert problems.first == []
    assert again == pyramid
