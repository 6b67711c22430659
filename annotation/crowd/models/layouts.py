"""Pages of a requester with placeholders, from which HITs are created."""

from __future__ import annotations

from django.db import models

from annotation import clock
from annotation.crowd.models.accounts import Requester, make_id


class HitLayout(models.Model):
    """A HIT keeps the page as it was filled, so that a change of its layout changes no HIT."""

    requester = models.ForeignKey(Requester, on_delete=models.CASCADE, related_name="layouts")
    layout_id = models.CharField(max_length=30, unique=True, default=make_id)
    name = models.CharField(max_length=120)
    html = models.TextField()
    frame_height = models.PositiveIntegerField(default=0)
    created_at = models.DateTimeField(default=clock.now)
    updated_at = models.DateTimeField(default=clock.now)

    class Meta:
        ordering = ["name", "pk"]

    def __str__(self) -> str:
        return self.name
