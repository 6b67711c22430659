"""Display names of metrics and runs, and a commentary in reports."""

from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("evaluation", "0012_plans_start_from_scus"),
    ]

    operations = [
        migrations.AddField(
            model_name="judgerun",
            name="display_name",
            field=models.CharField(blank=True, max_length=60),
        ),
        migrations.AddField(
            model_name="scoreset",
            name="display_names",
            field=models.JSONField(default=dict),
        ),
        migrations.AddField(
            model_name="report",
            name="commentary",
            field=models.TextField(blank=True, max_length=10000),
        ),
    ]
