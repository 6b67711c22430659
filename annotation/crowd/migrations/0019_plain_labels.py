"""Labels and help texts in plain English; nothing in the database changes."""

from django.db import migrations, models

import annotation.crowd.market.models_accounts


class Migration(migrations.Migration):
    dependencies = [
        ("crowd", "0018_hit_counts"),
    ]

    operations = [
        migrations.AlterField(
            model_name="campaign",
            name="approve_rule",
            field=models.CharField(
                choices=[
                    ("off", "None: every assignment is reviewed"),
                    ("deadline", "Shortly before the deadline, if nobody has decided"),
                    ("gold", "Immediately, if every attention item is correct"),
                    ("all", "Immediately, if every statement is answered"),
                ],
                default="deadline",
                max_length=8,
            ),
        ),
        migrations.AlterField(
            model_name="campaign",
            name="budget",
            field=annotation.crowd.market.models_accounts.Money(
                help_text="The campaign never spends more than this."
            ),
        ),
        migrations.AlterField(
            model_name="campaign",
            name="cap_follows",
            field=models.BooleanField(
                default=False, help_text="Whether a draft's budget follows its cost."
            ),
        ),
        migrations.AlterField(
            model_name="campaign",
            name="most_per_worker",
            field=models.PositiveIntegerField(
                blank=True, help_text="Maximum HITs per worker. Empty: no limit.", null=True
            ),
        ),
        migrations.AlterField(
            model_name="campaign",
            name="seconds_per_statement",
            field=models.FloatField(blank=True, help_text="From a timed preview.", null=True),
        ),
        migrations.AlterField(
            model_name="hit",
            name="again",
            field=models.PositiveIntegerField(
                default=0, help_text="Extra assignments that replace rejected or dropped work."
            ),
        ),
        migrations.AlterField(
            model_name="intent",
            name="kind",
            field=models.CharField(
                choices=[
                    ("publish", "Publish HIT"),
                    ("extend", "More assignments"),
                    ("approve", "Approve"),
                    ("reject", "Reject"),
                    ("bonus", "Bonus"),
                    ("overturn", "Overturn rejection"),
                    ("release", "Release unused budget"),
                ],
                max_length=8,
            ),
        ),
        migrations.AlterField(
            model_name="marketassignment",
            name="status",
            field=models.CharField(
                choices=[
                    ("Accepted", "In progress"),
                    ("Submitted", "Submitted"),
                    ("Approved", "Approved"),
                    ("Rejected", "Rejected"),
                    ("Returned", "Returned"),
                    ("Abandoned", "Timed out"),
                    ("Late", "Submitted late"),
                ],
                default="Accepted",
                max_length=9,
            ),
        ),
        migrations.AlterField(
            model_name="marketentry",
            name="kind",
            field=models.CharField(
                choices=[
                    ("deposit", "Deposit"),
                    ("reward", "Reward"),
                    ("bonus", "Bonus"),
                    ("fee", "Fee"),
                    ("payout", "Payout"),
                ],
                max_length=8,
            ),
        ),
        migrations.AlterField(
            model_name="prolificsession",
            name="status",
            field=models.CharField(
                choices=[
                    ("started", "In progress"),
                    ("submitted", "Submitted"),
                    ("released", "Returned or timed out"),
                    ("rejected", "Rejected"),
                ],
                default="started",
                max_length=9,
            ),
        ),
    ]
