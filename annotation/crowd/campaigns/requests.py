"""Bodies that are taken to the letter: a name that is not known is an error, not ignored."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from django.core.validators import RegexValidator
from django.utils.translation import gettext as _
from drf_spectacular.extensions import OpenApiSerializerExtension
from drf_spectacular.utils import PolymorphicProxySerializer
from rest_framework import serializers

from annotation.corpora.corpus.models import SystemKind
from annotation.corpora.rest import Text
from annotation.crowd.campaigns.checks import COMPARATORS, GUARDED, MOST_ITEMS
from annotation.crowd.campaigns.models import ApproveRule, Delivery, Outcome, ProviderName
from annotation.crowd.campaigns.presets import PRESETS
from annotation.translation import gettext_lazy
from annotation.units.serializers import Flag, Seconds, Whole
from scoring.cleaning import RULES

CENTS = r"(\.[0-9]{1,2})?"
ANY_AMOUNT = rf"^[0-9]{{1,8}}{CENTS}$"
UP_TO_100 = rf"^([0-9]{{1,2}}{CENTS}|100(\.00?)?)$"
CENT_TO_1000 = rf"^(?!0+(\.0+)?$)([0-9]{{1,3}}{CENTS}|1000(\.00?)?)$"


class Strict(serializers.Serializer[Any]):
    # A misspelt setting must not leave the default in force, least of all where money is meant.
    # (Not a docstring: the description would show it with every kind of body.)
    least_fields = 0

    def to_internal_value(self, data: Any) -> Any:
        if isinstance(data, Mapping):
            self._refuse_unknown(data)
        return super().to_internal_value(data)

    def _refuse_unknown(self, data: Mapping[str, Any]) -> None:
        unknown = sorted(str(name) for name in data if name not in self.fields)
        if unknown:
            known = ", ".join(self.fields)
            raise serializers.ValidationError(
                {unknown[0]: _("Unknown field. Known: {known}.").format(known=known)}
            )
        if len(data) < self.least_fields:
            said = [_("Give one of {fields}.").format(fields=", ".join(self.fields))]
            raise serializers.ValidationError({"non_field_errors": said})


class StrictDescription(OpenApiSerializerExtension):
    """The description says the same."""

    target_class = Strict
    match_subclasses = True

    def map_serializer(self, auto_schema: Any, direction: Any) -> dict[str, Any]:
        made = auto_schema._map_serializer(self.target, direction, bypass_extensions=True)
        least = self.target.least_fields
        said = {"additionalProperties": False} | ({"minProperties": least} if least else {})
        return {**made, **said}


class Written(serializers.CharField):
    """A text of a certain form: a number that would read like it is not one."""

    def __init__(self, pattern: str, expected: str, **options: Any) -> None:
        super().__init__(trim_whitespace=False, **options)
        self.validators.append(
            RegexValidator(pattern, _("Expected {expected}.").format(expected=expected))
        )

    def to_internal_value(self, data: Any) -> str:
        if not isinstance(data, str):
            self.fail("invalid")
        return super().to_internal_value(data)


class Dollars(Written):
    """Dollars as a string in whole cents, because floats are inexact."""

    def __init__(self, amounts: str = ANY_AMOUNT, **options: Any) -> None:
        super().__init__(
            amounts,
            _('dollars as a string such as "0.15", {words}').format(words=WORDS[amounts]),
            **options,
        )


WORDS = {
    ANY_AMOUNT: gettext_lazy("in whole cents"),
    UP_TO_100: gettext_lazy("in whole cents, at most 100"),
    CENT_TO_1000: gettext_lazy("in whole cents, from 0.01 to 1000"),
}


YEAR = 31_536_000
LARGEST_INTEGER = 2**31 - 1


class Ids(serializers.ListField):
    """IDs of existing things; an unknown ID gives 404."""

    # More than anybody means, and not in the description: tools that read it would try it out.
    most = 10_000

    def __init__(self, **options: Any) -> None:
        super().__init__(child=Whole(min_value=1), **options)

    def to_internal_value(self, data: Any) -> list[int]:
        if isinstance(data, list) and len(data) > self.most:
            raise serializers.ValidationError(
                _("Expected at most {most:,} ids.").format(most=self.most)
            )
        return super().to_internal_value(data)


class ScopeSerializer(Strict):
    """The systems and examples to judge; an empty or omitted list means all."""

    systems = Ids(required=False)
    examples = Ids(required=False)


class WorkedExampleSerializer(Strict):
    summary = Text(max_length=4000)
    statement = Text(max_length=1000)
    answer = serializers.ChoiceField(choices=["present", "absent"])
    why = Text(max_length=1000, required=False, allow_blank=True)


class GoldSerializer(Strict):
    """An attention item; `answer` is true if present. It can be limited to an example or system."""

    text = Text(max_length=1000)
    answer = Flag()
    example = Text(max_length=200, required=False, allow_blank=True)
    system = Text(max_length=200, required=False, allow_blank=True)


class PlaceSerializer(Strict):
    Country = Written("^[A-Z]{2}$", gettext_lazy("two capitals"))
    Subdivision = Written("^[A-Z]{2}$", gettext_lazy("two capitals"), required=False)


class RequirementSerializer(Strict):
    """A qualification requirement in the format of the MTurk API."""

    QualificationTypeId = Written("^[A-Z0-9]{1,64}$", gettext_lazy("capitals and digits"))
    Comparator = serializers.ChoiceField(choices=COMPARATORS)
    IntegerValues = serializers.ListField(
        child=Whole(max_value=LARGEST_INTEGER), required=False, max_length=15
    )
    LocaleValues = serializers.ListField(child=PlaceSerializer(), required=False, max_length=30)
    RequiredToPreview = Flag(required=False)
    ActionsGuarded = serializers.ChoiceField(choices=GUARDED, required=False)


RewardsByKindSerializer: type[Strict] = type(
    "RewardsByKindSerializer",
    (Strict,),
    {
        "__doc__": gettext_lazy("Reward per assignment, by kind of system."),
        **{kind: Dollars(UP_TO_100, required=False) for kind in SystemKind.values},
    },
)


class CampaignFields(Strict):
    """The settings of a campaign; all are optional in a change."""

    name = Text(max_length=120)
    provider = serializers.ChoiceField(choices=ProviderName.choices, required=False)
    delivery = serializers.ChoiceField(choices=Delivery.choices, required=False)
    approve_rule = serializers.ChoiceField(choices=ApproveRule.choices, required=False)
    title = Text(max_length=128, required=False)
    description = Text(max_length=2000, required=False)
    keywords = Text(max_length=1000, required=False, allow_blank=True)
    instructions = Text(max_length=10_000, required=False)
    worked_examples = serializers.ListField(
        child=WorkedExampleSerializer(), required=False, max_length=MOST_ITEMS
    )
    training = serializers.ListField(
        child=WorkedExampleSerializer(), required=False, max_length=MOST_ITEMS
    )
    gold = serializers.ListField(child=GoldSerializer(), required=False)
    gold_per_hit = Whole(min_value=0, max_value=4, required=False)
    units_per_hit = Whole(min_value=1, max_value=16, required=False)
    reward = Dollars(UP_TO_100, required=False)
    rewards_by_kind = RewardsByKindSerializer(required=False)
    assignments_per_hit = Whole(min_value=1, max_value=100, required=False)
    seconds_allotted = Whole(min_value=30, max_value=YEAR, required=False)
    lifetime_seconds = Whole(min_value=30, max_value=YEAR, required=False)
    auto_approve_seconds = Whole(max_value=2_592_000, required=False)
    requirements = serializers.ListField(
        child=RequirementSerializer(), required=False, max_length=8
    )
    exclude_earlier_workers = Flag(required=False)
    most_per_worker = Whole(
        min_value=1,
        max_value=1_000_000,
        required=False,
        allow_null=True,
        help_text=gettext_lazy("Maximum HITs per worker; null: no limit."),
    )
    budget = Dollars(
        required=False,
        allow_null=True,
        help_text=gettext_lazy("null: a draft's cap follows its cost."),
    )
    bonus_reserve = Dollars(required=False)
    wage_floor = Dollars(required=False)
    scope = ScopeSerializer(required=False)
    cleaning = serializers.ListField(
        child=serializers.ChoiceField(choices=list(RULES)),
        required=False,
        max_length=len(RULES),
        help_text=gettext_lazy(
            "How summaries are cleaned before workers see them; empty: no cleaning."
        ),
    )


class NewCampaignSerializer(CampaignFields):
    unit_set = Whole(min_value=1)
    preset = serializers.ChoiceField(choices=list(PRESETS), required=False)


class QualificationItemSerializer(Strict):
    """A statement about a short text; `present` is the correct answer."""

    summary = Text(max_length=4000)
    statement = Text(max_length=1000)
    present = Flag()


class NewQualificationTestSerializer(Strict):
    name = Text(max_length=200)
    description = Text(max_length=2000)
    items = serializers.ListField(child=QualificationItemSerializer(), min_length=1, max_length=50)
    pass_mark = Whole(
        min_value=1, max_value=100, help_text=gettext_lazy("Minimum percentage of correct answers.")
    )
    seconds = Whole(
        min_value=30, max_value=86_400, help_text=gettext_lazy("Time limit of the test.")
    )
    retry_seconds = Whole(
        min_value=0,
        max_value=YEAR,
        required=False,
        allow_null=True,
        help_text=gettext_lazy("When the test can be retaken; null: never."),
    )


class DuplicateSerializer(Strict):
    name = Text(
        max_length=120, required=False, help_text=gettext_lazy("Default: the old name and (copy).")
    )


class RecollectSerializer(Strict):
    rejected = Flag(required=False, default=True)
    dropped = Flag(
        required=False,
        default=False,
        help_text=gettext_lazy("Assignments that the newest labels, or people, excluded."),
    )
    at_most = Dollars(
        required=False, help_text=gettext_lazy("The total that you agree to, fees included.")
    )

    def validate_at_most(self, value: str) -> Decimal:
        return Decimal(value)


class ExtendSerializer(Strict):
    """How many assignments per HIT, and which systems or examples to add."""

    least_fields = 1

    additional = Whole(min_value=1, max_value=100, required=False)
    systems = Ids(required=False, min_length=1)
    examples = Ids(required=False, min_length=1)


class PreviewSerializer(Strict):
    seconds = Seconds(
        min_value=1, max_value=86_399, help_text=gettext_lazy("How long a person took.")
    )
    statements = Whole(
        min_value=1, max_value=1000, help_text=gettext_lazy("The number of statements.")
    )


class _Decision(Strict):
    assignments = Ids(min_length=1)


class WorkApprovalSerializer(_Decision):
    """`override` also approves rejected assignments."""

    action = serializers.ChoiceField(choices=["approve", "override"])
    text = Text(max_length=1024, required=False, allow_blank=True)


class WorkRejectionSerializer(_Decision):
    """The worker sees `text`."""

    action = serializers.ChoiceField(choices=["reject"])
    text = Text(max_length=1024)


class BonusSerializer(_Decision):
    """A bonus for the worker of each assignment, who sees `text`."""

    action = serializers.ChoiceField(choices=["bonus"])
    text = Text(max_length=1024)
    amount = Dollars(CENT_TO_1000)


DECISIONS: dict[str, type[_Decision]] = {
    "approve": WorkApprovalSerializer,
    "override": WorkApprovalSerializer,
    "reject": WorkRejectionSerializer,
    "bonus": BonusSerializer,
}
REVIEW = PolymorphicProxySerializer(
    component_name="Review",
    serializers=[WorkApprovalSerializer, WorkRejectionSerializer, BonusSerializer],
    resource_type_field_name=None,
)


class ExclusionSerializer(Strict):
    reason = Text(
        max_length=300,
        help_text=gettext_lazy("Only project members see it. The worker isn't notified."),
    )


class MessageSerializer(Strict):
    workers = Ids(min_length=1)
    subject = Text(max_length=200)
    text = Text(max_length=4096)


class AnswerMessageSerializer(Strict):
    text = Text(max_length=4096)


class SettlementSerializer(Strict):
    """Whether it was done, as checked with the provider."""

    outcome = serializers.ChoiceField(choices=Outcome.choices)
    note = Text(max_length=200, required=False, allow_blank=True)
