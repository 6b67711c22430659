"""STUs of a whole corpus: checked first, then extracted by a job that can be killed and goes on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import Max
from django.utils.translation import gettext as _

from annotation import clock
from annotation.corpora.accounts.models import User
from annotation.corpora.activity.models import Verb
from annotation.corpora.activity.service import record_activity
from annotation.corpora.bulk import insert_rows, reserve_ids
from annotation.corpora.jobs.kinds import KINDS, JobKind
from annotation.corpora.jobs.models import Job
from annotation.corpora.jobs.pausing import pause_job, resume_job
from annotation.corpora.jobs.service import create_job
from annotation.corpora.jobs.work import Work
from annotation.corpora.projects.models import Project
from annotation.corpora.targets import new_import
from annotation.errors import DomainError, Invalid
from annotation.removal import remove_rows
from annotation.units.plans.service import PLANNED
from annotation.units.plans.stand_ins import CONTRIBUTOR
from annotation.units.sets.locks import get_set_of
from annotation.units.sets.models import Contributor, Unit, UnitKind, UnitSet
from annotation.units.sets.service import seal_set
from annotation.units.sets.versions import COPIED
from annotation.units.studio.ops import MAX_TEXT, clean_text
from annotation.units.stus.easiness import (
    ReferenceRow,
    chunk_examples,
    live_examples,
    parse_rows,
    read_references,
)
from annotation.units.stus.models import SentencePlan
from annotation.units.stus.regressors import Foreteller, resolve_regressor
from annotation.wording import counted
from scoring.easiness.features import SentenceCase
from scoring.parses import ParsedSentence, load_parser
from scoring.stu.extractors import EXTRACTORS, load_extractor
from scoring.stu.types import Extractor, Stu

KIND = "extract_stus"
MOST_X = 10.0


def extract_stus(
    *,
    project: Project,
    user: User | None,
    extractor: str = "rich",
    coref: bool = False,
    x: float = 1.0,
    name: str = "",
    regressor: str = "",
) -> UnitSet:
    """Begin a set of STUs of every reference, frozen once it is whole.

    The difficulty of each sentence is predicted along the way. A name that an
    extractor's set has already gets its next version.
    """
    if extractor not in EXTRACTORS:
        known = ", ".join(EXTRACTORS)
        raise Invalid(
            _("Unknown extractor '{extractor}'.").format(extractor=extractor[:40]),
            _("Known: {known}.").format(known=known),
        )
    if not 0 < x <= MOST_X:
        raise Invalid(
            _("x: expected a number above 0 and up to {most_x:g}.").format(most_x=MOST_X),
            _("1 gives about as many STUs as SCUs."),
        )
    choice = resolve_regressor(project, regressor)
    if not live_examples(project).exists():
        raise DomainError(
            _("The project has no examples."), _("Import a corpus first."), fix=new_import(project)
        )
    params = {"extractor": extractor, "coref": coref, "x": x, "regressor": choice.name}
    with transaction.atomic():
        unit_set = _create(
            project,
            user,
            name.strip() or _("STUs by {extractor}").format(extractor=extractor),
            extractor,
        )
        unit_set.job = create_job(
            project=project,
            user=user,
            kind=KIND,
            title=_("Extract {unit_set}").format(unit_set=unit_set)[:200],
            params={**params, "set": unit_set.pk},
        )
        unit_set.save(update_fields=["job"])
        text = _("started extracting {unit_set}").format(unit_set=unit_set)
        record_activity(project=project, actor=user, verb=Verb.START, target=unit_set, text=text)
    return unit_set


def _create(project: Project, user: User | None, name: str, extractor: str) -> UnitSet:
    others = UnitSet.objects.filter(project=project, name=name)
    if others.filter(extractor="").exists():
        raise DomainError(
            _("'{name}' is a set of units that were not extracted.").format(name=name),
            _("Choose another name for the STUs."),
        )
    last = others.aggregate(last=Max("version"))["last"] or 0
    try:
        with transaction.atomic():
            return UnitSet.objects.create(
                project=project,
                name=name,
                version=last + 1,
                extractor=extractor,
                created_by=user,
            )
    except IntegrityError:
        raise DomainError(
            _("Someone else has just started an extraction."), _("Reload the page.")
        ) from None


def pause_filling(*, unit_set: UnitSet) -> None:
    """The job that fills a set rests after its step; it goes on from there."""
    pause_job(job=_job_of(unit_set))


def resume_filling(*, unit_set: UnitSet) -> None:
    resume_job(job=_job_of(unit_set))


def _job_of(unit_set: UnitSet) -> Job:
    if unit_set.job is None:
        raise DomainError(
            _("{unit_set} has no running job.").format(unit_set=unit_set),
            _("There is nothing to pause or to resume."),
        )
    return unit_set.job


# The job -------------------------------------------------------------------------------------


def run_extraction(work: Work) -> dict[str, Any]:
    """Extract, from the last example that was written on; then freeze."""
    unit_set = get_set_of(work.job)
    total = live_examples(unit_set.project).count()
    work.report(work.done, total, phase=_("Loading the extractor"))
    if not unit_set.is_frozen:
        maker = _Maker(unit_set, work.job.params)
        work.report(work.done, phase=_("Extracting"))
        for examples in chunk_examples(unit_set.project, work.cursor.get("last", 0)):
            references = read_references(examples)
            made = maker.make(references)
            with work.step():
                _write(unit_set, made)
                work.cursor = {**work.cursor, "last": examples[-1]}
                work.done += len(examples)
        _finish(work, unit_set, maker)
    sentences = SentencePlan.objects.filter(set=unit_set).count()
    return {"set": unit_set.pk, "units": unit_set.unit_count, "sentences": sentences}


def _finish(work: Work, unit_set: UnitSet, maker: _Maker) -> None:
    work.report(work.done, phase=_("Freezing"))
    if maker.cut:
        work.log(
            _("{units} longer than {max_text:,} characters were cut.").format(
                units=counted(maker.cut, "unit", "units"), max_text=MAX_TEXT
            )
        )
    with work.step():
        if not Unit.objects.filter(set=unit_set).exists():
            raise DomainError(
                _("No STUs could be extracted from any reference."),
                _("Check that the references contain text."),
            )
        seal_set(unit_set, unit_set.created_by)


@dataclass(frozen=True, slots=True)
class Made:
    """What a reference gave: its STUs, and how hard each of its sentences is."""

    reference: ReferenceRow
    stus: list[Stu]
    difficulties: list[float]
    model: str


class _Maker:
    """Extractor and regressor, on one parse of each sentence."""

    def __init__(self, unit_set: UnitSet, params: dict[str, Any]) -> None:
        self.parser = load_parser()
        self.extractor: Extractor = load_extractor(
            params["extractor"], coref=params["coref"], x=params["x"]
        )
        choice = resolve_regressor(unit_set.project, params["regressor"])
        self.foreteller = Foreteller(choice)
        self.cut = 0
        _keep_version(unit_set, self.extractor.version)

    def make(self, references: Sequence[ReferenceRow]) -> list[Made]:
        found: list[tuple[ReferenceRow, list[Stu]]] = []
        cases: list[SentenceCase] = []
        for row, parsed in zip(references, parse_rows(references, self.parser), strict=True):
            stus = self._extract(parsed)
            found.append((row, stus))
            cases += [
                SentenceCase(parse, None, tuple(stu.text for stu in stus if stu.sentence == at))
                for at, parse in enumerate(parsed)
            ]
        values = iter(self.foreteller.difficulties(cases))
        return [
            Made(row, stus, [next(values) for __ in row.sentences], self.foreteller.label)
            for row, stus in found
        ]

    def _extract(self, parsed: list[ParsedSentence]) -> list[Stu]:
        """Units as the tables hold them; one that is all blanks is left out."""
        stus = []
        for stu in self.extractor.extract_parsed(parsed):
            text = clean_text(stu.text)
            self.cut += len(text) > MAX_TEXT
            text = text[:MAX_TEXT].rstrip()
            if text:
                stus.append(Stu(text, stu.sentence, stu.start, stu.end, stu.rule, stu.score))
        return stus


def _keep_version(unit_set: UnitSet, version: str) -> None:
    """A set is one extractor's from its first unit to its last."""
    if unit_set.extractor_version not in ("", version):
        raise DomainError(
            _(
                "The extractor is now {version}; the set was started with {extractor_version}."
            ).format(version=version, extractor_version=unit_set.extractor_version),
            _("Cancel the job and extract again."),
            fix=unit_set,
        )
    unit_set.extractor_version = version
    unit_set.save(update_fields=["extractor_version"])


def _write(unit_set: UnitSet, made: Sequence[Made]) -> None:
    """Units with the words that they stand on, and what is foretold of each sentence."""
    now = clock.now()
    by = (None, unit_set.extractor, unit_set.extractor_version, None, 0.0, now, now)
    places: dict[int, int] = {}
    units: list[tuple[Any, ...]] = []
    spans: list[tuple[Any, ...]] = []
    ids = iter(reserve_ids(Unit, sum(len(row.stus) for row in made)))
    for row in made:
        example = row.reference.example
        for stu in row.stus:
            pk, place = next(ids), places.get(example, 0)
            places[example] = place + 1
            head = (pk, unit_set.pk, example, UnitKind.STU.value, stu.text, 1, place, 1, False)
            units.append((*head, *by))
            spans.append((pk, *_span(row.reference, stu)))
    insert_rows(Unit, COPIED, units)
    insert_rows(Contributor, CONTRIBUTOR, spans)
    insert_rows(SentencePlan, PLANNED, [one for row in made for one in _plans(unit_set, row)])


def _span(reference: ReferenceRow, stu: Stu) -> tuple[Any, ...]:
    sentence = reference.sentences[stu.sentence]
    start = sentence.start + min(stu.start, len(sentence.text) - 1)
    end = sentence.start + min(max(stu.end, stu.start + 1), len(sentence.text))
    return (reference.pk, sentence.pk, start, end, False)


def _plans(unit_set: UnitSet, made: Made) -> list[tuple[Any, ...]]:
    """In the order of `PLANNED`; nobody writes in a set of STUs."""
    rows = zip(made.reference.sentences, made.difficulties, strict=True)
    return [(unit_set.pk, row.pk, value, False, made.model) for row, value in rows]


def remove_half(job: Job) -> None:
    """A cancelled extraction leaves nothing behind."""
    remove_rows(UnitSet.objects.filter(pk=job.params["set"], content_hash=""))


KINDS[KIND] = JobKind(run_extraction, undo=remove_half, can_pause=True, is_long=True)
