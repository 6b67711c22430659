"""REST: STUs extracted and measured, regressors of easiness, sentences ranked and planned."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.corpora.projects.models import Role
from annotation.corpora.rest import PAGED, Line, ProjectView, Text, page_of
from annotation.corpora.serializers import JobSerializer
from annotation.errors import Invalid, NotFound
from annotation.translation import format_lazy, gettext_lazy
from annotation.units.plans import queries as plans
from annotation.units.serializers import Flag, Seconds, UnitSetSerializer, Whole
from annotation.units.sets.comparison import get_stu_quality
from annotation.units.studio import queries as studio_queries
from annotation.units.stus import easiness, extraction, ranking
from annotation.units.stus.easiness import MOST_FOLDS, NAME, NAME_WORDS, REGRESSORS
from annotation.units.stus.extraction import MOST_X
from annotation.units.stus.models import EasinessModel, SentencePlan
from scoring.stu.extractors import EXTRACTORS

LONGEST = 200
WHO = {"people": True, "stus": False}


class Number(Seconds):
    """A number that is not a string."""


class NewExtractionSerializer(serializers.Serializer[Any]):
    extractor = serializers.ChoiceField(choices=EXTRACTORS, required=False)
    coref = Flag(required=False, help_text=gettext_lazy("Replace pronouns with names."))
    x = Number(
        min_value=0.1,
        max_value=MOST_X,
        required=False,
        help_text=gettext_lazy("For rich: STUs per SCU. Default 1."),
    )
    name = Text(
        max_length=80,
        required=False,
        help_text=gettext_lazy("Name of the set. An existing name gets its next version."),
    )
    regressor = Line(
        max_length=LONGEST,
        required=False,
        help_text=gettext_lazy("giza, paper, damage or name@version."),
    )


class QualitySerializer(serializers.Serializer[Any]):
    scus_set = serializers.IntegerField(
        source="scus.pk", help_text=gettext_lazy("ID of the SCUs compared with.")
    )
    accuracy = serializers.FloatField(source="figures.accuracy")
    precision = serializers.FloatField(source="figures.precision", allow_null=True)
    x = serializers.FloatField(source="figures.x", help_text=gettext_lazy("STUs per SCU."))
    scus = serializers.IntegerField(source="figures.scus")
    stus = serializers.IntegerField(source="figures.stus")
    sentences = serializers.IntegerField(source="figures.sentences")
    examples = serializers.IntegerField(help_text=gettext_lazy("Number of examples measured."))
    written = serializers.IntegerField(help_text=gettext_lazy("Examples that have SCUs."))
    learned = serializers.IntegerField(
        help_text=gettext_lazy("Measured examples whose references the extractor was trained on.")
    )

    def to_representation(self, instance: Any) -> dict[str, Any]:
        """JSON has no word for nan."""
        found = super().to_representation(instance)
        return {key: None if value != value else value for key, value in found.items()}


class NewEasinessSerializer(serializers.Serializer[Any]):
    name = serializers.RegexField(
        NAME,
        help_text=format_lazy(
            gettext_lazy("{name_words}. An existing name gets its next version."),
            name_words=NAME_WORDS.capitalize(),
        ),
    )
    scus = Whole(min_value=1, help_text=gettext_lazy("ID of the set of SCUs."))
    stus = Whole(min_value=1, help_text=gettext_lazy("ID of the set of STUs."))
    regressor = serializers.ChoiceField(choices=REGRESSORS, required=False)
    folds = Whole(
        min_value=2,
        max_value=MOST_FOLDS,
        required=False,
        help_text=gettext_lazy("Number of folds of examples."),
    )
    seed = Whole(max_value=2**31 - 1, required=False)


class EasinessModelSerializer(serializers.ModelSerializer[EasinessModel]):
    model = serializers.CharField(
        source="__str__",
        read_only=True,
        help_text=gettext_lazy("name@version, as used in rankings."),
    )
    job = JobSerializer(read_only=True, allow_null=True)
    card = serializers.DictField(
        read_only=True,
        help_text=gettext_lazy(
            "Held-out figures, also of the mean predictor, and data hash; empty until ready."
        ),
    )

    class Meta:
        model = EasinessModel
        fields = (
            "id",
            "model",
            "name",
            "version",
            "regressor",
            "target",
            "scus",
            "stus",
            "learned_from",
            "folds",
            "seed",
            "is_ready",
            "job",
            "card",
            "created_at",
        )
        read_only_fields = fields


class SentencePlanSerializer(serializers.ModelSerializer[SentencePlan]):
    example = serializers.CharField(source="sentence.reference.example.key")
    reference = serializers.IntegerField(source="sentence.reference_id")
    number = serializers.SerializerMethodField(
        help_text=gettext_lazy("Number of the sentence in its reference, from 1.")
    )
    text = serializers.CharField(source="sentence.text")
    human = serializers.BooleanField(
        source="is_human", help_text=gettext_lazy("True if a person writes its units.")
    )

    class Meta:
        model = SentencePlan
        fields = (
            "sentence",
            "example",
            "reference",
            "number",
            "text",
            "difficulty",
            "human",
            "model",
        )
        read_only_fields = fields

    def get_number(self, row: SentencePlan) -> int:
        return row.sentence.position + 1


class NewRankingSerializer(serializers.Serializer[Any]):
    stus = Whole(min_value=1, help_text=gettext_lazy("ID of a set of STUs."))
    regressor = Line(
        max_length=LONGEST,
        required=False,
        allow_blank=True,
        help_text=gettext_lazy("Default: the predictions stored with the STUs."),
    )


class ExtractStus(ProjectView):
    roles = {"POST": Role.EDITOR}

    @extend_schema(
        operation_id="extract_stus",
        request=NewExtractionSerializer,
        responses={202: UnitSetSerializer},
    )
    def post(self, request: Request, slug: str) -> Response:
        """Extract the STUs of every reference into a new set. It is frozen when its job is done."""
        form = NewExtractionSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        made = extraction.extract_stus(project=self.project, user=self.user, **form.validated_data)
        return Response(UnitSetSerializer(made).data, status=202)


class PauseFilling(ProjectView):
    roles = {"POST": Role.EDITOR}

    @extend_schema(operation_id="pause_filling", request=None, responses={200: UnitSetSerializer})
    def post(self, request: Request, slug: str, pk: int) -> Response:
        """Pause an extraction after its current step."""
        unit_set = studio_queries.get_set(self.project, pk)
        extraction.pause_filling(unit_set=unit_set)
        return Response(UnitSetSerializer(unit_set).data)


class ResumeFilling(ProjectView):
    roles = {"POST": Role.EDITOR}

    @extend_schema(operation_id="resume_filling", request=None, responses={200: UnitSetSerializer})
    def post(self, request: Request, slug: str, pk: int) -> Response:
        """Resume a paused extraction."""
        unit_set = studio_queries.get_set(self.project, pk)
        extraction.resume_filling(unit_set=unit_set)
        return Response(UnitSetSerializer(unit_set).data)


class StuQuality(ProjectView):
    @extend_schema(operation_id="get_stu_quality", responses={200: QualitySerializer})
    def get(self, request: Request, slug: str, pk: int) -> Response:
        """Get accuracy, precision and x of a set's STUs compared with the newest SCUs."""
        found = get_stu_quality(studio_queries.get_set(self.project, pk))
        if found is None:
            raise NotFound(
                _("The project has no SCUs to compare them with."), _("Write some SCUs first.")
            )
        return Response(QualitySerializer(found).data)


class EasinessModels(ProjectView):
    roles = {"POST": Role.EDITOR}

    @extend_schema(
        operation_id="list_easiness_models",
        parameters=PAGED,
        responses={200: page_of(EasinessModelSerializer)},
    )
    def get(self, request: Request, slug: str) -> Response:
        """List the regressors trained in the project, newest first."""
        return self.paged(plans.list_easiness_models(self.project), EasinessModelSerializer)

    @extend_schema(
        operation_id="train_easiness",
        request=NewEasinessSerializer,
        responses={202: EasinessModelSerializer},
    )
    def post(self, request: Request, slug: str) -> Response:
        """Train a regressor on a set of SCUs and a set of STUs."""
        form = NewEasinessSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        said = dict(form.validated_data)
        for name in ("scus", "stus"):
            said[name] = studio_queries.get_set(self.project, said[name])
        made = easiness.train_easiness(project=self.project, user=self.user, **said)
        return Response(EasinessModelSerializer(made).data, status=202)


class EasinessModelDetail(ProjectView):
    roles = {"DELETE": Role.EDITOR}

    @extend_schema(operation_id="get_easiness_model", responses={200: EasinessModelSerializer})
    def get(self, request: Request, slug: str, pk: int) -> Response:
        """Get a regressor, the progress of its training, and its card once it is ready."""
        found = plans.get_easiness_model(self.project, pk)
        return Response(EasinessModelSerializer(found).data)

    @extend_schema(operation_id="delete_easiness_model", responses={204: None})
    def delete(self, request: Request, slug: str, pk: int) -> Response:
        """Delete a regressor that no ranking uses."""
        found = plans.get_easiness_model(self.project, pk)
        easiness.delete_easiness_model(model=found, user=self.user)
        return Response(status=204)


class EasinessFile(ProjectView):
    @extend_schema(
        operation_id="get_easiness_file",
        responses={200: {"type": "object", "additionalProperties": True}},
    )
    def get(self, request: Request, slug: str, pk: int) -> Response:
        """Download the regressor for `python -m scoring easiness predict`."""
        return Response(plans.get_ready_model(self.project, pk).file)


class Sentences(ProjectView):
    @extend_schema(
        operation_id="list_sentence_plans",
        parameters=[
            OpenApiParameter(
                "who",
                str,
                enum=list(WHO),
                description=gettext_lazy("Filter by who writes the units. Default: all."),
            ),
            *PAGED,
        ],
        responses={200: page_of(SentencePlanSerializer)},
    )
    def get(self, request: Request, slug: str, pk: int) -> Response:
        """List sentences with their predicted difficulty, hardest first."""
        rows = plans.list_sentence_plans(studio_queries.get_set(self.project, pk))
        who = request.query_params.get("who")
        if who is not None:
            if who not in WHO:
                raise Invalid(
                    _("who: '{who}' is not known.").format(who=who[:40]),
                    _("Use {who}.").format(who=" or ".join(WHO)),
                )
            rows = rows.filter(is_human=WHO[who])
        return self.paged(rows, SentencePlanSerializer)


class RankSentences(ProjectView):
    roles = {"POST": Role.EDITOR}

    @extend_schema(
        operation_id="rank_sentences",
        request=NewRankingSerializer,
        responses={202: JobSerializer},
    )
    def post(self, request: Request, slug: str, pk: int) -> Response:
        """Rank a draft's sentences by difficulty. Its queue then starts with the hardest."""
        form = NewRankingSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        job = ranking.start_ranking(
            unit_set=studio_queries.get_set(self.project, pk),
            user=self.user,
            stus=studio_queries.get_set(self.project, form.validated_data["stus"]),
            regressor=form.validated_data.get("regressor", ""),
        )
        return Response(JobSerializer(job).data, status=202)
