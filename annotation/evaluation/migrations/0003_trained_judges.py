import uuid

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("corpora", "0002_paused_jobs"),
        ("evaluation", "0002_judge_runs"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="TrainedJudge",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("name", models.CharField(max_length=80)),
                ("version", models.PositiveIntegerField()),
                ("base", models.CharField(max_length=300)),
                ("options", models.JSONField(default=dict)),
                ("learned_from", models.CharField(max_length=300)),
                (
                    "folds_by",
                    models.CharField(
                        choices=[("examples", "By examples"), ("systems", "By systems")],
                        default="examples",
                        max_length=8,
                    ),
                ),
                (
                    "folds",
                    models.PositiveSmallIntegerField(
                        default=5, help_text="0: nothing is held out."
                    ),
                ),
                ("card", models.JSONField(default=dict)),
                ("folder", models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
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
                    "gold",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="trained_judges",
                        to="evaluation.goldversion",
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
                    "label_set",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="trained_judges",
                        to="evaluation.labelset",
                    ),
                ),
                (
                    "project",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="trained_judges",
                        to="corpora.project",
                    ),
                ),
            ],
            options={
                "ordering": ["-created_at", "-pk"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("project", "name", "version"), name="trained_judge_once"
                    )
                ],
            },
        ),
    ]
