"""How far campaigns are is read off indexes: no page should read every HIT for it."""

from django.db import migrations, models
from django.db.models import F, Q


class Migration(migrations.Migration):
    dependencies = [("crowd", "0017_caps_limits_and_places")]

    operations = [
        migrations.RemoveIndex(model_name="hit", name="hit_by_state"),
        migrations.RemoveIndex(model_name="assignment", name="assignment_by_state"),
        migrations.AddIndex(
            model_name="hit",
            index=models.Index(
                fields=["campaign", "state", "wanted", "collected", "decided"], name="hit_counts"
            ),
        ),
        migrations.AddIndex(
            model_name="hit",
            index=models.Index(
                fields=["campaign"], condition=Q(decided__lt=F("wanted")), name="hit_unfinished"
            ),
        ),
        migrations.AddIndex(
            model_name="hit",
            index=models.Index(
                fields=["campaign"], condition=~Q(shown="") & Q(part=0), name="hit_cleaned"
            ),
        ),
        migrations.AddIndex(
            model_name="hit",
            index=models.Index(
                "campaign", (F("wanted") - F("collected")).desc(), "id", name="hit_outstanding"
            ),
        ),
        migrations.AddIndex(
            model_name="assignment",
            index=models.Index(
                fields=["campaign", "state", "auto_approve_at", "id"], name="assignment_to_review"
            ),
        ),
        migrations.AddIndex(
            model_name="assignment",
            index=models.Index(fields=["campaign", "submitted_at"], name="assignment_by_time"),
        ),
        migrations.AddIndex(
            model_name="assignment",
            index=models.Index(fields=["campaign", "worker"], name="assignment_of_worker"),
        ),
    ]
