"""Scores of texts that somebody sends: computed by a worker, kept for a day, part of no study.

- Texts that were sent to be scored, and what came of it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from annotation import clock
from annotation.corpora.accounts.models import User
from annotation.corpora.jobs.kinds import KINDS, SWEEPS, JobKind
from annotation.corpora.jobs.models import Job, JobState
from annotation.corpora.jobs.service import create_job
from annotation.corpora.jobs.work import Work
from annotation.corpora.projects.models import Project
from annotation.errors import DomainError, NotFound, TooLarge, TooMany
from annotation.evaluation.judges.offered import JudgeChoice, get_judge, read_options, resolve_judge
from annotation.evaluation.judges.queries import describe
from scoring.errors import InputError
from scoring.judge import Document, Judged, check_documents, functions_of, score_summaries
from scoring.judge.learned import count_met, read_learned
from scoring.overlap import tokenize

KIND = "score_texts"
MOST_PAIRS = 2000
# What the judge reads: a summary once for each of its units, and the units.
MOST_TOKENS = 200_000
# Unfinished ones of one person; more would keep workers from everybody else's work.
MOST_WAITING = 5
KEPT = timedelta(days=1)
ASK_AGAIN = timedelta(seconds=10)
SWEPT = 100


def begin_text_scores(
    *,
    project: Project,
    user: User,
    judge: str,
    documents: Sequence[Document],
    function: str = "",
    empty: str = "refuse",
) -> Job:
    """Check everything that needs no judge, and leave the rest to a worker."""
    choice = resolve_judge(project, judge)
    _check_size(choice, documents)
    _check_function(judge, function, choice.functions)
    try:
        check_documents(documents, empty)
    except InputError as error:
        raise DomainError(str(error)) from None
    with transaction.atomic():
        _check_waiting(user)
        return create_job(
            project=project,
            user=user,
            kind=KIND,
            title=_("Score {documents:,} texts by {judge}").format(
                documents=len(documents), judge=judge
            )[:200],
            params={
                "judge": judge,
                "function": function,
                "empty": empty,
                "documents": [asdict(document) for document in documents],
            },
        )


def count_tokens(documents: Sequence[Document]) -> int:
    """How many a judge reads; stops counting once it is certain that they are too many."""
    total = 0
    for document in documents:
        total += len(document.units) * len(tokenize(document.summary))
        total += sum(len(tokenize(unit)) for unit in document.units)
        if total > MOST_TOKENS:
            break
    return total


def _check_size(choice: JudgeChoice, documents: Sequence[Document]) -> None:
    if not choice.is_light:
        raise DomainError(
            _("{choice} takes too long for texts that are sent.").format(choice=choice.name),
            _("Start a run, or use the judge embedded or lexical."),
        )
    pairs = sum(len(document.units) for document in documents)
    if pairs > MOST_PAIRS:
        raise TooLarge(
            _("{pairs:,} pairs of a unit and a summary; the limit is {most_pairs:,}.").format(
                pairs=pairs, most_pairs=MOST_PAIRS
            ),
            _("Send them in parts, or start a run."),
        )
    if count_tokens(documents) > MOST_TOKENS:
        raise TooLarge(
            _(
                "A judge would read more than {most_tokens:,} tokens: "
                "each summary once for each of its units, and the units."
            ).format(most_tokens=MOST_TOKENS),
            _("Send fewer or shorter texts, or start a run."),
        )


def _check_function(judge: str, function: str, offered: Sequence[str]) -> None:
    if function and function not in offered:
        raise DomainError(
            _("function: {judge} offers only {offered}.").format(
                judge=judge, offered=" and ".join(offered)
            )
        )


def _check_waiting(user: User) -> None:
    """Counted under a lock on the person, so that calls at once don't pass together."""
    User.objects.select_for_update().get(pk=user.pk)
    unfinished = [JobState.QUEUED, JobState.RUNNING, JobState.PAUSED]
    waiting = Job.objects.filter(kind=KIND, created_by=user, state__in=unfinished).count()
    if waiting >= MOST_WAITING:
        raise TooMany(
            _(
                "{waiting} of your scoring requests aren't finished; at most {most_waiting} can "
                "wait."
            ).format(waiting=waiting, most_waiting=MOST_WAITING),
            _("Wait until one is finished, or cancel its job."),
            retry_after=ASK_AGAIN,
        )


def run_text_scores(work: Work) -> dict[str, Any]:
    """Nothing is written before the end, so a killed worker's job begins again."""
    params = work.job.params
    work.report(0, len(params["documents"]), phase=_("Loading the judge"))
    choice = resolve_judge(work.job.project, params["judge"])
    judge = get_judge(choice, read_options({}))
    offered = functions_of(judge.classes)
    _check_function(params["judge"], params["function"], offered)
    work.report(0, phase=_("Scoring"))
    judged = score_summaries(
        [_read_document(row) for row in params["documents"]],
        judge,
        empty=params["empty"],
        progress=work.report,
    )
    asked = ((document.summary, document.units) for document in judged.documents)
    met = count_met(read_learned(choice.where), asked)
    told = describe_scores(judged, (params["function"],) if params["function"] else offered)
    return told | {"learned": describe(met)}


def _read_document(row: Mapping[str, Any]) -> Document:
    lists = {name: tuple(row[name]) for name in ("units", "weights", "labels")}
    return Document(name=row["name"], summary=row["summary"], **lists)


def describe_scores(judged: Judged, functions: Sequence[str]) -> dict[str, Any]:
    """By function; `human` is a number where every document has labels."""
    presence = {name: judged.presence(name) for name in functions}
    scores = {name: judged.scores(name).tolist() for name in functions}
    return {
        "judge": judged.identity.name,
        "scores": {name: float(judged.scores(name).mean()) for name in functions},
        "human": judged.human(),
        "signatures": {name: judged.signature(name) for name in functions},
        "documents": [
            {
                "name": document.name,
                "scores": {name: scores[name][place] for name in functions},
                "presence": {name: presence[name][place] for name in functions},
                "sentences": [verdict.sentence for verdict in verdicts]
                or [-1] * len(document.units),
            }
            for place, (document, verdicts) in enumerate(
                zip(judged.documents, judged.verdicts, strict=True)
            )
        ],
    }


def forget_text_scores() -> int:
    """Delete texts and scores whose day is over."""
    over = Job.objects.filter(kind=KIND, finished_at__lt=clock.now() - KEPT)
    return Job.objects.filter(pk__in=list(over.values_list("pk", flat=True)[:SWEPT])).delete()[0]


KINDS[KIND] = JobKind(run_text_scores, is_long=True)
SWEEPS.append(forget_text_scores)


def get_text_scores(project: Project, pk: int) -> Job:
    found = Job.objects.filter(project=project, kind=KIND, pk=pk).first()
    if found is None:
        raise NotFound(_("These scores don’t exist."), _("Scores are stored for one day."))
    return found
