"""Two authors write the same references independently."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from annotation import clock

ID = (
    "id",
    models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID"),
)


class Migration(migrations.Migration):
    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
        ("corpora", "0014_uploads"),
        ("units", "0007_archive_and_checks"),
    ]

    operations = [
        migrations.CreateModel(
            name="DoubleAnnotation",
            fields=[
                ID,
                ("name", models.CharField(max_length=78)),
                ("first_example", models.PositiveIntegerField()),
                ("last_example", models.PositiveIntegerField()),
                ("revealed_at", models.DateTimeField(blank=True, null=True)),
                ("agreement", models.JSONField(blank=True, default=dict)),
                ("created_at", models.DateTimeField(default=clock.now)),
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
                    "merged",
                    models.OneToOneField(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="merged_from",
                        to="units.unitset",
                    ),
                ),
                (
                    "project",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="doubles",
                        to="corpora.project",
                    ),
                ),
            ],
            options={
                "ordering": ["-created_at", "-pk"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("project", "name"), name="double_annotation_name_once"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="DoubleAuthor",
            fields=[
                ID,
                ("position", models.PositiveSmallIntegerField()),
                ("done_at", models.DateTimeField(blank=True, null=True)),
                (
                    "double",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="authors",
                        to="units.doubleannotation",
                    ),
                ),
                (
                    "set",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="double_author",
                        to="units.unitset",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["position"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("double", "position"), name="double_author_once"
                    )
                ],
            },
        ),
    ]
