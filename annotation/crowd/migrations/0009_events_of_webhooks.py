"""Events keep nothing that their webhook says."""

import django.db.models.deletion
import django.utils.timezone
from django.db import migrations, models
from django.db.models import Q


class Migration(migrations.Migration):
    dependencies = [("crowd", "0008_webhooks")]

    operations = [
        migrations.AlterField(
            model_name="notification",
            name="webhook",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE,
                related_name="notifications",
                to="crowd.webhook",
            ),
        ),
        migrations.RemoveIndex(model_name="notification", name="notification_waiting"),
        migrations.RemoveField(model_name="notification", name="attempts"),
        migrations.RemoveField(model_name="notification", name="destination"),
        migrations.RemoveField(model_name="notification", name="failure"),
        migrations.RemoveField(model_name="notification", name="next_at"),
        migrations.RemoveField(model_name="notification", name="requester"),
        migrations.AddField(
            model_name="notification",
            name="created_at",
            field=models.DateTimeField(default=django.utils.timezone.now),
        ),
        migrations.AddIndex(
            model_name="notification",
            index=models.Index(
                condition=Q(delivered_at=None), fields=["webhook"], name="notification_waiting"
            ),
        ),
        migrations.AddIndex(
            model_name="notification",
            index=models.Index(fields=["created_at"], name="notification_age"),
        ),
    ]
