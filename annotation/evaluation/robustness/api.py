"""What REST takes and tells about several metrics, disagreements and studies of robustness.

- REST: several metrics at once, disagreements of two, and studies of robustness.
"""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.corpora.projects.models import Role
from annotation.corpora.rest import PAGED, Line, ProjectView, page_of
from annotation.corpora.serializers import JobSerializer
from annotation.crowd.campaigns.requests import Strict
from annotation.errors import Invalid
from annotation.evaluation.judges.api import Number
from annotation.evaluation.labels.serializers import LONGEST_NAME, read_choice
from annotation.evaluation.metrics import service as metrics_service
from annotation.evaluation.metrics.api import ScoreSetSerializer, ScoreSourceSerializer
from annotation.evaluation.metrics.sources import SORTS, count_source_disagreements
from annotation.evaluation.robustness import service
from annotation.evaluation.robustness.models import RobustnessStudy
from annotation.evaluation.robustness.queries import get_study, list_studies
from annotation.evaluation.robustness.service import (
    MOST_EXAMPLES,
    MOST_METRICS,
    MOST_SEED,
    MOST_SHARES,
)
from annotation.translation import gettext_lazy
from annotation.units.serializers import Whole
from scoring.metrics import METRICS
from scoring.metrics.perturbations import PERTURBATIONS


class ManyMetricsSerializer(Strict):
    metrics = serializers.ListField(
        child=serializers.ChoiceField(choices=list(METRICS)),
        required=False,
        max_length=len(METRICS),
        help_text=gettext_lazy("Default: all that can be computed here."),
    )
    systems = serializers.ListField(
        child=Line(max_length=200),
        required=False,
        max_length=1000,
        help_text=gettext_lazy("Default: all."),
    )
    note = Line(max_length=300, required=False, allow_blank=True)


class LeftOutSerializer(serializers.Serializer[Any]):
    metric = serializers.CharField()
    why = serializers.CharField()


class BegunSerializer(serializers.Serializer[Any]):
    score_sets = ScoreSetSerializer(many=True)
    left_out = LeftOutSerializer(
        many=True, help_text=gettext_lazy("Metrics that can't be computed here.")
    )


class NewStudySerializer(Strict):
    metrics = serializers.ListField(
        child=serializers.ChoiceField(choices=list(METRICS)),
        required=False,
        min_length=1,
        max_length=MOST_METRICS,
        help_text=gettext_lazy("Default: ROUGE, ROUGE-WE and Sem-nCG."),
    )
    systems = serializers.ListField(
        child=Line(max_length=200),
        required=False,
        max_length=1000,
        help_text=gettext_lazy("Default: all."),
    )
    perturbation = serializers.ChoiceField(
        choices=list(PERTURBATIONS), required=False, help_text="Default: `synonyms`."
    )
    shares = serializers.ListField(
        child=Number(min_value=0.0001, max_value=1),
        required=False,
        min_length=1,
        max_length=MOST_SHARES,
        help_text=gettext_lazy(
            "Shares of the words, sentences, names or numbers to change, from 0 to 1."
        ),
    )
    examples = Whole(
        max_value=MOST_EXAMPLES,
        required=False,
        help_text=gettext_lazy("Number of examples, drawn at random; 0 for all."),
    )
    seed = Whole(max_value=MOST_SEED, required=False)
    note = Line(max_length=300, required=False, allow_blank=True)


class StudySerializer(serializers.ModelSerializer[RobustnessStudy]):
    metrics = serializers.ListField(child=serializers.CharField(), read_only=True)
    systems = serializers.ListField(child=serializers.CharField(), read_only=True)
    shares = serializers.ListField(child=serializers.FloatField(), read_only=True)
    examples = serializers.IntegerField(
        source="examples_wanted", read_only=True, help_text=gettext_lazy("0: all.")
    )
    job = JobSerializer(read_only=True, allow_null=True)

    class Meta:
        model = RobustnessStudy
        fields: tuple[str, ...] = (
            "id",
            "metrics",
            "systems",
            "perturbation",
            "shares",
            "examples",
            "seed",
            "signature",
            "content_hash",
            "note",
            "is_ready",
            "job",
            "created_at",
        )
        read_only_fields = fields


class StudyDetailSerializer(StudySerializer):
    found = serializers.DictField(
        read_only=True,
        help_text=gettext_lazy(
            "Score drop by column and share, with its interval; empty until ready."
        ),
    )

    class Meta(StudySerializer.Meta):
        fields = (*StudySerializer.Meta.fields, "found")
        read_only_fields = fields


class PairCountSerializer(serializers.Serializer[Any]):
    first = serializers.CharField()
    second = serializers.CharField()
    examples = serializers.IntegerField()
    agree = serializers.IntegerField()
    disagree = serializers.IntegerField()
    tied = serializers.IntegerField(help_text=gettext_lazy("At least one of the scores has a tie."))
    share = serializers.FloatField(
        allow_null=True, help_text=gettext_lazy("Examples on which they disagree.")
    )


class DisagreementsSerializer(serializers.Serializer[Any]):
    first = ScoreSourceSerializer()
    second = ScoreSourceSerializer()
    share = serializers.FloatField(allow_null=True, help_text=gettext_lazy("Share over all pairs."))
    pairs = PairCountSerializer(many=True)


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
        begun = metrics_service.score_metrics(
            project=self.project, user=self.user, **form.validated_data
        )
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
        made = service.study_robustness(project=self.project, user=self.user, **form.validated_data)
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
        service.delete_study(study=get_study(self.project, pk), user=self.user)
        return Response(status=204)
