"""REST: what was done in a project, and your notifications."""

from __future__ import annotations

from django.http import StreamingHttpResponse
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema, inline_serializer
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.corpora.activity import queries
from annotation.corpora.activity.models import Activity, Door, Verb
from annotation.corpora.corpus.views import activity_response
from annotation.corpora.notifications import service as notifications_service
from annotation.corpora.notifications.models import Notification
from annotation.corpora.notifications.queries import list_notifications
from annotation.corpora.projects.models import Project, Role
from annotation.corpora.rest import PAGED, GizaView, ProjectView, one_of, page_of
from annotation.corpora.targets import KINDS
from annotation.errors import Invalid
from annotation.translation import gettext_lazy

FILTER = [
    OpenApiParameter(
        "person",
        {"type": "string", "pattern": f"^({queries.PROGRAM}|{queries.ID})$"},
        description=gettext_lazy("An account ID, or `program`."),
    ),
    OpenApiParameter(
        "verb", str, enum=Verb.values, description=gettext_lazy("The kind of action.")
    ),
    OpenApiParameter(
        "target", str, enum=list(KINDS), description=gettext_lazy("The kind of object.")
    ),
    OpenApiParameter("since", OpenApiTypes.DATE, description=gettext_lazy("The first day.")),
    OpenApiParameter("until", OpenApiTypes.DATE, description=gettext_lazy("The last day.")),
    OpenApiParameter(
        "q",
        {"type": "string", "maxLength": queries.LONGEST_SEARCH, "pattern": "^[^\\x00]*$"},
        description=gettext_lazy("Words in the text or in the object's name."),
    ),
]
KEYSET = [
    OpenApiParameter(
        "before",
        {"type": "integer", "minimum": 1},
        description=gettext_lazy("Only entries with a lower ID."),
    ),
    OpenApiParameter(
        "page_size",
        {"type": "integer", "minimum": 1},
        description=gettext_lazy("Default 50, maximum 200."),
    ),
]


class ActivitySerializer(serializers.ModelSerializer[Activity]):
    person = serializers.CharField(source="actor.name", allow_null=True, default=None)
    email = serializers.CharField(source="actor.email", allow_null=True, default=None)
    verb = serializers.ChoiceField(choices=Verb.choices)
    door = serializers.ChoiceField(choices=Door.choices, allow_blank=True)

    class Meta:
        model = Activity
        fields = list(queries.COLUMNS)
        read_only_fields = fields


class NotificationSerializer(serializers.ModelSerializer[Notification]):
    project: serializers.SlugRelatedField[Project] = serializers.SlugRelatedField(
        "slug", read_only=True, allow_null=True
    )
    url = serializers.SerializerMethodField(
        help_text=gettext_lazy("The page to open; opening it also marks the notification as read.")
    )

    class Meta:
        model = Notification
        fields = ["id", "kind", "text", "project", "url", "at", "read_at"]
        read_only_fields = fields

    def get_url(self, row: Notification) -> str:
        return str(self.context["request"].build_absolute_uri(f"/notifications/{row.pk}/"))


class ProjectActivity(ProjectView):
    roles = {"GET": Role.EDITOR}

    @extend_schema(
        operation_id="list_activity",
        parameters=[*FILTER, *KEYSET],
        responses={
            200: inline_serializer(
                "ActivityPage",
                {
                    "next": serializers.URLField(allow_null=True),
                    "results": ActivitySerializer(many=True),
                },
            )
        },
    )
    def get(self, request: Request, slug: str) -> Response:
        """Who did what, newest first. Follow `next`; new entries don't shift the pages."""
        asked = _read_filter(request)
        before = _read_number(request, "before")
        size = min(_read_number(request, "page_size") or queries.PAGE, queries.MOST_A_PAGE)
        page = queries.page_activity(queries.list_activity(self.project, asked), before, size)
        return Response(
            {
                "next": _next_address(request, page.before),
                "results": ActivitySerializer(page.rows, many=True).data,
            }
        )


def _read_filter(request: Request) -> queries.ActivityFilter:
    """A form of a page sends what is not chosen as nothing; a script leaves it out."""
    said = request.query_params.dict()
    for name in ("person", "verb", "target", "since", "until"):
        if name in said and said[name] != (said[name].strip() or None):
            raise Invalid(
                _("{name}: expected a value without spaces around it.").format(name=name),
                _("Or leave it out."),
            )
    return queries.read_filter(said)


def _read_number(request: Request, name: str) -> int | None:
    value = request.query_params.get(name)
    if value is None:
        return None
    if not (value.isascii() and value.isdecimal() and len(value) <= 18 and int(value) > 0):
        raise Invalid(_("{name}: expected a whole number from 1.").format(name=name))
    return int(value)


def _next_address(request: Request, before: int | None) -> str | None:
    if before is None:
        return None
    query = request.query_params.copy()
    query["before"] = str(before)
    return str(request.build_absolute_uri(f"?{query.urlencode()}"))


class ActivityExport(ProjectView):
    roles = {"GET": Role.EDITOR}

    @extend_schema(
        operation_id="export_activity",
        parameters=[
            OpenApiParameter("format", str, OpenApiParameter.PATH, enum=list(queries.FORMATS)),
            *FILTER,
        ],
        responses={(200, kind): OpenApiTypes.BINARY for kind in queries.FORMATS.values()},
    )
    def get(self, request: Request, slug: str, format: str) -> StreamingHttpResponse:
        """All entries as a file, streamed."""
        asked = _read_filter(request)
        return activity_response(self.project, asked, format)


class Notifications(GizaView):
    @extend_schema(
        operation_id="list_notifications",
        parameters=[
            OpenApiParameter(
                "show", str, enum=["all", "unread"], description=gettext_lazy("Default: all.")
            ),
            *PAGED,
        ],
        responses={200: page_of(NotificationSerializer)},
    )
    def get(self, request: Request) -> Response:
        """Your notifications, newest first."""
        show = one_of(request.query_params.get("show", "all"), "show", ("all", "unread"))
        rows = list_notifications(self.user, unread=show == "unread")
        return self.paged(rows, NotificationSerializer)


class ReadNotifications(GizaView):
    @extend_schema(
        operation_id="mark_all_read",
        request=None,
        responses={200: inline_serializer("MarkedRead", {"read": serializers.IntegerField()})},
    )
    def post(self, request: Request) -> Response:
        """Mark all notifications as read."""
        return Response({"read": notifications_service.mark_all_read(user=self.user)})


class ReadNotification(GizaView):
    @extend_schema(operation_id="mark_read", request=None, responses={200: NotificationSerializer})
    def post(self, request: Request, pk: int) -> Response:
        """Mark a notification as read."""
        row = notifications_service.mark_read(user=self.user, pk=pk)
        row.refresh_from_db()
        return Response(NotificationSerializer(row, context={"request": request}).data)
