from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("corpora", "0016_failed_imports")]

    operations = [
        migrations.AddField("job", "pace_from", models.DateTimeField(blank=True, null=True)),
        migrations.AddField("job", "pace_done", models.PositiveBigIntegerField(default=0)),
    ]
