"""A requester's layouts, for the people who may use the requester."""

from __future__ import annotations

from annotation.crowd.models import HitLayout, Requester
from annotation.errors import NotFound
from annotation.translation import gettext as _


def find_layout(requester: Requester, layout_id: str) -> HitLayout:
    found = requester.layouts.select_related("requester__project").filter(layout_id=layout_id)
    if (layout := found.first()) is None:
        raise NotFound(_("There is no such layout."))
    return layout
