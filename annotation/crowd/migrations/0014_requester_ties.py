from typing import Any

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

import annotation.clock


def tie_everybody(apps: Any, schema_editor: Any) -> None:
    """Owners, holders of keys and members, since they became so; the earliest counts."""
    alias = schema_editor.connection.alias

    def rows(app: str, model: str) -> Any:
        return apps.get_model(app, model).objects.using(alias)

    requesters = rows("crowd", "Requester")
    of_projects = dict(requesters.exclude(project=None).values_list("project", "pk"))
    keys = rows("crowd", "RequesterKey").values_list("requester", "user", "created_at")
    owned = requesters.exclude(owner=None).values_list("pk", "owner", "created_at")
    members = rows("corpora", "Membership").filter(project__in=of_projects)
    found = [*keys, *owned]
    found += [
        (of_projects[project], user, at)
        for project, user, at in members.values_list("project", "user", "created_at")
    ]
    tie = apps.get_model("crowd", "RequesterTie")
    ties = [
        tie(requester_id=requester, user_id=user, created_at=at)
        for requester, user, at in sorted(found, key=lambda row: row[2])
    ]
    tie.objects.using(alias).bulk_create(ties, batch_size=500, ignore_conflicts=True)


class Migration(migrations.Migration):
    dependencies = [
        ("corpora", "0013_can_create_projects"),
        ("crowd", "0013_who_is_only_a_worker"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="RequesterTie",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("created_at", models.DateTimeField(default=annotation.clock.now)),
                (
                    "requester",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="ties",
                        to="crowd.requester",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="requester_ties",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("requester", "user"), name="tie_once")
                ]
            },
        ),
        migrations.RunPython(tie_everybody, migrations.RunPython.noop),
    ]
