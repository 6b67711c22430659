"""Files as the answer to a request; pages and REST send the same.

- Reading the corpus: the example browser, an example, the systems, the export.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from annotation.access import ProjectAccess
from annotation.corpora.activity.queries import (
    ActivityFilter,
    get_activity_format,
    list_activity,
    stream_activity,
)
from annotation.corpora.activity.service import record_export
from annotation.corpora.corpus import exports, queries
from annotation.corpora.corpus.exports import get_export_format, stream_export
from annotation.corpora.corpus.models import Example, Reference, Summary, System, SystemKind
from annotation.corpora.corpus.queries import list_example_parts
from annotation.corpora.forms import SystemForm
from annotation.corpora.projects import service as projects_service
from annotation.corpora.projects.access import project_context, project_view, sent, user_of
from annotation.corpora.projects.models import Project, Role
from annotation.errors import DomainError, Invalid
from annotation.headers import attach_as
from annotation.wording import counted
from scoring.overlap import coverage, overlap_segments


def export_response(project: Project, format: str) -> StreamingHttpResponse:
    """The corpus as a download; what does not fit into the format is said before it begins."""
    chosen = get_export_format(format)
    blocks = stream_export(project, format)
    record_export(project=project, what=_("the corpus"), format=format)
    response = StreamingHttpResponse(blocks, content_type=chosen.media_type)
    name = f"{project.slug}.{chosen.suffix}"
    attach_as(response, name)
    return response


def activity_response(
    project: Project, asked: ActivityFilter, format: str
) -> StreamingHttpResponse:
    """What was done in a project, as far as the filters ask for it."""
    media_type = get_activity_format(format)
    record_export(project=project, what=_("the activity"), format=format)
    lines = (line.encode() for line in stream_activity(list_activity(project, asked), format))
    response = StreamingHttpResponse(lines, content_type=media_type)
    name = f"{project.slug}-activity.{format}"
    attach_as(response, name)
    return response


MAX_QUERY = 200


@project_view()
@require_safe
def examples(request: HttpRequest, access: ProjectAccess) -> HttpResponse:
    chosen = _filter(request.GET)
    page = queries.get_example_page(access.project, chosen, request.GET.get("page", 1))
    rest = request.GET.copy()
    rest.pop("page", None)
    context = project_context(
        access,
        "examples",
        page=page,
        q=chosen.q,
        where=chosen.where,
        missing=chosen.missing,
        total=page.paginator.count,
        first=page.start_index(),
        last=page.end_index(),
        query_string=rest.urlencode(),
    )
    is_partial = getattr(request, "htmx", False)
    template = "corpora/_example_rows.html" if is_partial else "corpora/example_list.html"
    response = render(request, template, context)
    response["Vary"] = "HX-Request"
    return response


def _filter(query: QueryDict) -> queries.ExampleFilter:
    where, missing = query.get("where", ""), query.get("missing", "")
    return queries.ExampleFilter(
        q=query.get("q", "").strip().replace("\x00", "")[:MAX_QUERY],
        where=where if where in queries.WHERE else "reference",
        missing=missing if missing in ("summaries", "references") else "",
    )


@dataclass(frozen=True, slots=True)
class Focus:
    """The reference, and perhaps the sentence of it, that the overlap is shown with."""

    text: str
    reference: int = 0
    sentence: int = 0
    is_only_reference: bool = True

    @property
    def label(self) -> str:
        where = (
            ""
            if self.is_only_reference
            else _(" of reference {reference}").format(reference=self.reference)
        )
        return _("sentence {sentence}{where}").format(sentence=self.sentence, where=where)


@project_view()
@require_safe
def example(request: HttpRequest, access: ProjectAccess, pk: int) -> HttpResponse:
    found = get_object_or_404(
        Example.objects.live().filter(project=access.project).select_related("project"), pk=pk
    )
    here = reverse("corpora:example", args=[access.project.slug, pk])
    references = queries.list_references(found)
    focus = _focus(request.GET, references)
    order = "coverage" if request.GET.get("order") == "coverage" else "name"
    previous, following, number = queries.get_neighbours(found)
    summaries = queries.list_summaries(found)
    context = project_context(
        access,
        "examples",
        example=found,
        number=number,
        total=access.project.example_count,
        previous=previous,
        next=following,
        documents=[_document(row.position + 1, row.text) for row in found.documents.all()],
        references=[_reference(row, focus, here, order) for row in references],
        summaries=_summaries(summaries, focus, order),
        is_too_long=_is_too_long(summaries, focus),
        most_compared=MOST_COMPARED,
        focus=_focus_context(focus, here, order),
        order=order,
        parts=list_example_parts(access, found),
        order_urls={name: here + _query(focus, name) for name in ("name", "coverage")},
    )
    return render(request, "corpora/example.html", context)


def _focus(query: QueryDict, references: list[Reference]) -> Focus:
    """What the address asks for; all references together when it asks for nothing."""
    whole = Focus("\n".join(row.text for row in references))
    asked_reference, asked_sentence = query.get("reference", "1"), query.get("sentence", "")
    for row in references:
        for sentence in row.sentences.all():
            place = (str(row.position + 1), str(sentence.position + 1))
            if place == (asked_reference, asked_sentence):
                text = row.text[sentence.start : sentence.end]
                return Focus(text, row.position + 1, sentence.position + 1, len(references) == 1)
    return whole


def _query(focus: Focus, order: str) -> str:
    query = QueryDict(mutable=True)
    if focus.sentence:
        query["reference"], query["sentence"] = str(focus.reference), str(focus.sentence)
    if order != "name":
        query["order"] = order
    return f"?{query.urlencode()}" if query else "?"


def _focus_context(focus: Focus, here: str, order: str) -> dict[str, Any] | None:
    if not focus.sentence:
        return None
    return {"label": focus.label, "clear_url": here + _query(Focus(""), order)}


def _document(number: int, text: str) -> dict[str, Any]:
    paragraphs = [line for line in text.splitlines() if line.strip()]
    return {"number": number, "text": text, "words": len(text.split()), "paragraphs": paragraphs}


def _reference(row: Reference, focus: Focus, here: str, order: str) -> dict[str, Any]:
    sentences = []
    for sentence in row.sentences.all():
        place = Focus("", row.position + 1, sentence.position + 1)
        text = row.text[sentence.start : sentence.end]
        sentences.append(
            {
                "number": place.sentence,
                "text": text,
                "url": here + _query(place, order),
                "active": (place.reference, place.sentence) == (focus.reference, focus.sentence),
            }
        )
    words = sum(len(str(sentence["text"]).split()) for sentence in sentences)
    return {"number": row.position + 1, "name": row.name, "sentences": sentences, "words": words}


# Words that a page compares while somebody waits; more take seconds of the server.
MOST_COMPARED = 100_000


def _is_too_long(rows: list[Summary], focus: Focus) -> bool:
    texts = (row.text for row in rows)
    return len(rows) * _count(focus.text) + sum(map(_count, texts)) > MOST_COMPARED


def _count(text: str) -> int:
    return len(text.split())


def _summaries(rows: list[Summary], focus: Focus, order: str) -> list[dict[str, Any]]:
    """With what they share with the focus, unless the texts are too long to be compared here."""
    if _is_too_long(rows, focus):
        focus = Focus("")
    shown = [
        {
            "system": row.system,
            "segments": overlap_segments(row.text, focus.text),
            "coverage": round(100 * coverage(row.text, focus.text)),
            "words": len(row.text.split()),
            "is_empty": not row.text.strip(),
        }
        for row in rows
    ]
    if order == "coverage":
        shown.sort(key=lambda item: -item["coverage"])  # type: ignore[operator]
    return shown


@project_view()
@require_http_methods(["GET", "HEAD", "POST"])
def systems(request: HttpRequest, access: ProjectAccess) -> HttpResponse:
    rows = list(queries.list_systems(access.project))
    if request.method == "POST":
        access.require(Role.EDITOR)
        kinds = {row.pk: request.POST.get(f"kind-{row.pk}", row.kind) for row in rows}
        if unknown := sorted(set(kinds.values()) - set(SystemKind.values)):
            raise Invalid(
                _("'{unknown}' is not a kind of system.").format(unknown=unknown[0][:40]),
                _("Choose from the list."),
            )
        count = projects_service.set_system_kinds(
            project=access.project, user=user_of(request), kinds=kinds
        )
        messages.success(
            request, _("{kinds} changed.").format(kinds=counted(count, "kind", "kinds"))
        )
        return redirect("corpora:systems", access.project.slug)
    total = access.project.example_count
    for row in rows:
        row.share = 100 * row.summary_count // total if total else 0  # type: ignore[attr-defined]
    context = project_context(access, "systems", systems=rows, kinds=SystemKind.choices)
    return render(request, "corpora/system_list.html", context)


@project_view()
@require_http_methods(["GET", "POST"])
def system(request: HttpRequest, access: ProjectAccess, pk: int) -> HttpResponse:
    found = get_object_or_404(
        System.objects.live().filter(project=access.project).select_related("project"), pk=pk
    )
    initial = {"name": found.name, "kind": found.kind}
    form = SystemForm(sent(request), initial=initial) if access.can_edit else None
    if request.method == "POST":
        access.require(Role.EDITOR)
        if form is not None and form.is_valid() and _save_system(request, found, form):
            return redirect("corpora:system", access.project.slug, pk)
    context = project_context(
        access,
        "systems",
        system=found,
        form=form,
        page=queries.get_system_page(found, request.GET.get("page", 1)),
        stats=queries.get_system_stats(found),
    )
    status = 422 if form is not None and form.errors else 200
    return render(request, "corpora/system.html", context, status=status)


def _save_system(request: HttpRequest, system: System, form: SystemForm) -> bool:
    name, kind = form.cleaned_data["name"], SystemKind(form.cleaned_data["kind"])
    try:
        projects_service.update_system(system=system, user=user_of(request), name=name, kind=kind)
    except DomainError as error:
        form.add_error("name", error.message)
        system.refresh_from_db()
        return False
    messages.success(request, "Saved.")
    return True


@project_view()
@require_safe
def export(request: HttpRequest, access: ProjectAccess) -> HttpResponse:
    project = access.project
    formats = [
        {
            "value": item.value,
            "label": item.label,
            "explanation": item.explanation,
            "url": reverse("corpora:download", args=[project.slug, item.value]),
            "problem": exports.why_not(project, item.value),
        }
        for item in exports.EXPORT_FORMATS.values()
    ]
    return render(
        request, "corpora/export.html", project_context(access, "examples", formats=formats)
    )


@project_view()
@require_safe
def download(request: HttpRequest, access: ProjectAccess, format: str) -> HttpResponseBase:
    return export_response(access.project, format)
