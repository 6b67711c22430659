"""Numbers, flags and names as REST takes them: a text that reads like one is not one."""

from __future__ import annotations

import uuid
from typing import Any

from rest_framework import serializers

from annotation.corpora.rest import CheckOnly, Line, Text
from annotation.translation import gettext_lazy
from annotation.units.files.queries import UNIT_FILE_FORMATS
from annotation.units.sets.models import Unit, UnitKind, UnitSet, Weighting
from annotation.units.studio.states import unit_state
from scoring.linting import RULES

# What a key of a table can be; a number beyond can't name anything.
LARGEST = 2**63 - 1


class Whole(serializers.IntegerField):
    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**{"min_value": 0, "max_value": LARGEST, **kwargs})

    def to_internal_value(self, data: Any) -> int:
        is_whole = type(data) is int or (type(data) is float and data.is_integer())
        if not is_whole:
            self.fail("invalid")
        return super().to_internal_value(int(data))


class Seconds(serializers.FloatField):
    def to_internal_value(self, data: Any) -> float:
        if type(data) not in (int, float):
            self.fail("invalid")
        return super().to_internal_value(data)


class Flag(serializers.BooleanField):
    def to_internal_value(self, data: Any) -> bool:
        if type(data) is not bool:
            self.fail("invalid", input=data)
        return data


class OpName(serializers.UUIDField):
    """In its usual writing alone, so that one action has one name."""

    def to_internal_value(self, data: Any) -> uuid.UUID:
        if not isinstance(data, str) or len(data) != 36:
            self.fail("invalid", value=data)
        return super().to_internal_value(data)


class UnitSetSerializer(serializers.ModelSerializer[UnitSet]):
    name = Text(max_length=80)

    class Meta:
        model = UnitSet
        fields = [
            "id",
            "name",
            "version",
            "state",
            "weighting",
            "extractor",
            "extractor_version",
            "unit_count",
            "content_hash",
            "parent",
            "job",
            "created_at",
            "frozen_at",
            "freeze_reason",
            "archived_at",
        ]
        read_only_fields = [name for name in fields if name != "name"]


class UnitSetChangeSerializer(serializers.Serializer[Any]):
    name = Text(max_length=80, required=False, help_text=gettext_lazy("Name of all versions."))
    archived = Flag(required=False, help_text=gettext_lazy("Hide the set from lists and menus."))


class ReasonSerializer(serializers.Serializer[Any]):
    reason = Text(max_length=300, required=False, allow_blank=True, default="")


class SpanSerializer(serializers.Serializer[Any]):
    reference = Whole(help_text=gettext_lazy("ID of the reference."))
    sentence = serializers.IntegerField(allow_null=True, read_only=True)
    start = Whole()
    end = Whole(min_value=1)
    aligned = Flag(required=False, help_text=gettext_lazy("True if found by word overlap."))


class UnitStateSerializer(serializers.Serializer[Any]):
    id = serializers.IntegerField()
    kind = serializers.CharField()
    text = serializers.CharField()
    position = serializers.IntegerField()
    revision = serializers.IntegerField()
    deleted = serializers.BooleanField()
    weight = serializers.IntegerField()
    author = serializers.CharField()
    author_id = serializers.IntegerField(allow_null=True)
    extractor = serializers.CharField()
    extractor_version = serializers.CharField()
    promoted_from = serializers.IntegerField(
        allow_null=True, help_text=gettext_lazy("ID of the STU that it was created from.")
    )
    spans = SpanSerializer(many=True)


class WarningSerializer(serializers.Serializer[Any]):
    rule = serializers.CharField()
    message = serializers.CharField()
    start = serializers.IntegerField()
    end = serializers.IntegerField()


class WarningsSerializer(serializers.Serializer[Any]):
    warnings = WarningSerializer(many=True)


class UnitChangeSerializer(serializers.Serializer[Any]):
    """One change of an action. `unit` is an id, or in `create` a name for later changes."""

    action = serializers.ChoiceField(choices=["create", "update", "delete", "restore", "move"])
    unit = serializers.JSONField(required=False, allow_null=True)
    revision = Whole(required=False, help_text=gettext_lazy("The revision that you saw."))
    text = Text(required=False, allow_blank=True, max_length=1000, trim_whitespace=False)
    spans = SpanSerializer(many=True, required=False)
    after = serializers.JSONField(
        required=False, allow_null=True, help_text=gettext_lazy("Null to move it to the top.")
    )
    promoted_from = Whole(required=False, allow_null=True)
    seconds = Seconds(required=False, min_value=0)


class OpSerializer(serializers.Serializer[Any]):
    op = OpName(help_text=gettext_lazy("Your UUID. An action that is sent twice is applied once."))
    action = Text(max_length=20, help_text=gettext_lazy("Name of the action in the history."))
    changes = serializers.ListField(child=UnitChangeSerializer(), min_length=1, max_length=1000)


class ChangeSerializer(serializers.Serializer[Any]):
    id = serializers.IntegerField()
    op = serializers.UUIDField(allow_null=True)
    action = serializers.CharField()
    actor = serializers.CharField()
    actor_id = serializers.IntegerField(allow_null=True)
    at = serializers.DateTimeField()
    units = serializers.DictField(child=UnitStateSerializer())


class CommentStateSerializer(serializers.Serializer[Any]):
    id = serializers.IntegerField()
    op = serializers.UUIDField(allow_null=True)
    unit = serializers.IntegerField(allow_null=True)
    revision = serializers.IntegerField(
        allow_null=True,
        help_text=gettext_lazy("Revision of the unit when the comment was written."),
    )
    author = serializers.CharField()
    author_id = serializers.IntegerField(allow_null=True)
    text = serializers.CharField()
    suggestion = serializers.CharField()
    state = serializers.CharField()
    answer = serializers.CharField()
    answered_by = serializers.CharField()
    answered_by_id = serializers.IntegerField(allow_null=True)
    at = serializers.DateTimeField()


class AssignmentStateSerializer(serializers.Serializer[Any]):
    state = serializers.CharField()
    author = serializers.CharField()
    author_id = serializers.IntegerField(allow_null=True)
    reviewer = serializers.CharField()
    reviewer_id = serializers.IntegerField(allow_null=True)
    signed_by = serializers.CharField()
    signed_by_id = serializers.IntegerField(allow_null=True)


class OpResultSerializer(serializers.Serializer[Any]):
    change = ChangeSerializer()
    warnings = serializers.DictField(child=WarningSerializer(many=True))
    assignment = AssignmentStateSerializer()


class PersonSerializer(serializers.Serializer[Any]):
    id = serializers.IntegerField()
    name = serializers.CharField()


class FeedSerializer(serializers.Serializer[Any]):
    changes = ChangeSerializer(many=True)
    comments = CommentStateSerializer(many=True)
    assignment = AssignmentStateSerializer()
    warnings = serializers.DictField(child=WarningSerializer(many=True), allow_null=True)
    present = PersonSerializer(
        many=True, help_text=gettext_lazy("Other members who have the example open.")
    )


class SentenceStateSerializer(serializers.Serializer[Any]):
    id = serializers.IntegerField()
    number = serializers.IntegerField()
    start = serializers.IntegerField()
    end = serializers.IntegerField()


class ReferenceStateSerializer(serializers.Serializer[Any]):
    id = serializers.IntegerField()
    number = serializers.IntegerField()
    name = serializers.CharField()
    text = serializers.CharField()
    sentences = SentenceStateSerializer(many=True)


class SentencePlanStateSerializer(serializers.Serializer[Any]):
    sentence = serializers.IntegerField()
    difficulty = serializers.FloatField()
    human = serializers.BooleanField(help_text=gettext_lazy("True if a person writes its units."))
    planned = serializers.BooleanField(
        help_text=gettext_lazy("True if some sentences of the set are left to STUs.")
    )


class StudioSerializer(serializers.Serializer[Any]):
    set = serializers.DictField()
    example = serializers.DictField()
    change = serializers.IntegerField(help_text=gettext_lazy("ID of the last change included."))
    references = ReferenceStateSerializer(many=True)
    units = UnitStateSerializer(many=True)
    suggestions = UnitStateSerializer(many=True)
    comments = CommentStateSerializer(many=True)
    assignment = AssignmentStateSerializer()
    warnings = serializers.DictField(child=WarningSerializer(many=True))
    plan = SentencePlanStateSerializer(
        many=True, help_text=gettext_lazy("Empty without a ranking or plan.")
    )


class LintSerializer(serializers.Serializer[Any]):
    text = Text(allow_blank=True, max_length=1000, trim_whitespace=False)
    unit = Whole(required=False, allow_null=True)


class NewCommentSerializer(serializers.Serializer[Any]):
    op = OpName(
        required=False,
        help_text=gettext_lazy("Your UUID. A comment that is sent twice is created once."),
    )
    unit = Whole(required=False, allow_null=True)
    text = Text(required=False, allow_blank=True, max_length=2000, default="")
    suggestion = Text(required=False, allow_blank=True, max_length=1000, default="")


class AcceptanceSerializer(serializers.Serializer[Any]):
    revision = Whole(
        required=False,
        help_text=gettext_lazy(
            "The unit's revision that you saw, if it changed after the comment."
        ),
    )


class AnswerSerializer(serializers.Serializer[Any]):
    answer = Text(max_length=2000)


class RejectionSerializer(serializers.Serializer[Any]):
    answer = Text(required=False, allow_blank=True, max_length=2000, default="")


class UnitSerializer(UnitStateSerializer):
    """A unit with its example."""

    example = serializers.CharField(help_text=gettext_lazy("ID of the example in the corpus."))

    def to_representation(self, unit: Unit) -> dict[str, Any]:
        return {"example": unit.example.key, **unit_state(unit)}


class NewUnitFileSerializer(serializers.Serializer[Any]):
    name = Text(max_length=80, help_text=gettext_lazy("Name of the new set."))
    file = serializers.FileField(
        allow_empty_file=True, help_text=gettext_lazy("One file, or a zip.")
    )
    format = serializers.ChoiceField(
        choices=[item.value for item in UNIT_FILE_FORMATS],
        required=False,
        help_text=gettext_lazy("Detected automatically by default."),
    )
    kind = serializers.ChoiceField(
        choices=UnitKind.values,
        required=False,
        help_text=gettext_lazy("Kind of units for which the file has none."),
    )
    extractor = Line(
        max_length=80,
        required=False,
        allow_blank=True,
        default="",
        help_text=gettext_lazy("Extractor of STUs for which the file has none."),
    )
    extractor_version = Line(
        max_length=120,
        required=False,
        allow_blank=True,
        default="",
        help_text=gettext_lazy("Needs an extractor."),
    )
    anyway = serializers.BooleanField(
        required=False,
        default=False,
        help_text=gettext_lazy(
            "Import the file even if its units don't seem to match their examples."
        ),
    )
    check = CheckOnly()


class NarrowSerializer(serializers.Serializer[Any]):
    undo = Flag(required=False, default=False, help_text=gettext_lazy("Undo the last narrowing."))


class NarrowedUnitSerializer(serializers.Serializer[Any]):
    id = serializers.IntegerField()
    text = serializers.CharField()
    kept = serializers.ListField(
        child=serializers.CharField(),
        help_text=gettext_lazy("Words of its sentences that it would cover."),
    )
    left = serializers.ListField(
        child=serializers.CharField(),
        help_text=gettext_lazy("Words that it would no longer cover."),
    )


class NarrowedExampleSerializer(serializers.Serializer[Any]):
    example = serializers.CharField()
    units = NarrowedUnitSerializer(many=True)


class StudioSettingsSerializer(serializers.Serializer[Any]):
    weighting = serializers.ChoiceField(choices=Weighting.choices)
    disabled_rules = serializers.ListField(
        child=serializers.ChoiceField(choices=list(RULES)),
        help_text=gettext_lazy("Linter rules that are switched off."),
    )


class NewAssignmentsSerializer(serializers.Serializer[Any]):
    first = Whole(min_value=1, help_text=gettext_lazy("Number of the first example, from 1."))
    last = Whole(min_value=1, help_text=gettext_lazy("Number of the last example."))
    author = Whole(
        required=False, allow_null=True, help_text=gettext_lazy("ID of a user; null for no change.")
    )
    reviewer = Whole(
        required=False, allow_null=True, help_text=gettext_lazy("ID of a user; null for no change.")
    )


class AssignedSerializer(serializers.Serializer[Any]):
    assigned = serializers.IntegerField()


class DifferenceChangeSerializer(serializers.Serializer[Any]):
    what = serializers.ChoiceField(choices=["weight", "words"])
    before = serializers.CharField()
    after = serializers.CharField()


class DifferenceRowSerializer(serializers.Serializer[Any]):
    kind = serializers.ChoiceField(choices=["added", "removed", "changed"])
    before = serializers.CharField(help_text=gettext_lazy("The text in the first set."))
    after = serializers.CharField(help_text=gettext_lazy("The text in the second set."))
    changes = DifferenceChangeSerializer(
        many=True, help_text=gettext_lazy("Other differences of the unit.")
    )


class DifferenceSerializer(serializers.Serializer[Any]):
    example = serializers.CharField(source="example.key")
    same = serializers.IntegerField()
    reordered = serializers.BooleanField(help_text=gettext_lazy("True if only the order differs."))
    rows = DifferenceRowSerializer(many=True)


class ComparisonSerializer(serializers.Serializer[Any]):
    examples = serializers.IntegerField()
    differing = serializers.IntegerField()
    first_units = serializers.IntegerField()
    second_units = serializers.IntegerField()
    pages = serializers.IntegerField(source="page.paginator.num_pages")
    results = DifferenceSerializer(many=True, source="page.object_list")
