import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("corpora", "0002_paused_jobs"),
        ("units", "0003_peers"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name="unitset",
            name="extractor",
            field=models.CharField(blank=True, max_length=80),
        ),
        migrations.AddField(
            model_name="unitset",
            name="extractor_version",
            field=models.CharField(blank=True, max_length=120),
        ),
        migrations.AlterField(
            model_name="assignment",
            name="state",
            field=models.CharField(
                choices=[
                    ("todo", "To write"),
                    ("written", "To check"),
                    ("signed", "Signed off"),
                    ("spared", "STUs stand in"),
                ],
                default="todo",
                max_length=7,
            ),
        ),
        migrations.AlterField(
            model_name="unit",
            name="extractor_version",
            field=models.CharField(blank=True, max_length=120),
        ),
        migrations.CreateModel(
            name="EasinessModel",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("name", models.CharField(max_length=80)),
                ("version", models.PositiveIntegerField()),
                ("regressor", models.CharField(max_length=40)),
                (
                    "target",
                    models.CharField(
                        choices=[
                            ("easiness", "Easiness: how near STUs come to the SCUs"),
                            ("damage", "Damage: how far system scores move when STUs stand in"),
                        ],
                        default="easiness",
                        max_length=8,
                    ),
                ),
                ("learned_from", models.CharField(max_length=300)),
                ("folds", models.PositiveSmallIntegerField(default=5)),
                ("seed", models.PositiveIntegerField(default=0)),
                ("card", models.JSONField(default=dict)),
                ("file", models.JSONField(default=dict)),
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
                        related_name="easiness_models",
                        to="corpora.project",
                    ),
                ),
                (
                    "scus",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to="units.unitset",
                    ),
                ),
                (
                    "stus",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to="units.unitset",
                    ),
                ),
            ],
            options={
                "ordering": ["-created_at", "-pk"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("project", "name", "version"), name="easiness_model_once"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="SentencePlan",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("difficulty", models.FloatField()),
                ("is_human", models.BooleanField(default=True)),
                ("model", models.CharField(blank=True, max_length=200)),
                (
                    "sentence",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="corpora.sentence",
                    ),
                ),
                (
                    "set",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="sentence_plans",
                        to="units.unitset",
                    ),
                ),
            ],
            options={
                "ordering": ["-difficulty", "pk"],
                "indexes": [models.Index(fields=["set", "-difficulty"], name="sentence_hardest")],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("set", "sentence"), name="sentence_planned_once"
                    )
                ],
            },
        ),
    ]
