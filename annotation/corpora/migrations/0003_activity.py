"""Events become activities, by a verb of the catalogue; and people are told what needs them."""

from typing import Any

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models

# What an event's action was about.
KINDS = {
    "create": "project",
    "demo_ready": "project",
    "join": "member",
    "role": "member",
    "remove": "member",
    "system": "system",
    "import": "import",
    "undo_import": "import",
    "unit_set": "unit_set",
    "review": "unit_set",
    "draft": "unit_set",
    "delete_set": "unit_set",
    "freeze": "unit_set",
    "plan": "unit_set",
    "rank": "unit_set",
    "assign": "unit_set",
    "extract_stus": "unit_set",
    "train_easiness": "regressor",
    "campaign": "campaign",
    "make_labels": "label_set",
    "delete_labels": "label_set",
    "make_gold": "gold_version",
    "decide": "decision",
    "adjudicate": "adjudication",
    "judge": "judge_run",
    "train_judge": "trained_judge",
    "plan_budget": "plan",
    "apply_plan": "plan",
    "draw_curves": "curves",
    "sample_examples": "sample",
    "estimate_scores": "estimate",
    "score_metric": "score_set",
    "import_scores": "score_set",
    "delete_scores": "score_set",
    "study_robustness": "study",
    "delete_study": "study",
    "build_report": "report",
    "share_report": "report",
}
# Actions that are verbs of the catalogue, by this or by another name.
VERBS = {
    **dict.fromkeys(("create", "join", "role", "remove", "import", "review", "freeze"), None),
    **dict.fromkeys(("plan", "rank", "assign", "decide", "adjudicate"), None),
    "system": "change",
    "draft": "reopen",
    "undo_import": "undo",
    "unit_set": "create",
    "demo_ready": "finish",
    "delete_set": "delete",
    "delete_labels": "delete",
    "delete_scores": "delete",
    "delete_study": "delete",
}
# Of the others, the first word of the text tells.
WORDS = {
    "began": "start",
    "asked": "start",
    "deleted": "delete",
    "drafted": "create",
    "changed": "change",
    "published": "publish",
    "paused": "pause",
    "resumed": "resume",
    "ended": "end",
    "extended": "extend",
    "topped": "bonus",
    "wrote": "message",
    "excluded": "block",
    "took": "undo",
    "shared": "share",
    "no": "unshare",
}
BATCH = 1000


def find_verb(action: str, text: str) -> str:
    first = text.partition(" ")[0]
    if first == "took" and action in ("decide", "adjudicate", "plan"):
        return "undo"
    if action == "apply_plan" and " back" not in text:
        return "plan"
    if action in VERBS:
        return VERBS[action] or action
    return WORDS.get(first, "finish")


def copy_events(apps: Any, schema_editor: Any) -> None:
    alias = schema_editor.connection.alias
    events = apps.get_model("corpora", "Event").objects.using(alias)
    activity_model = apps.get_model("corpora", "Activity")
    activities = activity_model.objects.using(alias)
    made = []
    for event in events.order_by("at", "pk").iterator(chunk_size=BATCH):
        made.append(
            activity_model(
                project_id=event.project_id,
                actor_id=event.actor_id,
                verb=find_verb(event.action, event.text),
                target_kind=KINDS.get(event.action, ""),
                text=event.text,
                at=event.at,
            )
        )
        if len(made) == BATCH:
            activities.bulk_create(made)
            made = []
    activities.bulk_create(made)


class Migration(migrations.Migration):
    dependencies = [
        ("corpora", "0002_paused_jobs"),
    ]

    operations = [
        migrations.AddField(
            model_name="user",
            name="unmailed",
            field=models.JSONField(blank=True, default=list),
        ),
        migrations.CreateModel(
            name="Activity",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "verb",
                    models.CharField(
                        choices=[
                            ("create", "Created"),
                            ("change", "Changed"),
                            ("delete", "Deleted"),
                            ("invite", "Invited"),
                            ("join", "Joined"),
                            ("role", "Changed a role"),
                            ("remove", "Left or removed"),
                            ("revoke", "Revoked"),
                            ("import", "Imported"),
                            ("export", "Exported"),
                            ("undo", "Took back"),
                            ("drop", "Dropped"),
                            ("start", "Began"),
                            ("finish", "Finished"),
                            ("pause", "Paused"),
                            ("resume", "Resumed"),
                            ("cancel", "Cancelled"),
                            ("retry", "Tried again"),
                            ("assign", "Assigned"),
                            ("write", "Finished writing"),
                            ("review", "Sent to review"),
                            ("reopen", "Sent back"),
                            ("sign_off", "Signed off"),
                            ("freeze", "Froze"),
                            ("plan", "Planned"),
                            ("rank", "Ranked"),
                            ("publish", "Published"),
                            ("extend", "Extended"),
                            ("end", "Ended"),
                            ("approve", "Approved"),
                            ("reject", "Rejected"),
                            ("bonus", "Paid a bonus"),
                            ("settle", "Settled by hand"),
                            ("block", "Excluded"),
                            ("unblock", "Let in again"),
                            ("message", "Wrote to workers"),
                            ("decide", "Decided about answers"),
                            ("adjudicate", "Adjudicated"),
                            ("share", "Shared by link"),
                            ("unshare", "Stopped sharing"),
                        ],
                        max_length=40,
                    ),
                ),
                ("target_kind", models.CharField(blank=True, max_length=24)),
                ("target_id", models.BigIntegerField(null=True)),
                ("label", models.CharField(blank=True, max_length=200)),
                ("text", models.CharField(max_length=300)),
                ("details", models.JSONField(default=dict)),
                (
                    "door",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("page", "Page"),
                            ("rest", "REST"),
                            ("command", "Command"),
                            ("job", "Job"),
                        ],
                        max_length=8,
                    ),
                ),
                ("at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "actor",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="activities",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "project",
                    models.ForeignKey(
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="activities",
                        to="corpora.project",
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "activities",
                "ordering": ["-pk"],
            },
        ),
        migrations.CreateModel(
            name="Notification",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("job_done", "Work that I began is done"),
                            ("job_failed", "Work that I began has failed"),
                            ("members", "My role has changed, or somebody took my invitation up"),
                            ("assigned", "Examples were given to me"),
                            (
                                "comment",
                                "Somebody commented on my units, or closed a comment of mine",
                            ),
                            ("sent_back", "My examples were sent back"),
                            ("review", "Examples wait for my review"),
                            ("answers", "A campaign of mine has answers to decide on"),
                            ("money", "A campaign of mine has come to its cap, or is out of money"),
                        ],
                        max_length=12,
                    ),
                ),
                ("key", models.CharField(max_length=120)),
                ("text", models.CharField(max_length=300)),
                ("target_kind", models.CharField(blank=True, max_length=24)),
                ("target_id", models.BigIntegerField(null=True)),
                ("at", models.DateTimeField(default=django.utils.timezone.now)),
                ("read_at", models.DateTimeField(blank=True, null=True)),
                (
                    "mail",
                    models.CharField(
                        choices=[
                            ("off", "Not wanted"),
                            ("due", "To be sent"),
                            ("sending", "Being sent"),
                            ("sent", "Sent"),
                            ("unsure", "Perhaps sent"),
                            ("failed", "Not sent"),
                        ],
                        default="off",
                        max_length=8,
                    ),
                ),
                ("mail_after", models.DateTimeField(default=django.utils.timezone.now)),
                ("mail_attempts", models.PositiveSmallIntegerField(default=0)),
                (
                    "project",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="notifications",
                        to="corpora.project",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="notifications",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["-at", "-pk"],
            },
        ),
        migrations.AddIndex(
            model_name="activity",
            index=models.Index(fields=["project", "-id"], name="activity_by_project"),
        ),
        migrations.AddIndex(
            model_name="notification",
            index=models.Index(fields=["user", "-at"], name="notification_by_user"),
        ),
        migrations.AddIndex(
            model_name="notification",
            index=models.Index(
                condition=models.Q(("read_at", None)), fields=["user"], name="notification_unread"
            ),
        ),
        migrations.AddIndex(
            model_name="notification",
            index=models.Index(
                condition=models.Q(("mail", "due")), fields=["mail_after"], name="notification_mail"
            ),
        ),
        migrations.AddConstraint(
            model_name="notification",
            constraint=models.UniqueConstraint(fields=("user", "key"), name="notification_once"),
        ),
        migrations.RunPython(copy_events, migrations.RunPython.noop),
        migrations.DeleteModel(
            name="Event",
        ),
    ]
