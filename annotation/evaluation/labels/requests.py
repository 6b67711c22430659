"""What REST tells of contested statements, statements to settle, and what was settled."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _
from drf_spectacular.utils import PolymorphicProxySerializer, extend_schema_field
from rest_framework import serializers

from annotation.corpora.forms import RESERVED_SLUGS
from annotation.corpora.rest import CheckOnly, Line, Slug, Text
from annotation.crowd.campaigns.requests import Ids, Strict
from annotation.crowd.offline.api import LARGEST_ID
from annotation.evaluation.gold.models import WorkerNames
from annotation.evaluation.labels.contested import Contested
from annotation.evaluation.labels.models import Adjudication, Verdict
from annotation.evaluation.labels.scores import METHODS
from annotation.evaluation.labels.serializers import LARGEST_SAMPLE, LARGEST_SEED
from annotation.evaluation.runs.review import MOST_DRAWN, MOST_SEED, Disagreement
from annotation.translation import gettext_lazy
from annotation.units.serializers import Flag, Whole
from scoring.aggregation import FILTERS, TIES, UNDEFINED, VOTES, FilterStep, Recipe, default_options
from scoring.errors import InputError


class ReviewStatementSerializer(serializers.Serializer[Any]):
    """A statement to review; `judge` and `people` are null until it is decided."""

    summary = serializers.IntegerField(source="summary.pk")
    example = serializers.CharField(source="summary.example.key")
    system = serializers.CharField(source="summary.system.name")
    summary_text = serializers.CharField(source="summary.text")
    unit = serializers.IntegerField(source="unit.pk")
    text = serializers.CharField(source="unit.text")
    present = serializers.BooleanField(
        source="adjudication.present",
        default=None,
        allow_null=True,
        help_text=gettext_lazy("The expert's decision."),
    )
    judge = serializers.SerializerMethodField()
    people = serializers.SerializerMethodField()

    def get_judge(self, row: Disagreement) -> float | None:
        return None if row.adjudication is None else row.value

    def get_people(self, row: Disagreement) -> int | None:
        return None if row.adjudication is None else row.label


class SettledShareSerializer(serializers.Serializer[Any]):
    """A share of all statements, with a 95 % interval."""

    value = serializers.FloatField()
    low = serializers.FloatField()
    high = serializers.FloatField()


class SettledAccuracySerializer(serializers.Serializer[Any]):
    """By the strata `differ` and `agree`; `judge` and `people` are null until both have a draw."""

    judge = SettledShareSerializer(allow_null=True)
    people = SettledShareSerializer(allow_null=True)
    uncorrected = serializers.FloatField(
        help_text=gettext_lazy(
            "The judge's accuracy if labels are corrected only where an expert decided."
        )
    )
    settled = serializers.IntegerField()
    by_hand = serializers.IntegerField()
    drawn = serializers.DictField(child=serializers.IntegerField())
    population = serializers.DictField(child=serializers.IntegerField())


class AdjudicationSerializer(serializers.ModelSerializer[Adjudication]):
    example = serializers.CharField(source="summary.example.key")
    system = serializers.CharField(source="summary.system.name")
    text = serializers.CharField(source="unit.text")
    expert = serializers.SerializerMethodField()
    draw = serializers.DictField(
        help_text=gettext_lazy(
            "If decided in the review of a run: stratum and its size, verdicts of judge and "
            "labels, and, if sampled, the sampling probability, agreements mixed in and seed."
        )
    )

    class Meta:
        model = Adjudication
        fields = (
            "id",
            "summary",
            "example",
            "system",
            "unit",
            "text",
            "present",
            "reason",
            "expert",
            "saw_verdicts",
            "draw",
            "made_at",
        )
        read_only_fields = fields

    def get_expert(self, row: Adjudication) -> str:
        return row.expert or (str(row.made_by) if row.made_by else "")


class ContestedAnswerSerializer(serializers.Serializer[Any]):
    assignment = serializers.IntegerField()
    worker = serializers.SerializerMethodField()
    present = serializers.BooleanField()
    kept = serializers.BooleanField()
    reason = serializers.CharField(help_text=gettext_lazy("Why the answer is excluded."))

    def get_worker(self, answer: dict[str, Any]) -> str:
        said: str = self.context["names"].name(answer["worker"])
        return said


class ContestedSerializer(serializers.Serializer[Any]):
    """A statement; `split` is 1 where the answers are evenly split."""

    summary = serializers.IntegerField(source="summary.pk")
    example = serializers.CharField(source="summary.example.key")
    system = serializers.CharField(source="summary.system.name")
    unit = serializers.IntegerField(source="unit.pk")
    text = serializers.CharField(source="unit.text")
    absent = serializers.IntegerField()
    present = serializers.IntegerField()
    label = serializers.SerializerMethodField()  # type: ignore[assignment]  # not the field's own
    split = serializers.FloatField()
    adjudication = serializers.IntegerField(source="adjudication.pk", default=None, allow_null=True)
    answers = ContestedAnswerSerializer(many=True)

    def get_label(self, row: Contested) -> int | None:
        return row.label if row.label >= 0 else None


MOST_FILTERS = 10
# Of a threshold: more than any campaign has of anything.
LARGEST_OPTION = 1_000_000_000


def _describe_step(name: str) -> dict[str, Any]:
    number = {"type": "number", "minimum": 0, "maximum": LARGEST_OPTION}
    options = {
        option: {**number, "default": value} for option, value in default_options(name).items()
    }
    return {
        "type": "object",
        "properties": {
            "name": {"type": "string", "enum": [name]},
            "options": {
                "type": "object",
                "properties": options,
                "additionalProperties": False,
            },
        },
        "required": ["name"],
        "additionalProperties": False,
    }


@extend_schema_field({"oneOf": [_describe_step(name) for name in FILTERS]})
class Step(serializers.Field[FilterStep, Any, Any, Any]):
    """A rule with its thresholds. Defaults are those of the published studies."""

    def to_internal_value(self, data: Any) -> FilterStep:
        if not isinstance(data, dict) or not isinstance(data.get("name"), str):
            raise serializers.ValidationError(_("Expected the name of a rule and its options."))
        if unknown := sorted(str(name) for name in data if name not in ("name", "options")):
            raise serializers.ValidationError(
                _("'{unknown}' is unknown. Use: name, options.").format(unknown=unknown[0])
            )
        try:
            return FilterStep(data["name"], _read_options(data.get("options", {})))
        except InputError as error:
            raise serializers.ValidationError(str(error)) from None


def _read_options(data: Any) -> dict[str, float]:
    if not isinstance(data, dict):
        raise serializers.ValidationError(_("options: expected thresholds by name."))
    for name, value in data.items():
        if type(value) not in (int, float) or not 0 <= value <= LARGEST_OPTION:
            said = _("{name}: expected a number from 0 to {largest_option:,}.").format(
                name=str(name)[:40], largest_option=LARGEST_OPTION
            )
            raise serializers.ValidationError(said)
    return data


class RecipeSerializer(Strict):
    """How answers become labels: rules in their order, then a vote."""

    filters = serializers.ListField(child=Step(), required=False, max_length=MOST_FILTERS)
    vote = serializers.ChoiceField(choices=list(VOTES), required=False)
    tie = serializers.ChoiceField(choices=list(TIES), required=False)
    seed = Whole(max_value=LARGEST_SEED, required=False)
    undefined = serializers.ChoiceField(
        choices=list(UNDEFINED),
        required=False,
        help_text=gettext_lazy("Value of alpha where all answers are identical."),
    )


class WhatIfSerializer(Strict):
    """Campaigns with the same unit set. Default: all with the newest campaign's unit set."""

    campaigns = Ids(required=False)
    recipe = RecipeSerializer(
        required=False, help_text=gettext_lazy("Default: majority of all answers.")
    )


class NewLabelsSerializer(WhatIfSerializer):
    note = Line(max_length=300, required=False, allow_blank=True)


def read_recipe(data: dict[str, Any]) -> Recipe:
    """The recipe of a body that was found valid."""
    said = dict(data.get("recipe", {}))
    return Recipe(filters=tuple(said.pop("filters", ())), **said)


class NewLabelFilesSerializer(serializers.Serializer[Any]):
    files = serializers.ListField(
        child=serializers.FileField(allow_empty_file=True),
        min_length=1,
        max_length=2000,
        help_text=gettext_lazy("One .label file per system, or a ZIP archive of them."),
    )
    unit_set = serializers.IntegerField(
        min_value=1,
        max_value=LARGEST_ID,
        help_text=gettext_lazy("The frozen unit set that the labels are for."),
    )
    anyway = serializers.BooleanField(
        required=False,
        default=False,
        help_text=gettext_lazy("Import them even if they don't seem to match these units."),
    )
    check = CheckOnly()


class NewAdjudicationSerializer(Strict):
    summary = Whole(min_value=1)
    unit = Whole(min_value=1)
    present = Flag()
    reason = Line(max_length=300, required=False, allow_blank=True)
    run = Whole(
        min_value=1,
        required=False,
        help_text=gettext_lazy("The run whose disagreements are reviewed."),
    )
    labels = Whole(
        min_value=1,
        required=False,
        help_text=gettext_lazy("The labels that the run is compared with. Default: the newest."),
    )
    agreements = Whole(
        max_value=MOST_DRAWN,
        required=False,
        help_text=gettext_lazy(
            "As in the request to `review`. Omit if the statement was not sampled there."
        ),
    )
    seed = Whole(
        max_value=MOST_SEED,
        required=False,
        help_text=gettext_lazy("As in the request to `review`."),
    )
    saw_verdicts = Flag(
        required=False, help_text=gettext_lazy("Whether the verdicts were visible.")
    )


class _Decision(Strict):
    verdict = serializers.ChoiceField(choices=Verdict.choices)
    reason = Line(max_length=300)


class WorkerDecisionSerializer(_Decision):
    """On all the work of somebody."""

    worker = Whole(min_value=1)


class AssignmentDecisionSerializer(_Decision):
    """A decision on one assignment. It takes precedence over a decision on its worker."""

    assignment = Whole(min_value=1)


DECISION = PolymorphicProxySerializer(
    component_name="NewDecision",
    serializers=[WorkerDecisionSerializer, AssignmentDecisionSerializer],
    resource_type_field_name=None,
)


class NewGoldSerializer(Strict):
    labels = Whole(min_value=1, help_text=gettext_lazy("A label set that is ready."))
    name = Line(max_length=80)
    description = Text(max_length=4000, required=False, allow_blank=True)
    licence = Line(max_length=80, required=False, allow_blank=True)
    citation = Text(max_length=4000, required=False, allow_blank=True)
    worker_names = serializers.ChoiceField(
        choices=WorkerNames.choices,
        required=False,
        help_text=gettext_lazy("Only owners can publish IDs."),
    )


class GoldFileSerializer(serializers.Serializer[Any]):
    file = serializers.FileField(
        allow_empty_file=True, help_text=gettext_lazy("gold.zip or gold.jsonl.")
    )
    slug = Slug(max_length=64, help_text=gettext_lazy("Slug of the new project."))
    name = Line(
        max_length=120,
        required=False,
        allow_blank=True,
        help_text=gettext_lazy("Name of the project. Default: name of the dataset."),
    )

    def validate_slug(self, value: str) -> str:
        if value.lower() in RESERVED_SLUGS:
            raise serializers.ValidationError(_("This address is reserved. Choose another one."))
        return value.lower()


class MethodSerializer(Strict):
    """How scores of labels are computed."""

    method = serializers.ChoiceField(choices=list(METHODS), required=False)
    sample = Whole(min_value=1, max_value=LARGEST_SAMPLE, required=False, allow_null=True)
    seed = Whole(max_value=LARGEST_SEED, required=False)
