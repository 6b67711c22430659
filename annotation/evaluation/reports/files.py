"""A report as files: figures, its record, and one HTML page that needs nothing else."""

from __future__ import annotations

import re
from functools import cache

from django.contrib.staticfiles import finders
from django.http import HttpResponse, StreamingHttpResponse
from django.template.loader import render_to_string
from django.utils.html import escape
from django.utils.translation import get_language

from annotation.evaluation.reports.models import Report
from annotation.evaluation.reports.queries import (
    MEDIA,
    list_report_sections,
    read_reported_scores,
    stream_scores,
    write_figure,
)
from annotation.headers import attach_as
from scoring.metaeval.report import write_latex, write_record

SHEETS = ("tokens", "pages/figures", "pages/report", "pages/report-print", "pages/report-alone")
# Nothing may be fetched, and nothing runs.
POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"


def figure_response(report: Report, name: str, format: str, columns: str = "") -> HttpResponse:
    body = write_figure(report, name, format, columns)
    size = f"-{columns}-column" if columns else ""
    return _attached(body, MEDIA[format], f"report-{report.pk}-{name}{size}.{format}")


def record_response(report: Report) -> HttpResponse:
    body = write_record(report.found)
    return _attached(body, "application/json", f"report-{report.pk}.json")


def latex_response(report: Report) -> HttpResponse:
    body = write_latex(report.found).encode()
    return _attached(body, "text/plain; charset=utf-8", f"report-{report.pk}-correlations.tex")


def scores_response(report: Report) -> StreamingHttpResponse:
    """Every score that the report is of: what its figures are computed from."""
    lines = stream_scores(read_reported_scores(report))
    response = StreamingHttpResponse(lines, content_type=MEDIA["csv"])
    attach_as(response, f"report-{report.pk}-scores.csv")
    response["X-Content-Type-Options"] = "nosniff"
    return response


def html_response(report: Report) -> HttpResponse:
    body = write_html(report).encode()
    return _attached(body, "text/html; charset=utf-8", f"report-{report.pk}.html")


def _attached(body: bytes, media: str, name: str) -> HttpResponse:
    """Sent to be kept: a browser does not show it as a page of ours."""
    response = HttpResponse(body, content_type=media)
    attach_as(response, name)
    response["X-Content-Type-Options"] = "nosniff"
    return response


def write_html(report: Report) -> str:
    """One file for a paper's supplement: styles and figures within, no address that it needs."""
    body = render_to_string(
        "evaluation/_report.html",
        {"report": report, "sections": list_report_sections(report), "in_file": True},
    )
    return (
        f'<!doctype html>\n<html lang="{get_language()}">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(report.title)}</title>\n<style>\n{_styles()}\n</style>\n</head>\n"
        f'<body>\n<main class="report-alone">\n{body}\n</main>\n</body>\n</html>\n'
    )


@cache
def _styles() -> str:
    text = "\n".join(_read(f"css/{name}.css") for name in SHEETS)
    return re.sub(r"/\*.*?\*/\n?", "", text, flags=re.DOTALL)


def _read(name: str) -> str:
    path = finders.find(name)
    assert isinstance(path, str), name
    with open(path, encoding="utf-8") as file:
        return file.read()
