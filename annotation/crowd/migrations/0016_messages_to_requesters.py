"""Messages of workers that nobody has read, counted on every page of a campaign."""

from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("crowd", "0015_seconds_worked")]

    operations = [
        migrations.AddIndex(
            model_name="message",
            index=models.Index(
                fields=["requester"],
                condition=models.Q(read_at=None, is_from_worker=True),
                name="message_to_requester",
            ),
        ),
    ]
