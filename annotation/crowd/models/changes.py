"""By what pages know whether a campaign's rows are as they were when they were last summed up."""

from __future__ import annotations

from typing import ClassVar

from django.db import models

from annotation.translation import gettext as _
from annotation.translation import gettext_lazy


class ChangeKind(models.TextChoices):
    HITS = "hits", "HITs"
    ANSWERS = "answers", gettext_lazy("Assignments")
    BOOKS = "books", gettext_lazy("Ledger")


class CampaignChange(models.Model):
    """Written by the database alone: see `annotation/change_marks.py`.

    `campaign` is an id without a foreign key: whoever writes rows of a campaign waits for nobody
    who holds it. Two writers at the same time leave two rows of a kind.
    """

    campaign = models.BigIntegerField()
    kind = models.CharField(max_length=7, choices=ChangeKind.choices)
    mark = models.UUIDField()

    class Meta:
        indexes: ClassVar = [models.Index(fields=["campaign", "kind"], name="change_of_campaign")]

    def __str__(self) -> str:
        return _("{kind} of campaign {campaign}").format(kind=self.kind, campaign=self.campaign)
