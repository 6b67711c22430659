from typing import Any

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models
from django.db.models import F

SCOPES = [
    ("read", "Read"),
    ("publish", "Read and publish"),
    ("pay", "Read, publish and pay"),
]
REASON = "because nobody was recorded as its holder"
NOTICE = (
    "MTurk keys of {} were revoked, because it was not recorded who held them. Campaigns are not "
    "affected. If a program of yours used one, create a new key for it."
)


def find_holders(apps: Any, schema_editor: Any) -> None:
    """A key goes to the owner of its requester; where there is none, it is revoked."""
    alias = schema_editor.connection.alias
    keys = apps.get_model("crowd", "RequesterKey").objects.using(alias)
    owned = keys.filter(requester__owner__is_active=True)
    for key in owned.annotate(holder=F("requester__owner")):
        keys.filter(pk=key.pk).update(user=key.holder, scope="pay")
    for key in keys.filter(user=None).select_related("requester__project"):
        revoke(apps, alias, key)


def revoke(apps: Any, alias: str, key: Any) -> None:
    """Recorded, and told to the owners of the project, or to staff where there is no project."""
    project = key.requester.project
    apps.get_model("corpora", "Activity").objects.using(alias).create(
        project=project,
        verb="revoke",
        target_kind="requester_key",
        target_id=key.pk,
        label=key.access_key,
        text=f"revoked the key {key.access_key} of {key.requester.name}, {REASON}"[:300],
    )
    people = apps.get_model("corpora", "User").objects.using(alias).filter(is_active=True)
    owners = {"memberships__project": project, "memberships__role": "owner"}
    for person in people.filter(**(owners if project else {"is_staff": True})):
        apps.get_model("corpora", "Notification").objects.using(alias).get_or_create(
            user=person,
            key=f"keys-revoked:{key.requester_id}",
            defaults={
                "project": project,
                "kind": "members",
                "text": NOTICE.format(key.requester.name)[:300],
            },
        )
    key.delete()


class Migration(migrations.Migration):
    dependencies = [
        ("crowd", "0007_ledger_keeps_its_author"),
        ("corpora", "0006_key_scopes"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name="requesterkey",
            name="expires_at",
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="requesterkey",
            name="scope",
            field=models.CharField(choices=SCOPES, default="read", max_length=8),
        ),
        migrations.AddField(
            model_name="requesterkey",
            name="user",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="requester_keys",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.RunPython(find_holders, migrations.RunPython.noop),
        migrations.AlterField(
            model_name="requesterkey",
            name="user",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE,
                related_name="requester_keys",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
    ]
