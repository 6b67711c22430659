"""REST: labels, how they would be by other rules, what is in them, and scores."""

from __future__ import annotations

from typing import Any

from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.corpora.projects.models import Role
from annotation.corpora.rest import PAGED, CheckedSerializer, ProjectView, page_of
from annotation.crowd.offline.service import list_frozen_sets
from annotation.errors import DomainError
from annotation.evaluation.gold.queries import get_label_set, list_label_drops, list_label_sets
from annotation.evaluation.labels import files, queries, score_jobs, service, settling
from annotation.evaluation.labels.answers import get_judged_campaigns
from annotation.evaluation.labels.api_people import get_names
from annotation.evaluation.labels.requests import (
    MethodSerializer,
    NewLabelFilesSerializer,
    NewLabelsSerializer,
    WhatIfSerializer,
    read_recipe,
)
from annotation.evaluation.labels.scores import METHODS, get_scores
from annotation.evaluation.labels.serializers import (
    LARGEST_SAMPLE,
    LARGEST_SEED,
    DropSerializer,
    LabelSetSerializer,
    ScoresJobSerializer,
    ScoresSerializer,
    SummaryLabelsSerializer,
    WhatIfAnswerSerializer,
    read_choice,
    read_whole,
    whole,
)
from annotation.evaluation.labels.what_if import preview_labels
from annotation.translation import gettext_lazy
from annotation.units.files.api import RefusedFile


class Labels(ProjectView):
    roles = {"POST": Role.EDITOR}

    @extend_schema(
        operation_id="list_labels",
        parameters=PAGED,
        responses={200: page_of(LabelSetSerializer)},
    )
    def get(self, request: Request, slug: str) -> Response:
        """List label sets, newest first."""
        return self.paged(list_label_sets(self.project), LabelSetSerializer)

    @extend_schema(
        operation_id="keep_labels",
        request=NewLabelsSerializer,
        responses={202: LabelSetSerializer},
    )
    def post(self, request: Request, slug: str) -> Response:
        """Create labels from the answers collected so far. Starts a job."""
        form = NewLabelsSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        made = service.keep_labels(
            project=self.project,
            user=self.user,
            campaigns=get_judged_campaigns(self.project, form.validated_data.get("campaigns", ())),
            recipe=read_recipe(form.validated_data),
            note=form.validated_data.get("note", ""),
        )
        return Response(LabelSetSerializer(made).data, status=202)


class PreviewLabels(ProjectView):
    @extend_schema(
        operation_id="preview_labels",
        request=WhatIfSerializer,
        responses={200: WhatIfAnswerSerializer},
    )
    def post(self, request: Request, slug: str) -> Response:
        """Preview the labels that these rules give, compared with the majority. Saves nothing."""
        form = WhatIfSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        chosen = form.validated_data.get("campaigns", ())
        campaigns = get_judged_campaigns(self.project, chosen)
        said = preview_labels(self.project, campaigns, read_recipe(form.validated_data))
        return Response(WhatIfAnswerSerializer(said).data)


class ImportLabels(ProjectView):
    roles = {"POST": Role.EDITOR}
    parser_classes = [MultiPartParser]

    @extend_schema(
        operation_id="import_labels",
        request={"multipart/form-data": NewLabelFilesSerializer},
        responses={200: CheckedSerializer, 202: LabelSetSerializer},
    )
    def post(self, request: Request, slug: str) -> Response:
        """Import label files, all or nothing. 409 `refused` lists their `problems`."""
        form = NewLabelFilesSerializer(data=_form_data(request))
        form.is_valid(raise_exception=True)
        data = form.validated_data
        outcome = files.import_uploaded_labels(
            project=self.project,
            user=self.user,
            unit_set=get_object_or_404(list_frozen_sets(self.project), pk=data["unit_set"]),
            files=[(file.name, file.chunks()) for file in data["files"]],
            anyway=data["anyway"],
            check=data["check"],
        )
        if outcome.checked is not None:
            return Response({"checked": outcome.checked})
        if outcome.label_set is None:
            raise RefusedFile(outcome.problems, doubtful=outcome.doubtful)
        return Response(LabelSetSerializer(outcome.label_set).data, status=202)


def _form_data(request: Request) -> dict[str, Any]:
    names = ("unit_set", "anyway", "check")
    named = {name: request.POST[name] for name in names if name in request.POST}
    return {"files": request.FILES.getlist("files"), **named}


class LabelSetDetail(ProjectView):
    roles = {"DELETE": Role.EDITOR}

    @extend_schema(operation_id="get_labels", responses={200: LabelSetSerializer})
    def get(self, request: Request, slug: str, pk: int) -> Response:
        """Get a label set with its recipe, figures and job."""
        return Response(LabelSetSerializer(get_label_set(self.project, pk)).data)

    @extend_schema(operation_id="delete_labels", responses={204: None})
    def delete(self, request: Request, slug: str, pk: int) -> Response:
        """Delete labels that no gold version uses."""
        found = get_label_set(self.project, pk)
        service.delete_labels(label_set=found, user=self.user)
        return Response(status=204)


class SettleLabels(ProjectView):
    roles = {"POST": Role.EDITOR}

    @extend_schema(operation_id="settle_labels", request=None, responses={202: LabelSetSerializer})
    def post(self, request: Request, slug: str, pk: int) -> Response:
        """Rebuild imported labels with later expert decisions. Starts a job."""
        found = get_label_set(self.project, pk)
        made = settling.settle_labels(label_set=found, user=self.user)
        return Response(LabelSetSerializer(made).data, status=202)


class LabelScores(ProjectView):
    roles = {"POST": Role.EDITOR}

    @extend_schema(
        operation_id="get_label_scores",
        parameters=[
            OpenApiParameter(
                "method", str, enum=list(METHODS), description=gettext_lazy("Default: exhaustive.")
            ),
            whole(
                "sample", gettext_lazy("Units per example sampled by lite."), most=LARGEST_SAMPLE
            ),
            whole("seed", gettext_lazy("Default: 0."), least=0, most=LARGEST_SEED),
        ],
        responses={200: ScoresSerializer},
    )
    def get(self, request: Request, slug: str, pk: int) -> Response:
        """Get each system's score with its interval, and the pairs that differ significantly."""
        found = queries.get_ready_labels(self.project, pk)
        method = read_choice(request, "method", METHODS, "exhaustive")
        sample = read_whole(request, "sample", most=LARGEST_SAMPLE)
        seed = read_whole(request, "seed", least=0, most=LARGEST_SEED)
        if (sample is None) == (method == "lite"):
            raise DomainError(
                _("A sample size is needed for lite, and only for lite."),
                _("Give the method lite and a sample size, or neither."),
            )
        scores = get_scores(found, method=method, sample=sample, seed=seed or 0)
        return Response(ScoresSerializer(scores).data)

    @extend_schema(
        operation_id="compute_label_scores",
        request=MethodSerializer,
        responses={202: ScoresJobSerializer},
    )
    def post(self, request: Request, slug: str, pk: int) -> Response:
        """Start a job that computes the scores. `job` is null if they exist already."""
        form = MethodSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        label_set = queries.get_ready_labels(self.project, pk)
        job = score_jobs.compute_scores(label_set=label_set, user=self.user, **form.validated_data)
        return Response(ScoresJobSerializer({"job": job}).data, status=202)


class LabelDrops(ProjectView):
    @extend_schema(
        operation_id="list_label_drops",
        parameters=PAGED,
        responses={200: page_of(DropSerializer)},
    )
    def get(self, request: Request, slug: str, pk: int) -> Response:
        """List the assignments that these labels exclude, with rule and reason."""
        found = get_label_set(self.project, pk)
        return self.paged(list_label_drops(found), DropSerializer, names=get_names(self.access))


class LabelSummaries(ProjectView):
    @extend_schema(
        operation_id="list_label_summaries",
        parameters=PAGED,
        responses={200: page_of(SummaryLabelsSerializer)},
    )
    def get(self, request: Request, slug: str, pk: int) -> Response:
        """List the labels of every summary, in the order of the corpus."""
        found = queries.get_ready_labels(self.project, pk)
        return self.paged(queries.list_summary_labels(found), SummaryLabelsSerializer)
