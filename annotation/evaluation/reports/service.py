"""Reports: checked first, then built by a job; killed, it builds the same report anew."""

from __future__ import annotations

import secrets
from collections.abc import Collection, Sequence
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from annotation.corpora.accounts.models import User
from annotation.corpora.activity.models import Verb
from annotation.corpora.activity.service import record_activity
from annotation.corpora.jobs.kinds import KINDS, JobKind
from annotation.corpora.jobs.models import Job
from annotation.corpora.jobs.service import create_job
from annotation.corpora.jobs.work import Work
from annotation.corpora.projects.models import Project
from annotation.errors import DomainError, Invalid, NotFound
from annotation.evaluation.judges.queries import list_learned, list_learned_scores
from annotation.evaluation.metrics.models import ScoreSet
from annotation.evaluation.metrics.sources import ScoreSource
from annotation.evaluation.reports.models import (
    LONGEST_COMMENTARY,
    LONGEST_TITLE,
    MOST_METRICS,
    Report,
)
from annotation.evaluation.reports.queries import (
    read_report_judgements,
    read_report_study,
    read_reported_scores,
    report_options,
)
from annotation.evaluation.runs.models import JudgeRun
from annotation.removal import remove_rows
from annotation.translation import gettext_lazy
from scoring.errors import InputError
from scoring.metaeval.report import build_report as build
from scoring.metaeval.report.options import MOST_RESAMPLES, MOST_SEED, RESAMPLES
from scoring.metaeval.study import EVERY, INPUTS, Study

KIND = "build_report"
TITLE = gettext_lazy("Correlation with human scores")


def build_report(
    *,
    project: Project,
    user: User | None,
    human: str,
    metrics: Sequence[str],
    title: str = "",
    commentary: str = "",
    systems: Sequence[str] = (),
    resamples: int = RESAMPLES,
    seed: int = 0,
    inputs: str = EVERY,
) -> Report:
    """Begin to build, once it is sure that there is something to build from."""
    options = check_report_options(resamples=resamples, seed=seed, inputs=inputs)
    chosen = _check_metrics(human, metrics)
    study, sources = _read(project, human, chosen, systems)
    _check_study(study)
    with transaction.atomic():
        made = Report.objects.create(
            project=project,
            title=(title.strip() or TITLE)[:LONGEST_TITLE],
            human=human,
            metrics=chosen,
            systems=list(study.systems) if systems else [],
            sources=_name_all(project, sources),
            options=options,
            commentary=check_commentary(commentary),
            created_by=user,
        )
        made.job = create_job(
            project=project,
            user=user,
            kind=KIND,
            title=_("Build {made}").format(made=made),
            params={"report": made.pk},
        )
        made.save(update_fields=["job"])
        text = _("started {made}").format(made=made)[:300]
        record_activity(project=project, actor=user, verb=Verb.START, target=made, text=text)
    return made


def check_report_options(*, resamples: int, seed: int, inputs: str) -> dict[str, Any]:
    for name, value, least, most in (
        ("resamples", resamples, 1, MOST_RESAMPLES),
        ("seed", seed, 0, MOST_SEED),
    ):
        if not least <= value <= most:
            raise Invalid(
                _("{name}: expected {least} to {most:,}, not {value}.").format(
                    name=name, least=least, most=most, value=value
                )
            )
    if inputs not in INPUTS:
        raise Invalid(
            _("inputs: '{inputs}' is not one of {inputs_2}.").format(
                inputs=inputs, inputs_2=", ".join(INPUTS)
            )
        )
    return {"resamples": resamples, "seed": seed, "inputs": inputs}


def _check_metrics(human: str, metrics: Sequence[str]) -> list[str]:
    chosen = [key for key in dict.fromkeys(metrics) if key != human]
    if not chosen:
        raise DomainError(
            _("Scores can’t be compared with themselves."), _("Choose another metric.")
        )
    if len(chosen) > MOST_METRICS:
        raise Invalid(
            _("metrics: {chosen} chosen. Choose at most {most_metrics}.").format(
                chosen=len(chosen), most_metrics=MOST_METRICS
            )
        )
    return chosen


def _read(
    project: Project, human: str, metrics: list[str], systems: Sequence[str]
) -> tuple[Study, list[ScoreSource]]:
    try:
        return read_report_study(project, human, metrics, list(systems))
    except InputError as error:
        raise NotFound(str(error)) from None


def _check_study(study: Study) -> None:
    if not study.judged.any():
        raise DomainError(
            _("There are no human scores for these systems."), _("Choose other scores or systems.")
        )


def _name_all(project: Project, sources: Sequence[ScoreSource]) -> list[dict[str, Any]]:
    keys = {source.key for source in sources}
    runs = JudgeRun.objects.filter(project=project, is_ready=True).select_related("unit_set")
    learned = list_learned(run for run in runs if run.source_key in keys)
    by_key = {f"run:{row['run']}": row for row in learned}
    scores = ScoreSet.objects.filter(project=project, is_ready=True).select_related("project")
    for row in list_learned_scores(made for made in scores if _has_key(made, keys)):
        by_key |= {key: row for key in keys if key.startswith(f"scores:{row['scores']}:")}
    return [_name(source) | {"learned": by_key.get(source.key)} for source in sources]


def _has_key(score_set: ScoreSet, keys: Collection[str]) -> bool:
    return any(key.startswith(f"scores:{score_set.pk}:") for key in keys)


def _name(source: ScoreSource) -> dict[str, Any]:
    """What stays of a source when it is deleted."""
    return {
        "key": source.key,
        "kind": source.kind,
        "name": source.name,
        "title": source.title,
        "lower": source.is_lower_better,
        "signature": source.signature,
        "hash": source.content_hash,
    }


def run_report(work: Work) -> dict[str, Any]:
    """Read, reckon, keep; nothing is kept before all is there."""
    report = Report.objects.select_related("project").get(pk=work.job.params["report"])
    if not report.is_ready:
        found = _find(report, work)
        with work.step():
            _finish(report, found)
    return {"report": report.pk, "metrics": len(report.metrics)}


def _find(report: Report, work: Work) -> dict[str, Any]:
    work.report(0, 2, phase=_("Reading scores"))
    study = read_reported_scores(report)
    work.report(1, phase=_("Resampling systems and examples"))
    judgements = read_report_judgements(report.project, report.human)
    return build(study, report_options(report), judgements=judgements)


def _finish(report: Report, found: dict[str, Any]) -> None:
    report.found, report.signature = found, found["signature"][:500]
    report.is_ready = True
    report.save(update_fields=["found", "signature", "is_ready"])
    record_activity(
        project=report.project,
        actor=report.created_by,
        verb=Verb.FINISH,
        target=report,
        text=_("built {report}").format(report=report)[:300],
    )


def share_report(*, report: Report, user: User | None, shared: bool) -> Report:
    """A link that nobody can guess, or none; a link that was taken back never works again."""
    if not report.is_ready:
        raise DomainError(
            _("{report} is not ready yet.").format(report=report),
            _("Wait for its job to finish."),
            fix=report,
        )
    if shared == report.is_shared:
        return report
    report.share_token = secrets.token_urlsafe(24) if shared else None
    with transaction.atomic():
        report.save(update_fields=["share_token"])
        said = (
            _("shared {report} by link").format(report=report)
            if shared
            else _("stopped sharing {report} by link").format(report=report)
        )
        text = said[:300]
        record_activity(
            project=report.project,
            actor=user,
            verb=Verb.SHARE if shared else Verb.UNSHARE,
            target=report,
            text=text,
        )
    return report


def check_commentary(text: str) -> str:
    text = text.replace("\r\n", "\n").strip()
    if len(text) > LONGEST_COMMENTARY:
        raise Invalid(
            _("commentary: {text:,} characters. Write at most {longest_commentary:,}.").format(
                text=len(text), longest_commentary=LONGEST_COMMENTARY
            )
        )
    return text


def comment_report(*, report: Report, user: User | None, commentary: str) -> Report:
    """What people say about a report, shown with it; its numbers and signature stay as they are."""
    report.commentary = check_commentary(commentary)
    with transaction.atomic():
        report.save(update_fields=["commentary"])
        record_activity(
            project=report.project,
            actor=user,
            verb=Verb.CHANGE,
            target=report,
            text=_("edited the commentary of {report}").format(report=report)[:300],
        )
    return report


def delete_report(*, report: Report, user: User | None) -> None:
    if report.job is not None and not report.job.is_over:
        raise DomainError(
            _("{report} is still being built.").format(report=report),
            _("Cancel its job first."),
            fix=report,
        )
    with transaction.atomic():
        text = _("deleted {report}").format(report=report)[:300]
        record_activity(
            project=report.project, actor=user, verb=Verb.DELETE, target=report, text=text
        )
        remove_rows(Report.objects.filter(pk=report.pk))


def remove_unfinished(job: Job) -> None:
    Report.objects.filter(pk=job.params["report"], is_ready=False).delete()


KINDS[KIND] = JobKind(run_report, undo=remove_unfinished)
