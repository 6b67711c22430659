"""The texts of a study: documents, references by sentence, systems and their summaries.

Rows arrive through an import and stay hidden until that import is done; `live()` is what
pages and REST read. Hiding by import makes "all or nothing" one committed row, however
many rows the import wrote before it.
"""

from __future__ import annotations

from typing import ClassVar, Self, TypeVar

from django.db import models
from django.utils.translation import gettext as _

from annotation.corpora.imports.models import Import
from annotation.corpora.projects.models import Project
from annotation.translation import gettext_lazy

M = TypeVar("M", bound=models.Model)


class SystemKind(models.TextChoices):
    EXTRACTIVE = "extractive", gettext_lazy("Extractive")
    ABSTRACTIVE = "abstractive", gettext_lazy("Abstractive")
    HUMAN = "human", gettext_lazy("Human")
    OTHER = "other", gettext_lazy("Other")


class CorpusQuerySet(models.QuerySet[M]):
    def live(self) -> Self:
        """Leave out rows that an unfinished import has brought."""
        return self.exclude(source__in=Import.objects.unfinished().values("pk"))


class System(models.Model):
    """What produced a summary; `summary_count` is kept by the import services."""

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="systems")
    source = models.ForeignKey(Import, on_delete=models.CASCADE, related_name="systems")
    name = models.CharField(max_length=200)
    kind = models.CharField(max_length=12, choices=SystemKind.choices, default=SystemKind.OTHER)
    summary_count = models.PositiveIntegerField(default=0)

    objects: ClassVar = CorpusQuerySet["System"].as_manager()

    class Meta:
        ordering = ["name", "pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["project", "name"], name="system_name_once_per_project")
        ]

    def __str__(self) -> str:
        return self.name


class Example(models.Model):
    """One input: source documents, references and what each system made of them."""

    project = models.ForeignKey(
        Project, on_delete=models.CASCADE, related_name="examples", db_index=False
    )
    source = models.ForeignKey(
        Import, on_delete=models.CASCADE, related_name="examples", db_index=False
    )
    key = models.CharField(max_length=200)
    position = models.PositiveIntegerField()

    objects: ClassVar = CorpusQuerySet["Example"].as_manager()

    class Meta:
        ordering = ["position", "pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["project", "key"], name="example_key_once_per_project")
        ]
        indexes: ClassVar = [
            models.Index(fields=["project", "position"], name="example_by_position")
        ]

    def __str__(self) -> str:
        return self.key


class Document(models.Model):
    example = models.ForeignKey(
        Example, on_delete=models.CASCADE, related_name="documents", db_index=False
    )
    position = models.PositiveIntegerField()
    text = models.TextField()

    class Meta:
        ordering = ["position"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["example", "position"], name="document_by_position")
        ]

    def __str__(self) -> str:
        return _("document {position} of {example_id}").format(
            position=self.position + 1, example_id=self.example_id
        )


class Reference(models.Model):
    """A reference summary, exactly as it came, marks included.

    `sentences_given` says that the source named its sentences; else our splitter did.
    """

    example = models.ForeignKey(
        Example, on_delete=models.CASCADE, related_name="references", db_index=False
    )
    position = models.PositiveIntegerField()
    name = models.CharField(max_length=200, blank=True)
    text = models.TextField()
    sentences_given = models.BooleanField(default=False)

    class Meta:
        ordering = ["position"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["example", "position"], name="reference_by_position")
        ]

    def __str__(self) -> str:
        return _("reference {position} of {example_id}").format(
            position=self.position + 1, example_id=self.example_id
        )


class Sentence(models.Model):
    """A reference sentence as a half-open range of characters of its reference's text."""

    reference = models.ForeignKey(
        Reference, on_delete=models.CASCADE, related_name="sentences", db_index=False
    )
    position = models.PositiveIntegerField()
    start = models.PositiveIntegerField()
    end = models.PositiveIntegerField()

    class Meta:
        ordering = ["position"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["reference", "position"], name="sentence_by_position")
        ]

    def __str__(self) -> str:
        return _("sentence {position} of reference {reference_id}").format(
            position=self.position + 1, reference_id=self.reference_id
        )

    @property
    def text(self) -> str:
        return self.reference.text[self.start : self.end]


class Summary(models.Model):
    example = models.ForeignKey(
        Example, on_delete=models.CASCADE, related_name="summaries", db_index=False
    )
    system = models.ForeignKey(System, on_delete=models.CASCADE, related_name="summaries")
    source = models.ForeignKey(
        Import, on_delete=models.CASCADE, related_name="summaries", db_index=False
    )
    text = models.TextField(blank=True)

    objects: ClassVar = CorpusQuerySet["Summary"].as_manager()

    class Meta:
        verbose_name_plural = "summaries"
        ordering = ["example_id", "system_id"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["example", "system"], name="summary_once_per_example_and_system"
            )
        ]

    def __str__(self) -> str:
        return _("summary of {example_id} by {system_id}").format(
            example_id=self.example_id, system_id=self.system_id
        )
