"""Projects, people, texts, imports and jobs: the tables everything else refers to."""

from annotation.corpora.accounts.models import ApiToken, Attempt, AttemptKind, Key, KeyScope, User
from annotation.corpora.activity.models import Activity, Door, Verb
from annotation.corpora.corpus.models import (
    Document,
    Example,
    Reference,
    Sentence,
    Summary,
    System,
    SystemKind,
)
from annotation.corpora.imports.models import Import, ImportState, KeptFile, Upload
from annotation.corpora.jobs.models import Job, JobLine, JobState, WorkerBeat
from annotation.corpora.notifications.models import MailState, Notification, NotificationKind
from annotation.corpora.projects.models import Invitation, Membership, Project, Role

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
