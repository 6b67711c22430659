"""Who may do what with reports, on pages, by REST and by link."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from annotation.corpora.accounts.models import User
from annotation.corpora.projects.models import Project
from annotation.evaluation.metrics.models import ScoreSet
from annotation.evaluation.reports import service as reports_service
from annotation.evaluation.reports.models import Report
from tests.annotation.crowd.permissions import Part
from tests.annotation.evaluation.reported import asked, make_report, make_score_set
from tests.annotation.roles import EDITOR, OWNER, VIEWER, Row, call, everybody, page

TABLE: dict[str, Row] = {
    "evaluation:reports": page(VIEWER, GET=200),
    "evaluation:build_report": page(EDITOR, GET=200, POST=302),
    "evaluation:report": page(VIEWER, GET=200),
    "evaluation:print_report": page(VIEWER, GET=200),
    "evaluation:report_figure": page(VIEWER, GET=200),
    "evaluation:report_html": page(VIEWER, GET=200),
    "evaluation:report_json": page(VIEWER, GET=200),
    "evaluation:report_scores": page(VIEWER, GET=200),
    "evaluation:report_latex": page(VIEWER, GET=200),
    "evaluation:comment_report": page(EDITOR, POST=302),
    "evaluation:share_report": page(OWNER, POST=302),
    "evaluation:delete_report": page(EDITOR, POST=302),
    "evaluation:shared_report": everybody(GET=200),
    "evaluation:shared_figure": everybody(GET=200),
    "evaluation:shared_scores": everybody(GET=200),
    "evaluation:shared_latex": everybody(GET=200),
    "evaluation:shared_html": everybody(GET=200),
    "evaluation_api:reports": call(GET=(VIEWER, 200), POST=(EDITOR, 202)),
    "evaluation_api:report": call(GET=(VIEWER, 200), PATCH=(EDITOR, 200), DELETE=(EDITOR, 204)),
    "evaluation_api:report_scores": call(GET=(VIEWER, 200)),
    "evaluation_api:report_latex": call(GET=(VIEWER, 200)),
    "evaluation_api:share_report": call(POST=(OWNER, 200)),
    "evaluation_api:report_figure": call(GET=(VIEWER, 200)),
    "evaluation_api:report_html": call(GET=(VIEWER, 200)),
}


@dataclass(frozen=True, slots=True)
class ReportPlaces:
    """A report that whoever has its link may read."""

    scores: ScoreSet
    report: Report


def make_report_places(project: Project, owner: User) -> ReportPlaces:
    """Around a project that has a corpus."""
    scores = make_score_set(project, owner)
    report = make_report(scores, owner)
    reports_service.share_report(report=report, user=owner, shared=True)
    return ReportPlaces(scores, report)


def make_places(project: Project, people: Mapping[str, User]) -> ReportPlaces:
    return make_report_places(project, people["owner"])


def values_for(name: str, places: ReportPlaces) -> dict[str, Any]:
    values: dict[str, Any] = {"format": "svg"}
    if "shared" in name:
        values |= {"token": places.report.share_token, "name": "scatter"}
    elif name.startswith("evaluation:"):
        values |= {"pk": places.report.pk, "name": "scatter"}
    else:
        values |= {"pk": places.report.pk, "figure": "scatter"}
    return values


def sent_to(name: str, places: ReportPlaces) -> dict[str, Any]:
    said = asked(places.scores)
    sent: dict[str, dict[str, Any]] = {
        "evaluation:build_report": said | {"seed": 0, "inputs": "every"},
        "evaluation_api:reports": said,
        "evaluation:share_report": {"shared": "1"},
        "evaluation_api:share_report": {"shared": True},
        "evaluation:comment_report": {"commentary": "Read with care."},
        "evaluation_api:report": {"commentary": "Read with care."},
    }
    return sent.get(name, {})


PARTS = [Part(TABLE, make_places, values_for, sent_to)]
