"""Moments are the database's from now on. No table changes: a default is Python's affair."""

from django.db import migrations, models

from annotation import clock

FIELDS = [
    ("change", "at"),
    ("comment", "created_at"),
    ("easinessmodel", "created_at"),
    ("presence", "seen_at"),
    ("unit", "created_at"),
    ("unit", "updated_at"),
    ("unitset", "created_at"),
]


class Migration(migrations.Migration):
    dependencies = [("units", "0005_sentences_left_to_stus")]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.AlterField(model, name, models.DateTimeField(default=clock.now))
                for model, name in FIELDS
            ]
        )
    ]
