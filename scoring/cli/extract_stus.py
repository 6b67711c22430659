"""`python -m scoring extract-stus --references F`: STUs of references, and how good they are."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from functools import reduce
from operator import or_
from pathlib import Path
from typing import Any

from scoring.errors import InputError
from scoring.io.errors import ProblemList
from scoring.io.studies import read_references, read_units
from scoring.judge.learned import hash_text, read_shipped
from scoring.stu.extractors import EXTRACTORS, TRAINED, TRAINED_ON, load_extractor
from scoring.stu.quality import ReferenceUnits, measure_extraction
from scoring.stu.types import Stu

NAME = "extract-stus"
HELP = "Extract STUs from references, and compare them with human units."
FIGURES = ("accuracy", "precision", "x", "references", "sentences", "scus", "stus")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--references", type=Path, required=True, help="one reference per line")
    parser.add_argument(
        "--ids",
        type=Path,
        help="document ids, one per line; by default ids.txt next to the references",
    )
    parser.add_argument("--extractor", choices=EXTRACTORS, default="srl")
    parser.add_argument("--coref", action="store_true", help="resolve coreference")
    parser.add_argument("--frames", default="", help="role labels as JSONL, for srl")
    parser.add_argument("--clusters", default="", help="clusters of mentions as JSONL")
    parser.add_argument("--coref-model", default="", help="a spaCy pipeline that finds clusters")
    parser.add_argument("--srl-model", default="", help="owner/model or a folder, for srl")
    parser.add_argument(
        "--parser", default="", help="a spaCy pipeline; by default the embedded one"
    )
    parser.add_argument("--x", type=float, default=1.0, help="STUs per SCU, for rich")
    parser.add_argument("--scus", type=Path, help="human units to compare with")
    parser.add_argument("--stus", type=Path, help="measure these units instead of extracting")
    parser.add_argument("--out", type=Path, help="write the units, separated by tabs")


def run(arguments: argparse.Namespace) -> dict[str, Any]:
    problems = ProblemList()
    references = read_references(arguments.references, arguments.ids, problems)
    problems.raise_first()
    scus = _units(arguments.scus, references, arguments) if arguments.scus else None
    found: dict[str, Any] = {}
    if arguments.stus:
        units = _units(arguments.stus, references, arguments)
    else:
        version, stus = _extract(arguments, references)
        units = {key: [unit.text for unit in made] for key, made in stus.items()}
        found = {"extractor": version, "units": _described(stus)}
        found |= {"learned": _count_learned(arguments, references)}
    if arguments.out:
        _write(arguments.out, units.values())
    return found | _measured(references, scus, units)


def _count_learned(arguments: argparse.Namespace, references: dict[str, list[str]]) -> int:
    """How many of the references the ranker of `rich` was trained on."""
    if arguments.extractor not in TRAINED:
        return 0
    learned = reduce(or_, map(read_shipped, TRAINED_ON)).references
    return sum(hash_text(" ".join(lines)) in learned for lines in references.values())


def _extract(
    arguments: argparse.Namespace, references: dict[str, list[str]]
) -> tuple[str, dict[str, list[Stu]]]:
    extractor = load_extractor(
        arguments.extractor,
        coref=arguments.coref,
        parser=arguments.parser,
        frames=arguments.frames,
        clusters=arguments.clusters,
        coref_model=arguments.coref_model,
        srl_model=arguments.srl_model,
        x=arguments.x,
    )
    made = extractor.extract(references.values())
    return extractor.version, dict(zip(references, _told(made, len(references)), strict=True))


def _told(made: Iterable[list[Stu]], total: int) -> Iterator[list[Stu]]:
    """The same, with a line on a terminal that tells how far it is."""
    for done, units in enumerate(made, start=1):
        if sys.stderr.isatty():
            end = "\n" if done == total else ""
            print(f"\r{done:,} of {total:,} references", end=end, file=sys.stderr, flush=True)
        yield units


def _units(
    path: Path, references: dict[str, list[str]], arguments: argparse.Namespace
) -> dict[str, list[str]]:
    """Units of the references by document; a document that the references lack is an error."""
    problems = ProblemList()
    ids = arguments.ids or arguments.references.parent / "ids.txt"
    found = read_units(path, ids if ids.is_file() else None, problems)
    problems.raise_first()
    strange = sorted(set(found) - set(references))
    if strange:
        raise InputError(
            f"{path.name} has units of '{strange[0]}', which {arguments.references.name} lacks."
        )
    return {key: [unit.text for unit in found.get(key, [])] for key in references}


def _described(stus: dict[str, list[Stu]]) -> dict[str, list[dict[str, Any]]]:
    return {document: [asdict(unit) for unit in units] for document, units in stus.items()}


def _write(path: Path, units: Iterable[Iterable[str]]) -> None:
    """As STUs.txt: a line a reference, no newline at the end."""
    path.write_text("\n".join("\t".join(line) for line in units), encoding="utf-8", newline="")


def _measured(
    references: dict[str, list[str]],
    scus: dict[str, list[str]] | None,
    units: dict[str, list[str]],
) -> dict[str, Any]:
    if scus is None:
        return {"stus": sum(map(len, units.values())), "references": len(references)}
    quality = measure_extraction(
        ReferenceUnits(sentences, scus[key], units[key]) for key, sentences in references.items()
    )
    return {name: getattr(quality, name) for name in FIGURES}


def show(found: dict[str, Any]) -> str:
    lines = [
        f"{document}\t{unit['text']}"
        for document, units in found.get("units", {}).items()
        for unit in units
    ]
    if "accuracy" in found:
        shown = "accuracy {accuracy:.3f}  precision {precision:.3f}  x {x:.2f}"
        lines.append(shown.format(**found))
        if found.get("learned"):
            lines.append(
                "in-sample: the extractor was trained on {learned:,} of these {references:,} "
                "references; `stu-ranker` prints held-out figures".format(**found)
            )
    lines.append("{stus:,} STUs of {references:,} references".format(**found))
    return "\n".join([*lines, *([found["extractor"]] if "extractor" in found else [])])
