from typing import Any

from django.db import migrations, models

SCOPES = [
    ("read", "Read"),
    ("publish", "Read and publish"),
    ("pay", "Read, publish and pay"),
]


def allow_what_they_could(apps: Any, schema_editor: Any) -> None:
    """Keys that are there could do everything, and scripts count on it."""
    tokens = apps.get_model("corpora", "ApiToken").objects
    tokens.using(schema_editor.connection.alias).update(scope="pay")


class Migration(migrations.Migration):
    dependencies = [
        ("corpora", "0010_worker_beats"),
    ]

    operations = [
        migrations.AddField(
            model_name="apitoken",
            name="expires_at",
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="apitoken",
            name="scope",
            field=models.CharField(choices=SCOPES, default="read", max_length=8),
        ),
        migrations.RunPython(allow_what_they_could, migrations.RunPython.noop),
    ]
