"""REST: samples by difficulty, their examples, and draft campaigns about them."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import OpenApiParameter, extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.corpora.projects.models import Role
from annotation.corpora.rest import PAGED, Line, ProjectView, page_of
from annotation.crowd.campaigns.presets import PRESETS
from annotation.crowd.campaigns.queries import get_campaign
from annotation.crowd.campaigns.requests import Strict
from annotation.crowd.campaigns.serializers import CampaignSerializer
from annotation.evaluation.labels.serializers import read_choice
from annotation.evaluation.labels.wording import defined
from annotation.evaluation.samples import service
from annotation.evaluation.samples.models import Sample, SampledExample
from annotation.evaluation.samples.queries import (
    SourcePopulation,
    get_sample,
    list_rows,
    list_samples,
    read_populations,
)
from annotation.evaluation.samples.service import (
    LEAST_DRAWS,
    MOST_BINS,
    MOST_DRAWS,
    MOST_PER_BIN,
    MOST_SEED,
    MOST_SOURCES,
)
from annotation.translation import gettext_lazy
from annotation.units.serializers import Whole
from annotation.units.studio.queries import get_set
from scoring.inclusion import METHODS

LONGEST_KEY = 300
SHOWN = ("drawn", "all")


class NewSampleSerializer(Strict):
    """Defaults as in REALSumm: 5 bins, 4 examples per bin."""

    sources = serializers.ListField(
        child=Line(max_length=LONGEST_KEY),
        min_length=1,
        max_length=MOST_SOURCES,
        help_text=gettext_lazy("Keys of score sources, in drawing order."),
    )
    bins = Whole(min_value=1, max_value=MOST_BINS, required=False)
    per_bin = Whole(min_value=1, max_value=MOST_PER_BIN, required=False)
    seed = Whole(max_value=MOST_SEED, required=False)
    chances = serializers.ChoiceField(
        choices=list(METHODS),
        required=False,
        help_text=gettext_lazy("How inclusion probabilities are computed."),
    )
    draws = Whole(
        min_value=LEAST_DRAWS,
        max_value=MOST_DRAWS,
        required=False,
        help_text=gettext_lazy("Monte Carlo draws for inclusion probabilities."),
    )


class SampleSourceSerializer(serializers.Serializer[Any]):
    key = serializers.CharField()
    kind = serializers.CharField()
    name = serializers.CharField()
    title = serializers.CharField()
    is_lower_better = serializers.BooleanField()
    signature = serializers.CharField()
    content_hash = serializers.CharField()


class ClashSerializer(serializers.Serializer[Any]):
    """An example drawn by `source` that `first` had already drawn; both are names."""

    example = serializers.CharField()
    source = serializers.CharField()  # type: ignore[assignment]  # a field, not its source
    bin = serializers.IntegerField()
    first = serializers.CharField()


class SampleOptionsSerializer(serializers.Serializer[Any]):
    bins = serializers.IntegerField()
    per_bin = serializers.IntegerField()
    seed = serializers.IntegerField()
    chances = serializers.CharField()
    draws = serializers.IntegerField()


class ChancesSerializer(serializers.Serializer[Any]):
    """`error` is the largest standard error; 0 if chances are exact."""

    method = serializers.CharField()
    draws = serializers.IntegerField()
    error = serializers.FloatField()


class SampleSerializer(serializers.ModelSerializer[Sample]):
    sources = SampleSourceSerializer(many=True)
    options = SampleOptionsSerializer()
    chances = ChancesSerializer()
    counts = serializers.DictField(child=serializers.IntegerField())
    created_by = serializers.CharField(source="created_by.name", default=None, allow_null=True)

    class Meta:
        model = Sample
        fields = (
            "id",
            "sources",
            "options",
            "chances",
            "counts",
            "signature",
            "created_by",
            "created_at",
        )
        read_only_fields = fields


class SampleBinSerializer(serializers.Serializer[Any]):
    bin = serializers.IntegerField()
    examples = serializers.IntegerField()
    drawn = serializers.IntegerField()


class ComparedSerializer(serializers.Serializer[Any]):
    """A source's mean scores in the population and in the sample; `gap` is the largest distance
    between both cumulative distributions."""

    source = serializers.CharField()  # type: ignore[assignment]  # a field, not its source
    population = serializers.FloatField()
    sample = serializers.FloatField(allow_null=True)
    gap = serializers.FloatField()
    bins = SampleBinSerializer(many=True)


class SampleDetailSerializer(SampleSerializer):
    clashes = ClashSerializer(many=True)
    left_out = serializers.ListField(child=serializers.CharField())
    compared = serializers.SerializerMethodField()
    campaigns = serializers.SerializerMethodField()

    class Meta:
        model = Sample
        fields = (*SampleSerializer.Meta.fields, "clashes", "left_out", "compared", "campaigns")
        read_only_fields = fields

    @extend_schema_field(serializers.ListField(child=serializers.IntegerField()))
    def get_campaigns(self, sample: Sample) -> list[int]:
        """IDs of the campaigns created from it."""
        return list(sample.campaigns.order_by("pk").values_list("pk", flat=True))

    @extend_schema_field(ComparedSerializer(many=True))
    def get_compared(self, sample: Sample) -> Any:
        return ComparedSerializer(map(_compared, read_populations(sample)), many=True).data


def _compared(row: SourcePopulation) -> dict[str, Any]:
    found: dict[str, Any] = defined(
        {
            "source": row.source["key"],
            "population": row.compared.population,
            "sample": row.compared.sample,
            "gap": row.compared.gap,
        }
    )
    return found | {"bins": row.bins}


class SampledExampleSerializer(serializers.ModelSerializer[SampledExample]):
    """`means` and `bins` by source; `drawn` is the drawing order, null if not drawn."""

    example = serializers.CharField(source="example.key")
    means = serializers.ListField(child=serializers.FloatField())
    bins = serializers.ListField(child=serializers.IntegerField())

    class Meta:
        model = SampledExample
        fields = ("example", "chance", "drawn", "source", "means", "bins")
        read_only_fields = fields


class SampleDraftSerializer(Strict):
    unit_set = Whole(min_value=1)
    name = Line(max_length=120)
    preset = serializers.ChoiceField(choices=list(PRESETS), required=False)


class Samples(ProjectView):
    roles = {"POST": Role.EDITOR}

    @extend_schema(
        operation_id="list_samples", parameters=PAGED, responses={200: page_of(SampleSerializer)}
    )
    def get(self, request: Request, slug: str) -> Response:
        """List stratified samples, newest first."""
        return self.paged(list_samples(self.project), SampleSerializer)

    @extend_schema(
        operation_id="sample_examples",
        request=NewSampleSerializer,
        responses={201: SampleDetailSerializer},
    )
    def post(self, request: Request, slug: str) -> Response:
        """Draw a stratified sample from equal-sized bins of each score."""
        form = NewSampleSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        made = service.sample_examples(project=self.project, user=self.user, **form.validated_data)
        return Response(SampleDetailSerializer(made).data, status=201)


class SampleDetail(ProjectView):
    roles = {"DELETE": Role.EDITOR}

    @extend_schema(operation_id="get_sample", responses={200: SampleDetailSerializer})
    def get(self, request: Request, slug: str, pk: int) -> Response:
        """A sample against its population, with clashes and who was left out."""
        return Response(SampleDetailSerializer(get_sample(self.project, pk)).data)

    @extend_schema(operation_id="delete_sample", responses={204: None})
    def delete(self, request: Request, slug: str, pk: int) -> Response:
        """Delete a sample; campaigns created from it stay."""
        service.delete_sample(sample=get_sample(self.project, pk), user=self.user)
        return Response(status=204)


class SampleExamples(ProjectView):
    @extend_schema(
        operation_id="list_sample_examples",
        parameters=[
            *PAGED,
            OpenApiParameter(
                "show",
                {"type": "string", "enum": list(SHOWN)},
                description=gettext_lazy("Only drawn examples, or the whole population."),
            ),
        ],
        responses={200: page_of(SampledExampleSerializer)},
    )
    def get(self, request: Request, slug: str, pk: int) -> Response:
        """Drawn examples in order, or the whole population, with inclusion probabilities."""
        sample = get_sample(self.project, pk)
        shown = read_choice(request, "show", list(SHOWN), SHOWN[0])
        return self.paged(list_rows(sample, drawn=shown == SHOWN[0]), SampledExampleSerializer)


class DraftSample(ProjectView):
    roles = {"POST": Role.EDITOR}

    @extend_schema(
        operation_id="draft_sample_campaign",
        request=SampleDraftSerializer,
        responses={201: CampaignSerializer},
    )
    def post(self, request: Request, slug: str, pk: int) -> Response:
        """Create a draft campaign with only the sampled examples."""
        form = SampleDraftSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        said = dict(form.validated_data)
        made = service.draft_campaign(
            sample=get_sample(self.project, pk),
            user=self.user,
            unit_set=get_set(self.project, said.pop("unit_set")),
            **said,
        )
        campaign = get_campaign(self.project, made.pk)
        return Response(CampaignSerializer(campaign).data, status=201)
