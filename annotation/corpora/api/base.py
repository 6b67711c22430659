"""What every REST view of a project begins with, and how all of them describe their errors."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.utils import inline_serializer
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation.access import ProjectAccess, get_access
from annotation.corpora.api.pagination import Pagination
from annotation.corpora.models import Role, User

ERROR = inline_serializer(
    "Error",
    {
        "error": inline_serializer(
            "ErrorDetail",
            {
                "code": serializers.CharField(),
                "message": serializers.CharField(),
                "mend": serializers.CharField(help_text="How to mend it; may be empty."),
                "fields": serializers.DictField(
                    child=serializers.ListField(child=serializers.CharField())
                ),
            },
        )
    },
)


def page_of(serializer: type[serializers.BaseSerializer[Any]]) -> Any:
    """How the schema describes one page of a list."""
    name = serializer.__name__.removesuffix("Serializer")
    return inline_serializer(
        f"{name}Page",
        {
            "count": serializers.IntegerField(),
            "next": serializers.URLField(allow_null=True),
            "previous": serializers.URLField(allow_null=True),
            "results": serializer(many=True),
        },
    )


class Schema(AutoSchema):
    """Adds to every operation the errors that it can answer with, all of one shape."""

    def get_response_serializers(self) -> Any:
        found = super().get_response_serializers()
        answers = dict(found) if isinstance(found, dict) else {self._success(): found}
        body = self.method in ("POST", "PUT", "PATCH")
        for status in ("400", "401", "403", "404", "409", "429", *(["413", "415"] if body else [])):
            answers.setdefault(status, ERROR)
        return answers

    def _success(self) -> str:
        return {"POST": "201", "DELETE": "204"}.get(self.method, "200")


class GizaView(APIView):
    schema = Schema()

    @property
    def user(self) -> User:
        assert isinstance(self.request.user, User)
        return self.request.user

    def paged(
        self, rows: QuerySet[Any], serializer: type[serializers.BaseSerializer[Any]]
    ) -> Response:
        paginator = Pagination()
        page = paginator.paginate_queryset(rows, self.request, view=self)
        data = serializer(page, many=True, context={"request": self.request}).data
        return paginator.get_paginated_response(data)


class ProjectView(GizaView):
    """A view below `/projects/{slug}/`; `roles` names the least role for each method."""

    roles: dict[str, Role] = {}

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        least = self.roles.get(request.method or "", Role.VIEWER)
        self.access: ProjectAccess = get_access(self.user, kwargs["slug"], at_least=least)
        self.project = self.access.project
