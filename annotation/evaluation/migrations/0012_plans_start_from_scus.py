"""Plans for a budget start from SCUs that are written already."""

from __future__ import annotations

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("evaluation", "0011_database_time"),
        ("units", "0001_initial"),
    ]

    operations = [
        migrations.AddField(
            model_name="budgetplan",
            name="scus",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="+",
                to="units.unitset",
            ),
        ),
    ]
