"""Projects, people, texts, imports and jobs: the tables everything else refers to."""

from annotation.corpora.models.accounts import ApiToken, User
from annotation.corpora.models.attempts import Attempt, AttemptKind
from annotation.corpora.models.corpus import (
    Document,
    Example,
    Reference,
    Sentence,
    Summary,
    System,
    SystemKind,
)
from annotation.corpora.models.imports import Import, ImportState, KeptFile
from annotation.corpora.models.jobs import Job, JobLine, JobState
from annotation.corpora.models.projects import Event, Invitation, Membership, Project, Role

__all__ = [
    "ApiToken",
    "Attempt",
    "AttemptKind",
    "Document",
    "Event",
    "Example",
    "Import",
    "ImportState",
    "Invitation",
    "Job",
    "JobLine",
    "JobState",
    "KeptFile",
    "Membership",
    "Project",
    "Reference",
    "Role",
    "Sentence",
    "Summary",
    "System",
    "SystemKind",
    "User",
]
