"""How hard each sentence is to do without a person, who writes it, and models that foretell it."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext as _

from annotation import clock
from annotation.corpora.corpus.models import Sentence
from annotation.corpora.jobs.models import Job, JobState
from annotation.corpora.projects.models import Project
from annotation.translation import gettext_lazy
from annotation.units.sets.models import UnitSet


class EasinessTarget(models.TextChoices):
    EASINESS = "easiness", gettext_lazy("Easiness: how similar STUs are to the SCUs")
    DAMAGE = "damage", gettext_lazy("Damage: how much system scores change when STUs replace SCUs")


class EasinessModel(models.Model):
    """One version of a regressor that learned from a set of SCUs and a set of STUs.

    `card` says how good it is where it was held out, and `file` is the regressor itself; both are
    empty until it is ready. Sets that are deleted afterwards stay named in `learned_from`.
    """

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="easiness_models")
    name = models.CharField(max_length=80)
    version = models.PositiveIntegerField()
    regressor = models.CharField(max_length=40)
    target = models.CharField(
        max_length=8, choices=EasinessTarget.choices, default=EasinessTarget.EASINESS
    )
    scus = models.ForeignKey(UnitSet, null=True, on_delete=models.SET_NULL, related_name="+")
    stus = models.ForeignKey(UnitSet, null=True, on_delete=models.SET_NULL, related_name="+")
    learned_from = models.CharField(max_length=300)
    folds = models.PositiveSmallIntegerField(default=5)
    seed = models.PositiveIntegerField(default=0)
    card = models.JSONField(default=dict)
    file = models.JSONField(default=dict)
    job = models.ForeignKey(Job, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    is_ready = models.BooleanField(default=False)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    created_at = models.DateTimeField(default=clock.now)

    class Meta:
        ordering = ["-created_at", "-pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["project", "name", "version"], name="easiness_model_once"
            )
        ]

    def __str__(self) -> str:
        return f"{self.name}@{self.version}"

    @property
    def is_moving(self) -> bool:
        """Whether its page can change by itself."""
        waits = (JobState.QUEUED, JobState.RUNNING)
        return not self.is_ready and self.job is not None and self.job.state in waits


class SentencePlan(models.Model):
    """How hard a reference sentence is foretold to be, and whether a person writes its units.

    Without a plan every sentence is a person's. Of a sentence that is not, the set has STUs.
    `model` names the regressor with its version. `left_at` says when a sentence that was a
    person's was left to STUs, so that it can be given back.
    """

    set = models.ForeignKey(
        UnitSet, on_delete=models.CASCADE, related_name="sentence_plans", db_index=False
    )
    sentence = models.ForeignKey(Sentence, on_delete=models.CASCADE, related_name="+")
    difficulty = models.FloatField()
    is_human = models.BooleanField(default=True)
    model = models.CharField(max_length=200, blank=True)
    left_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-difficulty", "pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["set", "sentence"], name="sentence_planned_once")
        ]
        indexes: ClassVar = [
            models.Index(fields=["set", "-difficulty"], name="sentence_hardest"),
            models.Index(fields=["set"], condition=Q(is_human=False), name="sentence_of_stus"),
        ]

    def __str__(self) -> str:
        return _("sentence {sentence_id} of {set_id}: {difficulty:.3f}").format(
            sentence_id=self.sentence_id, set_id=self.set_id, difficulty=self.difficulty
        )
