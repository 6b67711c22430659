"""An address has a state of its own; events belong to it. What was given up before is dropped."""

from typing import Any

import django.db.models.deletion
import django.utils.timezone
from django.db import migrations, models
from django.db.models import Q

MOST_ATTEMPTS = 12


def make_webhooks(apps: Any, schema_editor: Any) -> None:
    using = schema_editor.connection.alias
    notifications = apps.get_model("crowd", "Notification").objects.using(using)
    webhooks = apps.get_model("crowd", "Webhook").objects.using(using)
    notifications.filter(delivered_at=None, attempts__gte=MOST_ATTEMPTS).delete()
    pairs = notifications.order_by().values_list("requester_id", "destination").distinct()
    for requester, destination in pairs:
        webhook = webhooks.create(requester_id=requester, destination=destination)
        rows = notifications.filter(requester_id=requester, destination=destination)
        rows.update(webhook=webhook)


class Migration(migrations.Migration):
    dependencies = [("crowd", "0006_key_holders")]

    operations = [
        migrations.CreateModel(
            name="Webhook",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("destination", models.CharField(max_length=1024)),
                ("next_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("leased_until", models.DateTimeField(blank=True, null=True)),
                ("failures", models.PositiveIntegerField(default=0)),
                ("failing_since", models.DateTimeField(blank=True, null=True)),
                ("failure", models.CharField(blank=True, max_length=300)),
                ("last_failure_at", models.DateTimeField(blank=True, null=True)),
                ("last_success_at", models.DateTimeField(blank=True, null=True)),
                ("last_seconds", models.FloatField(blank=True, null=True)),
                ("notified_at", models.DateTimeField(blank=True, null=True)),
                ("disabled_at", models.DateTimeField(blank=True, null=True)),
                ("is_given_up", models.BooleanField(default=False)),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "requester",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="webhooks",
                        to="crowd.requester",
                    ),
                ),
            ],
            options={
                "ordering": ["destination", "pk"],
                "indexes": [
                    models.Index(
                        condition=Q(disabled_at=None), fields=["next_at"], name="webhook_due"
                    )
                ],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("requester", "destination"), name="webhook_once"
                    )
                ],
            },
        ),
        migrations.AddField(
            model_name="notification",
            name="webhook",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="notifications",
                to="crowd.webhook",
            ),
        ),
        migrations.RunPython(make_webhooks, migrations.RunPython.noop),
    ]
