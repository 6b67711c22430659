from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("corpora", "0001_initial"),
    ]

    operations = [
        migrations.AddField(
            model_name="job",
            name="pause_requested",
            field=models.BooleanField(default=False),
        ),
        migrations.AlterField(
            model_name="job",
            name="state",
            field=models.CharField(
                choices=[
                    ("queued", "Queued"),
                    ("running", "Running"),
                    ("paused", "Paused"),
                    ("done", "Done"),
                    ("failed", "Failed"),
                    ("cancelled", "Cancelled"),
                ],
                default="queued",
                max_length=10,
            ),
        ),
    ]
