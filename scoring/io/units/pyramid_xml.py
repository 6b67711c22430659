"""Pyramids of DUC and TAC: XML, `.pyr` with the units of the references, `.pan` with a peer too.

    <pyramid>
     <startDocumentRegEx>…</startDocumentRegEx>
     <text><line>…</line>…</text>
     <scu uid="1" label="the unit">
      <contributor label="words"><part label="words" start="61" end="66"/></contributor>
     </scu>
    </pyramid>

A `.pan` wraps this in `<peerAnnotation>` and adds `<annotation>` with the peer's text and a
`<peerscu>` for each unit, `uid="0"` for what matches none. A `.pyr` is one example, named by the
file; a `.pan` is an example and a peer, and an example may have many. A unit's weight is the number
of its contributors, as the tools of DUC count it. What differs, and what the format has no place
for, stands in the `comment` that it allows.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Sequence
from dataclasses import replace
from pathlib import PurePosixPath
from xml.etree.ElementTree import Element

from scoring.errors import InputError
from scoring.io.errors import ProblemList
from scoring.io.source import Source
from scoring.io.units.checks import UnitCheck
from scoring.io.units.pyramid_model import (
    Mark,
    PeerAnnotation,
    Pyramid,
    UnknownHeader,
    find_references,
    locate,
    trimmed,
)
from scoring.io.units.pyramid_names import (
    Said,
    read_peer_comment,
    read_unit_comment,
    split_file_name,
)
from scoring.io.units.xml_tree import RefusedXml, parse_xml
from scoring.translation import gettext as _
from scoring.types import UNIT_KINDS, ContributorRecord, Span, UnitRecord

NAME = "pyramid"
PEERS = "pan"
MAX_FILE = 4 * 2**20  # those of DUC have 30 KB
NO_UNIT = "0"
_OFFSET = re.compile(r"\s*\d{1,9}\s*")


class BadPyramid(InputError):
    """XML that is not a pyramid: (what is wrong, what was expected)."""


def pyramid_files(source: Source) -> list[str]:
    return [name for name in source.names if name.lower().endswith((".pyr", ".pan"))]


def recognises(source: Source) -> bool:
    return bool(pyramid_files(source))


class PyramidReader:
    """Reads file after file; `pyramids()` gives their references and peers as well.

    *ids* tell where the example's name ends in that of a file; *kind* is for units that say none.
    """

    format = NAME

    def __init__(
        self, source: Source, problems: ProblemList, *, kind: str = "", ids: Sequence[str] = ()
    ) -> None:
        self.source = source
        self.problems = problems
        self.notes: list[str] = []
        self.check = UnitCheck(problems)
        self._kind = kind or UNIT_KINDS[0]
        self._ids = set(ids)
        if not pyramid_files(source):
            message = _("There is no file of a pyramid.")
            problems.add(source.path.name, None, message, _("a file that ends in .pyr or .pan."))

    def units(self) -> Iterator[UnitRecord]:
        for pyramid in self.first_pyramids():
            yield from pyramid.units

    def first_pyramids(self) -> Iterator[Pyramid]:
        """The pyramid of each example once, in however many files it may be."""
        seen: set[str] = set()
        for pyramid in self.pyramids():
            if pyramid.key not in seen:
                seen.add(pyramid.key)
                yield pyramid

    def pyramids(self) -> Iterator[Pyramid]:
        """What each file holds; files of one example must agree on its units."""
        seen: dict[str, tuple[str, int]] = {}
        peers: dict[tuple[str, str], str] = {}
        for file in pyramid_files(self.source):
            pyramid = self._pyramid(file)
            if pyramid is not None and self._agrees(pyramid, file, seen, peers):
                yield pyramid

    def _agrees(
        self,
        pyramid: Pyramid,
        file: str,
        seen: dict[str, tuple[str, int]],
        peers: dict[tuple[str, str], str],
    ) -> bool:
        content = hash((pyramid.references, pyramid.units))
        before, known = seen.setdefault(pyramid.key, (file, content))
        if known != content:
            message = _("Example '{pyramid}' has a different pyramid in {before}.").format(
                pyramid=pyramid.key, before=before
            )
            self.problems.add(file, None, message, _("one pyramid for each example."))
            return False
        if pyramid.peer is None:
            return True
        where = peers.setdefault((pyramid.key, pyramid.peer.name), file)
        if where != file:
            message = _("The peer '{peer}' of '{pyramid}' is already in {where}.").format(
                peer=pyramid.peer.name, pyramid=pyramid.key, where=where
            )
            self.problems.add(file, None, message, _("each peer once."))
        return where == file

    def _pyramid(self, file: str) -> Pyramid | None:
        try:
            data = self.source.read(file, MAX_FILE + 1)
            if len(data) > MAX_FILE:
                raise BadPyramid(
                    _("The file is too large."),
                    _("at most {max_file} MB.").format(max_file=MAX_FILE // 2**20),
                )
            pyramid = read_pyramid(parse_xml(data), file, self._ids, self._kind)
        except RefusedXml as error:
            self.problems.add(file, error.line, error.message, error.expected)
        except BadPyramid as error:
            self.problems.add(file, None, *error.args)
        else:
            is_named = pyramid.peer is None or self.check.peer(pyramid.peer.name, file)
            refused = [unit for unit in pyramid.units if not self.check.accepts(unit)]
            if is_named and not refused:
                return pyramid
        return None


def read_pyramid(
    root: Element, file: str, ids: Container[str] = (), kind: str = UNIT_KINDS[0]
) -> Pyramid:
    """The pyramid under *root*, and the peer if there is one."""
    body = root if root.tag == "pyramid" else root.find("pyramid")
    if root.tag not in ("pyramid", "peerAnnotation") or body is None:
        raise BadPyramid(
            _("The root element is <{tag}>.").format(tag=root.tag), "<pyramid> or <peerAnnotation>."
        )
    text = _text(body)
    pattern = (body.findtext("startDocumentRegEx") or "").strip()
    try:
        spans = find_references(text, pattern)
    except UnknownHeader as error:
        raise BadPyramid(str(error), _("a pattern of the references' headers.")) from None
    annotation = root.find("annotation")
    key, name = _names(annotation, file, ids)
    scus = body.findall("scu")
    units = tuple(_unit(scu, UnitRecord(key, "", kind, file=file), text, spans) for scu in scus)
    peer = None if annotation is None else _peer(annotation, name, [_uid(scu) for scu in scus])
    return Pyramid(key, tuple(text[start:end] for start, end in spans), units, peer)


def _names(annotation: Element | None, file: str, ids: Container[str]) -> tuple[str, str]:
    """Example and peer; a file without a peer is named by its example alone."""
    if annotation is None:
        return PurePosixPath(file).stem, ""
    comments = (item.get("comment") or "" for item in annotation.findall("peerscu"))
    said = next(filter(None, map(read_peer_comment, comments)), None)
    return said or split_file_name(file, ids)


def _text(parent: Element) -> str:
    text = parent.find("text")
    if text is None:
        raise BadPyramid(
            _("<{tag}> has no <text>.").format(tag=parent.tag),
            "<text> with a <line> for each line.",
        )
    return "\n".join(line.text or "" for line in text.findall("line"))


def _uid(scu: Element) -> str:
    return _attribute(scu, "uid")


def _attribute(element: Element, name: str) -> str:
    value = element.get(name)
    if value is None:
        raise BadPyramid(
            _("A <{tag}> has no '{name}'.").format(tag=element.tag, name=name), f'{name}="…".'
        )
    return value


def _unit(scu: Element, empty: UnitRecord, text: str, spans: list[Span]) -> UnitRecord:
    contributors = scu.findall("contributor")
    ranges = [_range(part, text) for item in contributors for part in item.findall("part")]
    otherwise = Said(empty.kind, len(contributors) or 1)
    said = read_unit_comment(scu.get("comment") or "", otherwise)
    return replace(
        empty,
        text=_attribute(scu, "label"),
        contributors=tuple(_located(span, spans, text) for span in ranges),
        **said._asdict(),
    )


def _range(part: Element, text: str) -> Span:
    """The range that a part names. If its label stands elsewhere, and only there, that one."""
    start, end = (_offset(part, name) for name in ("start", "end"))
    label = part.get("label") or ""
    if _plain(text[start:end]) == _plain(label) or not label.strip():
        return start, end
    if text.count(label) == 1:
        found = text.index(label)
        return found, found + len(label)
    message = _("The part {start}–{end} has the text {text!r}.").format(
        start=start, end=end, text=text[start:end][:40]
    )
    raise BadPyramid(message, _("{label!r}, as in its label.").format(label=label[:40]))


def _plain(text: str) -> str:
    """Without white space: where a part runs over a line's end, DUC's labels lack the newline."""
    return "".join(text.split())


def _offset(part: Element, name: str) -> int:
    value = _attribute(part, name)
    if not _OFFSET.fullmatch(value):
        raise BadPyramid(
            _("The {name} of a part is '{value}'.").format(name=name, value=value),
            _("a whole number."),
        )
    return int(value)


def _located(span: Span, references: list[Span], text: str) -> ContributorRecord:
    found = locate(*span, references) or locate(*trimmed(text, *span), references)
    if found is None:
        message = _("The part {span}–{span_2} ({text!r}) is in no").format(
            span=span[0], span_2=span[1], text=text[span[0] : span[1]][:40]
        )
        raise BadPyramid(
            _("{message} reference, or in two.").format(message=message),
            _("parts inside one reference."),
        )
    return found


def _peer(annotation: Element, name: str, uids: list[str]) -> PeerAnnotation:
    text = _text(annotation)
    found: dict[str, tuple[Mark, ...]] = {}
    for item in annotation.findall("peerscu"):
        uid = _uid(item)
        if uid in found or (uid != NO_UNIT and uid not in uids):
            raise BadPyramid(
                _("A <peerscu> has the uid {uid}.").format(uid=uid),
                _("the uid of each <scu>, once."),
            )
        marks = (_mark(contributor, text) for contributor in item.findall("contributor"))
        found[uid] = tuple(mark for mark in marks if mark)
    matches = tuple(found.get(uid, ()) for uid in uids)
    unmatched = found.get(NO_UNIT, ()) if NO_UNIT not in uids else ()
    return PeerAnnotation(text, matches, unmatched, name)


def _mark(contributor: Element, text: str) -> Mark:
    mark = tuple(_range(part, text) for part in contributor.findall("part"))
    for start, end in mark:
        if not start < end <= len(text):
            message = _("The part {start}–{end} of a peer is outside its text.").format(
                start=start, end=end
            )
            raise BadPyramid(
                message, _("a range of the {text:,} characters.").format(text=len(text))
            )
    return mark
