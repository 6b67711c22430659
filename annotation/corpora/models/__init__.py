"""Projects, people, texts, imports and jobs: the tables everything else refers to."""

from annotation.corpora.models.accounts import ApiToken, User
from annotation.corpora.models.activity import Activity, Door, Verb
from annotation.corpora.models.attempts import Attempt, AttemptKind
from annotation.corpora.models.beats import WorkerBeat
from annotation.corpora.models.corpus import (
    Document,
    Example,
    Reference,
    Sentence,
    Summary,
    System,
    SystemKind,
)
from annotation.corpora.models.imports import Import, ImportState, KeptFile, Upload
from annotation.corpora.models.jobs import Job, JobLine, JobState
from annotation.corpora.models.keys import Key, KeyScope
from annotation.corpora.models.notifications import MailState, Notification, NotificationKind
from annotation.corpora.models.projects import Invitation, Membership, Project, Role

__all__ = [
    "Activity",
    "ApiToken",
    "Attempt",
    "AttemptKind",
    "Document",
    "Door",
    "Example",
    "Import",
    "ImportState",
    "Invitation",
    "Job",
    "JobLine",
    "JobState",
    "KeptFile",
    "Key",
    "KeyScope",
    "MailState",
    "Membership",
    "Notification",
    "NotificationKind",
    "Project",
    "Reference",
    "Role",
    "Sentence",
    "Summary",
    "System",
    "SystemKind",
    "Upload",
    "User",
    "Verb",
    "WorkerBeat",
]
