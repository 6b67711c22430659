"""Files in and out: judgements from results files, a campaign as a batch file."""

from __future__ import annotations

from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from annotation.access import ProjectAccess
from annotation.corpora.forms import ManyFilesField
from annotation.corpora.projects.access import project_context, project_view, sent, user_of
from annotation.corpora.projects.models import Project, Role
from annotation.crowd.campaigns.models import Campaign
from annotation.crowd.campaigns.views_steps import batch_response
from annotation.crowd.offline import service as offline
from annotation.crowd.offline.service import list_batch_campaigns, list_frozen_sets
from annotation.errors import DomainError
from annotation.file_views import takes_files
from annotation.translation import gettext_lazy
from annotation.units.sets.models import UnitSet


class JudgementImportForm(forms.Form):
    unit_set = forms.ModelChoiceField(
        UnitSet.objects.none(), label=gettext_lazy("Unit set"), empty_label=None
    )
    campaign = forms.ModelChoiceField(
        Campaign.objects.none(),
        required=False,
        empty_label=gettext_lazy("New campaign from these files"),
        label=gettext_lazy("Import into"),
        help_text=gettext_lazy("Choose a campaign if the files answer its batch file."),
    )
    name = forms.CharField(
        max_length=120,
        required=False,
        label=gettext_lazy("Name of the new campaign"),
        help_text=gettext_lazy("Empty: named after the unit set."),
    )
    count_blank = forms.BooleanField(
        required=False,
        label=gettext_lazy("Count answers to BLANK"),
        help_text=gettext_lazy(
            "As check items: answering that an unused slot is present counts as wrong. The "
            "rule for check items can then exclude such work from the labels."
        ),
    )
    files = ManyFilesField(  # type: ignore[assignment]
        label=gettext_lazy("Files"),
        allow_empty_file=True,
        help_text=gettext_lazy(
            "Results files (CSV) or a zip of them, and a systems.csv if needed."
        ),
    )

    def __init__(self, project: Project, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name, rows in (
            ("unit_set", list_frozen_sets(project)),
            ("campaign", list_batch_campaigns(project)),
        ):
            field = self.fields[name]
            assert isinstance(field, forms.ModelChoiceField)
            field.queryset = rows

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        campaign, unit_set = data.get("campaign"), data.get("unit_set")
        if campaign and unit_set and campaign.unit_set_id != unit_set.pk:
            self.add_error(
                "unit_set",
                _("{campaign} uses {unit_set}. Choose that unit set.").format(
                    campaign=campaign, unit_set=campaign.unit_set
                ),
            )
        if campaign and data.get("name"):
            self.add_error(
                "name",
                _("Answers go into {campaign}. Clear this, or choose no campaign.").format(
                    campaign=campaign
                ),
            )
        return data


@takes_files
@project_view(Role.EDITOR)
@require_http_methods(["GET", "POST"])
def import_judgements(request: HttpRequest, access: ProjectAccess) -> HttpResponse:
    chosen = _find_campaign(access.project, request.GET.get("campaign", ""))
    initial = {"campaign": chosen, "unit_set": chosen.unit_set} if chosen else None
    form = JudgementImportForm(
        access.project, sent(request), request.FILES or None, initial=initial
    )
    problems: list[dict[str, Any]] = []
    if request.method == "POST" and form.is_valid():
        try:
            outcome = _import(request, access, form.cleaned_data)
        except DomainError as error:
            form.add_error(None, f"{error.message} {error.hint}")
        else:
            if outcome.job is not None:
                return redirect("corpora:job", access.project.slug, outcome.job.pk)
            problems = outcome.problems
    context = project_context(
        access,
        "crowd",
        form=form,
        problems=problems,
        chosen=chosen,
        has_frozen=list_frozen_sets(access.project).exists(),
    )
    status = 422 if request.method == "POST" else 200
    return render(request, "crowd/import.html", context, status=status)


def _find_campaign(project: Project, pk: str) -> Campaign | None:
    """The campaign whose page people come from."""
    rows = list_batch_campaigns(project)
    return rows.filter(pk=int(pk)).first() if pk.isascii() and pk.isdigit() else None


def _import(
    request: HttpRequest, access: ProjectAccess, data: dict[str, Any]
) -> offline.JudgementImport:
    return offline.import_uploaded_judgements(
        project=access.project,
        user=user_of(request),
        unit_set=data["unit_set"],
        files=[(file.name, file.chunks()) for file in data["files"]],
        name=data["name"],
        campaign=data["campaign"],
        count_blank=data["count_blank"],
    )


@project_view()
@require_safe
def export_batch(request: HttpRequest, access: ProjectAccess, pk: int) -> HttpResponseBase:
    rows = Campaign.objects.filter(project=access.project).select_related("project")
    return batch_response(get_object_or_404(rows, pk=pk))
