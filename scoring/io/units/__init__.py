"""Reading and writing units: `open_units(path)` detects the format and yields unit records."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Protocol

from scoring.io.errors import CorpusError, ProblemList, shown
from scoring.io.source import Source
from scoring.io.units import jsonl, lines, pyramid_writer, pyramid_xml, scu_list, table
from scoring.io.units.provenance import Provenance
from scoring.io.units.pyramid_fit import OtherReferences, fit_pyramid
from scoring.io.units.pyramid_model import Mark, PeerAnnotation, Pyramid
from scoring.io.units.pyramid_names import peer_file_name
from scoring.io.units.pyramid_xml import PyramidReader
from scoring.translation import gettext as _
from scoring.types import Problem, UnitRecord


class UnitReader(Protocol):
    """What every format offers. `notes` are complete once `units()` has ended."""

    format: str
    source: Source
    problems: ProblemList
    notes: list[str]

    def units(self) -> Iterator[UnitRecord]: ...


UNIT_FORMATS: dict[str, Callable[[Source], bool]] = {
    pyramid_xml.NAME: pyramid_xml.recognises,
    jsonl.NAME: jsonl.recognises,
    scu_list.NAME: scu_list.recognises,
    table.NAME: table.recognises,
    lines.NAME: lines.recognises,
    pyramid_xml.PEERS: pyramid_xml.recognises,
}
_READERS: dict[str, Callable[..., UnitReader]] = {
    jsonl.NAME: jsonl.JsonlReader,
    scu_list.NAME: scu_list.ScuListReader,
    table.NAME: table.TableReader,
}
# These need to know the examples: their files go by lines or by names.
_READERS_BY_ID: dict[str, Callable[..., UnitReader]] = {
    lines.NAME: lines.LinesReader,
    pyramid_xml.NAME: pyramid_xml.PyramidReader,
    pyramid_xml.PEERS: pyramid_xml.PyramidReader,
}

write_csv = table.write
write_jsonl = jsonl.write
write_lines = lines.write
write_pyramid = pyramid_writer.write
write_scu_list = scu_list.write


def detect_format(source: Source) -> str:
    for name, recognises in UNIT_FORMATS.items():
        if recognises(source):
            return name
    listed = shown(", ".join(source.names[:5])) or _("no file at all")
    raise _not_possible(
        source,
        _("The format is not recognised ({listed}).").format(listed=listed),
        _("SCUs.txt or STUs.txt, JSONL with units, CSV, an SCU list, or .pyr and .pan files."),
    )


def open_units(
    path: Path | str,
    *,
    ids: Sequence[str] = (),
    format: str = "",
    kind: str = "",
    problems: ProblemList | None = None,
    max_bytes: int | None = None,
) -> UnitReader:
    """A reader of the units at `path`: a file, a folder, or a zip.

    Line files need *ids*, the examples in their order; those of peers are split by them into
    example and peer. *kind* is that of units which do not say it, SCU if left out; for a line
    file it goes before what the name tells.
    """
    source = Source(Path(path), max_bytes=max_bytes)
    try:
        name = format or detect_format(source)
        if name not in UNIT_FORMATS:
            known = _("one of {unit_formats}.").format(unit_formats=", ".join(UNIT_FORMATS))
            raise _not_possible(
                source, _("Unknown format '{shown}'.").format(shown=shown(name)), known
            )
        found = problems or ProblemList()
        if name in _READERS_BY_ID:
            return _READERS_BY_ID[name](source, found, kind=kind, ids=ids)
        return _READERS[name](source, found, kind=kind)
    except CorpusError:
        source.close()
        raise


def _not_possible(source: Source, message: str, expected: str) -> CorpusError:
    return CorpusError(Problem(shown(source.path.name), None, message, expected))


__all__ = [
    "UNIT_FORMATS",
    "Mark",
    "OtherReferences",
    "PeerAnnotation",
    "Provenance",
    "Pyramid",
    "PyramidReader",
    "UnitReader",
    "fit_pyramid",
    "open_units",
    "peer_file_name",
    "write_csv",
    "write_jsonl",
    "write_lines",
    "write_pyramid",
    "write_scu_list",
]
