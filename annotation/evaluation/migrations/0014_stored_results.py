"""Results that jobs store, and summaries of a run from high to low, page by page."""

from __future__ import annotations

from django.db import migrations, models

import annotation.clock


class Migration(migrations.Migration):
    dependencies = [
        ("evaluation", "0013_display_names_and_commentary"),
    ]

    operations = [
        migrations.AddIndex(
            model_name="summarypresence",
            index=models.Index(fields=["run", "score"], name="presence_by_score"),
        ),
        migrations.CreateModel(
            name="StoredResult",
            fields=[
                ("key", models.CharField(max_length=120, primary_key=True, serialize=False)),
                ("value", models.TextField()),
                ("created_at", models.DateTimeField(default=annotation.clock.now)),
            ],
        ),
    ]
