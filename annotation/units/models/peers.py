"""A summary that somebody has searched for the units of a set, and where it carries them."""

from __future__ import annotations

from typing import ClassVar

from django.db import models

from annotation.corpora.models import Example
from annotation.translation import gettext as _
from annotation.units.models.sets import UnitSet
from annotation.units.models.units import Unit


class Peer(models.Model):
    """A peer summary of an example, as it came with its marks.

    Its name may be that of a system of the project, but need not: pyramids of DUC and TAC number
    their peers.
    """

    set = models.ForeignKey(UnitSet, on_delete=models.CASCADE, related_name="peers")
    example = models.ForeignKey(Example, on_delete=models.CASCADE, related_name="+")
    name = models.CharField(max_length=200)
    text = models.TextField(blank=True)

    class Meta:
        ordering = ["name", "pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["set", "example", "name"], name="peer_once_per_example")
        ]

    def __str__(self) -> str:
        return self.name


class PeerMark(models.Model):
    """Ranges of a peer's text that say together what a unit says; without a unit, what none does.

    `spans` are pairs of start and end. `position` counts the marks of a peer.
    """

    peer = models.ForeignKey(Peer, on_delete=models.CASCADE, related_name="marks")
    unit = models.ForeignKey(Unit, null=True, on_delete=models.CASCADE, related_name="peer_marks")
    position = models.PositiveIntegerField()
    spans = models.JSONField(default=list)

    class Meta:
        ordering = ["position", "pk"]

    def __str__(self) -> str:
        return _("mark {position} of peer {peer_id}").format(
            position=self.position + 1, peer_id=self.peer_id
        )
