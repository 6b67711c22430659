"""REST: judges that a project has trained, and the training of one."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.corpora.projects.models import Role
from annotation.corpora.rest import PAGED, Line, ProjectView, page_of
from annotation.corpora.serializers import JobSerializer
from annotation.crowd.campaigns.requests import Strict, Written
from annotation.evaluation.gold.queries import get_version
from annotation.evaluation.judges import service
from annotation.evaluation.judges.models import FoldsBy, TrainedJudge
from annotation.evaluation.judges.offered import DEVICES
from annotation.evaluation.judges.queries import get_trained, list_trained
from annotation.evaluation.judges.service import MOST, MOST_FOLDS
from annotation.evaluation.labels.queries import get_ready_labels
from annotation.evaluation.runs.requests import LONGEST_JUDGE
from annotation.translation import gettext_lazy
from annotation.units.serializers import Seconds, Whole
from annotation.units.stus.easiness import NAME, NAME_WORDS
from scoring.finetune import POOLINGS, SHARINGS


class Number(Seconds):
    """A number that is not text."""


class TrainingOptionsSerializer(Strict):
    """Training options. Defaults are from the paper. Tree models use only the seed."""

    sharing = serializers.ChoiceField(choices=SHARINGS, required=False)
    learning_rate = Number(min_value=1e-9, max_value=MOST["learning_rate"], required=False)
    epochs = Whole(min_value=1, max_value=MOST["epochs"], required=False)
    warm_up = Number(
        min_value=0,
        max_value=0.99,
        required=False,
        help_text=gettext_lazy("Share of the training steps."),
    )
    batch_size = Whole(min_value=1, max_value=MOST["batch_size"], required=False)
    weight_decay = Number(min_value=0, max_value=MOST["weight_decay"], required=False)
    clip = Number(min_value=1e-9, max_value=MOST["clip"], required=False)
    window = Whole(
        max_value=MOST["window"],
        required=False,
        help_text=gettext_lazy("In tokens. 0: the model's maximum."),
    )
    pooling = serializers.ChoiceField(choices=POOLINGS, required=False)
    seed = Whole(max_value=2**32 - 1, required=False)
    threads = Whole(
        max_value=MOST["threads"], required=False, help_text=gettext_lazy("0: PyTorch's default.")
    )
    device = serializers.ChoiceField(choices=DEVICES, required=False)
    checkpoint_every = Whole(
        max_value=MOST["checkpoint_every"],
        required=False,
        help_text=gettext_lazy("Number of steps. 0: never."),
    )


class NewTrainingSerializer(Strict):
    name = Written(NAME, NAME_WORDS, help_text=gettext_lazy("An existing name gets a new version."))
    base = Line(
        max_length=LONGEST_JUDGE,
        help_text=gettext_lazy(
            "embedded, reader, lexical, another judge of the project or server, or owner/model."
        ),
    )
    labels = Whole(
        min_value=1,
        required=False,
        help_text=gettext_lazy("Labels to train on. Alternative: `gold`."),
    )
    gold = Whole(
        min_value=1,
        required=False,
        help_text=gettext_lazy("Gold version to train on. Alternative: `labels`."),
    )
    folds_by = serializers.ChoiceField(choices=FoldsBy.choices, required=False)
    folds = Whole(
        max_value=MOST_FOLDS, required=False, help_text=gettext_lazy("0: no held-out data.")
    )
    options = TrainingOptionsSerializer(required=False)


class TrainedJudgeSerializer(serializers.ModelSerializer[TrainedJudge]):
    judge = serializers.CharField(
        source="__str__", read_only=True, help_text=gettext_lazy("name@version, as used in runs.")
    )
    options = serializers.DictField(read_only=True)
    labels = serializers.IntegerField(source="label_set_id", read_only=True, allow_null=True)
    gold = serializers.IntegerField(source="gold_id", read_only=True, allow_null=True)
    job = JobSerializer(read_only=True, allow_null=True)

    class Meta:
        model = TrainedJudge
        fields: tuple[str, ...] = (
            "id",
            "judge",
            "name",
            "version",
            "base",
            "options",
            "labels",
            "gold",
            "learned_from",
            "folds_by",
            "folds",
            "is_ready",
            "job",
            "created_at",
        )
        read_only_fields = fields


class TrainedJudgeDetailSerializer(TrainedJudgeSerializer):
    card = serializers.DictField(
        read_only=True,
        help_text=gettext_lazy(
            "Data hash, folds, held-out figures and calibration. Empty until it is ready."
        ),
    )

    class Meta(TrainedJudgeSerializer.Meta):
        fields = (*TrainedJudgeSerializer.Meta.fields, "card")
        read_only_fields = fields


class TrainedJudges(ProjectView):
    roles = {"POST": Role.EDITOR}

    @extend_schema(
        operation_id="list_trained_judges",
        parameters=PAGED,
        responses={200: page_of(TrainedJudgeSerializer)},
    )
    def get(self, request: Request, slug: str) -> Response:
        """List judges trained in the project, newest first."""
        return self.paged(list_trained(self.project), TrainedJudgeSerializer)

    @extend_schema(
        operation_id="train_judge",
        request=NewTrainingSerializer,
        responses={202: TrainedJudgeDetailSerializer},
    )
    def post(self, request: Request, slug: str) -> Response:
        """Train a judge on labels or a gold version. Starts a job after all checks."""
        form = NewTrainingSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        said = dict(form.validated_data)
        made = service.train_judge(
            project=self.project, user=self.user, **self._read_source(said), **said
        )
        return Response(TrainedJudgeDetailSerializer(made).data, status=202)

    def _read_source(self, said: dict[str, Any]) -> dict[str, Any]:
        """Takes the ids out of what was said, and gives what they are of."""
        labels, gold = said.pop("labels", None), said.pop("gold", None)
        return {
            "label_set": get_ready_labels(self.project, labels) if labels else None,
            "gold": get_version(self.project, gold) if gold else None,
        }


class TrainedJudgeDetail(ProjectView):
    roles = {"DELETE": Role.EDITOR}

    @extend_schema(operation_id="get_trained_judge", responses={200: TrainedJudgeDetailSerializer})
    def get(self, request: Request, slug: str, pk: int) -> Response:
        """Get a trained judge with its progress, and its card once it is ready."""
        return Response(TrainedJudgeDetailSerializer(get_trained(self.project, pk)).data)

    @extend_schema(operation_id="delete_trained_judge", responses={204: None})
    def delete(self, request: Request, slug: str, pk: int) -> Response:
        """Delete a judge that no run uses."""
        service.delete_judge(judge=get_trained(self.project, pk), user=self.user)
        return Response(status=204)
