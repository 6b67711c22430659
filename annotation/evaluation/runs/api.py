"""REST: judges, their runs, what came of them, and scores of texts at hand."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.corpora.jobs.models import Job, JobState
from annotation.corpora.projects.models import Role
from annotation.corpora.rest import PAGED, ProjectView, page_of
from annotation.crowd.offline.service import list_frozen_sets
from annotation.errors import NotFound
from annotation.evaluation.judges.offered import list_judges
from annotation.evaluation.labels.serializers import read_whole, whole
from annotation.evaluation.runs import service, text_scores
from annotation.evaluation.runs.comparison import get_beside, list_labels_beside
from annotation.evaluation.runs.models import JudgeRun
from annotation.evaluation.runs.queries import (
    get_ready_run,
    get_run,
    list_presences,
    list_run_scores,
    list_runs,
)
from annotation.evaluation.runs.requests import (
    NewRunSerializer,
    ScoreTextsSerializer,
    read_documents,
)
from annotation.evaluation.runs.serializers import (
    JudgeChoiceSerializer,
    OutOfFoldSerializer,
    PresenceSerializer,
    RunDetailSerializer,
    RunScoresSerializer,
    RunSerializer,
    TextScoringSerializer,
)
from annotation.evaluation.runs.text_scores import KEPT, get_text_scores
from annotation.translation import gettext_lazy


class RunJudges(ProjectView):
    @extend_schema(
        operation_id="list_run_judges", responses={200: JudgeChoiceSerializer(many=True)}
    )
    def get(self, request: Request, slug: str) -> Response:
        """List available judges. A run can also use any model from Hugging Face."""
        return Response(JudgeChoiceSerializer(list_judges(self.project), many=True).data)


class Runs(ProjectView):
    roles = {"POST": Role.EDITOR}

    @extend_schema(
        operation_id="list_runs", parameters=PAGED, responses={200: page_of(RunSerializer)}
    )
    def get(self, request: Request, slug: str) -> Response:
        """List runs, newest first."""
        return self.paged(list_runs(self.project), RunSerializer)

    @extend_schema(
        operation_id="start_run", request=NewRunSerializer, responses={202: RunDetailSerializer}
    )
    def post(self, request: Request, slug: str) -> Response:
        """Start a run after checking everything it needs. Poll it until it has finished."""
        form = NewRunSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        data = dict(form.validated_data)
        unit_set = get_object_or_404(list_frozen_sets(self.project), pk=data.pop("unit_set"))
        made = service.start_run(project=self.project, user=self.user, unit_set=unit_set, **data)
        return _told(self, made.pk, 202)


class RunDetail(ProjectView):
    roles = {"DELETE": Role.EDITOR}

    @extend_schema(operation_id="get_run", responses={200: RunDetailSerializer})
    def get(self, request: Request, slug: str, pk: int) -> Response:
        """Get a run with its progress, and its figures once it is ready."""
        return _told(self, pk)

    @extend_schema(operation_id="delete_run", responses={204: None})
    def delete(self, request: Request, slug: str, pk: int) -> Response:
        """Delete a finished run. The judge's predictions stay in the cache."""
        service.delete_run(run=get_run(self.project, pk), user=self.user)
        return Response(status=204)


class _Step(ProjectView):
    roles = {"POST": Role.EDITOR}

    def _take(self, pk: int, step: Callable[..., None]) -> Response:
        step(run=get_run(self.project, pk))
        return _told(self, pk, 202)


def _step(name: str) -> Any:
    return extend_schema(operation_id=name, request=None, responses={202: RunDetailSerializer})


class PauseRun(_Step):
    @_step("pause_run")
    def post(self, request: Request, slug: str, pk: int) -> Response:
        """Pause a run after the current chunks."""
        return self._take(pk, service.pause_run)


class ResumeRun(_Step):
    @_step("resume_run")
    def post(self, request: Request, slug: str, pk: int) -> Response:
        """Resume a paused run."""
        return self._take(pk, service.resume_run)


class CancelRun(_Step):
    @_step("cancel_run")
    def post(self, request: Request, slug: str, pk: int) -> Response:
        """Cancel a run. Judged pairs stay in the cache."""
        return self._take(pk, service.cancel_run)


class RetryRun(_Step):
    @_step("retry_run")
    def post(self, request: Request, slug: str, pk: int) -> Response:
        """Retry a failed run. It continues with the unfinished chunks."""
        return self._take(pk, service.retry_run)


class OutOfFoldRun(ProjectView):
    roles = {"POST": Role.EDITOR}

    @extend_schema(
        operation_id="start_out_of_fold_run", request=None, responses={202: OutOfFoldSerializer}
    )
    def post(self, request: Request, slug: str, pk: int) -> Response:
        """Repeat a run with each text judged by a model that was trained without it."""
        run = get_ready_run(self.project, pk)
        made = service.start_out_of_fold_run(run=run, user=self.user)
        said = {"run": made.pk, "judge": None}
        if not isinstance(made, JudgeRun):
            said = {"run": None, "judge": made.pk}
        return Response(OutOfFoldSerializer(said).data, status=202)


def _told(view: ProjectView, pk: int, status: int = 200) -> Response:
    return Response(RunDetailSerializer(get_run(view.project, pk)).data, status=status)


class RunScores(ProjectView):
    @extend_schema(
        operation_id="get_run_scores",
        parameters=[
            whole(
                "labels",
                gettext_lazy("Compare with these labels. Default: the newest that are ready."),
            )
        ],
        responses={200: RunScoresSerializer},
    )
    def get(self, request: Request, slug: str, pk: int) -> Response:
        """Get each system's score with its interval, and the comparison with human labels."""
        run = get_ready_run(self.project, pk)
        beside = list_labels_beside(run)
        asked = read_whole(request, "labels")
        labels = beside.first() if asked is None else beside.filter(pk=asked).first()
        if asked is not None and labels is None:
            raise NotFound(
                _("There are no labels {asked} for {unit_set}.").format(
                    asked=asked, unit_set=run.unit_set
                )
            )
        said = {
            "rows": list_run_scores(run),
            "signature": run.signature,
            "labels": labels and labels.pk,
            "people": labels and get_beside(run, labels),
        }
        return Response(RunScoresSerializer(said).data)


class RunPresence(ProjectView):
    @extend_schema(
        operation_id="list_run_presence",
        parameters=PAGED,
        responses={200: page_of(PresenceSerializer)},
    )
    def get(self, request: Request, slug: str, pk: int) -> Response:
        """List the judge's predictions for every summary, in the order of the corpus."""
        rows = list_presences(get_ready_run(self.project, pk))
        return self.paged(
            rows.select_related("summary__example", "summary__system"), PresenceSerializer
        )


class ScoreTexts(ProjectView):
    @extend_schema(
        operation_id="score_texts",
        request=ScoreTextsSerializer,
        responses={202: TextScoringSerializer},
    )
    def post(self, request: Request, slug: str) -> Response:
        """Score a few texts with a fast judge. Poll `url` until `is_ready`."""
        form = ScoreTextsSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        data = dict(form.validated_data)
        documents = read_documents(data.pop("documents"))
        job = text_scores.begin_text_scores(
            project=self.project, user=self.user, documents=documents, **data
        )
        return _tell_scoring(request, slug, job, 202)


class TextScores(ProjectView):
    @extend_schema(operation_id="get_text_scores", responses={200: TextScoringSerializer})
    def get(self, request: Request, slug: str, pk: int) -> Response:
        """Get the scores of submitted texts. They are deleted after one day."""
        return _tell_scoring(request, slug, get_text_scores(self.project, pk))


def _tell_scoring(request: Request, slug: str, job: Job, status: int = 200) -> Response:
    path = reverse("evaluation_api:text_scores", args=[slug, job.pk])
    said = {
        "id": job.pk,
        "url": request.build_absolute_uri(path),
        "job": job,
        "is_ready": job.state == JobState.DONE,
        "expires_at": job.finished_at and job.finished_at + KEPT,
        "result": job.result or None,
    }
    return Response(TextScoringSerializer(said).data, status=status)
