"""Units that stand on whole sentences, and the words of these that their texts keep.

- All spans of a set that are whole sentences, narrowed to the words of their units; and undone.
"""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from annotation.corpora.accounts.models import User
from annotation.corpora.activity.models import Verb
from annotation.corpora.activity.service import record_activity
from annotation.corpora.corpus.models import Example, Reference, Sentence
from annotation.corpora.jobs.kinds import KINDS, JobKind
from annotation.corpora.jobs.models import Job, JobState
from annotation.corpora.jobs.service import create_job
from annotation.corpora.jobs.work import Work
from annotation.errors import DomainError
from annotation.units.sets.locks import get_set_of, hold_draft, refuse_if_closed
from annotation.units.sets.models import Change, Contributor, Unit, UnitSet
from annotation.units.studio.ops import Op, apply_op
from annotation.units.studio.states import unit_state, units_with_spans
from annotation.units.stus.easiness import chunk_examples, live_examples
from scoring.alignment import SentenceText, align_unit, is_whole

KIND = "narrow_spans"


@dataclass(frozen=True, slots=True)
class Piece:
    """A run of a sentence's characters, and whether the unit keeps standing on it."""

    text: str
    is_kept: bool


@dataclass(frozen=True, slots=True)
class Narrowed:
    """A unit whose spans would change; `after` as an editor sends them."""

    unit: Unit
    after: list[dict[str, Any]]
    # Each whole sentence that it stands on, in pieces.
    sentences: list[list[Piece]]


def list_narrowed(unit_set: UnitSet, examples: Sequence[int]) -> list[Narrowed]:
    """Of these examples, in the order of the corpus. Spans that were set by hand stay."""
    rows = Reference.objects.filter(example__in=examples).prefetch_related("sentences")
    references = {row.pk: row for row in rows}
    units = Unit.objects.filter(set=unit_set, example__in=examples, is_deleted=False)
    units = units.select_related("example", "author").prefetch_related("contributors")
    order = ("example__position", "example_id", "position", "pk")
    found = (_narrow(unit, references) for unit in units.order_by(*order))
    return [row for row in found if row is not None]


def _narrow(unit: Unit, references: dict[int, Reference]) -> Narrowed | None:
    after: list[dict[str, Any]] = []
    sentences: list[list[Piece]] = []
    for span in unit.contributors.all():
        reference = references[span.reference_id]
        sentence = _find_whole(span, reference)
        kept = _find_kept(unit.text, reference, sentence) if sentence else []
        if sentence is None or not kept:
            kept = [(span.start, span.end)]
        else:
            sentences.append(_cut(reference.text, sentence, kept))
        after += [
            {"reference": reference.pk, "start": start, "end": end, "aligned": span.is_aligned}
            for start, end in kept
        ]
    return Narrowed(unit, after, sentences) if sentences else None


def _find_whole(span: Contributor, reference: Reference) -> Sentence | None:
    """The sentence whose words the span covers, all of them and no others."""
    for sentence in reference.sentences.all():
        text = reference.text[sentence.start : sentence.end]
        if is_whole(text, span.start - sentence.start, span.end - sentence.start):
            return sentence
    return None


def _find_kept(text: str, reference: Reference, sentence: Sentence) -> list[tuple[int, int]]:
    """Ranges of the reference with the words of the unit; none if it keeps all words, or shares
    none with the sentence.
    """
    source = reference.text[sentence.start : sentence.end]
    found = align_unit(text, [SentenceText(0, 0, source)])
    if len(found) == 1 and is_whole(source, found[0].start, found[0].end):
        return []
    return [(sentence.start + row.start, sentence.start + row.end) for row in found]


def _cut(text: str, sentence: Sentence, kept: list[tuple[int, int]]) -> list[Piece]:
    pieces, at = [], sentence.start
    for start, end in kept:
        pieces += [Piece(text[at:start], is_kept=False), Piece(text[start:end], is_kept=True)]
        at = end
    return [
        piece for piece in [*pieces, Piece(text[at : sentence.end], is_kept=False)] if piece.text
    ]


def list_narrowings(unit_set: UnitSet) -> list[Job]:
    """The newest first."""
    rows = Job.objects.filter(project=unit_set.project_id, kind=KIND, params__set=unit_set.pk)
    return list(rows.order_by("-pk")[:5])


def find_undoable(unit_set: UnitSet) -> Job | None:
    """The last narrowing, if it changed units and was not undone."""
    for job in list_narrowings(unit_set):
        if job.state == JobState.DONE:
            return job if job.params["undo"] is None and job.result["changed"] else None
    return None


def preview_narrowing(unit_set: UnitSet, examples: Sequence[Example]) -> list[dict[str, Any]]:
    """In plain values, example by example."""
    units: dict[int, list[dict[str, Any]]] = {row.pk: [] for row in examples}
    for row in list_narrowed(unit_set, list(units)):
        pieces = [piece for sentence in row.sentences for piece in sentence]
        units[row.unit.example_id].append(
            {
                "id": row.unit.pk,
                "text": row.unit.text,
                "kept": [piece.text for piece in pieces if piece.is_kept],
                "left": [piece.text for piece in pieces if not piece.is_kept],
            }
        )
    return [{"example": row.key, "units": units[row.pk]} for row in examples]


EXAMPLES_A_STEP = 20
NAMESPACE = uuid.UUID("5b6f2f0c-6a39-4c0f-9a52-9e1f0f2f6a11")
Spans = list[dict[str, Any]]


def narrow_spans(*, unit_set: UnitSet, user: User, undo: bool = False) -> Job:
    """Begin the job; with `undo`, the one that takes the last narrowing back."""
    with transaction.atomic():
        held = hold_draft(unit_set)
        refuse_if_closed(held, user)
        open_jobs = [job for job in list_narrowings(held) if not job.is_over]
        if open_jobs:
            raise DomainError(
                _("The spans of {held} are already being changed.").format(held=held),
                _("Wait until the job is done."),
                fix=open_jobs[0],
            )
        last = find_undoable(held) if undo else None
        if undo and last is None:
            raise DomainError(_("There is no narrowing to undo."))
        what = _("Undo narrowing the spans") if undo else _("Narrow the spans")
        job = create_job(
            project=held.project,
            user=user,
            kind=KIND,
            title=_("{what} of {held}").format(what=what, held=held)[:200],
            params={"set": held.pk, "undo": last.pk if last else None},
        )
        text = (
            _("undid the narrowing of spans of {held}").format(held=held)
            if undo
            else _("narrowed the spans of {held}").format(held=held)
        )
        record_activity(project=held.project, actor=user, verb=Verb.CHANGE, target=held, text=text)
    return job


def run_narrowing(work: Work) -> dict[str, Any]:
    """From the last example that was changed."""
    unit_set = get_set_of(work.job)
    if work.job.created_by is None:
        raise DomainError(
            _("The person who started this job no longer has an account."), _("Start it again.")
        )
    work.report(work.done, live_examples(unit_set.project).count(), phase=_("Changing spans"))
    changed = work.cursor.get("changed", 0)
    for examples in chunk_examples(unit_set.project, work.cursor.get("last", 0), EXAMPLES_A_STEP):
        with work.step():
            changed += _change(work.job, hold_draft(unit_set), examples)
            work.cursor = {"last": examples[-1], "changed": changed}
            work.done += len(examples)
    return {"changed": changed}


def _change(job: Job, unit_set: UnitSet, examples: Sequence[int]) -> int:
    """One action for each example that has something to change."""
    undone = job.params["undo"]
    find = _list_widened if undone else _list_narrow
    found = find(unit_set, examples, undone)
    rows = {row.pk: row for row in Example.objects.filter(pk__in=found)}
    for pk, changes in found.items():
        op = Op(name_op(job.pk, pk), "widen" if undone else "narrow", changes)
        assert job.created_by is not None
        apply_op(unit_set=unit_set, example=rows[pk], user=job.created_by, op=op)
    return sum(map(len, found.values()))


def name_op(job: int, example: int) -> uuid.UUID:
    """What a job does in an example has one name, so that a kill repeats nothing."""
    return uuid.uuid5(NAMESPACE, f"{job}:{example}")


def _list_narrow(unit_set: UnitSet, examples: Sequence[int], __: None) -> dict[int, list[Any]]:
    found: dict[int, list[Any]] = {}
    for row in list_narrowed(unit_set, examples):
        unit = row.unit
        change = {"unit": unit.pk, "revision": unit.revision, "spans": row.after}
        found.setdefault(unit.example_id, []).append({"action": "update", **change})
    return found


def _list_widened(unit_set: UnitSet, examples: Sequence[int], job: int) -> dict[int, list[Any]]:
    """Units whose spans are still those that the job left."""
    names = [name_op(job, pk) for pk in examples]
    made = Change.objects.filter(set=unit_set, op__in=names).select_related("example")
    found: dict[int, list[Any]] = {}
    for change in made:
        for unit in units_with_spans(unit_set, change.example).filter(is_deleted=False):
            after = change.after.get(str(unit.pk))
            if after and _places(after["spans"]) == _places(unit_state(unit)["spans"]):
                spans = change.before[str(unit.pk)]["spans"]
                row = {"unit": unit.pk, "revision": unit.revision, "spans": spans}
                found.setdefault(change.example_id, []).append({"action": "update", **row})
    return found


def _places(spans: Spans) -> set[tuple[int, int, int]]:
    return {(span["reference"], span["start"], span["end"]) for span in spans}


KINDS[KIND] = JobKind(run_narrowing)
