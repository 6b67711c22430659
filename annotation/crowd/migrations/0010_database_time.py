"""Moments are the database's from now on. No table changes: a default is Python's affair."""

from django.db import migrations, models

from annotation import clock

FIELDS = [
    ("assignment", "received_at"),
    ("bonus", "created_at"),
    ("campaign", "created_at"),
    ("intent", "created_at"),
    ("marketassignment", "accepted_at"),
    ("marketentry", "at"),
    ("markethit", "created_at"),
    ("markethittype", "created_at"),
    ("message", "created_at"),
    ("notification", "created_at"),
    ("webhook", "created_at"),
    ("webhook", "next_at"),
    ("prolificevent", "received_at"),
    ("prolificsession", "started_at"),
    ("prolificstudy", "created_at"),
    ("qualification", "granted_at"),
    ("qualificationrequest", "started_at"),
    ("qualificationtype", "created_at"),
    ("requester", "created_at"),
    ("requesterkey", "created_at"),
    ("requesttoken", "created_at"),
    ("settlement", "at"),
    ("workeraccount", "created_at"),
    ("workerblock", "created_at"),
    ("workerinvitation", "created_at"),
]


class Migration(migrations.Migration):
    dependencies = [("crowd", "0009_events_of_webhooks")]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.AlterField(model, name, models.DateTimeField(default=clock.now))
                for model, name in FIELDS
            ]
        )
    ]
