"""Sets can be archived, and what the linter says of their units is stored."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("units", "0006_database_time")]

    operations = [
        migrations.AddField(
            model_name="unitset",
            name="archived_at",
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="unitset", name="lint", field=models.JSONField(blank=True, default=dict)
        ),
        migrations.AddField(
            model_name="unit",
            name="lint",
            field=models.CharField(blank=True, db_default="", default="", max_length=400),
        ),
    ]
