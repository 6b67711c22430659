"""Marks of what was last written of each campaign: `annotation/change_marks.py` fills them."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("crowd", "0019_plain_labels")]

    operations = [
        migrations.CreateModel(
            name="CampaignChange",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("campaign", models.BigIntegerField()),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("hits", "HITs"),
                            ("answers", "Assignments"),
                            ("books", "Ledger"),
                        ],
                        max_length=7,
                    ),
                ),
                ("mark", models.UUIDField()),
            ],
            options={
                "indexes": [models.Index(fields=["campaign", "kind"], name="change_of_campaign")],
            },
        ),
    ]
