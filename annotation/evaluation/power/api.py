"""REST: the power of a study, from the answers at hand as a pilot."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.corpora.jobs.models import JobState
from annotation.corpora.projects.models import Role
from annotation.corpora.rest import ProjectView
from annotation.corpora.serializers import JobSerializer
from annotation.crowd.campaigns.requests import Strict
from annotation.errors import DomainError
from annotation.evaluation.labels.serializers import read_whole, whole
from annotation.evaluation.power import service
from annotation.evaluation.power.service import (
    MOST_ANNOTATORS,
    MOST_COMPARISONS,
    MOST_DESIGNS,
    MOST_EXAMPLES,
    MOST_SEED,
    conclude,
    get_power,
)
from annotation.translation import gettext_lazy
from annotation.units.serializers import Whole


class NewPowerSerializer(Strict):
    differences = serializers.ListField(
        child=serializers.FloatField(min_value=0.001, max_value=1),
        min_length=1,
        max_length=MOST_DESIGNS,
        help_text=gettext_lazy("Differences between two systems' scores."),
    )
    examples = serializers.ListField(
        child=Whole(min_value=2, max_value=MOST_EXAMPLES), min_length=1, max_length=MOST_DESIGNS
    )
    annotators = serializers.ListField(
        child=Whole(min_value=1, max_value=MOST_ANNOTATORS),
        min_length=1,
        max_length=MOST_DESIGNS,
        help_text=gettext_lazy("Per summary."),
    )
    comparisons = Whole(
        min_value=1,
        max_value=MOST_COMPARISONS,
        required=False,
        help_text=gettext_lazy("Pairs of systems tested together; they share the level .05."),
    )
    seed = Whole(max_value=MOST_SEED, required=False)


class DesignSerializer(serializers.Serializer[Any]):
    difference = serializers.FloatField()
    examples = serializers.IntegerField()
    annotators = serializers.IntegerField()
    power = serializers.FloatField(help_text=gettext_lazy("Mean over pairs of systems."))
    low = serializers.FloatField(help_text=gettext_lazy("Over the middle 95 % of pairs."))
    high = serializers.FloatField()
    pairs = serializers.IntegerField()
    made_up = serializers.FloatField(
        help_text=gettext_lazy("Annotators per summary simulated because the pilot has fewer.")
    )
    level = serializers.FloatField()
    rounds = serializers.IntegerField()
    seed = serializers.IntegerField()


class PowerSerializer(serializers.Serializer[Any]):
    job = serializers.IntegerField()
    documents = serializers.IntegerField(help_text=gettext_lazy("Examples of the pilot."))
    systems = serializers.IntegerField()
    conclusion = serializers.CharField()
    rows = DesignSerializer(many=True)


class StudyPower(ProjectView):
    roles = {"POST": Role.EDITOR}

    @extend_schema(
        operation_id="get_power",
        parameters=[whole("job", gettext_lazy("Default: the newest finished one."))],
        responses={200: PowerSerializer},
    )
    def get(self, request: Request, slug: str) -> Response:
        """Power of each design to detect a difference between two systems."""
        job = get_power(self.project, read_whole(request, "job"))
        if job.state != JobState.DONE:
            raise DomainError(
                _("Power hasn't been computed yet."), _("Wait for its job to finish."), fix=job
            )
        said = {"job": job.pk, "conclusion": conclude(job), **job.result}
        return Response(PowerSerializer(said).data)

    @extend_schema(
        operation_id="compute_power", request=NewPowerSerializer, responses={202: JobSerializer}
    )
    def post(self, request: Request, slug: str) -> Response:
        """Start a job that computes the power of designs."""
        form = NewPowerSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        job = service.compute_power(project=self.project, user=self.user, **form.validated_data)
        return Response(JobSerializer(job).data, status=202)
