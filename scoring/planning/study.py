"""A study as mixing and planning see it: sentences, the SCUs and STUs of each, and who has them.

`read_study` makes one from line files. Presence comes from people's labels (`human`), or from a
judge by name. People label SCUs only: an STU then has the label of the SCU nearest to it by
ROUGE-1, as an ideal judge might say, who errs only where STUs do.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from scoring.easiness.gold import align_scus
from scoring.errors import InputError
from scoring.io.errors import ProblemList
from scoring.io.labels import read_labels
from scoring.io.studies import read_lines, read_summaries, read_units
from scoring.planning.presence import Summaries, ask_judge, resemble
from scoring.sentences import split_sentences
from scoring.translation import gettext as _

HUMAN = "human"
FOLDS = "by_examples/fold*.id"

Floats = NDArray[np.float64]
Texts = tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class SentenceUnits:
    """A sentence of a reference; its units are places in the document's lists, from 0."""

    document: str
    place: int
    text: str
    scus: tuple[int, ...]
    stus: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class UnitTexts:
    """The units of each document, and which sentence of its reference each belongs to."""

    documents: tuple[str, ...]
    sentences: tuple[SentenceUnits, ...]
    scus: Texts
    stus: Texts

    def __post_init__(self) -> None:
        for what, lists in (("SCUs", self.scus), ("STUs", self.stus)):
            if len(lists) != len(self.documents):
                raise InputError(
                    _(
                        "There are {what} for {lists} of {documents} documents. "
                        "Expected one list per document."
                    ).format(what=what, lists=len(lists), documents=len(self.documents))
                )
        check_sentences(self.documents, self.sentences)


@dataclass(frozen=True, eq=False)
class UnitStudy:
    """Who carries which units. `gold` is documents × systems: people's pyramid scores.

    `scu_presence` and `stu_presence` have, for each document, a table of systems × units: labels,
    or a judge's probability. Sentences lie by document, in the documents' order.
    """

    documents: tuple[str, ...]
    systems: tuple[str, ...]
    sentences: tuple[SentenceUnits, ...]
    scu_presence: list[Floats]
    stu_presence: list[Floats]
    gold: Floats
    texts: UnitTexts | None = None
    judge: str = ""

    @property
    def own_texts(self) -> UnitTexts:
        """The texts, for who can't do without."""
        if self.texts is None:
            raise InputError(_("The study has no texts of units, so easiness can't be computed."))
        return self.texts

    def __post_init__(self) -> None:
        check_sentences(self.documents, self.sentences)
        if self.gold.shape != (len(self.documents), len(self.systems)):
            raise InputError(
                _(
                    "The gold scores are {shape} × {shape_2}; there are "
                    "{documents} documents and {systems} systems."
                ).format(
                    shape=self.gold.shape[0],
                    shape_2=self.gold.shape[1],
                    documents=len(self.documents),
                    systems=len(self.systems),
                )
            )
        for what, tables in (("SCUs", self.scu_presence), ("STUs", self.stu_presence)):
            _check_tables(what, tables, self)


def check_sentences(documents: Sequence[str], sentences: Sequence[SentenceUnits]) -> None:
    """Sentences come by document, in the documents' order, each place once."""
    order = {document: number for number, document in enumerate(documents)}
    if len(order) != len(documents):
        raise InputError(_("A document occurs twice. Document IDs must be unique."))
    if unknown := [row.document for row in sentences if row.document not in order]:
        raise InputError(
            _("A sentence belongs to '{unknown}', which is not a document in the study.").format(
                unknown=unknown[0]
            )
        )
    places = [(order[row.document], row.place) for row in sentences]
    if places != sorted(set(places)):
        raise InputError(_("Sentences must be sorted by document, then by position, each once."))


def read_study(
    folder: Path,
    *,
    judge: str = HUMAN,
    stus: Path | None = None,
    folds: Sequence[Path] | None = None,
    seed: int = 0,
) -> UnitStudy:
    """A study from `references.txt`, `SCUs.txt`, `STUs.txt`, `summaries/` and `labels/`.

    The embedded judges may have learned from the very labels that they are compared with. Where
    the folder has folds of examples (or *folds* are given), they are grown anew for each fold from
    the others, and what they say of its SCUs and STUs is held out.
    """
    texts = read_texts(folder / "references.txt", folder / "SCUs.txt", stus or folder / "STUs.txt")
    systems, labels, gold = _read_labels(folder, texts)
    asked = judge or HUMAN
    if asked == HUMAN:
        found = labels, resemble(texts.scus, texts.stus, labels)
    else:
        summaries = _read_summaries(folder, texts.documents, systems)
        parts = sorted(folder.glob(FOLDS)) if folds is None else folds
        found = ask_judge(asked, texts.scus, texts.stus, summaries, labels, parts, seed)
    return UnitStudy(texts.documents, systems, texts.sentences, *found, gold, texts, asked)


def read_texts(references: Path, scus: Path, stus: Path, ids: Path | None = None) -> UnitTexts:
    """Units by document and sentence, from line files; the first problem is raised."""
    problems = ProblemList()
    lists = [read_units(path, ids, problems) for path in (scus, stus)]
    lines = read_lines(references, problems)
    problems.raise_first()
    documents = tuple(lists[0])
    if len(lines) != len(documents):
        raise InputError(
            _(
                "{references} has {lines} lines, but {scus} has units of "
                "{documents} documents. Expected one line per document."
            ).format(
                references=references.name,
                lines=len(lines),
                scus=scus.name,
                documents=len(documents),
            )
        )
    for path, units in zip((scus, stus), lists, strict=True):
        heavy = [unit for row in units.values() for unit in row if unit.weight != 1]
        if heavy:
            raise InputError(
                _(
                    "{path}: a unit of '{heavy}' has weight {weight}. Mixing "
                    "units by sentence needs units of a single reference, with weight 1."
                ).format(path=path.name, heavy=heavy[0].key, weight=heavy[0].weight)
            )
    return align_texts(
        documents,
        [[line[start:end] for start, end in split_sentences(line)] for line in lines],
        *([[unit.text for unit in units[name]] for name in documents] for units in lists),
    )


def align_texts(
    documents: Sequence[str],
    references: Sequence[Sequence[str]],
    scus: Sequence[Sequence[str]],
    stus: Sequence[Sequence[str]],
) -> UnitTexts:
    """Each unit goes to the sentence that shares most words with it (`align_scus`)."""
    sentences = [
        row
        for parts in zip(documents, references, scus, stus, strict=True)
        for row in _sentences(*parts)
    ]
    lists = (tuple(tuple(row) for row in units) for units in (scus, stus))
    return UnitTexts(tuple(documents), tuple(sentences), *lists)


def _sentences(
    document: str, texts: Sequence[str], scus: Sequence[str], stus: Sequence[str]
) -> list[SentenceUnits]:
    places = [align_scus(texts, units) for units in (scus, stus)]
    return [
        SentenceUnits(
            document,
            place,
            text,
            *(tuple(i for i, own in enumerate(row) if own == place) for row in places),
        )
        for place, text in enumerate(texts)
    ]


def _read_labels(folder: Path, texts: UnitTexts) -> tuple[tuple[str, ...], list[Floats], Floats]:
    """Systems, people's labels of SCUs by document, and the scores that they make."""
    problems = ProblemList()
    rows = read_labels(folder / "labels", texts.documents, problems)
    problems.raise_first()
    systems = tuple(sorted(rows))
    tables = [
        np.array([_whole(rows[system].get(name), name, system, len(units)) for system in systems])
        for name, units in zip(texts.documents, texts.scus, strict=True)
    ]
    return systems, tables, np.array([table.mean(axis=1) for table in tables])


def _whole(row: Sequence[int | None] | None, document: str, system: str, size: int) -> Floats:
    if row is None or len(row) != size or None in row:
        raise InputError(
            _(
                "System '{system}' doesn't have all {size} labels of '{document}', one for each "
                "SCU. Label all of them, or leave the document out."
            ).format(system=system, size=size, document=document)
        )
    return np.array(row, dtype=np.float64)


def _read_summaries(folder: Path, documents: Sequence[str], systems: Sequence[str]) -> Summaries:
    problems = ProblemList()
    found = read_summaries(folder / "summaries", documents, problems)
    problems.raise_first()
    if missing := sorted(set(systems) - set(found)):
        raise InputError(
            _("System '{missing}' has labels, but no summaries file.").format(missing=missing[0])
        )
    return {system: found[system] for system in systems}


def _check_tables(what: str, tables: Sequence[Floats], study: UnitStudy) -> None:
    if len(tables) != len(study.documents):
        raise InputError(
            _("There are tables of {what} for only {tables} documents, not all.").format(
                what=what, tables=len(tables)
            )
        )
    kind = "scus" if what == "SCUs" else "stus"
    by_document = dict(zip(study.documents, tables, strict=True))
    for document, table in by_document.items():
        if table.ndim != 2 or table.shape[0] != len(study.systems):
            raise InputError(
                _("'{document}': {what} need one row per system.").format(
                    document=document, what=what
                )
            )
    for row in study.sentences:
        if max(getattr(row, kind), default=-1) >= by_document[row.document].shape[1]:
            raise InputError(
                _("'{document}': sentence {place} has {what} without presence.").format(
                    document=row.document, place=row.place, what=what
                )
            )
