"""Words of people: whose work is left out or kept, what an expert settles; and taking them back."""

from __future__ import annotations

from dataclasses import dataclass

from django.db import IntegrityError, transaction

from annotation import clock
from annotation.corpora.models import Project, Summary, User, Verb
from annotation.corpora.services.activity import record_activity
from annotation.crowd.models import Assignment, Worker
from annotation.errors import DomainError, Invalid
from annotation.evaluation.models import Adjudication, Decision, JudgeRun, LabelSet, Verdict
from annotation.evaluation.selectors.run_review import find_by_hand, get_review
from annotation.translation import gettext as _
from annotation.units.models import Unit


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
