import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("corpora", "0002_paused_jobs"),
        ("evaluation", "0001_initial"),
        ("units", "0003_peers"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="JudgeIdentity",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("key", models.CharField(max_length=64, unique=True)),
                ("name", models.CharField(max_length=300)),
                ("kind", models.CharField(max_length=40)),
                ("weights", models.CharField(max_length=200)),
                ("revision", models.CharField(blank=True, max_length=200)),
                ("options", models.JSONField(default=dict)),
                ("classes", models.PositiveSmallIntegerField()),
                ("first_seen_at", models.DateTimeField(default=django.utils.timezone.now)),
            ],
        ),
        migrations.CreateModel(
            name="JudgeRun",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("judge", models.CharField(max_length=300)),
                ("options", models.JSONField(default=dict)),
                ("function", models.CharField(blank=True, max_length=3)),
                ("systems", models.JSONField(default=list, help_text="Names; empty for all.")),
                (
                    "empty",
                    models.CharField(
                        choices=[
                            ("refuse", "Refuse to begin, and name the first one"),
                            ("absent", "Count them as carrying nothing"),
                        ],
                        default="refuse",
                        max_length=6,
                    ),
                ),
                ("chunk_size", models.PositiveIntegerField()),
                ("counts", models.JSONField(default=dict, help_text="What is to be judged.")),
                ("figures", models.JSONField(default=dict, help_text="What came of it.")),
                ("data_hash", models.CharField(max_length=64)),
                ("content_hash", models.CharField(blank=True, max_length=64)),
                ("signature", models.CharField(blank=True, max_length=1000)),
                ("note", models.CharField(blank=True, max_length=300)),
                ("told_at", models.DateTimeField(blank=True, null=True)),
                ("is_ready", models.BooleanField(default=False)),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "created_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "identity",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="runs",
                        to="evaluation.judgeidentity",
                    ),
                ),
                (
                    "job",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to="corpora.job",
                    ),
                ),
                (
                    "project",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="judge_runs",
                        to="corpora.project",
                    ),
                ),
                (
                    "unit_set",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="judge_runs",
                        to="units.unitset",
                    ),
                ),
            ],
            options={
                "ordering": ["-created_at", "-pk"],
            },
        ),
        migrations.CreateModel(
            name="RunChunk",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("position", models.PositiveIntegerField()),
                ("summaries", models.JSONField(help_text="Their ids.")),
                (
                    "pairs",
                    models.PositiveIntegerField(
                        help_text="Of a unit and a summary that is not empty."
                    ),
                ),
                (
                    "stored",
                    models.PositiveIntegerField(
                        default=0, help_text="Pairs that were judged before."
                    ),
                ),
                (
                    "state",
                    models.CharField(
                        choices=[("waiting", "Waiting"), ("claimed", "In hand"), ("done", "Done")],
                        default="waiting",
                        max_length=7,
                    ),
                ),
                ("lease", models.CharField(blank=True, max_length=36)),
                ("lease_until", models.DateTimeField(blank=True, null=True)),
                ("done_at", models.DateTimeField(blank=True, null=True)),
                ("seconds", models.FloatField(default=0)),
                (
                    "run",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="chunks",
                        to="evaluation.judgerun",
                    ),
                ),
            ],
            options={
                "ordering": ["position"],
                "constraints": [
                    models.UniqueConstraint(fields=("run", "position"), name="chunk_by_position")
                ],
            },
        ),
        migrations.CreateModel(
            name="StoredVerdict",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("summary_key", models.BinaryField(max_length=16)),
                ("unit_key", models.BinaryField(max_length=16)),
                ("logits", models.BinaryField()),
                ("sentence", models.SmallIntegerField(default=-1)),
                (
                    "identity",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="verdicts",
                        to="evaluation.judgeidentity",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("identity", "summary_key", "unit_key"), name="verdict_once"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="SummaryPresence",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("presence", models.JSONField()),
                ("sentences", models.JSONField()),
                ("score", models.FloatField()),
                (
                    "run",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="presences",
                        to="evaluation.judgerun",
                    ),
                ),
                (
                    "summary",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="presences",
                        to="corpora.summary",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("run", "summary"), name="summary_judged_once")
                ],
            },
        ),
    ]
