"""What REST says and takes about units."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from annotation.corpora.api.fields import CheckOnly, Line, Text
from annotation.units.api.fields import Flag, OpName, Seconds, Whole
from annotation.units.models import Unit, UnitKind, UnitSet, Weighting
from annotation.units.selectors.files import UNIT_FILE_FORMATS
from annotation.units.states import unit_state
from scoring.linting import RULES


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
    name = Text(max_length=80, required=False, help_text="Of all versions.")
    archived = Flag(required=False, help_text="Lists and choices leave it out.")


class ReasonSerializer(serializers.Serializer[Any]):
    reason = Text(max_length=300, required=False, allow_blank=True, default="")


class SpanSerializer(serializers.Serializer[Any]):
    reference = Whole(help_text="Id of the reference.")
    sentence = serializers.IntegerField(allow_null=True, read_only=True)
    start = Whole()
    end = Whole(min_value=1)
    aligned = Flag(required=False, help_text="Found by word overlap.")


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
    promoted_from = serializers.IntegerField(allow_null=True, help_text="The STU it began as.")
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
    revision = Whole(required=False, help_text="The revision that was seen.")
    text = Text(required=False, allow_blank=True, max_length=1000, trim_whitespace=False)
    spans = SpanSerializer(many=True, required=False)
    after = serializers.JSONField(required=False, allow_null=True, help_text="Null: first.")
    promoted_from = Whole(required=False, allow_null=True)
    seconds = Seconds(required=False, min_value=0)


class OpSerializer(serializers.Serializer[Any]):
    op = OpName(help_text="Yours. Sent twice, the action is taken once.")
    action = Text(max_length=20, help_text="What the history calls it.")
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
    revision = serializers.IntegerField(allow_null=True, help_text="Of the unit, at that time.")
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
    present = PersonSerializer(many=True, help_text="Who else has the example open.")


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
    human = serializers.BooleanField(help_text="A person writes its units.")
    planned = serializers.BooleanField(help_text="STUs stand in for some sentences of the set.")


class StudioSerializer(serializers.Serializer[Any]):
    set = serializers.DictField()
    example = serializers.DictField()
    change = serializers.IntegerField(help_text="The last change contained.")
    references = ReferenceStateSerializer(many=True)
    units = UnitStateSerializer(many=True)
    suggestions = UnitStateSerializer(many=True)
    comments = CommentStateSerializer(many=True)
    assignment = AssignmentStateSerializer()
    warnings = serializers.DictField(child=WarningSerializer(many=True))
    plan = SentencePlanStateSerializer(many=True, help_text="Empty unless ranked or planned.")


class LintSerializer(serializers.Serializer[Any]):
    text = Text(allow_blank=True, max_length=1000, trim_whitespace=False)
    unit = Whole(required=False, allow_null=True)


class NewCommentSerializer(serializers.Serializer[Any]):
    op = OpName(required=False, help_text="Yours. Sent twice, the comment is made once.")
    unit = Whole(required=False, allow_null=True)
    text = Text(required=False, allow_blank=True, max_length=2000, default="")
    suggestion = Text(required=False, allow_blank=True, max_length=1000, default="")


class AcceptanceSerializer(serializers.Serializer[Any]):
    revision = Whole(
        required=False,
        help_text="The unit's revision that you saw, if it changed after the comment.",
    )


class AnswerSerializer(serializers.Serializer[Any]):
    answer = Text(max_length=2000)


class RejectionSerializer(serializers.Serializer[Any]):
    answer = Text(required=False, allow_blank=True, max_length=2000, default="")


class UnitSerializer(UnitStateSerializer):
    """A unit as the studio knows it, and the example that it is of."""

    example = serializers.CharField(help_text="Id of the example in the corpus.")

    def to_representation(self, unit: Unit) -> dict[str, Any]:
        return {"example": unit.example.key, **unit_state(unit)}


class NewUnitFileSerializer(serializers.Serializer[Any]):
    name = Text(max_length=80, help_text="Of the set that is made.")
    file = serializers.FileField(allow_empty_file=True, help_text="One file, or a zip.")
    format = serializers.ChoiceField(
        choices=[item.value for item in UNIT_FILE_FORMATS],
        required=False,
        help_text="Found out by itself if left out.",
    )
    kind = serializers.ChoiceField(
        choices=UnitKind.values, required=False, help_text="Of units that don't say it."
    )
    extractor = Line(
        max_length=80,
        required=False,
        allow_blank=True,
        default="",
        help_text="What made the STUs that don't say it.",
    )
    extractor_version = Line(
        max_length=120,
        required=False,
        allow_blank=True,
        default="",
        help_text="Only beside an extractor.",
    )
    anyway = serializers.BooleanField(
        required=False,
        default=False,
        help_text="Import it although its units don't seem to belong to their examples.",
    )
    check = CheckOnly()


class NarrowSerializer(serializers.Serializer[Any]):
    undo = Flag(required=False, default=False, help_text="Take the last narrowing back.")


class NarrowedUnitSerializer(serializers.Serializer[Any]):
    id = serializers.IntegerField()
    text = serializers.CharField()
    kept = serializers.ListField(
        child=serializers.CharField(), help_text="What of its sentences it would stand on."
    )
    left = serializers.ListField(child=serializers.CharField(), help_text="And what not.")


class NarrowedExampleSerializer(serializers.Serializer[Any]):
    example = serializers.CharField()
    units = NarrowedUnitSerializer(many=True)


class StudioSettingsSerializer(serializers.Serializer[Any]):
    weighting = serializers.ChoiceField(choices=Weighting.choices)
    disabled_rules = serializers.ListField(
        child=serializers.ChoiceField(choices=list(RULES)), help_text="Rules that say nothing."
    )


class NewAssignmentsSerializer(serializers.Serializer[Any]):
    first = Whole(min_value=1, help_text="Number of the first example, from 1.")
    last = Whole(min_value=1, help_text="Number of the last example.")
    author = Whole(required=False, allow_null=True, help_text="Id of a user; null: as it is.")
    reviewer = Whole(required=False, allow_null=True, help_text="Id of a user; null: as it is.")


class AssignedSerializer(serializers.Serializer[Any]):
    assigned = serializers.IntegerField()


class DifferenceChangeSerializer(serializers.Serializer[Any]):
    what = serializers.ChoiceField(choices=["weight", "words"])
    before = serializers.CharField()
    after = serializers.CharField()


class DifferenceRowSerializer(serializers.Serializer[Any]):
    kind = serializers.ChoiceField(choices=["added", "removed", "changed"])
    before = serializers.CharField(help_text="The text in the first set.")
    after = serializers.CharField(help_text="The text in the second set.")
    changes = DifferenceChangeSerializer(many=True, help_text="What else of it is otherwise.")


class DifferenceSerializer(serializers.Serializer[Any]):
    example = serializers.CharField(source="example.key")
    same = serializers.IntegerField()
    reordered = serializers.BooleanField(help_text="The same units in another order.")
    rows = DifferenceRowSerializer(many=True)


class ComparisonSerializer(serializers.Serializer[Any]):
    examples = serializers.IntegerField()
    differing = serializers.IntegerField()
    first_units = serializers.IntegerField()
    second_units = serializers.IntegerField()
    pages = serializers.IntegerField(source="page.paginator.num_pages")
    results = DifferenceSerializer(many=True, source="page.object_list")
