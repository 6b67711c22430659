"""Content units, the sets they belong to, who writes and who checks them."""

from annotation.units.double.models import DoubleAnnotation, DoubleAuthor
from annotation.units.sets.models import (
    Change,
    Contributor,
    Peer,
    PeerMark,
    SetState,
    StudioSettings,
    Unit,
    UnitKind,
    UnitSet,
    Weighting,
)
from annotation.units.studio.models import (
    Assignment,
    AssignmentState,
    Comment,
    CommentState,
    Presence,
)
from annotation.units.stus.models import EasinessModel, EasinessTarget, SentencePlan

__all__ = [
    "Assignment",
    "AssignmentState",
    "Change",
    "Comment",
    "CommentState",
    "Contributor",
    "DoubleAnnotation",
    "DoubleAuthor",
    "EasinessModel",
    "EasinessTarget",
    "Peer",
    "PeerMark",
    "Presence",
    "SentencePlan",
    "SetState",
    "StudioSettings",
    "Unit",
    "UnitKind",
    "UnitSet",
    "Weighting",
]
