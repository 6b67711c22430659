"""A pyramid as DUC's tools write it, with a peer and without, and what is read of it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from scoring.io import ProblemList
from scoring.io.units import Pyramid, open_units
from scoring.io.units.pyramid_xml import PyramidReader
from scoring.types import ContributorRecord, UnitRecord

DECLARED = """<?xml version="1.0"?>
<!DOCTYPE peerAnnotation [
 <!ELEMENT peerAnnotation (pyramid,annotation)>
 <!ELEMENT line (#PCDATA)>
 <!ATTLIST part label CDATA #REQUIRED
                start CDATA #REQUIRED
                end   CDATA #REQUIRED>

]>
"""
TEXT = """ <text>
  <line>#2</line>
  <line></line>
  <line>-----------------</line>
  <line> D9901-A.M.100.A.A</line>
  <line>-----------------</line>
  <line></line>
  <line>The &quot;old&quot; bridge fell.</line>
  <line>Two cyclists were saved.</line>
  <line></line>
  <line>-----------------</line>
  <line> D9901-A.M.100.A.B</line>
  <line>-----------------</line>
  <line></line>
  <line>A bridge fell &amp; two people swam.</line>
 </text>
"""
HEADERS = r"<startDocumentRegEx><![CDATA[[-]*\n D[0-9]*-[A-Z]\.M\.100\.[A-Z]\.[A-Z]\n[-]*\n]]>"
# The second unit's part runs over a line's end, where DUC's labels lack the newline; the third
# has one contributor with parts in two references, and the last one first.
UNITS = """ <scu uid="7" label="The bridge fell ">
  <contributor label="The &quot;old&quot; bridge fell">
   <part label="The &quot;old&quot; bridge fell" start="60" end="81"/>
  </contributor>
  <contributor label="A bridge fell">
   <part label="A bridge fell" start="165" end="178"/>
  </contributor>
 </scu>
 <scu uid="3" label="It was loud" comment="check this">
  <contributor label="fell.Two cyclists">
   <part label="fell.Two cyclists" start="77" end="95"/>
  </contributor>
 </scu>
 <scu uid="12" label="Two were saved">
  <contributor label="two people...Two cyclists were saved">
   <part label="two people" start="181" end="191"/>
   <part label="Two cyclists were saved" start="83" end="106"/>
  </contributor>
 </scu>
"""
PYRAMID = f"<pyramid>\n{HEADERS}</startDocumentRegEx>\n{TEXT}{UNITS}</pyramid>\n"
PEER = """<annotation>
 <text>
  <line>Near Dresden,</line>
  <line>a bridge fell.</line>
 </text>
 <peerscu uid="12" label="(1) Two were saved">
 </peerscu>
 <peerscu uid="7" label="(2) The bridge fell ">
  <contributor label="a bridge fell">
   <part label="a bridge fell" start="14" end="27"/>
  </contributor>
 </peerscu>
 <peerscu uid="0" label="All non-matching SCUs go here">
  <contributor label="Near Dresden">
   <part label="Near Dresden" start="0" end="12"/>
  </contributor>
 </peerscu>
</annotation>
"""
PAN = f"<peerAnnotation>{PYRAMID}{PEER}</peerAnnotation>"
NEAR, BRIDGE = (0, 12), (14, 27)
REFERENCES = (
    'The "old" bridge fell.\nTwo cyclists were saved.',
    "A bridge fell & two people swam.",
)
EXPECTED = (
    UnitRecord(
        "D9901",
        "The bridge fell ",
        "scu",
        2,
        (ContributorRecord(0, 0, 21), ContributorRecord(1, 0, 13)),
    ),
    UnitRecord("D9901", "It was loud", "scu", 1, (ContributorRecord(0, 17, 35),)),
    UnitRecord(
        "D9901",
        "Two were saved",
        "scu",
        1,
        (ContributorRecord(1, 16, 26), ContributorRecord(0, 23, 46)),
    ),
)


def read_all(path: Path, ids: Sequence[str] = ()) -> tuple[list[Pyramid], ProblemList]:
    reader = open_units(path, ids=ids)
    assert isinstance(reader, PyramidReader)
    return list(reader.pyramids()), reader.problems
