"""What pages ask of whole sets is answered by indexes: no page should read all rows of a set."""

from django.db import migrations, models
from django.db.models import Q


class Migration(migrations.Migration):
    dependencies = [("units", "0008_double_annotation")]

    operations = [
        migrations.AddIndex(
            model_name="unit",
            index=models.Index(fields=["set", "kind", "is_deleted"], name="unit_by_kind"),
        ),
        migrations.AddIndex(
            model_name="unit",
            index=models.Index(
                fields=["set", "author", "is_deleted", "seconds"], name="unit_by_author"
            ),
        ),
        migrations.AddIndex(
            model_name="sentenceplan",
            index=models.Index(
                fields=["set"], condition=Q(is_human=False), name="sentence_of_stus"
            ),
        ),
    ]
