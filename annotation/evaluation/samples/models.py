"""Examples that were drawn to be annotated, and the population that they were drawn from."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.utils.translation import gettext as _

from annotation import clock
from annotation.corpora.corpus.models import Example
from annotation.corpora.projects.models import Project
from annotation.crowd.campaigns.models import Campaign
from annotation.translation import gettext_lazy


class Sample(models.Model):
    """A draw by difficulty; never changed once it is made.

    `sources` are the scores that it was drawn by, in the order of drawing: key, name, title,
    whether less is better, signature and hash; what is deleted afterwards stays named here.
    `clashes` are examples that a later source would have drawn again, `left_out` the keys of
    examples that lack a score. `chances` says how inclusion chances were told.
    """

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="samples")
    sources = models.JSONField(default=list)
    options = models.JSONField(
        default=dict, help_text=gettext_lazy("Bins, examples per bin, seed.")
    )
    chances = models.JSONField(
        default=dict, help_text=gettext_lazy("Method, draws and standard error.")
    )
    counts = models.JSONField(default=dict)
    clashes = models.JSONField(default=list)
    left_out = models.JSONField(default=list)
    signature = models.CharField(max_length=1000)
    campaigns = models.ManyToManyField(Campaign, related_name="samples", blank=True)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    created_at = models.DateTimeField(default=clock.now)

    class Meta:
        ordering = ["-created_at", "-pk"]

    def __str__(self) -> str:
        size, population = self.counts.get("drawn", 0), self.counts.get("population", 0)
        return _("Sample {pk}: {size:,} of {population:,} examples").format(
            pk=self.pk, size=size, population=population
        )


class SampledExample(models.Model):
    """An example of the population: its chance, and by what it was drawn if it was.

    `means` and `bins` go by source: the mean score of all systems, and the bin, 1 the hardest.
    """

    sample = models.ForeignKey(
        Sample, on_delete=models.CASCADE, related_name="rows", db_index=False
    )
    example = models.ForeignKey(Example, on_delete=models.CASCADE, related_name="sampled")
    chance = models.FloatField()
    means = models.JSONField()
    bins = models.JSONField()
    drawn = models.PositiveIntegerField(
        null=True, help_text=gettext_lazy("Its place in the draw, from 1.")
    )
    source = models.PositiveSmallIntegerField(
        null=True, help_text=gettext_lazy("The place of its source.")
    )

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["sample", "example"], name="sampled_once")
        ]

    def __str__(self) -> str:
        return _("example {example_id} of sample {sample_id}").format(
            example_id=self.example_id, sample_id=self.sample_id
        )

    @property
    def bin(self) -> int | None:
        """That of the source which drew it."""
        return None if self.source is None else self.bins[self.source]
