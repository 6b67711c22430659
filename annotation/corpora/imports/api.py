"""REST: imports and jobs."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.corpora.imports import service
from annotation.corpora.imports.models import Import
from annotation.corpora.jobs import kinds
from annotation.corpora.jobs import service as jobs_service
from annotation.corpora.jobs.models import Job
from annotation.corpora.projects.models import Role
from annotation.corpora.projects.queries import list_imports
from annotation.corpora.rest import PAGED, ProjectView, page_of
from annotation.corpora.serializers import (
    ColumnsSerializer,
    ImportSerializer,
    JobDetailSerializer,
    JobSerializer,
    NewImportSerializer,
)
from annotation.errors import TooLarge


class Imports(ProjectView):
    roles = {"POST": Role.EDITOR}
    parser_classes = [MultiPartParser]

    @extend_schema(
        operation_id="list_imports", parameters=PAGED, responses={200: page_of(ImportSerializer)}
    )
    def get(self, request: Request, slug: str) -> Response:
        """Imports, newest first."""
        return self.paged(list_imports(self.project), ImportSerializer)

    @extend_schema(
        operation_id="create_import",
        request={"multipart/form-data": NewImportSerializer},
        responses={202: ImportSerializer},
    )
    def post(self, request: Request, slug: str) -> Response:
        """Upload files and check them. Nothing is imported until you call `write`."""
        form = NewImportSerializer(data=_form_data(request))
        form.is_valid(raise_exception=True)
        files = form.validated_data["files"]
        if sum(file.size for file in files) > settings.MAX_UPLOAD_MB * 2**20:
            raise TooLarge(
                _("files: more than {max_upload_mb:,} MB in total.").format(
                    max_upload_mb=settings.MAX_UPLOAD_MB
                )
            )
        import_ = service.create_import(
            project=self.project,
            user=self.user,
            name=files[0].name,
            format=form.validated_data.get("format", ""),
            files=[(file.name, file.chunks()) for file in files],
        )
        return Response(ImportSerializer(import_).data, status=202)


def _form_data(request: Request) -> dict[str, Any]:
    data: dict[str, Any] = {"files": request.FILES.getlist("files")}
    if "format" in request.POST:
        data["format"] = request.POST["format"]
    return data


class ImportDetail(ProjectView):
    roles = {"DELETE": Role.EDITOR}

    @extend_schema(operation_id="get_import", responses={200: ImportSerializer})
    def get(self, request: Request, slug: str, pk: int) -> Response:
        """An import with its state, plan and job."""
        return Response(ImportSerializer(_get(self, pk)).data)

    @extend_schema(operation_id="drop_import", responses={204: None})
    def delete(self, request: Request, slug: str, pk: int) -> Response:
        """Discard an import that was not written."""
        service.drop_import(import_=_get(self, pk))
        return Response(status=204)


class ChooseColumns(ProjectView):
    roles = {"POST": Role.EDITOR}

    @extend_schema(
        operation_id="choose_columns", request=ColumnsSerializer, responses={202: JobSerializer}
    )
    def post(self, request: Request, slug: str, pk: int) -> Response:
        """Set the content of a table's columns, and check it again."""
        form = ColumnsSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        job = service.choose_columns(
            import_=_get(self, pk), user=self.user, columns=form.validated_data["columns"]
        )
        return Response(JobSerializer(job).data, status=202)


class WriteImport(ProjectView):
    roles = {"POST": Role.EDITOR}

    @extend_schema(operation_id="write_import", request=None, responses={202: JobSerializer})
    def post(self, request: Request, slug: str, pk: int) -> Response:
        """Write a checked import; follow its job to the end."""
        job = service.write_import(import_=_get(self, pk), user=self.user)
        return Response(JobSerializer(job).data, status=202)


class UndoImport(ProjectView):
    roles = {"POST": Role.EDITOR}

    @extend_schema(operation_id="undo_import", request=None, responses={202: JobSerializer})
    def post(self, request: Request, slug: str, pk: int) -> Response:
        """Undo an import: delete everything that it created."""
        job = service.undo_import(import_=_get(self, pk), user=self.user)
        return Response(JobSerializer(job).data, status=202)


def _get(view: ProjectView, pk: int) -> Import:
    return get_object_or_404(list_imports(view.project).select_related("project"), pk=pk)


class Jobs(ProjectView):
    @extend_schema(
        operation_id="list_jobs", parameters=PAGED, responses={200: page_of(JobSerializer)}
    )
    def get(self, request: Request, slug: str) -> Response:
        """Jobs, newest first."""
        return self.paged(self.project.jobs.all(), JobSerializer)


class JobDetail(ProjectView):
    @extend_schema(operation_id="get_job", responses={200: JobDetailSerializer})
    def get(self, request: Request, slug: str, pk: int) -> Response:
        """A job with its progress and log."""
        return Response(JobDetailSerializer(_get_job(self, pk)).data)


class CancelJob(ProjectView):
    roles = {"POST": Role.EDITOR}

    @extend_schema(operation_id="cancel_job", request=None, responses={202: JobSerializer})
    def post(self, request: Request, slug: str, pk: int) -> Response:
        """Stop a job after its current step."""
        job = _get_job(self, pk)
        jobs_service.cancel_job(job=job)
        job.refresh_from_db()
        return Response(JobSerializer(job).data, status=202)


class RetryJob(ProjectView):
    roles = {"POST": Role.EDITOR}

    @extend_schema(operation_id="retry_job", request=None, responses={202: JobSerializer})
    def post(self, request: Request, slug: str, pk: int) -> Response:
        """Retry a failed job from its last step; needs the same role and scope as starting it."""
        job = _get_job(self, pk)
        self.access.require(kinds.least_role(job))
        self.require_scope(kinds.least_scope(job))
        jobs_service.retry_job(job=job, user=self.user)
        job.refresh_from_db()
        return Response(JobSerializer(job).data, status=202)


def _get_job(view: ProjectView, pk: int) -> Job:
    return get_object_or_404(view.project.jobs.prefetch_related("lines"), pk=pk)
