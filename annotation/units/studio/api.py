"""REST: what the studio uses: state, actions, the feed, the linter, review.

- REST: settings of the studio, and assignments.
"""

from __future__ import annotations

from typing import Any

from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import Serializer

from annotation.corpora.corpus.models import Example
from annotation.corpora.corpus.queries import list_references
from annotation.corpora.projects.models import Role
from annotation.corpora.rest import ProjectView
from annotation.errors import Invalid
from annotation.translation import gettext_lazy
from annotation.units.serializers import (
    AcceptanceSerializer,
    AnswerSerializer,
    AssignedSerializer,
    AssignmentStateSerializer,
    CommentStateSerializer,
    FeedSerializer,
    LintSerializer,
    NewAssignmentsSerializer,
    NewCommentSerializer,
    OpResultSerializer,
    OpSerializer,
    RejectionSerializer,
    StudioSerializer,
    StudioSettingsSerializer,
    WarningsSerializer,
)
from annotation.units.sets import queries as sets_queries
from annotation.units.sets import service as sets_service
from annotation.units.sets.locks import list_hidden_sets
from annotation.units.sets.models import Unit, UnitSet, Weighting
from annotation.units.studio import comments as studio_comments
from annotation.units.studio import linting, ops, progress, queries
from annotation.units.studio.models import Comment
from annotation.units.studio.progress import get_assignment
from annotation.units.studio.states import units_with_spans

LONGEST_NUMBER = 18
AFTER = OpenApiParameter(
    "after",
    {"type": "integer", "minimum": 0, "maximum": 10**LONGEST_NUMBER - 1},
    description=gettext_lazy("ID of the last change that you have."),
)


class StudioView(ProjectView):
    """A view below one example of one set."""

    def load(self, pk: int, example: int) -> tuple[UnitSet, Example]:
        unit_set = queries.get_visible_set(self.access, pk)
        return unit_set, queries.get_example(unit_set, example)


class Studio(StudioView):
    @extend_schema(operation_id="get_studio", responses={200: StudioSerializer})
    def get(self, request: Request, slug: str, pk: int, example: int) -> Response:
        """Get the references, units, comments and warnings of an example."""
        return Response(queries.get_studio_state(*self.load(pk, example)))


class Ops(StudioView):
    roles = {"POST": Role.ANNOTATOR}

    @extend_schema(
        operation_id="apply_op", request=OpSerializer, responses={200: OpResultSerializer}
    )
    def post(self, request: Request, slug: str, pk: int, example: int) -> Response:
        """Apply an action: all its changes, once. 409 `stale` returns the unit's current state."""
        unit_set, found = self.load(pk, example)
        form = OpSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        changes = [_plain(item) for item in form.validated_data["changes"]]
        op = ops.Op(form.validated_data["op"], form.validated_data["action"], changes)
        applied = ops.apply_op(unit_set=unit_set, example=found, user=self.user, op=op)
        references = list(applied.text.references.values())
        return Response(
            {
                "change": queries.change_state(applied.change),
                "warnings": linting.lint(unit_set, references, applied.units),
                "assignment": queries.assignment_state(applied.assignment),
            }
        )


def _plain(change: dict[str, Any]) -> dict[str, Any]:
    spans = change.get("spans")
    return {**change, "spans": [dict(span) for span in spans]} if spans is not None else change


def _warnings(unit_set: UnitSet, example: Example) -> dict[str, Any]:
    units = list(units_with_spans(unit_set, example))
    return linting.lint(unit_set, list_references(example), units)


class Changes(StudioView):
    @extend_schema(operation_id="list_changes", parameters=[AFTER], responses={200: FeedSerializer})
    def get(self, request: Request, slug: str, pk: int, example: int) -> Response:
        """Get later changes and comments, and who has the example open."""
        unit_set, found = self.load(pk, example)
        after = request.query_params.get("after", "0")
        if not after.isdecimal() or len(after) > LONGEST_NUMBER:
            raise Invalid(_("after: '{after}' is not a number.").format(after=after))
        changes = queries.list_changes(unit_set, found, int(after))
        comments = queries.list_comments(unit_set, found)
        others = studio_comments.note_presence(unit_set=unit_set, example=found, user=self.user)
        return Response(
            {
                "changes": changes,
                "comments": [queries.comment_state(row) for row in comments],
                "assignment": queries.assignment_state(get_assignment(unit_set, found)),
                "warnings": _warnings(unit_set, found) if changes else None,
                "present": [{"id": person.pk, "name": person.name} for person in others],
            }
        )


class Lint(StudioView):
    @extend_schema(
        operation_id="lint_unit", request=LintSerializer, responses={200: WarningsSerializer}
    )
    def post(self, request: Request, slug: str, pk: int, example: int) -> Response:
        """Check a text with the linter before it is saved."""
        unit_set, found = self.load(pk, example)
        form = LintSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        warnings = linting.lint_text(
            unit_set, found, form.validated_data["text"], form.validated_data.get("unit")
        )
        return Response({"warnings": warnings})


class Progress(StudioView):
    """Written, signed off, reopened."""

    roles = {"POST": Role.ANNOTATOR}

    def advance(self, pk: int, example: int, service: Any) -> Response:
        unit_set, found = self.load(pk, example)
        assignment = service(unit_set=unit_set, example=found, user=self.user)
        return Response(queries.assignment_state(assignment))


class MarkWritten(Progress):
    @extend_schema(
        operation_id="mark_written", request=None, responses={200: AssignmentStateSerializer}
    )
    def post(self, request: Request, slug: str, pk: int, example: int) -> Response:
        """Mark an example as written, ready to be checked."""
        return self.advance(pk, example, progress.mark_written)


class SignOff(Progress):
    @extend_schema(
        operation_id="sign_off", request=None, responses={200: AssignmentStateSerializer}
    )
    def post(self, request: Request, slug: str, pk: int, example: int) -> Response:
        """Sign off an example. Its author can't do this."""
        return self.advance(pk, example, progress.sign_off)


class Reopen(Progress):
    @extend_schema(operation_id="reopen", request=None, responses={200: AssignmentStateSerializer})
    def post(self, request: Request, slug: str, pk: int, example: int) -> Response:
        """Reopen an example for writing."""
        return self.advance(pk, example, progress.reopen)


class Comments(StudioView):
    roles = {"POST": Role.ANNOTATOR}

    @extend_schema(
        operation_id="create_comment",
        request=NewCommentSerializer,
        responses={201: CommentStateSerializer},
    )
    def post(self, request: Request, slug: str, pk: int, example: int) -> Response:
        """Comment on a unit or the example, or suggest another wording."""
        unit_set, found = self.load(pk, example)
        form = NewCommentSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        asked = form.validated_data.pop("unit", None)
        unit = None
        if asked is not None:
            unit = get_object_or_404(Unit, set=unit_set, example=found, pk=asked)
        comment = studio_comments.create_comment(
            unit_set=unit_set, example=found, user=self.user, unit=unit, **form.validated_data
        )
        return Response(queries.comment_state(comment), status=201)


class CommentView(ProjectView):
    roles = {"POST": Role.ANNOTATOR}

    def comment(self, pk: int) -> Comment:
        rows = Comment.objects.filter(set__project=self.project)
        rows = rows.exclude(set__in=list_hidden_sets(self.user))
        return get_object_or_404(rows.select_related("set__project", "example", "unit"), pk=pk)

    def sent(self, request: Request, serializer: type[Serializer[Any]]) -> dict[str, Any]:
        form = serializer(data=request.data)
        form.is_valid(raise_exception=True)
        return dict(form.validated_data)


class AcceptComment(CommentView):
    @extend_schema(
        operation_id="accept_comment",
        request=AcceptanceSerializer,
        responses={200: CommentStateSerializer},
    )
    def post(self, request: Request, slug: str, pk: int) -> Response:
        """Accept a comment and its suggested wording. 409 `stale` returns the current unit."""
        sent = self.sent(request, AcceptanceSerializer)
        comment = studio_comments.accept_comment(comment=self.comment(pk), user=self.user, **sent)
        return Response(queries.comment_state(comment))


class RejectComment(CommentView):
    @extend_schema(
        operation_id="reject_comment",
        request=RejectionSerializer,
        responses={200: CommentStateSerializer},
    )
    def post(self, request: Request, slug: str, pk: int) -> Response:
        """Reject a comment, optionally with a reason."""
        sent = self.sent(request, RejectionSerializer)
        comment = studio_comments.reject_comment(comment=self.comment(pk), user=self.user, **sent)
        return Response(queries.comment_state(comment))


class AnswerComment(CommentView):
    @extend_schema(
        operation_id="answer_comment",
        request=AnswerSerializer,
        responses={200: CommentStateSerializer},
    )
    def post(self, request: Request, slug: str, pk: int) -> Response:
        """Answer a comment and close it."""
        sent = self.sent(request, AnswerSerializer)
        comment = studio_comments.answer_comment(comment=self.comment(pk), user=self.user, **sent)
        return Response(queries.comment_state(comment))


class StudioSettingsDetail(ProjectView):
    roles = {"PATCH": Role.EDITOR}

    @extend_schema(operation_id="get_studio_settings", responses={200: StudioSettingsSerializer})
    def get(self, request: Request, slug: str) -> Response:
        """Get the weighting of new sets and the linter rules that are switched off."""
        return Response(StudioSettingsSerializer(sets_queries.get_settings(self.project)).data)

    @extend_schema(
        operation_id="update_studio_settings",
        request=StudioSettingsSerializer,
        responses={200: StudioSettingsSerializer},
    )
    def patch(self, request: Request, slug: str) -> Response:
        """Change the settings. The weighting applies to new sets only."""
        current = sets_queries.get_settings(self.project)
        form = StudioSettingsSerializer(data=request.data, partial=True)
        form.is_valid(raise_exception=True)
        changed = sets_service.update_settings(
            project=self.project,
            weighting=Weighting(form.validated_data.get("weighting", current.weighting)),
            disabled_rules=form.validated_data.get("disabled_rules", current.disabled_rules),
        )
        return Response(StudioSettingsSerializer(changed).data)


class Assignments(ProjectView):
    roles = {"POST": Role.EDITOR}

    @extend_schema(
        operation_id="assign_examples",
        request=NewAssignmentsSerializer,
        responses={200: AssignedSerializer},
    )
    def post(self, request: Request, slug: str, pk: int) -> Response:
        """Assign examples, by their numbers in the corpus, to an author, a reviewer or both."""
        form = NewAssignmentsSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        data = form.validated_data
        count = progress.assign_range(
            unit_set=queries.get_set(self.project, pk),
            user=self.user,
            first=data["first"],
            last=data["last"],
            author=queries.get_writer(self.project, data.get("author")),
            reviewer=queries.get_writer(self.project, data.get("reviewer")),
        )
        return Response({"assigned": count})
