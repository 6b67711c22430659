"""Content units, the sets they belong to, who writes and who checks them."""

from annotation.units.models.double import DoubleAnnotation, DoubleAuthor
from annotation.units.models.easiness import EasinessModel, EasinessTarget, SentencePlan
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
