"""A kind of notification: a worker asks about a HIT."""

from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("corpora", "0014_uploads")]

    operations = [
        migrations.AlterField(
            model_name="notification",
            name="kind",
            field=models.CharField(
                choices=[
                    ("job_done", "Work that I began is done"),
                    ("job_failed", "Work that I began has failed"),
                    ("members", "My role has changed, or somebody took my invitation up"),
                    ("assigned", "Examples were given to me"),
                    ("comment", "Somebody commented on my units, or closed a comment of mine"),
                    ("sent_back", "My examples were sent back"),
                    ("review", "Examples wait for my review"),
                    ("answers", "A campaign of mine has answers to decide on"),
                    ("money", "A campaign of mine has come to its cap, or is out of money"),
                    ("question", "A worker asks me about a HIT"),
                    ("webhook", "A webhook of mine can't be reached"),
                ],
                max_length=12,
            ),
        ),
    ]
