"""Sentences of a study as regressors see them: parsed, with their trees and STUs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from scoring.easiness.features import SentenceCase
from scoring.easiness.trees import Tree, read_trees
from scoring.errors import InputError
from scoring.parses import Parser, load_parser
from scoring.planning.study import UnitTexts, read_texts
from scoring.translation import gettext as _

FILES = ("references.txt", "SCUs.txt", "STUs.txt")


def make_cases(
    sentences: Sequence[str],
    stus: Sequence[Sequence[str]],
    *,
    trees: Sequence[Tree | None] = (),
    parser: Parser | None = None,
) -> list[SentenceCase]:
    """A case for each sentence; where no tree is given, one is built from the parse."""
    if trees and len(trees) != len(sentences):
        raise InputError(
            _(
                "There are {trees} trees and {sentences} sentences. Give one line per "
                "sentence, empty where there is no tree."
            ).format(trees=len(trees), sentences=len(sentences))
        )
    parsed = (parser or load_parser()).parse(sentences)
    given = trees or [None] * len(sentences)
    return [
        SentenceCase(parse, tree, tuple(own))
        for parse, tree, own in zip(parsed, given, stus, strict=True)
    ]


def cases_of(
    texts: UnitTexts, *, trees: Sequence[Tree | None] = (), parser: Parser | None = None
) -> list[SentenceCase]:
    """The same from a study, in the order of its sentences."""
    return make_cases(
        [sentence.text for sentence in texts.sentences], own_stus(texts), trees=trees, parser=parser
    )


def own_stus(texts: UnitTexts) -> list[list[str]]:
    """The STUs of each sentence."""
    places = {document: place for place, document in enumerate(texts.documents)}
    return [
        [texts.stus[places[sentence.document]][stu] for stu in sentence.stus]
        for sentence in texts.sentences
    ]


def load_trees(source: str, sentences: Sequence[str]) -> list[Tree | None]:
    """Trees by what `--trees` names: a file of brackets, or a benepar model by name or folder."""
    if not source:
        return []
    path = Path(source).expanduser()
    if path.is_file() and path.suffix != ".pt":  # an old benepar model is a file
        return read_trees(path)
    from scoring.backends.benepar_trees import parse_with_benepar

    return list(parse_with_benepar(source, sentences))


def read_folder(folder: Path) -> UnitTexts:
    """A study's texts from the files that the published ones have."""
    return read_texts(*(folder / name for name in FILES))


def join_texts(studies: Sequence[UnitTexts]) -> UnitTexts:
    """Several studies as one; no two may have a document of the same id."""
    return UnitTexts(
        tuple(document for study in studies for document in study.documents),
        tuple(sentence for study in studies for sentence in study.sentences),
        tuple(units for study in studies for units in study.scus),
        tuple(units for study in studies for units in study.stus),
    )
