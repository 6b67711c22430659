"""REST: estimates of systems' scores from people's labels of some examples and a judge's run."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.corpora.projects.models import Role
from annotation.corpora.rest import PAGED, Line, ProjectView, page_of
from annotation.corpora.serializers import JobSerializer
from annotation.crowd.campaigns.requests import Strict
from annotation.evaluation.estimates import service
from annotation.evaluation.estimates.models import Chosen, CountBy, ScoreEstimate, Target
from annotation.evaluation.estimates.queries import get_estimate, list_estimates
from annotation.evaluation.judges.api import Number
from annotation.evaluation.judges.queries import read_learned_sources
from annotation.evaluation.labels.queries import get_ready_labels
from annotation.evaluation.runs.queries import get_ready_run
from annotation.evaluation.runs.serializers import LearnedSerializer
from annotation.translation import gettext_lazy
from annotation.units.serializers import Whole

LONGEST_KEY = 200


class NewEstimateSerializer(Strict):
    labels = Whole(min_value=1, help_text=gettext_lazy("Human labels of some examples."))
    run = Whole(
        min_value=1, help_text=gettext_lazy("A judge's run over the same units and all examples.")
    )
    chosen = serializers.ChoiceField(
        choices=Chosen.choices,
        help_text=gettext_lazy(
            "How the human-judged examples were chosen. 'ranker' needs probabilities "
            "or an audit slice."
        ),
    )
    probabilities = serializers.DictField(
        child=Number(min_value=0, max_value=1),
        required=False,
        help_text=gettext_lazy("Inclusion probability by example ID."),
    )
    audit = serializers.ListField(
        child=Line(max_length=LONGEST_KEY),
        required=False,
        help_text=gettext_lazy(
            "IDs of judged examples drawn at random from those the ranker didn't choose."
        ),
    )
    by = serializers.ChoiceField(choices=CountBy.choices, required=False)
    target = serializers.ChoiceField(choices=Target.choices, required=False)
    epsilon = Number(
        min_value=0,
        max_value=1,
        required=False,
        help_text=gettext_lazy(
            "Margin by which the judge may win less often than an annotator: 0.1 for crowd workers."
        ),
    )
    price = Number(
        min_value=0,
        required=False,
        help_text=gettext_lazy("Cost of labelling an example, relative to judging it."),
    )


class EstimateSerializer(serializers.ModelSerializer[ScoreEstimate]):
    labels = serializers.IntegerField(source="label_set_id", read_only=True, allow_null=True)
    run = serializers.IntegerField(source="run_id", read_only=True, allow_null=True)
    sources = serializers.DictField(read_only=True, help_text=gettext_lazy("Sources, by name."))
    options = serializers.DictField(
        read_only=True, help_text=gettext_lazy("Options and how examples were chosen.")
    )
    learned = serializers.SerializerMethodField()
    job = JobSerializer(read_only=True, allow_null=True)

    class Meta:
        model = ScoreEstimate
        fields: tuple[str, ...] = (
            "id",
            "labels",
            "run",
            "sources",
            "options",
            "learned",
            "signature",
            "is_ready",
            "job",
            "created_at",
        )
        read_only_fields = fields

    @extend_schema_field(LearnedSerializer(many=True))
    def get_learned(self, estimate: ScoreEstimate) -> Any:
        """The run, if its judge was trained on the texts that it judged."""
        return read_learned_sources(estimate.sources, [estimate.run])


class EstimateDetailSerializer(EstimateSerializer):
    found = serializers.DictField(
        read_only=True,
        help_text=gettext_lazy(
            "Systems, pairs of systems, the annotator test (`replacement`) and corrected scores; "
            "empty until ready."
        ),
    )

    class Meta(EstimateSerializer.Meta):
        fields = (*EstimateSerializer.Meta.fields, "found")
        read_only_fields = fields


class Estimates(ProjectView):
    roles = {"POST": Role.EDITOR}

    @extend_schema(
        operation_id="list_estimates",
        parameters=PAGED,
        responses={200: page_of(EstimateSerializer)},
    )
    def get(self, request: Request, slug: str) -> Response:
        """List estimates of system scores, newest first."""
        return self.paged(list_estimates(self.project), EstimateSerializer)

    @extend_schema(
        operation_id="estimate_scores",
        request=NewEstimateSerializer,
        responses={202: EstimateDetailSerializer},
    )
    def post(self, request: Request, slug: str) -> Response:
        """Start an estimate from human labels of some examples and a judge's run on all."""
        form = NewEstimateSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        said = dict(form.validated_data)
        made = service.estimate_scores(
            project=self.project,
            user=self.user,
            label_set=get_ready_labels(self.project, said.pop("labels")),
            run=get_ready_run(self.project, said.pop("run")),
            **said,
        )
        return Response(EstimateDetailSerializer(made).data, status=202)


class EstimateDetail(ProjectView):
    roles = {"DELETE": Role.EDITOR}

    @extend_schema(operation_id="get_estimate", responses={200: EstimateDetailSerializer})
    def get(self, request: Request, slug: str, pk: int) -> Response:
        """An estimate and the progress of its job."""
        return Response(EstimateDetailSerializer(get_estimate(self.project, pk)).data)

    @extend_schema(operation_id="delete_estimate", responses={204: None})
    def delete(self, request: Request, slug: str, pk: int) -> Response:
        """Delete a finished estimate."""
        service.delete_estimate(estimate=get_estimate(self.project, pk), user=self.user)
        return Response(status=204)
