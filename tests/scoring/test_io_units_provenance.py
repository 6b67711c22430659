"""Kind, extractor and version that are told beside a file: they hold where it says nothing."""

from pathlib import Path

import pytest

from scoring.io.units import Provenance
from scoring.types import UnitRecord
from tests.scoring.unit_records import read

SRL = Provenance("stu", "srl", "1.2")


@pytest.mark.parametrize(
    "unit, expected",
    [
        (UnitRecord("a", "x", "stu"), ("srl", "1.2")),
        (UnitRecord("a", "x", "stu", extractor="srl"), ("srl", "1.2")),
        (UnitRecord("a", "x", "stu", extractor="srl", extractor_version="1"), ("srl", "1")),
        (UnitRecord("a", "x", "stu", extractor="amr"), ("amr", "")),
        (UnitRecord("a", "x", "scu"), ("", "")),
    ],
)
def test_it_fills_in_what_a_unit_does_not_say(unit: UnitRecord, expected: tuple[str, str]) -> None:
    filled = SRL.fill(unit)
    assert (filled.extractor, filled.extractor_version) == expected
    assert Provenance().fill(unit) == unit


@pytest.mark.parametrize(
    "said, message",
    [
        ({"kind": "acu"}, "Unknown kind 'acu'. Known: scu, stu."),
        ({"extractor": "a\tb"}, "The extractor's name or version contains U\\+0009."),
        ({"extractor_version": "1"}, "A version needs the name of its extractor."),
    ],
)
def test_it_refuses_what_makes_no_sense(said: dict[str, str], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Provenance(**said)


PYR = '<pyramid><text><line>One.</line></text><scu uid="1" label="x"/>'
FILES = {
    "SCUs.txt": ("x\ty", ["stu", "stu"]),
    "units.jsonl": ('{"id": "a", "units": [{"text": "x"}, {"text": "y", "kind": "scu"}]}', None),
    "units.csv": ("example_id,kind,text\na,,x\na,scu,y\n", None),
    "list.csv": ("eventId,questionText\na,x\n", ["stu"]),
    "a.pyr": (PYR + '<scu uid="2" label="y" comment="kind: scu; weight: 1"/></pyramid>', None),
}


@pytest.mark.parametrize("name", FILES)
def test_it_takes_the_kind_that_is_told_where_the_file_tells_none(
    name: str, tmp_path: Path
) -> None:
    text, kinds = FILES[name]
    (tmp_path / name).write_text(text)
    units, problems = read(tmp_path / name, ids=["a"], kind="stu")
    assert problems == []
    assert [unit.kind for unit in units] == (kinds or ["stu", "scu"])
