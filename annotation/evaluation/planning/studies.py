"""The sentences of references, and which of them each unit of a set stands on."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
from django.db.models import F
from django.utils.translation import gettext as _
from numpy.typing import NDArray

from annotation.corpora.corpus.models import Sentence
from annotation.corpora.projects.models import Project
from annotation.errors import DomainError
from annotation.evaluation.labels.models import LabelSet, SummaryLabels
from annotation.evaluation.runs.models import JudgeRun, SummaryPresence
from annotation.units.plans.queries import get_difficulties
from annotation.units.sets.models import Contributor, Unit, UnitKind, UnitSet
from scoring.easiness.gold import align_scus
from scoring.planning.mix import reverse_order
from scoring.planning.orders import true_damage, true_easiness
from scoring.planning.presence import resemble
from scoring.planning.study import HUMAN, SentenceUnits, UnitStudy, UnitTexts
from scoring.planning.tables import SentenceTables

READ_CHUNK = 2000


@dataclass(frozen=True, slots=True)
class SentenceText:
    pk: int
    text: str


@dataclass(slots=True)
class ExampleTexts:
    """An example's sentences, over all its references."""

    key: str
    sentences: list[SentenceText] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class PlacedUnits:
    """Texts of units in their order, and the place of the sentence that each belongs to."""

    texts: tuple[str, ...] = ()
    places: tuple[int, ...] = ()

    def of(self, place: int) -> tuple[int, ...]:
        return tuple(unit for unit, own in enumerate(self.places) if own == place)


def read_sentences(
    project: Project, examples: Collection[int] | None = None
) -> dict[int, ExampleTexts]:
    """By example, in the order of the corpus; sentences by reference."""
    rows = Sentence.objects.filter(reference__example__project=project)
    if examples is not None:
        rows = rows.filter(reference__example__in=examples)
    fields = (
        "reference__example_id",
        "reference__example__key",
        "pk",
        "start",
        "end",
        "reference__text",
    )
    ordered = rows.order_by(
        "reference__example__position",
        "reference__example_id",
        "reference__position",
        "position",
    )
    found: dict[int, ExampleTexts] = {}
    for example, key, pk, start, end, text in ordered.values_list(*fields).iterator(READ_CHUNK):
        own = found.setdefault(example, ExampleTexts(key))
        own.sentences.append(SentenceText(pk, text[start:end]))
    return found


def place_units(unit_set: UnitSet, texts: dict[int, ExampleTexts]) -> dict[int, PlacedUnits]:
    """By the words that a unit stands on; where nobody has named them, by those it shares."""
    named = _named_sentences(unit_set)
    found: dict[int, PlacedUnits] = {}
    for example, units in _units_by_example(unit_set, texts):
        sentences = texts[example].sentences
        known = {row.pk: place for place, row in enumerate(sentences)}
        words = align_scus([row.text for row in sentences], [text for __, text in units])
        places = [
            known.get(named.get(pk, 0), by_words)
            for (pk, __), by_words in zip(units, words, strict=True)
        ]
        found[example] = PlacedUnits(tuple(text for __, text in units), tuple(places))
    return found


def _units_by_example(
    unit_set: UnitSet, texts: dict[int, ExampleTexts]
) -> Iterator[tuple[int, list[tuple[int, str]]]]:
    rows = Unit.objects.filter(set=unit_set, is_deleted=False).order_by(
        "example_id", "position", "pk"
    )
    heavy = rows.exclude(weight=1).select_related("example").first()
    if heavy is not None:
        raise DomainError(
            _("A unit of example {example} in {unit_set} weighs {weight}.").format(
                example=heavy.example.key, unit_set=unit_set, weight=heavy.weight
            ),
            _("Curves need units of weight 1. Choose a set of unmerged units."),
        )
    units: dict[int, list[tuple[int, str]]] = {}
    for pk, example, text in rows.values_list("pk", "example_id", "text").iterator(READ_CHUNK):
        units.setdefault(example, []).append((pk, text))
    for example, own in units.items():
        if example in texts:
            yield example, own


def _named_sentences(unit_set: UnitSet) -> dict[int, int]:
    """The sentence that most of each unit's words lie in, where they are named."""
    rows = Contributor.objects.filter(
        unit__set=unit_set, unit__is_deleted=False, sentence__isnull=False
    ).order_by("unit_id", F("start") - F("end"), "start", "pk")
    found: dict[int, int] = {}
    for unit, sentence in rows.values_list("unit_id", "sentence_id").iterator(READ_CHUNK):
        found.setdefault(unit, sentence)
    return found


def has_stus(unit_set: UnitSet) -> bool:
    return Unit.objects.filter(set=unit_set, is_deleted=False, kind=UnitKind.STU).exists()


Floats = NDArray[np.float64]
Cells = dict[int, dict[str, list[float]]]  # by example, then system
NOBODY = PlacedUnits()


@dataclass(frozen=True, slots=True)
class StudySource:
    """People's labels of SCUs, STUs of the same references, and a judge's run of each, or none."""

    label_set: LabelSet
    stus: UnitSet
    scu_run: JudgeRun | None = None
    stu_run: JudgeRun | None = None

    @property
    def judge(self) -> str:
        return self.stu_run.judge if self.stu_run else HUMAN


@dataclass(frozen=True, eq=False)
class ProjectStudy:
    """`sentences` are the ids of the study's sentences; `labels` people's, systems × SCUs.

    `left_out` counts examples that lack labels, or presence values, of some system.
    """

    study: UnitStudy
    sentences: list[int]
    left_out: int
    labels: list[Floats]

    @property
    def human(self) -> UnitStudy:
        """The same with people's labels of SCUs, and of STUs those of the nearest SCUs."""
        texts = self.study.texts
        assert texts is not None
        presence = self.labels, resemble(texts.scus, texts.stus, self.labels)
        own = self.study
        return UnitStudy(
            own.documents, own.systems, own.sentences, *presence, own.gold, texts, HUMAN
        )


def choose_source(label_set: LabelSet, stus: UnitSet, judge: str) -> StudySource:
    """The newest runs of that judge on both sets; people's word alone where none is named."""
    scus = label_set.unit_set
    if scus.pk == stus.pk or has_stus(scus):
        raise DomainError(
            _("{label_set} also has labels of STUs.").format(label_set=label_set),
            _("Choose labels of a set with only SCUs."),
        )
    if judge in ("", HUMAN):
        return StudySource(label_set, stus)
    return StudySource(label_set, stus, _newest_run(scus, judge), _newest_run(stus, judge))


def _newest_run(unit_set: UnitSet, judge: str) -> JudgeRun:
    found = JudgeRun.objects.filter(unit_set=unit_set, judge=judge, is_ready=True).first()
    if found is None:
        raise DomainError(
            _("There is no run of {judge} on {unit_set}.").format(judge=judge, unit_set=unit_set),
            _("Start one under Runs and wait for it to finish, or choose human labels."),
        )
    return found


def list_study_judges(project: Project) -> dict[str, str]:
    """Judges that have run on any of the project's sets, with the name that people see: the one
    that somebody last gave a run of theirs, or their own.
    """
    rows = JudgeRun.objects.filter(project=project, is_ready=True).order_by("created_at", "pk")
    titles: dict[str, str] = {}
    for judge, name in rows.values_list("judge", "display_name"):
        titles[judge] = name or titles.get(judge, judge)
    return dict(sorted(titles.items()))


def read_study(source: StudySource, examples: Collection[int] | None = None) -> ProjectStudy:
    """Everything at once, in the order of the corpus; of these examples only, if any are named."""
    labels = _read_labels(source.label_set)
    if examples is not None:
        labels = {key: row for key, row in labels.items() if key in examples}
    judged = _read_judged(source)
    systems = _systems([labels, *judged])
    texts = read_sentences(source.label_set.project, labels)
    scus = place_units(source.label_set.unit_set, texts)
    stus = place_units(source.stus, texts)
    whole = [
        example
        for example in texts
        if example in scus
        and _is_whole(labels, example, systems, len(scus[example].texts))
        and _is_judged(judged, example, systems, (scus, stus))
    ]
    _refuse_if_small(whole, systems)
    units = [[rows.get(example, NOBODY) for example in whole] for rows in (scus, stus)]
    study = _join([texts[example] for example in whole], systems, units)
    tables = [_table(labels, example, systems) for example in whole]
    presence = _presence(judged, whole, systems, study, tables)
    return ProjectStudy(
        UnitStudy(
            study.documents,
            tuple(systems),
            study.sentences,
            *presence,
            np.array([table.mean(axis=1) for table in tables]),
            study,
            source.judge,
        ),
        [row.pk for example in whole for row in texts[example].sentences],
        len(labels) - len(whole),
        tables,
    )


def _read_labels(label_set: LabelSet) -> Cells:
    rows = SummaryLabels.objects.filter(label_set=label_set)
    fields = ("summary__example_id", "summary__system__name", "labels")
    found: Cells = {}
    for example, system, labels in rows.values_list(*fields).iterator(READ_CHUNK):
        found.setdefault(example, {})[system] = labels
    return found


def _read_judged(source: StudySource) -> list[Cells]:
    """Presence of SCUs, then of STUs; nothing where people's word alone counts."""
    if source.scu_run is None or source.stu_run is None:
        return []
    return [_read_presence(run) for run in (source.scu_run, source.stu_run)]


def _read_presence(run: JudgeRun) -> Cells:
    rows = SummaryPresence.objects.filter(run=run)
    fields = ("summary__example_id", "summary__system__name", "presence")
    found: Cells = {}
    for example, system, presence in rows.values_list(*fields).iterator(READ_CHUNK):
        found.setdefault(example, {})[system] = presence
    return found


def _systems(parts: Sequence[Cells]) -> list[str]:
    """Those that everybody has looked at."""
    return sorted(
        set.intersection(*({name for row in cells.values() for name in row} for cells in parts))
    )


def _is_whole(cells: Cells, example: int, systems: Sequence[str], size: int) -> bool:
    rows = [cells.get(example, {}).get(system) for system in systems]
    return all(row is not None and len(row) == size and None not in row for row in rows)


def _is_judged(
    judged: Sequence[Cells],
    example: int,
    systems: Sequence[str],
    units: Sequence[dict[int, PlacedUnits]],
) -> bool:
    """An example without STUs has no presence of any."""
    return all(
        example not in own or _is_whole(cells, example, systems, len(own[example].texts))
        for cells, own in zip(judged, units, strict=False)
    )


def _refuse_if_small(examples: Sequence[int], systems: Sequence[str]) -> None:
    if len(examples) < 2 or len(systems) < 2:
        raise DomainError(
            _(
                "{examples} examples and {systems} systems have all the labels and presence "
                "values needed."
            ).format(examples=len(examples), systems=len(systems)),
            _(
                "At least 2 of each are needed. Label more examples and run the judge on all "
                "systems."
            ),
        )


def _join(
    texts: Sequence[ExampleTexts],
    systems: Sequence[str],
    units: Sequence[Sequence[PlacedUnits]],
) -> UnitTexts:
    scus, stus = units
    return UnitTexts(
        tuple(text.key for text in texts),
        tuple(
            SentenceUnits(text.key, place, row.text, own.of(place), other.of(place))
            for text, own, other in zip(texts, scus, stus, strict=True)
            for place, row in enumerate(text.sentences)
        ),
        tuple(own.texts for own in scus),
        tuple(own.texts for own in stus),
    )


def _table(cells: Cells, example: int, systems: Sequence[str]) -> Floats:
    """Systems × units."""
    own = cells.get(example, {})
    return np.array([own.get(system, []) for system in systems], dtype=np.float64)


def _presence(
    judged: Sequence[Cells],
    examples: Sequence[int],
    systems: Sequence[str],
    texts: UnitTexts,
    labels: list[Floats],
) -> tuple[list[Floats], list[Floats]]:
    if not judged:
        return labels, resemble(texts.scus, texts.stus, labels)
    scus, stus = ([_table(cells, example, systems) for example in examples] for cells in judged)
    return scus, stus


def list_orders(found: ProjectStudy, stus: UnitSet) -> dict[str, Floats]:
    """Easiness of each sentence, as a regressor has foretold it and as it turned out to be."""
    study = found.study
    assert study.texts is not None
    orders: dict[str, Floats] = {}
    difficulty = get_difficulties(stus)
    if difficulty:
        foretold = [-difficulty.get(pk, np.nan) for pk in found.sentences]
        orders["regressor"] = np.array(foretold)
    orders["oracle"] = true_easiness(study.texts)
    orders["damage-oracle"] = -true_damage(SentenceTables.of(study))
    orders["reverse"] = reverse_order(orders.get("regressor", orders["oracle"]))
    return orders
