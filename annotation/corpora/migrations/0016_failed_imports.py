"""Imports whose job failed are failed, and no longer keep others from being written."""

from __future__ import annotations

from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor


def mark_failed(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    imports = apps.get_model("corpora", "Import").objects.using(schema_editor.connection.alias)
    stuck = imports.filter(state__in=["checking", "writing", "removing"], job__state="failed")
    imports.filter(pk__in=list(stuck.values_list("pk", flat=True))).update(state="failed")


class Migration(migrations.Migration):
    dependencies = [("corpora", "0015_questions_of_workers")]

    operations = [
        migrations.AlterField(
            model_name="import",
            name="state",
            field=models.CharField(
                choices=[
                    ("checking", "Checking"),
                    ("ready", "Ready to import"),
                    ("refused", "Has problems"),
                    ("writing", "Importing"),
                    ("done", "Imported"),
                    ("removing", "Being taken back"),
                    ("dropped", "Dropped"),
                    ("failed", "Failed"),
                ],
                default="checking",
                max_length=10,
            ),
        ),
        migrations.AddField(
            model_name="import",
            name="columns",
            field=models.JSONField(blank=True, default=dict),
        ),
        migrations.RunPython(mark_failed, migrations.RunPython.noop),
    ]
