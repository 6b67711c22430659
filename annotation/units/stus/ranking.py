"""The sentences of a draft by how hard they are, so that writers begin where it counts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.db import transaction
from django.db.models import Max
from django.utils.translation import gettext as _

from annotation.corpora.accounts.models import User
from annotation.corpora.activity.models import Verb
from annotation.corpora.activity.service import record_activity
from annotation.corpora.jobs.kinds import KINDS, JobKind
from annotation.corpora.jobs.models import Job
from annotation.corpora.jobs.service import create_job
from annotation.corpora.jobs.work import Work
from annotation.errors import DomainError
from annotation.units.plans.service import refuse_unless_stus
from annotation.units.sets.locks import get_set_of, hold_writing
from annotation.units.sets.models import UnitSet
from annotation.units.studio.models import Assignment
from annotation.units.studio.progress import ensure_assignments
from annotation.units.stus.easiness import (
    chunk_examples,
    live_examples,
    make_sentence_cases,
    read_placed,
)
from annotation.units.stus.models import SentencePlan
from annotation.units.stus.regressors import Foreteller, resolve_regressor
from annotation.wording import counted
from scoring.parses import load_parser

KIND = "rank_sentences"
Foretold = dict[int, tuple[float, str]]  # difficulty and model by the id of the sentence


def rank_sentences(
    *, unit_set: UnitSet, user: User | None, stus: UnitSet, regressor: str = ""
) -> int:
    """Foretell how hard each sentence is, and put the hardest examples first in the queue.

    Predictions stored with the STUs are used, unless another regressor is named.
    """
    with transaction.atomic():
        held = hold_writing(unit_set)
        refuse_unless_stus(held, stus)
        count = 0
        for __, foretold in _foretell(held, stus, regressor):
            store_difficulties(held, foretold)
            count += len(foretold)
        order_queue(held)
        _tell(held, user, count)
    return count


def start_ranking(
    *, unit_set: UnitSet, user: User | None, stus: UnitSet, regressor: str = ""
) -> Job:
    """The same as a job, which tells how far it is."""
    name = resolve_regressor(unit_set.project, regressor).name if regressor else ""
    with transaction.atomic():
        held = hold_writing(unit_set)
        refuse_unless_stus(held, stus)
        if list_ranking_jobs(held):
            raise DomainError(
                _("{held} is already being ranked.").format(held=held),
                _("Wait for its job."),
                fix=held,
            )
        text = _("started ranking the sentences of {held}").format(held=held)
        record_activity(project=held.project, actor=user, verb=Verb.START, target=held, text=text)
        return create_job(
            project=held.project,
            user=user,
            kind=KIND,
            title=_("Rank the sentences of {held}").format(held=held)[:200],
            params={"set": held.pk, "stus": stus.pk, "regressor": name},
        )


def list_ranking_jobs(unit_set: UnitSet) -> list[Job]:
    """Those that are not over."""
    jobs = Job.objects.filter(project=unit_set.project_id, kind=KIND, params__set=unit_set.pk)
    return [job for job in jobs.order_by("-pk")[:5] if not job.is_over]


def run_ranking(work: Work) -> dict[str, Any]:
    """From the last example that was ranked."""
    unit_set = get_set_of(work.job)
    stus = UnitSet.objects.filter(pk=work.job.params["stus"]).first()
    if stus is None:
        raise DomainError(_("The set of STUs was deleted."), _("Rank with another set."))
    work.report(work.done, live_examples(unit_set.project).count(), phase=_("Ranking"))
    after = work.cursor.get("last", 0)
    for examples, foretold in _foretell(unit_set, stus, work.job.params["regressor"], after):
        with work.step():
            store_difficulties(hold_writing(unit_set), foretold)
            work.cursor = {"last": examples[-1]}
            work.done += len(examples)
    with work.step():
        held = hold_writing(unit_set)
        order_queue(held)
        count = SentencePlan.objects.filter(set=held).count()
        _tell(held, work.job.created_by, count)
    return {"set": unit_set.pk, "sentences": count}


def _tell(unit_set: UnitSet, user: User | None, count: int) -> None:
    text = _("ranked {sentences} of {unit_set}, hardest first").format(
        sentences=counted(count, "sentence", "sentences"), unit_set=unit_set
    )
    record_activity(
        project=unit_set.project, actor=user, verb=Verb.RANK, target=unit_set, text=text
    )


def _foretell(
    unit_set: UnitSet, stus: UnitSet, regressor: str, after: int = 0
) -> Iterator[tuple[list[int], Foretold]]:
    """A few examples at a time."""
    asker = _Asker(unit_set, stus, regressor)
    for examples in chunk_examples(unit_set.project, after):
        yield examples, asker.ask(examples)


class _Asker:
    """Takes over what is stored with the STUs, and asks the regressor for what is not."""

    def __init__(self, unit_set: UnitSet, stus: UnitSet, regressor: str) -> None:
        self.stus = stus
        self.choice = resolve_regressor(unit_set.project, regressor)
        self.foreteller: Foreteller | None = None
        if regressor:
            self.foreteller = Foreteller(self.choice)

    def ask(self, examples: list[int]) -> Foretold:
        stored = self._read(examples)
        placed = read_placed(examples, self.stus)
        missing = [one for one in placed if one.row.pk not in stored]
        if missing:
            self.foreteller = self.foreteller or Foreteller(self.choice)
            cases = make_sentence_cases(missing, load_parser())
            values = self.foreteller.difficulties(cases)
            label = self.foreteller.label
            stored |= {
                one.row.pk: (value, label) for one, value in zip(missing, values, strict=True)
            }
        return stored

    def _read(self, examples: list[int]) -> Foretold:
        rows = SentencePlan.objects.filter(
            set=self.stus, sentence__reference__example__in=examples
        ).order_by()
        if self.foreteller is not None:
            rows = rows.filter(model=self.foreteller.label)
        found = rows.values_list("sentence_id", "difficulty", "model")
        return {pk: (difficulty, model) for pk, difficulty, model in found}


def store_difficulties(unit_set: UnitSet, foretold: Foretold) -> None:
    """Who writes a sentence stays as it is; one that is new to the set is a person's."""
    SentencePlan.objects.bulk_create(
        (
            SentencePlan(set=unit_set, sentence_id=pk, difficulty=difficulty, model=model)
            for pk, (difficulty, model) in foretold.items()
        ),
        batch_size=400,
        update_conflicts=True,
        unique_fields=["set", "sentence"],
        update_fields=["difficulty", "model"],
    )


def order_queue(unit_set: UnitSet) -> None:
    """An example is as urgent as the hardest sentence that a person writes in it."""
    ensure_assignments(unit_set)
    hardest = dict(
        SentencePlan.objects.filter(set=unit_set, is_human=True)
        .order_by()
        .values_list("sentence__reference__example_id")
        .annotate(most=Max("difficulty"))
    )
    rows = list(Assignment.objects.filter(set=unit_set).only("pk", "example_id", "priority"))
    for row in rows:
        row.priority = hardest.get(row.example_id, 0.0)
    Assignment.objects.bulk_update(rows, ["priority"], batch_size=400)


KINDS[KIND] = JobKind(run_ranking, can_pause=True)
