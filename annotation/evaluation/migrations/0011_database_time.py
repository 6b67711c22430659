"""Moments are the database's from now on. No table changes: a default is Python's affair."""

from django.db import migrations, models

from annotation import clock

FIELDS = [
    ("adjudication", "made_at"),
    ("budgetplan", "created_at"),
    ("curverun", "created_at"),
    ("decision", "made_at"),
    ("goldversion", "created_at"),
    ("judgeidentity", "first_seen_at"),
    ("judgerun", "created_at"),
    ("labelset", "created_at"),
    ("report", "created_at"),
    ("robustnessstudy", "created_at"),
    ("sample", "created_at"),
    ("scoreestimate", "created_at"),
    ("scoreset", "created_at"),
    ("trainedjudge", "created_at"),
]


class Migration(migrations.Migration):
    dependencies = [("evaluation", "0010_labels_of_running_campaigns")]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.AlterField(model, name, models.DateTimeField(default=clock.now))
                for model, name in FIELDS
            ]
        )
    ]
