"""Labels from files made anew: as they came, with what experts have settled put above them."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from typing import Any

from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from annotation import clock
from annotation.corpora.accounts.models import User
from annotation.corpora.activity.models import Verb
from annotation.corpora.activity.service import record_activity
from annotation.corpora.corpus.models import Summary
from annotation.corpora.jobs.kinds import KINDS, JobKind
from annotation.corpora.jobs.service import create_job
from annotation.corpora.jobs.work import Work
from annotation.corpora.projects.models import Project
from annotation.crowd.campaigns.models import Assignment, Worker
from annotation.errors import DomainError, Invalid
from annotation.evaluation.labels.models import (
    Adjudication,
    Decision,
    LabelOrigin,
    LabelSet,
    SummaryLabels,
    Verdict,
)
from annotation.evaluation.labels.queries import Draws, Words, count_unheeded, get_draws, get_words
from annotation.evaluation.labels.scores import describe_labels
from annotation.evaluation.labels.service import (
    create_label_set,
    get_label_set_of,
    get_unit_order,
    measure_label_set,
    remove_unfinished,
    show_label_set,
)
from annotation.evaluation.runs.models import JudgeRun
from annotation.evaluation.runs.review import find_by_hand, get_review
from annotation.units.sets.models import Unit
from scoring import __version__

KIND = "settle_labels"
CHUNK = 2000


def settle_labels(*, label_set: LabelSet, user: User | None) -> LabelSet:
    """Start to make the next version of imported labels, with experts' words above them."""
    if label_set.origin != LabelOrigin.FILES:
        raise DomainError(
            _("{label_set} was created from answers.").format(label_set=label_set),
            _("Rebuild it on the what-if page."),
        )
    if not label_set.is_ready:
        raise DomainError(
            _("{label_set} is not ready.").format(label_set=label_set),
            _("Wait until its job has finished."),
            fix=label_set,
        )
    if not count_unheeded(label_set):
        raise DomainError(
            _("{label_set} already includes all expert decisions.").format(label_set=label_set),
            _("First decide a contested statement or a disagreement with a judge."),
        )
    note = _("{label_set} with expert decisions").format(label_set=label_set)
    made = create_label_set(
        label_set.project, user, label_set.unit_set, LabelOrigin.FILES, note[:300]
    )
    with transaction.atomic():
        made.recipe = _recipe(label_set)
        made.job = create_job(
            project=made.project,
            user=user,
            kind=KIND,
            title=_("Create {made}").format(made=made),
            params={"label_set": made.pk, "base": label_set.pk},
        )
        made.save()
        text = _("started creating {made}").format(made=made)
        record_activity(project=made.project, actor=user, verb=Verb.START, target=made, text=text)
    return made


def _recipe(base: LabelSet) -> dict[str, Any]:
    return {**base.recipe, "over": {"version": base.version, "hash": base.content_hash}}


def run_settle(work: Work) -> dict[str, Any]:
    """Some summaries a step; experts' words are those of the moment at which it begins."""
    label_set = get_label_set_of(work)
    base = LabelSet.objects.filter(pk=work.job.params["base"]).first()
    if base is None:
        raise DomainError(_("The label set to rebuild was deleted."))
    words, draws = get_words(base.unit_set), get_draws(base.unit_set)
    mark = _mark(words)
    _start_anew(work, label_set, mark)
    rows = SummaryLabels.objects.filter(label_set=base).select_related("summary").order_by("pk")
    work.report(work.done, rows.count(), phase=_("Writing labels"))
    units = get_unit_order(base.unit_set)
    while chunk := list(rows[work.cursor["rows"] : work.cursor["rows"] + CHUNK]):
        with work.step():
            SummaryLabels.objects.bulk_create(
                _settled(label_set, row, units, words, draws) for row in chunk
            )
            work.cursor["rows"] += len(chunk)
            work.done = work.cursor["rows"]
    _measure(label_set, base, mark)
    with work.step():
        show_label_set(label_set)
    return {"label_set": label_set.pk, **label_set.figures["counts"]}


def _start_anew(work: Work, label_set: LabelSet, mark: str) -> None:
    """From the first row, unless it goes on with the same words."""
    if work.cursor.get("words") == mark:
        return
    with work.step():
        SummaryLabels.objects.filter(label_set=label_set).delete()
        work.cursor = {"words": mark, "rows": 0}
        work.done = 0


def _settled(
    label_set: LabelSet,
    row: SummaryLabels,
    units: dict[int, list[int]],
    words: Words,
    draws: Draws,
) -> SummaryLabels:
    labels, posteriors, expert = list(row.labels), list(row.posteriors), set(row.expert)
    settled = {place: said for place, *said in row.settled}
    for place, unit in enumerate(units[row.summary.example_id]):
        said = words.get((row.summary_id, unit))
        if said is not None:
            labels[place] = int(said)
            expert.add(place)
            if (row.summary_id, unit) in draws:
                settled[place] = list(draws[row.summary_id, unit])
            if posteriors:
                posteriors[place] = float(said)
    return SummaryLabels(
        label_set=label_set,
        summary_id=row.summary_id,
        labels=labels,
        posteriors=posteriors,
        votes=row.votes,
        expert=sorted(expert),
        settled=[[place, *said] for place, said in sorted(settled.items())],
    )


def _measure(label_set: LabelSet, base: LabelSet, mark: str) -> None:
    rows = SummaryLabels.objects.filter(label_set=label_set).values_list("expert", flat=True)
    number = sum(len(places) for places in rows)
    figures = describe_labels(label_set)
    figures["counts"]["expert"] = number
    measure_label_set(
        label_set,
        figures=figures,
        answers_hash="",
        signature=f"labels:{base.content_hash[:16]}|vote:imported|expert:{number}"
        f"|words:{mark[:16]}|giza:{__version__}",
    )


def _mark(words: Words) -> str:
    """SHA-256 over what experts have settled."""
    told = json.dumps([[*where, said] for where, said in sorted(words.items())])
    return hashlib.sha256(told.encode()).hexdigest()


KINDS[KIND] = JobKind(run_settle, undo=remove_unfinished)


@dataclass(frozen=True, slots=True)
class ReviewContext:
    """Next to which run and labels an expert settles a statement.

    `agreements` and `seed` say which statements were drawn; without a number of agreements it was
    picked by hand.
    """

    run: JudgeRun
    label_set: LabelSet
    agreements: int | None = None
    seed: int = 0
    saw_verdicts: bool = False


def decide_worker(
    *, project: Project, user: User | None, worker: Worker, verdict: str, reason: str
) -> Decision:
    """Leave all of a worker's answers out of labels to come, or keep them whatever a rule says."""
    return _decide(
        project,
        user,
        Decision(worker=worker),
        verdict,
        reason,
        _("worker {worker}").format(worker=worker.pk),
    )


def decide_assignment(
    *, project: Project, user: User | None, assignment: Assignment, verdict: str, reason: str
) -> Decision:
    """The same for one piece of work; it goes before a word on its worker."""
    made = Decision(assignment=assignment)
    return _decide(
        project,
        user,
        made,
        verdict,
        reason,
        _("assignment {assignment}").format(assignment=assignment.pk),
    )


def _decide(
    project: Project, user: User | None, made: Decision, verdict: str, reason: str, what: str
) -> Decision:
    if verdict not in Verdict.values:
        raise Invalid(
            _("verdict: '{verdict}' is not one of {values}.").format(
                verdict=verdict, values=", ".join(Verdict.values)
            )
        )
    if not reason.strip():
        raise Invalid(
            _("A decision needs a reason."), _("Enter a reason. It's shown with the labels.")
        )
    made.project, made.made_by = project, user
    made.verdict, made.reason = verdict, reason.strip()[:300]
    try:
        with transaction.atomic():
            made.save()
            text = (
                _("excluded {what}").format(what=what)
                if verdict == Verdict.DROP
                else _("always included {what}").format(what=what)
            )
            record_activity(project=project, actor=user, verb=Verb.DECIDE, target=made, text=text)
    except IntegrityError:
        raise DomainError(
            _("There is already a decision on {what}.").format(what=what), _("Undo it first.")
        ) from None
    return made


def undo_decision(*, decision: Decision, user: User | None) -> None:
    """From now on rules alone decide; labels that were kept stay as they are."""
    _undo(Decision.objects.filter(pk=decision.pk, undone_at=None).update(**_undone(user)))
    text = f"undid “{decision}”"
    record_activity(
        project=decision.project, actor=user, verb=Verb.UNDO, target=decision, text=text
    )


def adjudicate(
    *,
    project: Project,
    user: User | None,
    summary: Summary,
    unit: Unit,
    present: bool,
    reason: str = "",
    beside: ReviewContext | None = None,
) -> Adjudication:
    """An expert's label; an earlier one on the same statement is taken back by it.

    *beside* says next to which run and labels it was settled, and how it was chosen.
    """
    if unit.example_id != summary.example_id:
        raise Invalid(
            _("Unit {unit} and the summary belong to different examples.").format(unit=unit.pk),
            _("Choose a unit and a summary of the same example."),
        )
    made = Adjudication(
        project=project,
        summary=summary,
        unit=unit,
        present=present,
        reason=reason.strip()[:300],
        made_by=user,
        **(_describe(beside, user, summary, unit) if beside else {}),
    )
    word = _("present") if present else _("not present")
    text = _("decided “{unit}” in {system}: {word}").format(
        unit=unit.text[:80], system=summary.system, word=word
    )
    try:
        with transaction.atomic():
            earlier = Adjudication.objects.filter(summary=summary, unit=unit, undone_at=None)
            earlier.update(**_undone(user))
            made.save()
            record_activity(
                project=project, actor=user, verb=Verb.ADJUDICATE, target=made, text=text
            )
    except IntegrityError:
        raise DomainError(
            _("Somebody else decided this statement at the same time."),
            _("Check their decision first."),
        ) from None
    return made


def _describe(
    beside: ReviewContext, user: User | None, summary: Summary, unit: Unit
) -> dict[str, object]:
    run, labels = beside.run, beside.label_set
    saw = beside.saw_verdicts or (user is not None and run.verdicts_seen_by.contains(user))
    draw: dict[str, object] = {}
    if beside.agreements is not None:
        review = get_review(run, labels, beside.agreements, beside.seed)
        draw = review.find_draw(summary, unit)
    draw = draw or find_by_hand(run, labels, summary, unit)
    return {"run": run, "label_set": labels, "draw": draw, "saw_verdicts": saw}


def show_verdicts(*, run: JudgeRun, user: User) -> None:
    """From now on, what this person settles beside the run is marked: they saw what was said."""
    with transaction.atomic():
        run.verdicts_seen_by.add(user)
        text = _("viewed the verdicts of {run} before deciding").format(run=run)[:300]
        record_activity(project=run.project, actor=user, verb=Verb.CHANGE, target=run, text=text)


def undo_adjudication(*, adjudication: Adjudication, user: User | None) -> None:
    rows = Adjudication.objects.filter(pk=adjudication.pk, undone_at=None)
    _undo(rows.update(**_undone(user)))
    text = _("undid the expert decision on “{unit}”").format(unit=adjudication.unit.text[:80])
    record_activity(
        project=adjudication.project, actor=user, verb=Verb.UNDO, target=adjudication, text=text
    )


def _undone(user: User | None) -> dict[str, object]:
    return {"undone_at": clock.now(), "undone_by": user}


def _undo(count: int) -> None:
    if not count:
        raise DomainError(_("This decision has already been undone."), _("Reload the page."))
