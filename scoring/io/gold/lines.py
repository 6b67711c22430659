"""Line files, the layout of REALSumm and PyrXSum, as a zip.

Labels go by the units of `SCUs.txt`; a label that the vote left open is an empty cell. Where STUs
were judged, their labels are in `STU_labels/`, and a set without SCUs has neither `SCUs.txt` nor
`labels/`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from scoring.io.cells import row_line
from scoring.io.errors import CorpusError
from scoring.io.gold.card import write_card
from scoring.io.gold.filing import LineFiling
from scoring.io.gold.records import GoldExample, GoldFacts, GoldSystem, Label
from scoring.io.packing import stream_zip
from scoring.types import UNIT_KINDS, Problem, UnitRecord

UNIT_FILES = {"scu": "SCUs.txt", "stu": "STUs.txt"}
LABEL_FOLDERS = {"scu": "labels", "stu": "STU_labels"}
_BROKEN = re.compile(r"\n|\r\Z")


def write_lines(
    facts: GoldFacts, systems: Sequence[GoldSystem], examples: Iterable[GoldExample]
) -> Iterator[bytes]:
    """The zip's bytes. All examples pass by before the first: what does not fit is told then."""
    with LineFiling() as files:
        for example in examples:
            if reason := why_not_lines(systems, example):
                raise CorpusError(
                    Problem(example.key, None, reason, "a dataset that fits this format.")
                )
            _add(files, systems, example)
        yield from stream_zip(_members(files, facts, systems))


def why_not_lines(systems: Iterable[GoldSystem], example: GoldExample) -> str | None:
    """Why line files can't hold an example; None when they can."""
    return next(_reasons(systems, example), None)


def _reasons(systems: Iterable[GoldSystem], example: GoldExample) -> Iterator[str]:
    where = f"example '{example.key}'"
    if len(example.documents) > 1 or len(example.references) > 1:
        yield f"Line files have one document and one reference per example, but {where} has more."
    texts = [*example.documents, *example.summaries.values()]
    texts += [reference.text for reference in example.references]
    if any(_BROKEN.search(text) for text in texts):
        yield f"Line files can't contain line breaks, but a text of {where} has one."
    for system in systems:
        if "/" in system.name or "\\" in system.name:
            yield f"The name of system '{system.name}' can't be used as a file name."
        if system.name not in example.summaries:
            yield f"Line files can't have gaps; system '{system.name}' has no summary of {where}."


def _add(files: LineFiling, systems: Sequence[GoldSystem], example: GoldExample) -> None:
    files.add("ids.txt", example.key)
    files.add("documents.txt", "".join(example.documents))
    files.add("references.txt", "".join(reference.text for reference in example.references))
    for kind in UNIT_KINDS:
        units = [unit.text for unit in example.units if unit.kind == kind]
        files.add(UNIT_FILES[kind], "\t".join(units))
    for system in systems:
        files.add(f"summaries/{system.name}.summary", example.summaries[system.name])
        labels = example.labels.get(system.name, (None,) * len(example.units))
        for kind, folder in LABEL_FOLDERS.items():
            line = "\t".join(_labels_of(kind, example.units, labels))
            files.add(f"{folder}/{system.name}.label", line)


def _labels_of(kind: str, units: Sequence[UnitRecord], labels: Sequence[Label]) -> Iterator[str]:
    for unit, label in zip(units, labels, strict=True):
        if unit.kind == kind:
            yield "" if label is None else str(label)


def _members(
    files: LineFiling, facts: GoldFacts, systems: Sequence[GoldSystem]
) -> Iterator[tuple[str, Iterable[bytes]]]:
    present = {kind: _has_units(files, kind) for kind in UNIT_KINDS}
    # A dataset without any unit is one of SCUs that nobody wrote.
    present["scu"] |= not present["stu"]
    for name in files.names:
        if _is_wanted(name, present):
            yield name, files.blocks(name)
    yield "systems.csv", [systems_csv(systems)]
    yield "README.md", [write_card(facts).encode()]


def _has_units(files: LineFiling, kind: str) -> bool:
    name = UNIT_FILES[kind]
    return name in files.names and any(block.strip(b"\n") for block in files.blocks(name))


def _is_wanted(name: str, present: Mapping[str, bool]) -> bool:
    folder = name.split("/", 1)[0]
    return not any(
        folder in (UNIT_FILES[kind], LABEL_FOLDERS[kind])
        for kind, is_there in present.items()
        if not is_there
    )


def systems_csv(systems: Iterable[GoldSystem]) -> bytes:
    rows = [("system", "type"), *((system.name, system.kind) for system in systems)]
    return "".join(row_line(*row, end="\n") for row in rows).encode()
