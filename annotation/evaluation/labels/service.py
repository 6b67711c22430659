"""Making a label set: answers by a recipe, with what people decided, written step by step."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from django.db import IntegrityError, transaction
from django.db.models import Q
from django.utils.translation import gettext as _
from numpy.typing import NDArray

from annotation.corpora.accounts.models import User
from annotation.corpora.activity.models import Verb
from annotation.corpora.activity.service import record_activity
from annotation.corpora.corpus.models import Summary
from annotation.corpora.jobs.kinds import KINDS, JobKind
from annotation.corpora.jobs.models import Job
from annotation.corpora.jobs.service import create_job
from annotation.corpora.jobs.work import Work
from annotation.corpora.projects.models import Project
from annotation.crowd.campaigns.models import Campaign
from annotation.crowd.campaigns.recollecting import DROPPED
from annotation.errors import DomainError
from annotation.evaluation.labels.figures import describe_outcome, keep_answer_figures
from annotation.evaluation.labels.models import (
    Decision,
    Drop,
    LabelOrigin,
    LabelSet,
    SummaryLabels,
    Verdict,
)
from annotation.evaluation.labels.outcome import NO_LABEL, Outcome, get_outcome
from annotation.evaluation.labels.queries import Draws, get_draws
from annotation.evaluation.labels.scores import keep_scores
from annotation.evaluation.runs.compare import compare_newest_run
from annotation.removal import remove_rows
from annotation.units.sets.models import Unit, UnitSet
from scoring.aggregation import Recipe

KIND = "make_labels"
CHUNK = 2000


def keep_labels(
    *,
    project: Project,
    user: User | None,
    campaigns: Sequence[Campaign],
    recipe: Recipe,
    note: str = "",
) -> LabelSet:
    """Start to make a label set of what the campaigns have brought so far."""
    if not campaigns:
        raise DomainError(
            _("No campaign was chosen."), _("Choose at least one campaign with answers.")
        )
    made = create_label_set(project, user, campaigns[0].unit_set, LabelOrigin.CROWD, note)
    with transaction.atomic():
        made.campaigns.set(campaigns)
        made.recipe = recipe.to_json()
        made.job = create_job(
            project=project,
            user=user,
            kind=KIND,
            title=_("Create {made}").format(made=made),
            params={"label_set": made.pk},
        )
        made.save()
        text = _("started creating {made}").format(made=made)
        record_activity(project=project, actor=user, verb=Verb.START, target=made, text=text)
    return made


def create_label_set(
    project: Project, user: User | None, unit_set: UnitSet, origin: str, note: str
) -> LabelSet:
    """The next version; two people who ask at once get one each."""
    for __ in range(10):
        newest = LabelSet.objects.filter(unit_set=unit_set).order_by("-version").first()
        try:
            with transaction.atomic():
                return LabelSet.objects.create(
                    project=project,
                    unit_set=unit_set,
                    version=newest.version + 1 if newest else 1,
                    origin=origin,
                    note=note.strip()[:300],
                    created_by=user,
                )
        except IntegrityError:
            continue
    raise DomainError(_("Another label set is being created."), _("Try again in a moment."))


def run_make(work: Work) -> dict[str, Any]:
    """Rows in short steps; the last one shows them. Started anew if answers came in meanwhile."""
    label_set = get_label_set_of(work)
    work.report(0, 1, phase=_("Reading answers"))
    campaigns = list(label_set.campaigns.select_related("unit_set"))
    recipe = Recipe.from_json(label_set.recipe)
    outcome = get_outcome(label_set.project, label_set.unit_set, campaigns, recipe)
    if outcome.is_empty:
        raise DomainError(NO_LABEL, _("Relax a rule."))
    mark = outcome.collected.answers.content_hash()
    units = get_unit_order(label_set.unit_set)
    total = len(outcome.collected.summaries)
    _start_anew(work, label_set, mark)
    work.report(work.done, total, phase=_("Writing labels"))
    for rows in build_rows(label_set, outcome, units, work.cursor["summaries"]):
        with work.step():
            SummaryLabels.objects.bulk_create(rows)
            work.cursor["summaries"] += len(rows)
            work.done = work.cursor["summaries"]
    label_set.answers_hash = mark
    keep_answer_figures(label_set, outcome)
    until = outcome.collected.until
    label_set.answers_until = {str(row.pk): until.get(row.pk, 0) for row in campaigns}
    measure_label_set(
        label_set,
        figures=describe_outcome(outcome),
        answers_hash=mark,
        signature=recipe.signature(mark),
    )
    with work.step():
        _write_drops(label_set, outcome)
        show_label_set(label_set)
    return {"label_set": label_set.pk, "version": label_set.version, **label_set.figures["counts"]}


def get_label_set_of(work: Work) -> LabelSet:
    rows = LabelSet.objects.select_related("project", "unit_set")
    found = rows.filter(pk=work.job.params["label_set"]).first()
    if found is None:
        raise DomainError(_("The label set was deleted."))
    return found


def _start_anew(work: Work, label_set: LabelSet, mark: str) -> None:
    if work.cursor.get("answers") == mark:
        return
    with work.step():
        SummaryLabels.objects.filter(label_set=label_set).delete()
        work.cursor = {"answers": mark, "summaries": 0}
        work.done = 0


def get_unit_order(unit_set: UnitSet) -> dict[int, list[int]]:
    """The units of each example, in their order; places in a row of labels follow it."""
    rows = Unit.objects.filter(set=unit_set, is_deleted=False).order_by("position", "pk")
    order: dict[int, list[int]] = {}
    for example, pk in rows.values_list("example_id", "pk"):
        order.setdefault(example, []).append(pk)
    return order


def build_rows(
    label_set: LabelSet, outcome: Outcome, units: dict[int, list[int]], start: int = 0
) -> Iterator[list[SummaryLabels]]:
    """The rows of an outcome, not yet saved, some at a time."""
    collected = outcome.collected
    ids = collected.summaries
    draws = get_draws(label_set.unit_set)
    bounds = np.searchsorted(collected.answers.statement_summaries, np.arange(len(ids) + 1))
    for first in range(start, len(ids), CHUNK):
        codes = range(first, min(first + CHUNK, len(ids)))
        wanted = [int(ids[code]) for code in codes]
        examples = dict(Summary.objects.filter(pk__in=wanted).values_list("pk", "example_id"))
        yield [
            _row(label_set, outcome, int(ids[code]), units[examples[int(ids[code])]], span, draws)
            for code in codes
            if (span := slice(int(bounds[code]), int(bounds[code + 1])))
        ]


def _row(
    label_set: LabelSet,
    outcome: Outcome,
    summary: int,
    units: list[int],
    span: slice,
    draws: Draws,
) -> SummaryLabels:
    place = {pk: position for position, pk in enumerate(units)}
    found = [place[int(pk)] for pk in outcome.collected.statement_units[span]]
    labels: list[int | None] = [None] * len(units)
    posteriors: list[float | None] = [None] * len(units)
    votes = [[0, 0] for __ in units]
    expert, settled = [], []
    for position, code in zip(found, range(span.start, span.stop), strict=True):
        if outcome.present[code] >= 0:
            labels[position] = int(outcome.present[code])
            posteriors[position] = _posterior(outcome, code)
        votes[position] = [int(number) for number in outcome.counts[code]]
        if outcome.expert[code]:
            expert.append(position)
            if said := draws.get((summary, units[position])):
                settled.append([position, *said])
    return SummaryLabels(
        label_set=label_set,
        summary_id=summary,
        labels=labels,
        posteriors=posteriors,
        votes=votes,
        expert=sorted(expert),
        settled=sorted(settled),
    )


def _posterior(outcome: Outcome, code: int) -> float:
    if outcome.expert[code]:
        return float(outcome.present[code])
    return round(float(outcome.aggregate.labels.posterior[code]), 6)


def _write_drops(label_set: LabelSet, outcome: Outcome) -> None:
    reasons = {drop.assignment: (drop.rule, drop.reason) for drop in outcome.aggregate.drops}
    reasons.update(
        (code, reason)
        for code, reason in outcome.overrides.reasons.items()
        if outcome.overrides.drop[code]
    )
    ids = outcome.collected.assignments
    left_out: NDArray[np.int64] = np.flatnonzero(~outcome.aggregate.kept)
    Drop.objects.bulk_create(
        (
            Drop(
                label_set=label_set,
                assignment_id=int(ids[code]),
                rule=reasons[int(code)][0],
                reason=reasons[int(code)][1][:300],
            )
            for code in left_out
        ),
        batch_size=1000,
    )


def measure_label_set(
    label_set: LabelSet, *, figures: dict[str, Any], answers_hash: str, signature: str
) -> None:
    """All rows are there: compute their hash and scores, while nothing else has to wait."""
    label_set.answers_hash = answers_hash
    label_set.content_hash = hash_labels(label_set)
    label_set.signature = signature
    label_set.figures = figures
    keep_scores(label_set)


def show_label_set(label_set: LabelSet) -> None:
    """Let everybody see what was measured."""
    label_set.is_ready = True
    label_set.save()
    compare_newest_run(label_set)
    record_activity(
        project=label_set.project,
        actor=label_set.created_by,
        verb=Verb.FINISH,
        target=label_set,
        text=_("created {label_set}").format(label_set=label_set),
    )


def hash_labels(label_set: LabelSet) -> str:
    """SHA-256 over every label by names: two servers with the same labels have the same hash."""
    digest = hashlib.sha256()
    rows = SummaryLabels.objects.filter(label_set=label_set).order_by(
        "summary__example__position", "summary__example_id", "summary__system__name"
    )
    fields = ("summary__example__key", "summary__system__name", "labels")
    for row in rows.values_list(*fields).iterator(chunk_size=CHUNK):
        line = json.dumps(list(row), ensure_ascii=False, separators=(",", ":"))
        digest.update(line.encode() + b"\n")
    return digest.hexdigest()


def delete_labels(*, label_set: LabelSet, user: User | None) -> None:
    """Only what nothing refers to can go: a gold version keeps its labels."""
    if label_set.gold_versions.exists():
        raise DomainError(
            _("A gold version uses {label_set}.").format(label_set=label_set),
            _("Label sets used by a gold version can't be deleted."),
        )
    if label_set.job and not label_set.job.is_over:
        raise DomainError(
            _("{label_set} is still being created.").format(label_set=label_set),
            _("Cancel its job first."),
            fix=label_set,
        )
    with transaction.atomic():
        record_activity(
            project=label_set.project,
            actor=user,
            verb=Verb.DELETE,
            target=label_set,
            text=_("deleted {label_set}").format(label_set=label_set),
        )
        remove_rows(LabelSet.objects.filter(pk=label_set.pk))


def list_dropped(campaign: Campaign) -> set[int]:
    """Assignments that the newest labels left out, or that a person has said to leave out."""
    newest = LabelSet.objects.filter(campaigns=campaign, is_ready=True).order_by("-pk").first()
    mine = Q(assignment__campaign=campaign)
    drops = Drop.objects.filter(mine, label_set=newest).values_list("assignment", flat=True)
    words = Decision.objects.filter(project=campaign.project_id, undone_at=None)
    left_out = words.filter(verdict=Verdict.DROP)
    # Apart, each off an index: by either, all work of the campaign would be looked through.
    singly = left_out.filter(mine).values_list("assignment", flat=True)
    workers = list(left_out.exclude(worker=None).values_list("worker", flat=True))
    whole = campaign.assignments.filter(worker__in=workers).order_by().values_list("pk", flat=True)
    kept = words.filter(mine, verdict=Verdict.KEEP).values_list("assignment", flat=True)
    return {*drops, *singly, *whole} - set(kept)


def remove_unfinished(job: Job) -> None:
    remove_rows(LabelSet.objects.filter(pk=job.params["label_set"], is_ready=False))


DROPPED.append(list_dropped)
KINDS[KIND] = JobKind(run_make, undo=remove_unfinished)
