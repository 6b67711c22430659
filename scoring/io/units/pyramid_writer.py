"""Write pyramids as the tools of DUC and TAC do, so that those can open them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby
from xml.sax.saxutils import escape, quoteattr

from scoring.errors import InputError
from scoring.io.units.pyramid_model import (
    OWN_HEADER,
    Mark,
    PeerAnnotation,
    Pyramid,
    join_references,
)
from scoring.io.units.pyramid_names import peer_comment, unit_comment
from scoring.translation import gettext as _
from scoring.types import ContributorRecord, Span, UnitRecord

_PYRAMID_TYPE = """\
 <!ELEMENT pyramid (startDocumentRegEx?,text,scu*)>
 <!ELEMENT startDocumentRegEx (#PCDATA)>
 <!ELEMENT text (line*)>
 <!ELEMENT line (#PCDATA)>
 <!ELEMENT scu (contributor)*>
 <!ATTLIST scu uid CDATA #REQUIRED label CDATA #REQUIRED comment CDATA #IMPLIED>
 <!ELEMENT contributor (part)+>
 <!ATTLIST contributor label CDATA #REQUIRED comment CDATA #IMPLIED>
 <!ELEMENT part EMPTY>
 <!ATTLIST part label CDATA #REQUIRED start CDATA #REQUIRED end CDATA #REQUIRED>
"""
_PEER_TYPE = """\
 <!ELEMENT peerAnnotation (pyramid,annotation)>
 <!ELEMENT annotation (text,peerscu+)>
 <!ELEMENT peerscu (contributor)*>
 <!ATTLIST peerscu uid CDATA #REQUIRED label CDATA #REQUIRED comment CDATA #IMPLIED>
"""
# XML has no way to write these; a mark of the same length keeps the offsets right.
_UNWRITABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_IN_ATTRIBUTES = {"\t": "&#9;", "\n": "&#10;", "\r": "&#13;"}


def write(pyramid: Pyramid) -> Iterator[str]:
    """The lines of a `.pyr`, or of a `.pan` if there is a peer, that are read back as the same."""
    if pyramid.peer is not None:
        yield from _write_peer(pyramid, pyramid.peer)
        return
    yield from _head("pyramid", _PYRAMID_TYPE)
    yield from _body(pyramid)


def _write_peer(pyramid: Pyramid, peer: PeerAnnotation) -> Iterator[str]:
    if len(peer.matches) != len(pyramid.units):
        raise InputError(
            _("{units} units, but matches of {matches}").format(
                units=len(pyramid.units), matches=len(peer.matches)
            )
        )
    yield from _head("peerAnnotation", _PEER_TYPE + _PYRAMID_TYPE)
    yield "<peerAnnotation>\n"
    yield from _body(pyramid)
    yield "<annotation>\n"
    yield from _text(peer.text)
    for uid, (unit, marks) in enumerate(zip(pyramid.units, peer.matches, strict=True), 1):
        attributes = f"label={_quoted(f'({unit.weight}) {unit.text}')}"
        yield from _peer_unit(uid, attributes, marks, peer.text)
    comment = _quoted(peer_comment(pyramid.key, peer.name))
    attributes = _('label="All non-matching SCUs go here" comment={comment}').format(
        comment=comment
    )
    yield from _peer_unit(0, attributes, peer.unmatched, peer.text)
    yield "</annotation>\n</peerAnnotation>\n"


def _head(root: str, declarations: str) -> Iterator[str]:
    yield '<?xml version="1.0" encoding="UTF-8"?>\n'
    yield f"<!DOCTYPE {root} [\n{declarations}]>\n\n"


def _body(pyramid: Pyramid) -> Iterator[str]:
    text, starts = join_references(pyramid.references)
    yield "<pyramid>\n"
    if starts:
        yield f"<startDocumentRegEx><![CDATA[{OWN_HEADER}]]></startDocumentRegEx>\n"
    yield from _text(text)
    for uid, unit in enumerate(pyramid.units, 1):
        yield from _unit(uid, unit, text, starts)
    yield "</pyramid>\n"


def _text(text: str) -> Iterator[str]:
    yield " <text>\n"
    for line in text.split("\n"):
        yield f"  <line>{escape(writable(line), {chr(13): '&#13;'})}</line>\n"
    yield " </text>\n"


def _unit(uid: int, unit: UnitRecord, text: str, starts: Sequence[int]) -> Iterator[str]:
    groups = [list(group) for __, group in groupby(unit.contributors, lambda it: it.reference)]
    said = unit_comment(unit, len(groups) or 1)
    comment = f" comment={_quoted(said)}" if said else ""
    yield f' <scu uid="{uid}" label={_quoted(unit.text)}{comment}>\n'
    for group in groups:
        yield from _contributor([_absolute(part, starts, unit) for part in group], text)
    yield " </scu>\n"


def _absolute(part: ContributorRecord, starts: Sequence[int], unit: UnitRecord) -> Span:
    if part.reference >= len(starts):
        raise InputError(
            _("a unit of example '{unit}' names reference {reference}").format(
                unit=unit.key, reference=part.reference
            )
        )
    return starts[part.reference] + part.start, starts[part.reference] + part.end


def _contributor(spans: Sequence[Span], text: str) -> Iterator[str]:
    whole = "...".join(text[start:end] for start, end in spans)
    yield f"  <contributor label={_quoted(whole)}>\n"
    for start, end in spans:
        label = _quoted(text[start:end])
        yield f'   <part label={label} start="{start}" end="{end}"/>\n'
    yield "  </contributor>\n"


def _peer_unit(uid: int, attributes: str, marks: Sequence[Mark], text: str) -> Iterator[str]:
    yield f' <peerscu uid="{uid}" {attributes}>\n'
    for mark in marks:
        yield from _contributor(mark, text)
    yield " </peerscu>\n"


def writable(text: str) -> str:
    """The text as XML can hold it, of the same length."""
    return _UNWRITABLE.sub("\ufffd", text)


def _quoted(text: str) -> str:
    return quoteattr(writable(text), _IN_ATTRIBUTES)
