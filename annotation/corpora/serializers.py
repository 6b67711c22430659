"""What REST says and takes; every change goes through a service."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _
from rest_framework import serializers

from annotation.corpora.accounts.models import LONGEST_DAYS, ApiToken, User
from annotation.corpora.corpus.models import Document, Example, Reference, Sentence, Summary, System
from annotation.corpora.forms import RESERVED_SLUGS
from annotation.corpora.imports.formats import COLUMN_ROLES
from annotation.corpora.imports.models import Import
from annotation.corpora.jobs.models import Job, JobLine
from annotation.corpora.projects.models import Invitation, Membership, Project, Role
from annotation.corpora.projects.queries import get_plan
from annotation.corpora.rest import FIELD_OF, Line
from annotation.translation import gettext_lazy
from scoring.io import FORMATS


class UserSerializer(serializers.ModelSerializer[User]):
    class Meta:
        model = User
        fields = ["id", "name", "email"]


class TokenSerializer(serializers.ModelSerializer[ApiToken]):
    serializer_field_mapping = FIELD_OF
    days = serializers.IntegerField(
        min_value=1,
        max_value=LONGEST_DAYS,
        required=False,
        write_only=True,
        help_text=gettext_lazy("Number of days after which the key expires; never if left out."),
    )

    class Meta:
        model = ApiToken
        fields = ["id", "name", "scope", "days", "prefix", "created_at", "expires_at"]
        fields += ["last_used_at"]
        read_only_fields = ["prefix", "created_at", "expires_at", "last_used_at"]


class NewTokenSerializer(TokenSerializer):
    """The answer to creating a token: the only time its key is shown."""

    key = serializers.CharField(read_only=True)

    class Meta(TokenSerializer.Meta):
        fields = [*TokenSerializer.Meta.fields, "key"]


class ProjectSerializer(serializers.ModelSerializer[Project]):
    serializer_field_mapping = FIELD_OF
    role = serializers.ChoiceField(
        choices=Role.choices, source="my_role", read_only=True, help_text=gettext_lazy("Your role.")
    )

    class Meta:
        model = Project
        fields = [
            "slug",
            "name",
            "description",
            "role",
            "created_at",
            "example_count",
            "reference_count",
            "system_count",
            "summary_count",
        ]
        read_only_fields = [
            "created_at",
            "example_count",
            "reference_count",
            "system_count",
            "summary_count",
        ]
        extra_kwargs = {"slug": {"validators": [], "max_length": 64}}

    def validate_slug(self, value: str) -> str:
        if value.lower() in RESERVED_SLUGS:
            raise serializers.ValidationError(_("This address is reserved."))
        return value.lower()


class ProjectChangeSerializer(serializers.ModelSerializer[Project]):
    serializer_field_mapping = FIELD_OF

    class Meta:
        model = Project
        fields = ["name", "description"]


class MembershipSerializer(serializers.ModelSerializer[Membership]):
    user = UserSerializer(read_only=True)

    class Meta:
        model = Membership
        fields = ["id", "user", "role", "created_at"]
        read_only_fields = ["created_at"]


class InvitationSerializer(serializers.ModelSerializer[Invitation]):
    serializer_field_mapping = FIELD_OF
    link = serializers.SerializerMethodField(
        help_text=gettext_lazy("Works once, for the first person who uses it.")
    )

    class Meta:
        model = Invitation
        fields = ["id", "role", "note", "link", "created_at", "expires_at"]
        read_only_fields = ["created_at", "expires_at"]

    def get_link(self, invitation: Invitation) -> str:
        return str(self.context["request"].build_absolute_uri(f"/invitations/{invitation.token}/"))


class SystemSerializer(serializers.ModelSerializer[System]):
    name = Line(max_length=200)

    class Meta:
        model = System
        fields = ["id", "name", "kind", "summary_count"]
        read_only_fields = ["summary_count"]


class ExampleSerializer(serializers.ModelSerializer[Example]):
    class Meta:
        model = Example
        fields = ["id", "key", "position"]


class DocumentSerializer(serializers.ModelSerializer[Document]):
    class Meta:
        model = Document
        fields = ["position", "text"]


class SentenceSerializer(serializers.ModelSerializer[Sentence]):
    class Meta:
        model = Sentence
        fields = ["position", "start", "end"]


class ReferenceSerializer(serializers.ModelSerializer[Reference]):
    sentences = SentenceSerializer(many=True, read_only=True)

    class Meta:
        model = Reference
        fields = ["position", "name", "text", "sentences"]


class SummarySerializer(serializers.ModelSerializer[Summary]):
    system = serializers.CharField(source="system.name", read_only=True)
    kind = serializers.CharField(source="system.kind", read_only=True)

    class Meta:
        model = Summary
        fields = ["id", "system", "kind", "text"]


class SystemSummarySerializer(serializers.ModelSerializer[Summary]):
    example = serializers.CharField(source="example.key", read_only=True)

    class Meta:
        model = Summary
        fields = ["id", "example", "text"]


class ExampleDetailSerializer(ExampleSerializer):
    documents = DocumentSerializer(many=True, read_only=True)
    references = ReferenceSerializer(many=True, read_only=True)
    summaries = SummarySerializer(many=True, read_only=True, source="live_summaries")

    class Meta(ExampleSerializer.Meta):
        fields = [*ExampleSerializer.Meta.fields, "documents", "references", "summaries"]


class JobSerializer(serializers.ModelSerializer[Job]):
    share = serializers.FloatField(
        allow_null=True, read_only=True, help_text=gettext_lazy("Done, 0 to 1.")
    )
    waiting = serializers.CharField(
        read_only=True,
        help_text=gettext_lazy(
            "What an unfinished job is waiting for, such as disk space; otherwise empty."
        ),
    )

    class Meta:
        model = Job
        fields = [
            "id",
            "kind",
            "title",
            "state",
            "waiting",
            "phase",
            "done",
            "total",
            "share",
            "error",
            "attempts",
            "created_at",
            "started_at",
            "finished_at",
        ]


class JobLineSerializer(serializers.ModelSerializer[JobLine]):
    class Meta:
        model = JobLine
        fields = ["at", "text"]


class JobDetailSerializer(JobSerializer):
    lines = JobLineSerializer(many=True, read_only=True)

    class Meta(JobSerializer.Meta):
        fields = [*JobSerializer.Meta.fields, "lines"]


class ProblemSerializer(serializers.Serializer[Any]):
    file = serializers.CharField()
    line = serializers.IntegerField(allow_null=True)
    message = serializers.CharField()
    expected = serializers.CharField()


class CountSerializer(serializers.Serializer[Any]):
    new = serializers.IntegerField()
    same = serializers.IntegerField(help_text=gettext_lazy("Already in the project."))


class KeptSerializer(serializers.Serializer[Any]):
    name = serializers.CharField()
    lines = serializers.IntegerField()


class ColumnsSerializer(serializers.Serializer[Any]):
    columns = serializers.DictField(
        child=serializers.ChoiceField(choices=list(COLUMN_ROLES)),
        help_text=gettext_lazy(
            "What each column of a table contains; columns left out are guessed."
        ),
    )


class PlanSerializer(serializers.Serializer[Any]):
    """The result of the check: what would be created, and its problems."""

    counts = serializers.DictField(child=CountSerializer())
    problems = ProblemSerializer(many=True, help_text=gettext_lazy("The first ones."))
    problem_count = serializers.IntegerField()
    columns = serializers.ListField(
        child=serializers.ListField(child=serializers.CharField(), min_length=2, max_length=2),
        help_text=gettext_lazy(
            "For a table with one example per row: each column and what it contains."
        ),
    )
    warnings = serializers.ListField(
        child=serializers.CharField(),
        help_text=gettext_lazy("What looks wrong but can be imported."),
    )
    notes = serializers.ListField(child=serializers.CharField())
    kept = KeptSerializer(many=True)
    empty_summaries = serializers.IntegerField()


class ImportSerializer(serializers.ModelSerializer[Import]):
    plan = serializers.SerializerMethodField()
    job = JobSerializer(read_only=True, allow_null=True)

    class Meta:
        model = Import
        fields = ["id", "name", "format", "state", "created_at", "finished_at", "plan", "job"]

    def get_plan(self, import_: Import) -> PlanSerializer:
        return PlanSerializer(get_plan(import_)).data  # type: ignore[return-value]


class NewImportSerializer(serializers.Serializer[Any]):
    files = serializers.ListField(
        child=serializers.FileField(allow_empty_file=True),
        min_length=1,
        max_length=2000,
        help_text=gettext_lazy("A zip archive, or files."),
    )
    format = serializers.ChoiceField(
        choices=list(FORMATS),
        required=False,
        help_text=gettext_lazy("Detected automatically if left out."),
    )
