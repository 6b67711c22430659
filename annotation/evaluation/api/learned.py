"""What REST says of figures that are in-sample: the judge was trained on the texts it judged."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers


class MetSerializer(serializers.Serializer[Any]):
    """How many of the texts the judge was trained on."""

    is_known = serializers.BooleanField(help_text="False if the training texts aren't recorded.")
    is_in_sample = serializers.BooleanField()
    summaries = serializers.IntegerField()
    all_summaries = serializers.IntegerField()
    units = serializers.IntegerField()
    all_units = serializers.IntegerField()


class LearnedSerializer(MetSerializer):
    """A run whose figures are in-sample."""

    run = serializers.IntegerField()
    judge = serializers.CharField()
    can_hold_out = serializers.BooleanField(help_text="Whether `out-of-fold` is possible for it.")


class OutOfFoldSerializer(serializers.Serializer[Any]):
    """One of both: the run, or the judge in training whose end starts the run."""

    run = serializers.IntegerField(allow_null=True)
    judge = serializers.IntegerField(allow_null=True)
