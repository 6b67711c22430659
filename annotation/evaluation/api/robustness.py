"""REST: several metrics at once, disagreements of two, and studies of robustness."""

from __future__ import annotations

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.corpora.api.base import ProjectView, page_of
from annotation.corpora.api.parameters import PAGED
from annotation.corpora.models import Role
from annotation.errors import Invalid
from annotation.evaluation import services
from annotation.evaluation.api.parameters import LONGEST_NAME, read_choice
from annotation.evaluation.api.robustness_serializers import (
    BegunSerializer,
    DisagreementsSerializer,
    ManyMetricsSerializer,
    NewStudySerializer,
    StudyDetailSerializer,
    StudySerializer,
)
from annotation.evaluation.selectors.metric_disagreements import (
    SORTS,
    count_source_disagreements,
)
from annotation.evaluation.selectors.robustness import get_study, list_studies
from annotation.translation import gettext as _
from annotation.translation import gettext_lazy

LONGEST_KEY = LONGEST_NAME + 40
KEY = {"type": "string", "maxLength": LONGEST_KEY}


class SeveralMetrics(ProjectView):
    roles = {"POST": Role.EDITOR}

    @extend_schema(
        operation_id="score_metrics",
        request=ManyMetricsSerializer,
        responses={202: BegunSerializer},
    )
    def post(self, request: Request, slug: str) -> Response:
        """Compute several or all metrics, one job each."""
        form = ManyMetricsSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        begun = services.score_metrics(project=self.project, user=self.user, **form.validated_data)
        left_out = [{"metric": name, "why": why} for name, why in begun.left_out.items()]
        said = {"score_sets": begun.score_sets, "left_out": left_out}
        return Response(BegunSerializer(said).data, status=202)


class MetricDisagreements(ProjectView):
    @extend_schema(
        operation_id="count_disagreements",
        parameters=[
            OpenApiParameter(
                "first", KEY, required=True, description=gettext_lazy("Key of a score source.")
            ),
            OpenApiParameter(
                "second",
                KEY,
                required=True,
                description=gettext_lazy("Key of the other score source."),
            ),
            OpenApiParameter("sort", {"type": "string", "enum": list(SORTS)}),
        ],
        responses={200: DisagreementsSerializer},
    )
    def get(self, request: Request, slug: str) -> Response:
        """Count the examples on which two scores rank a pair of systems differently, by pair."""
        first, second = (_read_key(request, name) for name in ("first", "second"))
        sort = read_choice(request, "sort", SORTS, SORTS[0])
        found = count_source_disagreements(self.project, first, second, sort)
        return Response(DisagreementsSerializer(found).data)


def _read_key(request: Request, name: str) -> str:
    said = request.query_params.get(name, "")
    if not 0 < len(said) <= LONGEST_KEY:
        raise Invalid(_("{name}: expected a key of the project's score sources.").format(name=name))
    return said


class Studies(ProjectView):
    roles = {"POST": Role.EDITOR}

    @extend_schema(
        operation_id="list_robustness_studies",
        parameters=PAGED,
        responses={200: page_of(StudySerializer)},
    )
    def get(self, request: Request, slug: str) -> Response:
        """List robustness studies, newest first."""
        return self.paged(list_studies(self.project), StudySerializer)

    @extend_schema(
        operation_id="study_robustness",
        request=NewStudySerializer,
        responses={202: StudyDetailSerializer},
    )
    def post(self, request: Request, slug: str) -> Response:
        """Start a study of how much metrics drop when texts are changed."""
        form = NewStudySerializer(data=request.data)
        form.is_valid(raise_exception=True)
        made = services.study_robustness(
            project=self.project, user=self.user, **form.validated_data
        )
        return Response(StudyDetailSerializer(made).data, status=202)


class StudyDetail(ProjectView):
    roles = {"DELETE": Role.EDITOR}

    @extend_schema(operation_id="get_robustness_study", responses={200: StudyDetailSerializer})
    def get(self, request: Request, slug: str, pk: int) -> Response:
        """A study and its progress."""
        return Response(StudyDetailSerializer(get_study(self.project, pk)).data)

    @extend_schema(operation_id="delete_robustness_study", responses={204: None})
    def delete(self, request: Request, slug: str, pk: int) -> Response:
        """Delete a finished study; stored scores stay."""
        services.delete_study(study=get_study(self.project, pk), user=self.user)
        return Response(status=204)
