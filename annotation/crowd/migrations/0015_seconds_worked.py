"""The time that a worker spent on a task's page, reported while they work."""

from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("crowd", "0014_requester_ties")]

    operations = [
        migrations.AddField(
            model_name="marketassignment",
            name="seconds_worked",
            field=models.FloatField(default=0),
        ),
    ]
