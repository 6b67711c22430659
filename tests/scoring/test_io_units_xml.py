"""Files of strangers: XML and patterns that would harm are refused, and soon."""

from pathlib import Path

import pytest

from scoring.io.units.pyramid_model import find_references
from tests.scoring.unit_records import read

PYRAMID = "<pyramid><text><line>One.</line></text></pyramid>"


def test_it_reads_plain_xml(tmp_path: Path) -> None:
    (tmp_path / "x.pyr").write_text(PYRAMID)
    assert read(tmp_path / "x.pyr") == ([], [])


LAUGHS = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 12))


@pytest.mark.parametrize(
    "head, message",
    [
        (f'<!DOCTYPE pyramid [<!ENTITY l0 "ha">{LAUGHS}]>', "The file declares the entity 'l0'."),
        ('<!DOCTYPE pyramid [<!ENTITY x SYSTEM "file:///etc/passwd">]>', "The file declares the"),
        (
            '<!DOCTYPE pyramid [<!ENTITY % x SYSTEM "http://example.org/x">%x;]>',
            "The file declares",
        ),
        ('<!DOCTYPE pyramid SYSTEM "http://example.org/x.dtd">', "The document type names another"),
        ('<!DOCTYPE pyramid PUBLIC "-//x" "x.dtd">', "The document type names another file."),
        ('<!DOCTYPE pyramid [<!ATTLIST scu label CDATA "x">]>', "The document type gives the"),
        ("<a>" * 60, "Elements are nested too deeply."),
        ('<?xml version="1.0" encoding="klingon"?>', "Unknown encoding"),
        ("&lol;", "The file is not XML:"),
    ],
)
def test_it_refuses_dangerous_xml(head: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "x.pyr").write_text(head + PYRAMID)
    units, (problem,) = read(tmp_path / "x.pyr")
    assert units == []
    assert problem.message.startswith(message)
    assert problem.line == 1


def test_it_refuses_a_file_that_is_too_large(tmp_path: Path) -> None:
    (tmp_path / "x.pyr").write_bytes(b"<pyramid>" + b" " * 2**22)
    _, (problem,) = read(tmp_path / "x.pyr")
    assert problem.message == "The file is too large."


def test_it_is_not_held_up_by_a_pattern_made_to_last() -> None:
    """Run as they stand, these would not come to an end."""
    text = ("a" * 3000 + "\n") * 100 + "\n" * 100_000
    for pattern in (r"a*a*a*a*a*a*a*a*a*b", r"(a+)+b", "[^b]*" * 20 + "b"):
        with pytest.raises(ValueError, match="startDocumentRegEx"):
            find_references(text, pattern)
