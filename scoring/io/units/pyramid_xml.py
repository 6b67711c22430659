"""Pyramids of DUC and TAC: XML, `.pyr` with the units of the references, `.pan` with a peer too.

    <pyramid>
     <startDocumentRegEx>…</startDocumentRegEx>
     <text><line>…</line>…</text>
     <scu uid="1" label="the unit">
      <contributor label="words"><part label="words" start="61" end="66"/></contributor>
     </scu>
    </pyramid>

A `.pan` wraps this in `<peerAnnotation>` and adds `<annotation>` with the peer's text and a
`<peerscu>` for each unit, `uid="0"` for what matches none. One file is one example, named by the
file. A unit's weight is the number of its contributors, as the tools of DUC count it; where ours
differs, and where kind or extractor have to be kept, the `comment` that the format allows says so.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePosixPath
from xml.etree.ElementTree import Element

from scoring.io.errors import ProblemList
from scoring.io.source import Source
from scoring.io.units.checks import UnitCheck
from scoring.io.units.pyramid_model import (
    PeerAnnotation,
    Pyramid,
    UnknownHeader,
    find_references,
    locate,
    trimmed,
)
from scoring.io.units.xml_tree import RefusedXml, parse_xml
from scoring.types import ContributorRecord, Span, UnitRecord

NAME = "pyramid"
MAX_FILE = 4 * 2**20  # those of DUC have 30 KB
NO_UNIT = "0"
_COMMENT = re.compile(
    r"kind: (?P<kind>\w+); weight: (?P<weight>\d{1,9})(?:; extractor: (?P<by>.+))?"
)
_OFFSET = re.compile(r"\s*\d{1,9}\s*")


class BadPyramid(ValueError):
    """XML that is not a pyramid: (what is wrong, what was expected)."""


def pyramid_files(source: Source) -> list[str]:
    return [name for name in source.names if name.lower().endswith((".pyr", ".pan"))]


def recognises(source: Source) -> bool:
    return bool(pyramid_files(source))


class PyramidReader:
    """Reads file after file; `pyramids()` gives their references and peers as well."""

    format = NAME

    def __init__(self, source: Source, problems: ProblemList) -> None:
        self.source = source
        self.problems = problems
        self.notes: list[str] = []
        self.check = UnitCheck(problems)
        if not pyramid_files(source):
            message = "There is no file of a pyramid."
            problems.add(source.path.name, None, message, "a file that ends in .pyr or .pan.")

    def units(self) -> Iterator[UnitRecord]:
        for pyramid in self.pyramids():
            yield from pyramid.units

    def pyramids(self) -> Iterator[Pyramid]:
        seen: dict[str, str] = {}
        for file in pyramid_files(self.source):
            pyramid = self._pyramid(file)
            if pyramid is None:
                continue
            if (before := seen.setdefault(pyramid.key, file)) != file:
                message = f"Example '{pyramid.key}' was in {before} already."
                self.problems.add(file, None, message, "each example once.")
            else:
                yield pyramid

    def _pyramid(self, file: str) -> Pyramid | None:
        try:
            data = self.source.read(file, MAX_FILE + 1)
            if len(data) > MAX_FILE:
                raise BadPyramid("The file is too large.", f"at most {MAX_FILE // 2**20} MB.")
            pyramid = read_pyramid(parse_xml(data), file)
        except RefusedXml as error:
            self.problems.add(file, error.line, error.message, error.expected)
        except BadPyramid as error:
            self.problems.add(file, None, *error.args)
        else:
            if not [unit for unit in pyramid.units if not self.check.accepts(unit)]:
                return pyramid
        return None


def read_pyramid(root: Element, file: str) -> Pyramid:
    """The pyramid under *root*; its key is the file's name without folder and ending."""
    body = root if root.tag == "pyramid" else root.find("pyramid")
    if root.tag not in ("pyramid", "peerAnnotation") or body is None:
        raise BadPyramid(f"The file holds <{root.tag}>.", "<pyramid> or <peerAnnotation>.")
    text = _text(body)
    pattern = (body.findtext("startDocumentRegEx") or "").strip()
    try:
        spans = find_references(text, pattern)
    except UnknownHeader as error:
        raise BadPyramid(str(error), "a pattern of the references' headers.") from None
    key = PurePosixPath(file).stem
    scus = body.findall("scu")
    units = tuple(_unit(scu, key, text, spans, file) for scu in scus)
    annotation = root.find("annotation")
    peer = None if annotation is None else _peer(annotation, [_uid(scu) for scu in scus])
    return Pyramid(key, tuple(text[start:end] for start, end in spans), units, peer)


def _text(parent: Element) -> str:
    text = parent.find("text")
    if text is None:
        raise BadPyramid(f"<{parent.tag}> has no <text>.", "<text> with a <line> for each line.")
    return "\n".join(line.text or "" for line in text.findall("line"))


def _uid(scu: Element) -> str:
    return _attribute(scu, "uid")


def _attribute(element: Element, name: str) -> str:
    value = element.get(name)
    if value is None:
        raise BadPyramid(f"A <{element.tag}> has no '{name}'.", f'{name}="…".')
    return value


def _unit(scu: Element, key: str, text: str, spans: list[Span], file: str) -> UnitRecord:
    contributors = scu.findall("contributor")
    ranges = [_range(part, text) for item in contributors for part in item.findall("part")]
    kind, weight, extractor = _said(scu.get("comment") or "", len(contributors) or 1)
    return UnitRecord(
        key=key,
        text=_attribute(scu, "label"),
        kind=kind,
        weight=weight,
        contributors=tuple(_located(span, spans, text) for span in ranges),
        extractor=extractor,
        file=file,
    )


def _said(comment: str, counted: int) -> tuple[str, int, str]:
    """Kind, weight and extractor; a comment of other people's says nothing of them."""
    found = _COMMENT.fullmatch(comment)
    if found is None:
        return "scu", counted, ""
    return found["kind"], int(found["weight"]), found["by"] or ""


def _range(part: Element, text: str) -> Span:
    """The range that a part names. If its label stands elsewhere, and only there, that one."""
    start, end = (_offset(part, name) for name in ("start", "end"))
    label = part.get("label") or ""
    if _plain(text[start:end]) == _plain(label) or not label.strip():
        return start, end
    if text.count(label) == 1:
        found = text.index(label)
        return found, found + len(label)
    message = f"The part {start}–{end} reads {text[start:end][:40]!r}."
    raise BadPyramid(message, f"{label[:40]!r}, as its label.")


def _plain(text: str) -> str:
    """Without white space: where a part runs over a line's end, DUC's labels lack the newline."""
    return "".join(text.split())


def _offset(part: Element, name: str) -> int:
    value = _attribute(part, name)
    if not _OFFSET.fullmatch(value):
        raise BadPyramid(f"The {name} of a part is '{value}'.", "a whole number.")
    return int(value)


def _located(span: Span, references: list[Span], text: str) -> ContributorRecord:
    found = locate(*span, references) or locate(*trimmed(text, *span), references)
    if found is None:
        message = f"The part {span[0]}–{span[1]} ({text[span[0] : span[1]][:40]!r}) lies in no"
        raise BadPyramid(f"{message} reference, or in two.", "parts inside one reference.")
    return found


def _peer(annotation: Element, uids: list[str]) -> PeerAnnotation:
    text = _text(annotation)
    found: dict[str, tuple[Span, ...]] = {}
    for item in annotation.findall("peerscu"):
        uid = _uid(item)
        if uid in found or (uid != NO_UNIT and uid not in uids):
            raise BadPyramid(f"A <peerscu> has the uid {uid}.", "the uid of each <scu>, once.")
        parts = [part for one in item.findall("contributor") for part in one.findall("part")]
        found[uid] = tuple(_range(part, text) for part in parts)
    matches = tuple(found.get(uid, ()) for uid in uids)
    return PeerAnnotation(text, matches, found.get(NO_UNIT, ()) if NO_UNIT not in uids else ())
