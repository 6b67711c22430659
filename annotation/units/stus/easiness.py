"""Reference sentences read a few examples at a time, and parsed."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import numpy as np
from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from annotation.corpora.accounts.models import User
from annotation.corpora.activity.models import Verb
from annotation.corpora.activity.service import record_activity
from annotation.corpora.corpus.models import Example, Reference
from annotation.corpora.jobs.kinds import KINDS, JobKind
from annotation.corpora.jobs.models import Job
from annotation.corpora.jobs.service import create_job
from annotation.corpora.jobs.work import Work
from annotation.corpora.projects.models import Project
from annotation.errors import DomainError, Invalid
from annotation.removal import remove_rows
from annotation.translation import gettext_lazy
from annotation.units.sets.locks import refuse_if_not_filled
from annotation.units.sets.models import Unit, UnitKind, UnitSet
from annotation.units.stus.models import EasinessModel, SentencePlan
from annotation.units.stus.regressors import hash_references, list_written
from scoring.easiness.features import FEATURES, SentenceCase
from scoring.easiness.gold import align_scus, sentence_easiness
from scoring.easiness.regressors import DEFAULT, MODELS
from scoring.parses import ParsedSentence, Parser, load_parser
from scoring.planning.study import SentenceUnits
from scoring.stu.srl import parse_references

if TYPE_CHECKING:
    from scoring.easiness.training import Trained


EXAMPLES_A_STEP = 100


@dataclass(frozen=True, slots=True)
class SentenceRow:
    """A sentence, and where it begins in its reference."""

    pk: int
    start: int
    text: str


@dataclass(frozen=True, slots=True)
class ReferenceRow:
    """A reference by its sentences; `position` counts the references of its example."""

    pk: int
    example: int
    position: int
    sentences: tuple[SentenceRow, ...]


def live_examples(project: Project) -> QuerySet[Example]:
    """In the order in which they came, which an import that follows leaves alone."""
    rows: QuerySet[Example] = Example.objects.live().filter(project=project).order_by("pk")
    return rows


def chunk_examples(
    project: Project, after: int = 0, size: int = EXAMPLES_A_STEP
) -> Iterator[list[int]]:
    """The ids of live examples behind one, a few at a time."""
    ids = live_examples(project).values_list("pk", flat=True)
    while chunk := list(ids.filter(pk__gt=after)[:size]):
        yield chunk
        after = chunk[-1]


def read_references(examples: Sequence[int]) -> list[ReferenceRow]:
    """By example and position; a reference without sentences is left out."""
    rows = Reference.objects.filter(example__in=examples).prefetch_related("sentences")
    found = [_row(row) for row in rows.order_by("example_id", "position")]
    return [row for row in found if row.sentences]


def _row(reference: Reference) -> ReferenceRow:
    sentences = tuple(
        SentenceRow(row.pk, row.start, reference.text[row.start : row.end])
        for row in reference.sentences.all()
    )
    return ReferenceRow(reference.pk, reference.example_id, reference.position, sentences)


def by_example(references: Sequence[ReferenceRow]) -> dict[int, list[SentenceRow]]:
    """The sentences of each example, over all its references."""
    found: dict[int, list[SentenceRow]] = {}
    for row in references:
        found.setdefault(row.example, []).extend(row.sentences)
    return found


def locate_units(units: Sequence[Unit], sentences: Sequence[SentenceRow]) -> list[int | None]:
    """The id of the sentence that each unit of an example belongs to.

    By the words that a person, a file or an extractor named, else by most words in common (the
    first of equals, or of all). None where the example has no sentence.
    """
    if not sentences:
        return [None] * len(units)
    named = [_named_sentence(unit) for unit in units]
    rest = [unit.text for unit, pk in zip(units, named, strict=True) if pk is None]
    places = iter(align_scus([row.text for row in sentences], rest))
    return [pk if pk is not None else sentences[next(places)].pk for pk in named]


def _named_sentence(unit: Unit) -> int | None:
    """The sentence that holds most of the words that were named for it."""
    shares: dict[int, int] = {}
    for span in unit.contributors.all():
        if span.sentence_id is not None and not span.is_aligned:
            shares[span.sentence_id] = shares.get(span.sentence_id, 0) + span.end - span.start
    return max(shares, key=lambda pk: shares[pk]) if shares else None


def parse_rows(
    references: Sequence[ReferenceRow], parser: Parser
) -> Iterator[list[ParsedSentence]]:
    """The parsed sentences of each reference in turn."""
    texts = [[sentence.text for sentence in row.sentences] for row in references]
    return parse_references(texts, parser)


@dataclass(frozen=True, slots=True)
class PlacedSentence:
    """A sentence of an example, with the STUs that come from it."""

    example: int
    row: SentenceRow
    stus: tuple[str, ...]
    easiness: float | None = None  # None: no SCU belongs to it


def read_placed(
    examples: Sequence[int], stus: UnitSet, scus: UnitSet | None = None
) -> list[PlacedSentence]:
    """The sentences of examples in order; with SCUs, how easy each is."""
    references = read_references(examples)
    sentences = by_example(references)
    found_stus = _read_texts(stus, UnitKind.STU, sentences)
    found_scus = _read_texts(scus, UnitKind.SCU, sentences) if scus else {}
    return [one for row in references for one in _place(row, found_stus, found_scus)]


def _read_texts(
    unit_set: UnitSet, kind: UnitKind, sentences: dict[int, list[SentenceRow]]
) -> dict[int, list[str]]:
    """The texts of units by the id of the sentence that they belong to."""
    rows = Unit.objects.filter(
        set=unit_set, kind=kind, is_deleted=False, example__in=list(sentences)
    ).exclude(text="")
    units: dict[int, list[Unit]] = {}
    for unit in rows.prefetch_related("contributors").order_by("position", "pk"):
        units.setdefault(unit.example_id, []).append(unit)
    found: dict[int, list[str]] = {}
    for example, own in units.items():
        for unit, pk in zip(own, locate_units(own, sentences[example]), strict=True):
            if pk is not None:
                found.setdefault(pk, []).append(unit.text)
    return found


def _place(
    row: ReferenceRow, stus: dict[int, list[str]], scus: dict[int, list[str]]
) -> list[PlacedSentence]:
    """Easiness goes by all STUs of the reference, wherever in it they come from (§3.3)."""
    texts = [one.text for one in row.sentences]
    own = [tuple(stus.get(one.pk, ())) for one in row.sentences]
    wanted = [(text, at) for at, one in enumerate(row.sentences) for text in scus.get(one.pk, ())]
    values = sentence_easiness(
        texts,
        [text for text, __ in wanted],
        [text for part in own for text in part],
        places=[at for __, at in wanted],
    )
    return [
        PlacedSentence(row.example, one, part, value)
        for one, part, value in zip(row.sentences, own, values, strict=True)
    ]


def make_sentence_cases(placed: Sequence[PlacedSentence], parser: Parser) -> list[SentenceCase]:
    parsed = parser.parse(one.row.text for one in placed)
    return [SentenceCase(parse, None, one.stus) for parse, one in zip(parsed, placed, strict=True)]


KIND = "train_easiness"
REGRESSORS = tuple(FEATURES)
FOLDS = 5
MOST_FOLDS = 100
# A regressor that learned from fewer says nothing.
FEWEST = 10
NAME = r"^[A-Za-z0-9][A-Za-z0-9._-]{0,79}$"
NAME_WORDS = gettext_lazy(
    "at most 80 letters, digits, dots, hyphens and underscores, starting with a letter or digit"
)


def train_easiness(
    *,
    project: Project,
    user: User | None,
    name: str,
    scus: UnitSet,
    stus: UnitSet,
    regressor: str = DEFAULT,
    folds: int = FOLDS,
    seed: int = 0,
) -> EasinessModel:
    """Begin to train, once everything that can be checked is in order.

    Folds are of examples: a regressor is told good by sentences of examples that it never saw. A
    name that was used before gets its next version.
    """
    checked = _check_name(name)
    if regressor not in REGRESSORS:
        known = ", ".join(REGRESSORS)
        raise Invalid(
            _("Unknown regressor '{regressor}'.").format(regressor=regressor[:40]),
            _("Known: {known}.").format(known=known),
        )
    _check_sets(project, scus, stus)
    _check_folds(scus, folds)
    with transaction.atomic():
        made = _create(
            project,
            checked,
            regressor=regressor,
            scus=scus,
            stus=stus,
            learned_from=_("{scus} and {stus}").format(scus=scus, stus=stus)[:300],
            folds=folds,
            seed=seed,
            created_by=user,
        )
        made.job = create_job(
            project=project,
            user=user,
            kind=KIND,
            title=_("Train {made}").format(made=made),
            params={"model": made.pk},
        )
        made.save(update_fields=["job"])
        record_activity(
            project=project,
            actor=user,
            verb=Verb.START,
            target=made,
            text=_("started training {made}").format(made=made),
        )
    return made


def _check_name(name: str) -> str:
    name = name.strip()
    if not re.match(NAME, name):
        raise Invalid(
            _("name: expected {name_words}.").format(name_words=NAME_WORDS),
            _("For example, 'our-news'."),
        )
    if name in MODELS:
        raise DomainError(
            _("A built-in regressor is already called '{name}'.").format(name=name),
            _("Choose another name."),
        )
    return name


def _check_sets(project: Project, scus: UnitSet, stus: UnitSet) -> None:
    for unit_set, kind in ((scus, UnitKind.SCU), (stus, UnitKind.STU)):
        if unit_set.project_id != project.pk:
            raise DomainError(
                _("{unit_set} doesn't belong to this project.").format(unit_set=unit_set)
            )
        refuse_if_not_filled(unit_set)
        if not Unit.objects.filter(set=unit_set, kind=kind, is_deleted=False).exists():
            raise DomainError(
                _("{unit_set} contains no {kind}s.").format(unit_set=unit_set, kind=kind.label),
                _("Choose another set."),
            )


def _check_folds(scus: UnitSet, folds: int) -> None:
    examples = len(list_written(scus))
    if not 2 <= folds <= MOST_FOLDS:
        raise Invalid(_("folds: expected 2 to {most_folds}.").format(most_folds=MOST_FOLDS))
    if examples < folds:
        raise DomainError(
            _("{scus} has SCUs for only {examples} examples, too few for {folds} folds.").format(
                scus=scus, examples=examples, folds=folds
            ),
            _("Write SCUs for more examples, or use fewer folds."),
        )


def _create(project: Project, name: str, **values: Any) -> EasinessModel:
    for __ in range(10):
        rows = EasinessModel.objects.filter(project=project, name=name).order_by("-version")
        newest = rows.first()
        version = newest.version + 1 if newest else 1
        try:
            with transaction.atomic():
                return EasinessModel.objects.create(
                    project=project, name=name, version=version, **values
                )
        except IntegrityError:
            continue
    raise DomainError(_("Other regressors are being trained."), _("Try again in a moment."))


# The job -------------------------------------------------------------------------------------


def run_training(work: Work) -> dict[str, Any]:
    """Some hundred sentences are learned in seconds: who is killed begins anew."""
    rows = EasinessModel.objects.select_related("project", "scus", "stus", "created_by")
    model = rows.filter(pk=work.job.params["model"]).first()
    if model is None:
        raise DomainError(_("The regressor was deleted."))
    if model.scus is None or model.stus is None:
        raise DomainError(_("A set that it was to be trained on was deleted."))
    if not model.is_ready:
        trained = _train(work, model, model.scus, model.stus)
        with work.step():
            _finish(model, trained)
    return {"model": model.pk, "name": str(model), "held_out": model.card["held_out"]}


def _train(work: Work, model: EasinessModel, scus: UnitSet, stus: UnitSet) -> Trained:
    # Late: its statistics take a second to load, and no page needs them.
    from scoring.easiness.training import Options, choose_folds, train_regressor

    placed = _read(work, scus, stus)
    known = sum(one.easiness is not None for one in placed)
    if known < FEWEST:
        raise DomainError(
            _("Only {known} sentences have SCUs; training needs at least {fewest}.").format(
                known=known, fewest=FEWEST
            ),
            _("Write more SCUs first."),
        )
    work.report(work.done, phase=_("Parsing"))
    cases = make_sentence_cases(placed, load_parser())
    work.report(work.done, phase=_("Training"))
    sentences = _as_sentences(placed)
    targets = np.array([np.nan if one.easiness is None else one.easiness for one in placed])
    documents = list(dict.fromkeys(sentence.document for sentence in sentences))
    folds = choose_folds(documents, k=model.folds, seed=model.seed)
    options = Options(model.regressor, model.target, name=str(model), seed=model.seed)
    return train_regressor(sentences, cases, targets, folds, options)


def _read(work: Work, scus: UnitSet, stus: UnitSet) -> list[PlacedSentence]:
    examples = list_written(scus)
    work.report(0, len(examples), phase=_("Reading units"))
    placed: list[PlacedSentence] = []
    for at in range(0, len(examples), EXAMPLES_A_STEP):
        placed += read_placed(examples[at : at + EXAMPLES_A_STEP], stus, scus)
        work.report(min(at + EXAMPLES_A_STEP, len(examples)))
    return placed


def _as_sentences(placed: Sequence[PlacedSentence]) -> list[SentenceUnits]:
    """By the keys of examples, so that folds are the same wherever the corpus is."""
    keys = dict(
        Example.objects.filter(pk__in={one.example for one in placed}).values_list("pk", "key")
    )
    return [SentenceUnits(keys[one.example], 0, one.row.text, (), ()) for one in placed]


def _finish(model: EasinessModel, trained: Trained) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "regressor.json"
        trained.save(path)
        model.file = json.loads(path.read_text(encoding="utf-8"))
    learned = hash_references(list_written(model.scus) if model.scus else [])
    model.card = {**trained.regressor.card, "learned": learned.to_json()}
    model.is_ready = True
    model.save(update_fields=["file", "card", "is_ready"])
    record_activity(
        project=model.project,
        actor=model.created_by,
        verb=Verb.FINISH,
        target=model,
        text=_("trained {model}").format(model=model),
    )


def delete_easiness_model(*, model: EasinessModel, user: User | None) -> None:
    """Only one that no ranking stands on: a name and version never come to mean another."""
    if model.job is not None and not model.job.is_over:
        raise DomainError(
            _("{model} is still being trained.").format(model=model),
            _("Cancel its job first."),
            fix=model,
        )
    used = SentencePlan.objects.filter(set__project=model.project_id, model=str(model))
    if plan := used.select_related("set").first():
        raise DomainError(
            _("The ranking of {set} uses it.").format(set=plan.set),
            _("Rank that set with another regressor first."),
        )
    with transaction.atomic():
        text = _("deleted the regressor {model}").format(model=model)
        record_activity(
            project=model.project, actor=user, verb=Verb.DELETE, target=model, text=text
        )
        remove_rows(EasinessModel.objects.filter(pk=model.pk))


def remove_unfinished(job: Job) -> None:
    EasinessModel.objects.filter(pk=job.params["model"], is_ready=False).delete()


KINDS[KIND] = JobKind(run_training, undo=remove_unfinished, is_long=True)
