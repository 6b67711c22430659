"""Labels from files made anew: as they came, with what experts have settled put above them."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from django.db import transaction

from annotation.corpora.models import User, Verb
from annotation.corpora.services.activity import record_activity
from annotation.corpora.services.jobs import KINDS, JobKind, Work, create_job
from annotation.errors import DomainError
from annotation.evaluation.models import LabelOrigin, LabelSet, SummaryLabels
from annotation.evaluation.selectors.scores import describe_labels
from annotation.evaluation.selectors.settled import (
    Draws,
    Words,
    count_unheeded,
    get_draws,
    get_words,
)
from annotation.evaluation.services.labels import (
    create_label_set,
    get_label_set_of,
    get_unit_order,
    measure_label_set,
    remove_unfinished,
    show_label_set,
)
from annotation.translation import gettext as _
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
