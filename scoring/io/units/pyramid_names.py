"""What a pyramid file says in names and comments: of its example, its peer and its units.

The format has no place for kinds, extractors and the names of peers, but every unit may carry a
`comment`. Other people's comments say nothing of these, and their files are known by their names.
"""

from __future__ import annotations

import re
from collections.abc import Container
from pathlib import PurePosixPath
from typing import NamedTuple

from scoring.translation import gettext as _
from scoring.types import UNIT_KINDS, UnitRecord

PEER = "peer"  # where neither the file nor its folder has a name for it
_UNIT = re.compile(
    r"kind: (?P<kind>\w+); weight: (?P<weight>\d{1,9})"
    r"(?:; version: (?P<version>[^;]+))?(?:; extractor: (?P<by>.+))?"
)
_PEER = re.compile(r"example: (?P<key>[^;]+); peer: (?P<name>.+)")
_BREAK = re.compile(r"[._-]")


class Said(NamedTuple):
    """What a unit's comment says beside the elements."""

    kind: str
    weight: int
    extractor: str = ""
    extractor_version: str = ""


def unit_comment(unit: UnitRecord, counted: int) -> str:
    """What the elements alone would not say; *counted* is the weight that they say."""
    said = Said(unit.kind, unit.weight, unit.extractor, unit.extractor_version)
    if said == Said(UNIT_KINDS[0], counted):
        return ""
    version = (
        _("; version: {masked}").format(masked=_masked(unit.extractor_version))
        if unit.extractor_version
        else ""
    )
    extractor = (
        _("; extractor: {extractor}").format(extractor=unit.extractor) if unit.extractor else ""
    )
    return _("kind: {kind}; weight: {weight}{version}{extractor}").format(
        kind=unit.kind, weight=unit.weight, version=version, extractor=extractor
    )


def read_unit_comment(comment: str, otherwise: Said) -> Said:
    found = _UNIT.fullmatch(comment)
    if found is None:
        return otherwise
    version = _unmasked(found["version"] or "")
    return Said(found["kind"], int(found["weight"]), found["by"] or "", version)


def peer_comment(key: str, name: str) -> str:
    return _("example: {masked}; peer: {name}").format(masked=_masked(key), name=name)


def read_peer_comment(comment: str) -> tuple[str, str] | None:
    """Example and peer, where the file was written here."""
    found = _PEER.fullmatch(comment)
    return (_unmasked(found["key"]), found["name"]) if found else None


def peer_file_name(key: str, name: str) -> str:
    """Different for every example and peer, and without folders."""
    safe = (part.replace("%", "%25").replace("/", "%2F") for part in (key, name))
    return f"{'.'.join(safe)}.pan"


def split_file_name(file: str, ids: Container[str]) -> tuple[str, str]:
    """Example and peer of a file that does not say them: `D9901.12.pan`, `12/D9901.pan`.

    The example is the longest known id that the name begins with, else the whole name.
    """
    path = PurePosixPath(file)
    stem, folder = path.stem, path.parent.name or PEER
    if stem in ids:
        return stem, folder
    for found in reversed(list(_BREAK.finditer(stem))):
        key, name = stem[: found.start()], stem[found.end() :]
        if key in ids and name:
            return key, name
    return stem, folder


def _masked(text: str) -> str:
    """Without the mark that ends it in a comment."""
    return text.replace("%", "%25").replace(";", "%3B")


def _unmasked(text: str) -> str:
    return text.replace("%3B", ";").replace("%25", "%")
