from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.models import Q


def find_who_was_let_in(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Staff, and people who are in a project or came by an invitation to one."""
    using = schema_editor.connection.alias
    users = apps.get_model("corpora", "User").objects.using(using)
    invitations = apps.get_model("corpora", "Invitation").objects.using(using)
    invited = invitations.filter(accepted_by__isnull=False).values("accepted_by")
    let_in = Q(is_staff=True) | Q(memberships__isnull=False) | Q(pk__in=invited)
    found = users.filter(let_in).values("pk")
    users.filter(pk__in=found).update(can_create_projects=True)


class Migration(migrations.Migration):
    dependencies = [("corpora", "0012_database_time")]

    operations = [
        migrations.AddField(
            model_name="user",
            name="can_create_projects",
            field=models.BooleanField(default=False),
        ),
        migrations.RunPython(find_who_was_let_in, migrations.RunPython.noop),
    ]
