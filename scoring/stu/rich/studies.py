"""The published studies that the ranker learns from and is tried on, and what it chose there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from scoring.errors import InputError
from scoring.io.errors import ProblemList
from scoring.io.studies import read_lines, read_references, read_units
from scoring.parses import load_parser
from scoring.stu.coreference_rules import RuleCoreference
from scoring.stu.rich.training import (
    Case,
    Folds,
    Reference,
    build_cases,
    hold_out,
    make_document_folds,
)

STUDIES = {"realsumm": "REALSumm", "pyrxsum": "PyrXSum"}
RELEASED_FOLDS = "by_examples"
FOLDS = 5
PLAIN, COREF = "rich", "rich --coref"

Units = dict[str, list[str]]


@dataclass(frozen=True, slots=True)
class Study:
    """A study's references, and its documents by fold."""

    name: str
    references: tuple[Reference, ...]
    folds: Folds


def read_study(folder: Path, *, seed: int = 0) -> Study:
    """Line files with `references.txt`, `SCUs.txt` and `STUs.txt`.

    The folds that were released with the data are used; else five are drawn.
    """
    if not folder.is_dir():
        raise InputError(
            f"There is no folder {folder}. Use the folder that contains {folder.name}/."
        )
    problems = ProblemList()
    texts = read_references(folder / "references.txt", None, problems)
    scus, stus = (read_units(folder / name, None, problems) for name in ("SCUs.txt", "STUs.txt"))
    files = sorted((folder / RELEASED_FOLDS).glob("*.id"))
    folds: Folds = [frozenset(read_lines(file, problems)) for file in files]
    problems.raise_first()
    references = tuple(
        Reference(
            document,
            tuple(sentences),
            tuple(unit.text for unit in scus[document]),
            tuple(unit.text for unit in stus[document]),
        )
        for document, sentences in texts.items()
    )
    drawn = folds or make_document_folds(list(texts), FOLDS, seed=seed)
    return Study(STUDIES.get(folder.name, folder.name), references, drawn)


def read_studies(data: Path, *, seed: int = 0) -> list[Study]:
    return [read_study(data / name, seed=seed) for name in STUDIES]


def list_cases(studies: Sequence[Study], parser: str = "") -> dict[str, list[Case]]:
    """The candidates of all references, without and with coreference."""
    references = [one for study in studies for one in study.references]
    parsed_by = load_parser(parser)
    return {
        PLAIN: build_cases(references, parsed_by),
        COREF: build_cases(references, parsed_by, RuleCoreference()),
    }


def choose_held_out(
    studies: Sequence[Study],
    cases: Mapping[str, Sequence[Case]],
    xs: Sequence[float],
    *,
    seed: int = 0,
) -> dict[tuple[str, float], Units]:
    """For each kind of candidates and each x, units of all documents by rankers that saw none of
    their fold. One ranker a fold learns from both studies and both kinds of candidates."""
    learned = [case for kind in cases.values() for case in kind]
    folds = [frozenset().union(*parts) for parts in zip(*(s.folds for s in studies), strict=True)]
    found: dict[tuple[str, float], Units] = {(kind, x): {} for kind in cases for x in xs}
    for chosen in hold_out(learned, cases, folds, xs, seed=seed):
        for key, units in chosen.items():
            found[key].update(units)
    return found
