"""What REST says of figures that are in-sample: a model was trained on the texts at hand."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from annotation.corpora.serializers import JobSerializer
from annotation.evaluation.judges.queries import list_learned
from annotation.evaluation.labels.serializers import ScoreRowSerializer, SystemScoreSerializer
from annotation.evaluation.runs.models import JudgeRun, SummaryPresence
from annotation.evaluation.runs.probes import get_probes
from annotation.evaluation.runs.queries import find_same_run, get_progress
from annotation.translation import gettext_lazy


class MetSerializer(serializers.Serializer[Any]):
    """How many of the texts the judge or metric was trained on."""

    is_known = serializers.BooleanField(
        help_text=gettext_lazy("False if the training texts aren't recorded.")
    )
    is_in_sample = serializers.BooleanField()
    summaries = serializers.IntegerField()
    all_summaries = serializers.IntegerField()
    units = serializers.IntegerField()
    all_units = serializers.IntegerField()


class LearnedSerializer(MetSerializer):
    """A run, or scores, whose figures are in-sample."""

    run = serializers.IntegerField(
        allow_null=True, help_text=gettext_lazy("Null for scores of a metric.")
    )
    scores = serializers.SerializerMethodField(
        help_text=gettext_lazy("ID of a metric's scores, or null.")
    )
    judge = serializers.CharField(help_text=gettext_lazy("The judge, or the metric."))
    can_hold_out = serializers.BooleanField(
        help_text=gettext_lazy("Whether `out-of-fold` is possible for it.")
    )

    @extend_schema_field(serializers.IntegerField(allow_null=True))
    def get_scores(self, row: dict[str, Any]) -> int | None:
        """Rows that earlier versions stored lack it."""
        found: int | None = row.get("scores")
        return found


class OutOfFoldSerializer(serializers.Serializer[Any]):
    """One of both: the run, or the judge in training whose end starts the run."""

    run = serializers.IntegerField(allow_null=True)
    judge = serializers.IntegerField(allow_null=True)


class JudgeChoiceSerializer(serializers.Serializer[Any]):
    name = serializers.CharField()
    what = serializers.CharField()
    kind = serializers.CharField()
    function = serializers.CharField(
        help_text=gettext_lazy("Its default. Empty if unknown until the judge is loaded.")
    )
    functions = serializers.ListField(child=serializers.CharField())
    is_light = serializers.BooleanField(help_text=gettext_lazy("Fast enough for `score`."))


class RunFiguresSerializer(serializers.Serializer[Any]):
    """`stored` pairs came from the cache, `judged` ones were judged by this run."""

    counts = serializers.DictField(child=serializers.IntegerField())
    seconds = serializers.FloatField(help_text=gettext_lazy("Sum over all workers."))
    pairs_per_second = serializers.FloatField(
        allow_null=True,
        default=None,
        help_text=gettext_lazy("Per worker. Null if nothing was new."),
    )
    systems = SystemScoreSerializer(many=True)


class ProgressSerializer(serializers.Serializer[Any]):
    pairs = serializers.IntegerField()
    total = serializers.IntegerField()
    stored = serializers.IntegerField()
    chunks = serializers.IntegerField()
    all_chunks = serializers.IntegerField()
    workers = serializers.IntegerField(help_text=gettext_lazy("Workers that are judging a chunk."))
    rate = serializers.FloatField(
        allow_null=True, help_text=gettext_lazy("Pairs per second, all workers together.")
    )


class RunSerializer(serializers.ModelSerializer[JudgeRun]):
    options = serializers.DictField(read_only=True)
    systems = serializers.ListField(child=serializers.CharField(), read_only=True)
    identity = serializers.CharField(
        source="identity.key",
        default="",
        read_only=True,
        help_text=gettext_lazy("Empty until the judge is loaded."),
    )
    counts = serializers.DictField(child=serializers.IntegerField(), read_only=True)
    figures = serializers.SerializerMethodField()
    job = JobSerializer(read_only=True, allow_null=True)

    class Meta:
        model = JudgeRun
        fields: tuple[str, ...] = (
            "id",
            "unit_set",
            "judge",
            "options",
            "function",
            "systems",
            "empty",
            "chunk_size",
            "note",
            "display_name",
            "identity",
            "counts",
            "is_ready",
            "content_hash",
            "signature",
            "figures",
            "job",
            "created_at",
        )
        read_only_fields = fields

    @extend_schema_field(RunFiguresSerializer(allow_null=True))
    def get_figures(self, run: JudgeRun) -> Any:
        """Null until the run is ready."""
        return RunFiguresSerializer(run.figures).data if run.is_ready else None


class ProbeFigureSerializer(serializers.Serializer[Any]):
    """How often a judge accepts true statements and rejects their false twins."""

    category = serializers.CharField()
    pairs = serializers.IntegerField()
    true_found = serializers.FloatField()
    false_rejected = serializers.FloatField()
    ordered = serializers.FloatField(
        help_text=gettext_lazy("Share of pairs with the true statement higher.")
    )


class ProbesSerializer(serializers.Serializer[Any]):
    """What the judge can read, by category."""

    reads = serializers.BooleanField(
        help_text=gettext_lazy("False: don't rely on single verdicts.")
    )
    categories = ProbeFigureSerializer(many=True)
    total = ProbeFigureSerializer()


class RunDetailSerializer(RunSerializer):
    progress = serializers.SerializerMethodField()
    learned = serializers.SerializerMethodField()
    probes = serializers.SerializerMethodField()
    same_as = serializers.SerializerMethodField()

    class Meta(RunSerializer.Meta):
        fields = (*RunSerializer.Meta.fields, "progress", "learned", "probes", "same_as")
        read_only_fields = fields

    @extend_schema_field(LearnedSerializer(many=True))
    def get_learned(self, run: JudgeRun) -> Any:
        """The run itself if its figures are in-sample, and nothing otherwise."""
        return LearnedSerializer(list_learned([run] if run.is_ready else []), many=True).data

    @extend_schema_field(ProbesSerializer(allow_null=True))
    def get_probes(self, run: JudgeRun) -> Any:
        """Null until the judge was probed."""
        found = get_probes(run)
        return ProbesSerializer(found).data if found else None

    @extend_schema_field(serializers.IntegerField(allow_null=True))
    def get_same_as(self, run: JudgeRun) -> int | None:
        """The first run of the same units with exactly the same values."""
        same = find_same_run(run) if run.is_ready else None
        return same.pk if same else None

    @extend_schema_field(ProgressSerializer)
    def get_progress(self, run: JudgeRun) -> Any:
        return ProgressSerializer(get_progress(run)).data


class CorrelationSerializer(serializers.Serializer[Any]):
    level = serializers.CharField()
    pearson = serializers.FloatField(allow_null=True)
    spearman = serializers.FloatField(allow_null=True)
    kendall = serializers.FloatField(allow_null=True)
    groups = serializers.IntegerField(
        help_text=gettext_lazy("Number of systems, or of examples averaged over.")
    )
    undefined = serializers.IntegerField(
        help_text=gettext_lazy("Excluded because one side does not vary.")
    )


class BinSerializer(serializers.Serializer[Any]):
    low = serializers.FloatField()
    high = serializers.FloatField()
    units = serializers.IntegerField()
    predicted = serializers.FloatField(
        allow_null=True, help_text=gettext_lazy("Mean predicted probability.")
    )
    observed = serializers.FloatField(
        allow_null=True, help_text=gettext_lazy("Share of human labels that are present.")
    )


class ConfusionSerializer(serializers.Serializer[Any]):
    true_present = serializers.IntegerField()
    false_present = serializers.IntegerField()
    false_absent = serializers.IntegerField()
    true_absent = serializers.IntegerField()


class SystemBesideSerializer(serializers.Serializer[Any]):
    system = serializers.CharField()
    judge = serializers.FloatField()
    people = serializers.FloatField()
    bias = serializers.FloatField(help_text=gettext_lazy("The judge's mean minus the human mean."))
    bias_low = serializers.FloatField(
        allow_null=True,
        help_text=gettext_lazy("95 % interval from resampling examples. Null below 3 examples."),
    )
    bias_high = serializers.FloatField(allow_null=True)
    documents = serializers.IntegerField()
    accuracy = serializers.FloatField()


class RecalibratedSerializer(serializers.Serializer[Any]):
    """sigmoid(logit(presence) / temperature + shift) adapts the judge to the labels."""

    temperature = serializers.FloatField()
    shift = serializers.FloatField()
    brier = serializers.FloatField(
        allow_null=True,
        help_text=gettext_lazy("On examples left out of the fit. Null with a single example."),
    )
    ece = serializers.FloatField(allow_null=True)


class FiguresBesideSerializer(serializers.Serializer[Any]):
    units = serializers.IntegerField(
        help_text=gettext_lazy("Labels with a prediction of the judge.")
    )
    summaries = serializers.IntegerField()
    accuracy = serializers.FloatField()
    confusion = ConfusionSerializer()
    brier = serializers.FloatField()
    ece = serializers.FloatField()
    calibration = BinSerializer(many=True)
    recalibrated = RecalibratedSerializer(
        required=False, help_text=gettext_lazy("Missing in older results.")
    )
    summary_level = CorrelationSerializer()
    system_level = CorrelationSerializer()


class EndsSerializer(serializers.Serializer[Any]):
    low = serializers.FloatField(allow_null=True)
    high = serializers.FloatField(allow_null=True)


class BesideSerializer(serializers.Serializer[Any]):
    """The run compared with labels of the same units, on what both have."""

    figures = FiguresBesideSerializer()
    examples = serializers.IntegerField(
        help_text=gettext_lazy(
            "Examples with labels. In `systems`, judge and people are means over these."
        )
    )
    precision = serializers.FloatField(allow_null=True)
    recall = serializers.FloatField(allow_null=True)
    disagreements = serializers.IntegerField()
    systems = SystemBesideSerializer(many=True)
    bias = serializers.FloatField(help_text=gettext_lazy("The mean of the systems' biases."))
    bias_low = serializers.FloatField(allow_null=True)
    bias_high = serializers.FloatField(allow_null=True)
    intervals = serializers.DictField(
        child=serializers.DictField(child=EndsSerializer()),
        help_text=gettext_lazy(
            "Intervals of the correlations, by `system` or `summary` level and measure. "
            "Empty below 3 systems or 3 examples."
        ),
    )
    coverage = serializers.CharField(
        allow_blank=True,
        help_text=gettext_lazy(
            "How often such intervals hold in simulated studies, if not in 93 to 97 %."
        ),
    )


class RunScoresSerializer(serializers.Serializer[Any]):
    """Systems from best to worst; `people` is null where no labels are ready."""

    rows = ScoreRowSerializer(many=True)
    signature = serializers.CharField()
    labels = serializers.IntegerField(
        allow_null=True, help_text=gettext_lazy("The labels behind `people`.")
    )
    people = BesideSerializer(allow_null=True)


class PresenceSerializer(serializers.ModelSerializer[SummaryPresence]):
    """In the order of the example's units."""

    example = serializers.CharField(source="summary.example.key", read_only=True)
    system = serializers.CharField(source="summary.system.name", read_only=True)
    presence = serializers.ListField(child=serializers.FloatField())
    sentences = serializers.ListField(
        child=serializers.IntegerField(),
        help_text=gettext_lazy(
            "Counted from 0. -1 where the judge reports none. -2 - n where sentence n "
            "contradicts the unit."
        ),
    )

    class Meta:
        model = SummaryPresence
        fields = ("summary", "example", "system", "score", "presence", "sentences")
        read_only_fields = fields


class TextDocumentSerializer(serializers.Serializer[Any]):
    name = serializers.CharField()
    scores = serializers.DictField(child=serializers.FloatField())
    presence = serializers.DictField(child=serializers.ListField(child=serializers.FloatField()))
    sentences = serializers.ListField(child=serializers.IntegerField())


class TextScoresSerializer(serializers.Serializer[Any]):
    """By function; `human` is the labels' score, null unless every document has some."""

    judge = serializers.CharField()
    scores = serializers.DictField(child=serializers.FloatField())
    human = serializers.FloatField(allow_null=True)
    signatures = serializers.DictField(child=serializers.CharField())
    documents = TextDocumentSerializer(many=True)
    learned = MetSerializer(
        required=False, help_text=gettext_lazy("For these texts. Missing in older results.")
    )


class TextScoringSerializer(serializers.Serializer[Any]):
    """`result` is null until `is_ready` and if the job has failed; then `job` has the error."""

    id = serializers.IntegerField()
    url = serializers.URLField(help_text=gettext_lazy("Address of the result."))
    job = JobSerializer()
    is_ready = serializers.BooleanField()
    expires_at = serializers.DateTimeField(
        allow_null=True, help_text=gettext_lazy("When the texts and the result are deleted.")
    )
    result = TextScoresSerializer(allow_null=True)
