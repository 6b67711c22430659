"""Whoever joined as a worker and was in no projects but those they made was not let in."""

from collections.abc import Iterator

from django.apps.registry import Apps
from django.conf import settings
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

Pair = tuple[int, int]


def withdraw_from_mere_workers(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    using = schema_editor.connection.alias
    users = apps.get_model("corpora", "User").objects.using(using)
    workers = apps.get_model("crowd", "WorkerAccount").objects.using(using)
    in_doubt = set(workers.filter(user__is_staff=False).values_list("user_id", flat=True))
    pairs = [*_list_invited(apps, using), *_list_members(apps, using)]
    while let_in := {guest for guest, host in pairs if guest in in_doubt and host not in in_doubt}:
        in_doubt -= let_in
    users.filter(pk__in=in_doubt).update(can_create_projects=False)


def _list_invited(apps: Apps, using: str) -> list[Pair]:
    """Who accepted an invitation, and who had made it."""
    rows = apps.get_model("corpora", "Invitation").objects.using(using)
    return list(rows.exclude(accepted_by=None).values_list("accepted_by_id", "created_by_id"))


def _list_members(apps: Apps, using: str) -> Iterator[Pair]:
    """Who is in a project, and who was in it first: whoever made it."""
    rows = apps.get_model("corpora", "Membership").objects.using(using)
    first: dict[int, int] = {}
    for project, user in rows.order_by("created_at", "pk").values_list("project_id", "user_id"):
        yield user, first.setdefault(project, user)


class Migration(migrations.Migration):
    dependencies = [
        ("corpora", "0013_can_create_projects"),
        ("crowd", "0012_hit_layouts"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.RunPython(withdraw_from_mere_workers, migrations.RunPython.noop),
    ]
