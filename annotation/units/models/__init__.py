"""Content units, the sets they belong to, who writes and who checks them."""

from annotation.units.models.peers import Peer, PeerMark
from annotation.units.models.review import (
    Assignment,
    AssignmentState,
    Comment,
    CommentState,
    Presence,
)
from annotation.units.models.sets import SetState, StudioSettings, UnitSet, Weighting
from annotation.units.models.units import Change, Contributor, Unit, UnitKind

__all__ = [
    "Assignment",
    "AssignmentState",
    "Change",
    "Comment",
    "CommentState",
    "Contributor",
    "Peer",
    "PeerMark",
    "Presence",
    "SetState",
    "StudioSettings",
    "Unit",
    "UnitKind",
    "UnitSet",
    "Weighting",
]
