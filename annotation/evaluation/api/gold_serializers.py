"""What REST tells of gold versions, and of studies restored from one."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from annotation.corpora.api.serializers import JobSerializer
from annotation.evaluation.models import GoldVersion
from annotation.translation import gettext_lazy


class GoldVersionSerializer(serializers.ModelSerializer[GoldVersion]):
    labels = serializers.IntegerField(source="label_set_id", read_only=True)
    unit_set = serializers.IntegerField(source="label_set.unit_set_id", read_only=True)
    job = JobSerializer(read_only=True, allow_null=True)

    class Meta:
        model = GoldVersion
        fields = [
            "id",
            "name",
            "version",
            "labels",
            "unit_set",
            "description",
            "licence",
            "citation",
            "worker_names",
            "is_ready",
            "content_hash",
            "size",
            "job",
            "created_at",
        ]
        read_only_fields = fields


class GoldDetailSerializer(GoldVersionSerializer):
    facts = serializers.DictField(
        read_only=True,
        help_text=gettext_lazy("Content of the dataset card. Empty until the version is ready."),
    )

    class Meta(GoldVersionSerializer.Meta):
        fields = [*GoldVersionSerializer.Meta.fields, "facts"]
        read_only_fields = fields


class RestoringSerializer(serializers.Serializer[Any]):
    project = serializers.CharField(source="project.slug")
    job = JobSerializer()
