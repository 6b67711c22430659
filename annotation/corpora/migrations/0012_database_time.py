"""Moments are the database's from now on. No table changes: a default is Python's affair."""

from django.db import migrations, models

from annotation import clock

FIELDS = [
    ("activity", "at"),
    ("apitoken", "created_at"),
    ("attempt", "at"),
    ("import", "created_at"),
    ("invitation", "created_at"),
    ("job", "created_at"),
    ("jobline", "at"),
    ("membership", "created_at"),
    ("notification", "at"),
    ("notification", "mail_after"),
    ("project", "created_at"),
]


class Migration(migrations.Migration):
    dependencies = [("corpora", "0009_import_size")]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.AlterField(model, name, models.DateTimeField(default=clock.now))
                for model, name in FIELDS
            ]
        )
    ]
