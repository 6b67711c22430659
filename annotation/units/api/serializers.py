"""What REST says and takes about units."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from annotation.units.models import UnitSet


class UnitSetSerializer(serializers.ModelSerializer[UnitSet]):
    class Meta:
        model = UnitSet
        fields = [
            "id",
            "name",
            "version",
            "state",
            "weighting",
            "unit_count",
            "content_hash",
            "parent",
            "created_at",
            "frozen_at",
            "freeze_reason",
        ]
        read_only_fields = [name for name in fields if name != "name"]
        extra_kwargs = {"name": {"max_length": 80}}


class ReasonSerializer(serializers.Serializer[Any]):
    reason = serializers.CharField(max_length=300, required=False, allow_blank=True, default="")


class SpanSerializer(serializers.Serializer[Any]):
    reference = serializers.IntegerField(help_text="Id of the reference.")
    sentence = serializers.IntegerField(allow_null=True, read_only=True)
    start = serializers.IntegerField(min_value=0)
    end = serializers.IntegerField(min_value=1)
    aligned = serializers.BooleanField(required=False, help_text="Found by word overlap.")


class UnitStateSerializer(serializers.Serializer[Any]):
    id = serializers.IntegerField()
    kind = serializers.CharField()
    text = serializers.CharField()
    position = serializers.IntegerField()
    revision = serializers.IntegerField()
    deleted = serializers.BooleanField()
    weight = serializers.IntegerField()
    author = serializers.CharField()
    extractor = serializers.CharField()
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
    unit = serializers.JSONField(required=False)
    revision = serializers.IntegerField(required=False, help_text="The revision that was seen.")
    text = serializers.CharField(
        required=False, allow_blank=True, max_length=1000, trim_whitespace=False
    )
    spans = SpanSerializer(many=True, required=False)
    after = serializers.JSONField(required=False, allow_null=True, help_text="Null: first.")
    promoted_from = serializers.IntegerField(required=False, allow_null=True)
    seconds = serializers.FloatField(required=False, min_value=0)


class OpSerializer(serializers.Serializer[Any]):
    op = serializers.UUIDField(help_text="Yours. Sent twice, the action is taken once.")
    action = serializers.CharField(max_length=20, help_text="What the history calls it.")
    changes = UnitChangeSerializer(many=True, allow_empty=False)


class ChangeSerializer(serializers.Serializer[Any]):
    id = serializers.IntegerField()
    op = serializers.UUIDField(allow_null=True)
    action = serializers.CharField()
    actor = serializers.CharField()
    at = serializers.DateTimeField()
    units = serializers.DictField(child=UnitStateSerializer())


class CommentStateSerializer(serializers.Serializer[Any]):
    id = serializers.IntegerField()
    unit = serializers.IntegerField(allow_null=True)
    author = serializers.CharField()
    text = serializers.CharField()
    suggestion = serializers.CharField()
    state = serializers.CharField()
    answer = serializers.CharField()
    answered_by = serializers.CharField()
    at = serializers.DateTimeField()


class AssignmentStateSerializer(serializers.Serializer[Any]):
    state = serializers.CharField()
    author = serializers.CharField()
    reviewer = serializers.CharField()
    signed_by = serializers.CharField()


class OpResultSerializer(serializers.Serializer[Any]):
    change = ChangeSerializer()
    warnings = serializers.DictField(child=WarningSerializer(many=True))
    assignment = AssignmentStateSerializer()


class FeedSerializer(serializers.Serializer[Any]):
    changes = ChangeSerializer(many=True)
    comments = CommentStateSerializer(many=True)
    assignment = AssignmentStateSerializer()
    warnings = serializers.DictField(child=WarningSerializer(many=True), allow_null=True)


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


class LintSerializer(serializers.Serializer[Any]):
    text = serializers.CharField(allow_blank=True, max_length=1000, trim_whitespace=False)
    unit = serializers.IntegerField(required=False, allow_null=True)


class NewCommentSerializer(serializers.Serializer[Any]):
    unit = serializers.IntegerField(required=False, allow_null=True)
    text = serializers.CharField(required=False, allow_blank=True, max_length=2000, default="")
    suggestion = serializers.CharField(
        required=False, allow_blank=True, max_length=1000, default=""
    )


class AnswerSerializer(serializers.Serializer[Any]):
    answer = serializers.CharField(required=False, allow_blank=True, max_length=2000, default="")
