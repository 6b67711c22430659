"""REST: double annotations, what their authors agree on, and the merged set."""

from __future__ import annotations

from typing import Any

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.corpora.projects.models import Role
from annotation.corpora.rest import PAGED, ProjectView, Text, page_of
from annotation.translation import gettext_lazy
from annotation.units.double import queries, service
from annotation.units.double.models import DoubleAnnotation, DoubleAuthor
from annotation.units.serializers import Flag, UnitSetSerializer, UnitStateSerializer, Whole
from annotation.units.studio.queries import get_writer
from annotation.units.studio.states import unit_state


class DoubleAuthorSerializer(serializers.ModelSerializer[DoubleAuthor]):
    class Meta:
        model = DoubleAuthor
        fields = ["id", "user", "set", "done_at"]
        read_only_fields = fields


class DoubleSerializer(serializers.ModelSerializer[DoubleAnnotation]):
    authors = DoubleAuthorSerializer(many=True, read_only=True)

    class Meta:
        model = DoubleAnnotation
        fields = [
            "id",
            "name",
            "first_example",
            "last_example",
            "authors",
            "revealed_at",
            "agreement",
            "merged",
            "created_at",
        ]
        read_only_fields = fields


class NewDoubleSerializer(serializers.Serializer[Any]):
    name = Text(max_length=78, help_text=gettext_lazy("Name of the merged set."))
    authors = serializers.ListField(
        child=Whole(), min_length=2, max_length=2, help_text=gettext_lazy("IDs of two users.")
    )
    first = Whole(min_value=1, help_text=gettext_lazy("Number of the first example, from 1."))
    last = Whole(min_value=1, help_text=gettext_lazy("Number of the last example."))


class DoneSerializer(serializers.Serializer[Any]):
    author = Whole(help_text=gettext_lazy("ID of the author in the double annotation."))
    done = Flag(required=False, help_text=gettext_lazy("False to continue writing."))


class SideBySideSerializer(serializers.Serializer[Any]):
    first = UnitStateSerializer(allow_null=True)
    second = UnitStateSerializer(allow_null=True)
    likeness = serializers.FloatField(allow_null=True)


class MergedUnitSerializer(serializers.Serializer[Any]):
    text = Text(max_length=1000)
    sources = serializers.ListField(
        child=Whole(), max_length=1000, help_text=gettext_lazy("IDs of the units that it replaces.")
    )


class MergeSerializer(serializers.Serializer[Any]):
    units = MergedUnitSerializer(many=True)


class DoubleAnnotations(ProjectView):
    roles = {"POST": Role.EDITOR}

    @extend_schema(
        operation_id="list_double_annotations",
        parameters=PAGED,
        responses={200: page_of(DoubleSerializer)},
    )
    def get(self, request: Request, slug: str) -> Response:
        """List double annotations, newest first, with the authors' agreement once both are done."""
        return self.paged(queries.list_doubles(self.project), DoubleSerializer)

    @extend_schema(
        operation_id="create_double_annotation",
        request=NewDoubleSerializer,
        responses={201: DoubleSerializer},
    )
    def post(self, request: Request, slug: str) -> Response:
        """Assign examples to two authors. Until both are done, neither sees the other's units."""
        form = NewDoubleSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        data = form.validated_data
        found = (get_writer(self.project, pk) for pk in data.pop("authors"))
        authors = [author for author in found if author is not None]
        made = service.create_double(project=self.project, user=self.user, authors=authors, **data)
        return Response(DoubleSerializer(made).data, status=201)


class DoubleAnnotationDetail(ProjectView):
    roles = {"DELETE": Role.OWNER}

    @extend_schema(operation_id="get_double_annotation", responses={200: DoubleSerializer})
    def get(self, request: Request, slug: str, pk: int) -> Response:
        """Get a double annotation."""
        return Response(DoubleSerializer(queries.get_double(self.project, pk)).data)

    @extend_schema(operation_id="delete_double_annotation", responses={204: None})
    def delete(self, request: Request, slug: str, pk: int) -> Response:
        """Delete an unfinished double annotation with both sets."""
        found = queries.get_double(self.project, pk)
        service.delete_double(double=found, user=self.user)
        return Response(status=204)


class MarkDone(ProjectView):
    roles = {"POST": Role.ANNOTATOR}

    @extend_schema(
        operation_id="mark_double_done", request=DoneSerializer, responses={200: DoubleSerializer}
    )
    def post(self, request: Request, slug: str, pk: int) -> Response:
        """Mark an author as done. When both are, their sets are frozen, revealed and compared."""
        form = DoneSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        found = queries.get_double(self.project, pk)
        rows = DoubleAuthor.objects.select_related("set")
        author = get_object_or_404(rows, double=found, pk=form.validated_data["author"])
        done = form.validated_data.get("done", True)
        service.mark_done(double=found, user=self.user, author=author, done=done)
        return Response(DoubleSerializer(queries.get_double(self.project, pk)).data)


class DoubleExample(ProjectView):
    roles = {"PUT": Role.ANNOTATOR}

    @extend_schema(
        operation_id="compare_double_example", responses={200: SideBySideSerializer(many=True)}
    )
    def get(self, request: Request, slug: str, pk: int, example: int) -> Response:
        """Get both authors' units of an example: matched pairs, and units without a match."""
        found = queries.get_double(self.project, pk)
        chosen = get_object_or_404(queries.list_double_examples(found), pk=example)
        return Response(
            [
                {
                    "first": unit_state(row.first) if row.first else None,
                    "second": unit_state(row.second) if row.second else None,
                    "likeness": row.likeness,
                }
                for row in queries.compare_example(found, chosen)
            ]
        )

    @extend_schema(
        operation_id="merge_double_example",
        request=MergeSerializer,
        responses={200: UnitSetSerializer},
    )
    def put(self, request: Request, slug: str, pk: int, example: int) -> Response:
        """Write an example of the merged set. The two authors can't do this."""
        form = MergeSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        found = queries.get_double(self.project, pk)
        chosen = get_object_or_404(queries.list_double_examples(found), pk=example)
        units = [
            service.MergedUnit(row["text"], tuple(row["sources"]))
            for row in form.validated_data["units"]
        ]
        merged = service.merge_double(double=found, example=chosen, user=self.user, units=units)
        return Response(UnitSetSerializer(merged).data)
