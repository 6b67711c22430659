"""REST: unit sets, their review, freezing and versions."""

from __future__ import annotations

import re

from django.db import transaction
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.corpora.projects.models import Role
from annotation.corpora.rest import PAGED, ProjectView, page_of
from annotation.corpora.serializers import JobSerializer
from annotation.errors import Invalid
from annotation.translation import gettext_lazy
from annotation.units.serializers import (
    ComparisonSerializer,
    NarrowedExampleSerializer,
    NarrowSerializer,
    ReasonSerializer,
    UnitSerializer,
    UnitSetChangeSerializer,
    UnitSetSerializer,
)
from annotation.units.sets import bulk, narrowing, service, versions
from annotation.units.sets.comparison import compare_sets
from annotation.units.sets.narrowing import preview_narrowing
from annotation.units.sets.table import STATES, filter_units, read_unit_filter
from annotation.units.studio import queries as studio_queries
from annotation.units.stus.easiness import live_examples
from scoring.linting import RULES

TEXT = {"type": "string", "maxLength": 200, "pattern": "^[^\\x00]*$"}
FILTERS = [
    OpenApiParameter("q", TEXT, description=gettext_lazy("Part of a unit's text.")),
    OpenApiParameter("example", TEXT, description=gettext_lazy("Part of an example's ID.")),
    OpenApiParameter(
        "author",
        {"type": "string", "pattern": "^([0-9]{1,18}|nobody)?$"},
        description=gettext_lazy("ID of a user, or `nobody`."),
    ),
    OpenApiParameter(
        "state",
        str,
        enum=[value for value, __ in STATES],
        description=gettext_lazy("State of the example; `deleted` lists deleted units."),
    ),
    OpenApiParameter(
        "lint",
        str,
        enum=["any", "none", "unchecked", *RULES],
        description=gettext_lazy("A rule, `any`, `none` or `unchecked`, as of the last check."),
    ),
]


class UnitSets(ProjectView):
    roles = {"POST": Role.EDITOR}

    @extend_schema(
        operation_id="list_unit_sets",
        parameters=PAGED,
        responses={200: page_of(UnitSetSerializer)},
    )
    def get(self, request: Request, slug: str) -> Response:
        """List unit sets by name, newest version first."""
        return self.paged(studio_queries.list_sets(self.project), UnitSetSerializer)

    @extend_schema(
        operation_id="create_unit_set",
        request=UnitSetSerializer,
        responses={201: UnitSetSerializer},
    )
    def post(self, request: Request, slug: str) -> Response:
        """Create an empty draft."""
        form = UnitSetSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        unit_set = service.create_set(
            project=self.project, user=self.user, name=form.validated_data["name"]
        )
        return Response(UnitSetSerializer(unit_set).data, status=201)


class UnitSetDetail(ProjectView):
    roles = {"DELETE": Role.OWNER, "PATCH": Role.EDITOR}

    @extend_schema(operation_id="get_unit_set", responses={200: UnitSetSerializer})
    def get(self, request: Request, slug: str, pk: int) -> Response:
        """Get a unit set."""
        return Response(UnitSetSerializer(studio_queries.get_set(self.project, pk)).data)

    @extend_schema(
        operation_id="update_unit_set",
        request=UnitSetChangeSerializer,
        responses={200: UnitSetSerializer},
    )
    def patch(self, request: Request, slug: str, pk: int) -> Response:
        """Rename all versions of a set, or archive or restore a frozen one."""
        form = UnitSetChangeSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        unit_set = studio_queries.get_set(self.project, pk)
        with transaction.atomic():
            if "name" in form.validated_data:
                name = form.validated_data["name"]
                service.rename_set(unit_set=unit_set, user=self.user, name=name)
            if "archived" in form.validated_data:
                archived = form.validated_data["archived"]
                service.archive_set(unit_set=unit_set, user=self.user, archived=archived)
        return Response(UnitSetSerializer(unit_set).data)

    @extend_schema(operation_id="delete_unit_set", responses={204: None})
    def delete(self, request: Request, slug: str, pk: int) -> Response:
        """Delete a set that is not frozen, with its units."""
        service.delete_set(unit_set=studio_queries.get_set(self.project, pk), user=self.user)
        return Response(status=204)


class ReviewUnitSet(ProjectView):
    roles = {"POST": Role.EDITOR}

    @extend_schema(operation_id="review_unit_set", request=None, responses={200: UnitSetSerializer})
    def post(self, request: Request, slug: str, pk: int) -> Response:
        """Send a draft with at least one unit to review. Only a set in review can be frozen."""
        unit_set = studio_queries.get_set(self.project, pk)
        service.send_to_review(unit_set=unit_set, user=self.user)
        return Response(UnitSetSerializer(unit_set).data)


class RedraftUnitSet(ProjectView):
    roles = {"POST": Role.EDITOR}

    @extend_schema(
        operation_id="redraft_unit_set", request=None, responses={200: UnitSetSerializer}
    )
    def post(self, request: Request, slug: str, pk: int) -> Response:
        """Return a set in review to draft. Sign-offs stay."""
        unit_set = studio_queries.get_set(self.project, pk)
        service.back_to_draft(unit_set=unit_set, user=self.user)
        return Response(UnitSetSerializer(unit_set).data)


class FreezeUnitSet(ProjectView):
    roles = {"POST": Role.EDITOR}

    @extend_schema(
        operation_id="freeze_unit_set",
        request=ReasonSerializer,
        responses={200: UnitSetSerializer},
    )
    def post(self, request: Request, slug: str, pk: int) -> Response:
        """Freeze a set in review. If examples aren't signed off, an owner must give a reason."""
        form = ReasonSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        unit_set = studio_queries.get_set(self.project, pk)
        service.freeze_set(
            unit_set=unit_set,
            user=self.user,
            role=self.access.role,
            reason=form.validated_data["reason"],
        )
        return Response(UnitSetSerializer(unit_set).data)


class NextVersion(ProjectView):
    roles = {"POST": Role.EDITOR}

    @extend_schema(
        operation_id="create_next_version", request=None, responses={202: UnitSetSerializer}
    )
    def post(self, request: Request, slug: str, pk: int) -> Response:
        """Create the next version of a frozen set: a draft that starts as a copy."""
        unit_set = studio_queries.get_set(self.project, pk)
        copy = versions.create_next_version(unit_set=unit_set, user=self.user)
        return Response(UnitSetSerializer(copy).data, status=202)


class Units(ProjectView):
    @extend_schema(
        operation_id="list_units",
        parameters=[*PAGED, *FILTERS],
        responses={200: page_of(UnitSerializer)},
    )
    def get(self, request: Request, slug: str, pk: int) -> Response:
        """List units in the order of the corpus, with the words they cover."""
        chosen = read_unit_filter(request.query_params.dict())
        units = filter_units(studio_queries.get_visible_set(self.access, pk), chosen)
        return self.paged(units.prefetch_related("contributors"), UnitSerializer)


class CheckUnits(ProjectView):
    roles = {"POST": Role.ANNOTATOR}

    @extend_schema(operation_id="check_units", request=None, responses={202: JobSerializer})
    def post(self, request: Request, slug: str, pk: int) -> Response:
        """Check all units with the linter, for `units/?lint=`."""
        unit_set = studio_queries.get_set(self.project, pk)
        job = bulk.start_check(unit_set=unit_set, user=self.user)
        return Response(JobSerializer(job).data, status=202)


class NarrowSpans(ProjectView):
    roles = {"GET": Role.EDITOR, "POST": Role.EDITOR}

    @extend_schema(
        operation_id="preview_narrowing",
        parameters=PAGED,
        responses={200: page_of(NarrowedExampleSerializer)},
    )
    def get(self, request: Request, slug: str, pk: int) -> Response:
        """Spans that are whole sentences, and the words of these that their units keep; an example
        is a row.
        """
        unit_set = studio_queries.get_visible_set(self.access, pk)
        return self.paged(
            live_examples(self.project),
            NarrowedExampleSerializer,
            load=lambda rows: preview_narrowing(unit_set, rows),
        )

    @extend_schema(
        operation_id="narrow_spans",
        request=NarrowSerializer,
        responses={202: JobSerializer},
    )
    def post(self, request: Request, slug: str, pk: int) -> Response:
        """Start a job that narrows all spans or, with `undo`, undoes the last narrowing."""
        form = NarrowSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        unit_set = studio_queries.get_visible_set(self.access, pk)
        job = narrowing.narrow_spans(unit_set=unit_set, user=self.user, **form.validated_data)
        return Response(JobSerializer(job).data, status=202)


class Compare(ProjectView):
    @extend_schema(
        operation_id="compare_unit_sets",
        parameters=PAGED[:1],
        responses={200: ComparisonSerializer},
    )
    def get(self, request: Request, slug: str, pk: int, other: int) -> Response:
        """Compare two sets: added, removed and changed units, by page of examples that differ."""
        first, second = (studio_queries.get_visible_set(self.access, key) for key in (pk, other))
        found = compare_sets(first, second, read_page(request))
        return Response(ComparisonSerializer(found).data)


def read_page(request: Request) -> str:
    """A page out of range is the nearest one in range."""
    asked = request.query_params.get("page", "1")
    if not re.fullmatch("0*[1-9][0-9]*", asked):
        raise Invalid(_("page: expected a whole number from 1."))
    return asked
