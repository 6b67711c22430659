"""Projects as their members see them: lists, the overview's stages, the next thing to do."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from django.core import signing
from django.db.models import Case, F, IntegerField, QuerySet, Value, When
from django.urls import reverse
from django.utils.translation import gettext as _

from annotation.access import ProjectAccess
from annotation.corpora.accounts.models import User
from annotation.corpora.activity.models import Activity
from annotation.corpora.corpus.models import System, SystemKind
from annotation.corpora.imports.models import Import, ImportState
from annotation.corpora.jobs.models import Job, JobState
from annotation.corpora.projects.models import (
    INVITATION_SALT,
    Invitation,
    Membership,
    Project,
    Role,
)
from annotation.wording import counted

# Where somebody without a project is at home; later apps add to it.
HOMES: list[Callable[[User], str | None]] = []


def find_home(user: User) -> str | None:
    return next((home for home in (find(user) for find in HOMES) if home), None)


def list_projects(user: User) -> QuerySet[Project]:
    """The user's projects, each with the user's role in it."""
    return (
        Project.objects.filter(memberships__user=user)
        .annotate(my_role=F("memberships__role"))
        .order_by("name", "pk")
    )


def list_members(project: Project) -> QuerySet[Membership]:
    """Owners first, then by rank of role and by name."""
    ranks = [When(role=role, then=Value(role.rank)) for role in Role]
    return (
        Membership.objects.filter(project=project)
        .select_related("user")
        .annotate(rank=Case(*ranks, output_field=IntegerField()))
        .order_by("-rank", "user__name", "pk")
    )


def list_open_invitations(project: Project) -> QuerySet[Invitation]:
    return Invitation.objects.open().filter(project=project)


def get_invitation(token: str) -> Invitation | None:
    try:
        pk = signing.Signer(salt=INVITATION_SALT).unsign(token)
    except signing.BadSignature:
        return None
    return Invitation.objects.select_related("project", "created_by").filter(pk=pk).first()


def list_latest(project: Project, limit: int = 12) -> list[Activity]:
    return list(project.activities.select_related("actor")[:limit])


def list_active_jobs(project: Project) -> list[Job]:
    return list(project.jobs.filter(state__in=[JobState.QUEUED, JobState.RUNNING])[:5])


@dataclass(frozen=True, slots=True)
class Stage:
    """One step of the pyramid workflow, as the overview shows it."""

    name: str
    figure: str
    caption: str
    state: str
    url: str | None = None


@dataclass(frozen=True, slots=True)
class NextStep:
    title: str
    detail: str
    label: str
    url: str
    key: str = "n"


# Later apps describe their stage here.
STAGES: dict[str, Callable[[Project], Stage]] = {}
# What a person can do next, in the order in which it is asked; the last app writes it down.
NEXT_STEPS: list[Callable[[ProjectAccess], NextStep | None]] = []


def list_stages(project: Project) -> list[Stage]:
    """Corpus ▸ Units ▸ Plan ▸ Crowd ▸ Gold ▸ Scores ▸ Report, with what there is of each."""
    later = {
        "units": Stage(_("Units"), _("None yet"), _("Facts written from the references"), "later"),
        "plan": Stage(_("Plan"), "—", _("Which sentences need a person"), "later"),
        "crowd": Stage(_("Crowd"), "—", _("People judge presence"), "later"),
        "gold": Stage(_("Gold"), "—", _("Labels a paper can rely on"), "later"),
        "scores": Stage(_("Scores"), "—", _("People and models, per system"), "later"),
        "report": Stage(_("Report"), "—", _("Correlation with human scores"), "later"),
    }
    told = [STAGES[key](project) if key in STAGES else stage for key, stage in later.items()]
    return _mark_skipped([_corpus_stage(project), *told])


def _mark_skipped(stages: list[Stage]) -> list[Stage]:
    """A stage without anything in it is not to come if a later one is done."""
    last = max((place for place, stage in enumerate(stages) if stage.state == "done"), default=-1)
    return [
        replace(stage, state="skipped") if stage.state == "later" and place < last else stage
        for place, stage in enumerate(stages)
    ]


def _corpus_stage(project: Project) -> Stage:
    has_corpus = project.example_count > 0
    summaries = _("{summaries} by {systems}").format(
        summaries=counted(project.summary_count, "summary", "summaries"),
        systems=counted(project.system_count, "system", "systems"),
    )
    return Stage(
        _("Corpus"),
        counted(project.example_count, "example", "examples") if has_corpus else _("Empty"),
        summaries if has_corpus else _("Documents, references, summaries"),
        "done" if has_corpus else "current",
        reverse("corpora:examples", args=[project.slug]),
    )


def get_next_step(access: ProjectAccess) -> NextStep:
    """The one thing that this person can do now to move the project on."""
    project = access.project
    if waiting := _waiting_import(access):
        return waiting
    if project.example_count == 0:
        return _first_step(access)
    for find in NEXT_STEPS:
        if step := find(access):
            return step
    return _job_in_progress(project) or NextStep(
        _("Read the examples"),
        _("Compare each reference, sentence by sentence, with every system's summary."),
        _("Open examples"),
        reverse("corpora:examples", args=[project.slug]),
    )


def _job_in_progress(project: Project) -> NextStep | None:
    jobs = list_active_jobs(project)
    if not jobs:
        return None
    url = reverse("corpora:job", args=[project.slug, jobs[0].pk])
    detail = _("It is in progress. You can leave this page; the job continues.")
    return NextStep(jobs[0].title, detail, _("Open job"), url)


def _waiting_import(access: ProjectAccess) -> NextStep | None:
    if not access.can_edit:
        return None
    import_ = access.project.imports.filter(
        state__in=[
            ImportState.CHECKING,
            ImportState.READY,
            ImportState.WRITING,
            ImportState.FAILED,
        ]
    ).first()
    if import_ is None:
        return None
    url = reverse("corpora:import", args=[access.project.slug, import_.pk])
    if import_.state == ImportState.READY:
        detail = _("No problems were found. Check what will be created, then import it.")
        return NextStep(
            _("{import_} is ready").format(import_=import_.name), detail, _("Review import"), url
        )
    if import_.state == ImportState.FAILED:
        detail = _("See what went wrong, then retry it or import other files.")
        return NextStep(
            _("{import_} failed").format(import_=import_.name), detail, _("Open import"), url
        )
    detail = _("You can leave this page; the check continues.")
    return NextStep(
        _("{import_} is being checked").format(import_=import_.name), detail, _("Open import"), url
    )


def _first_step(access: ProjectAccess) -> NextStep:
    slug = access.project.slug
    if access.can_edit:
        return NextStep(
            _("Import a corpus"),
            _(
                "Documents, references and the systems' summaries, as a zip archive, files or "
                "JSONL."
            ),
            _("Import corpus"),
            reverse("corpora:create_import", args=[slug]),
        )
    return NextStep(
        _("No corpus yet"),
        _("Only owners and editors can import it."),
        _("Show members"),
        reverse("corpora:members", args=[slug]),
    )


def count_systems_by_kind(project: Project) -> list[tuple[str, int]]:
    kinds = Counter(System.objects.live().filter(project=project).values_list("kind", flat=True))
    return [(kind.label, kinds[kind.value]) for kind in SystemKind if kinds[kind.value]]


def counts_of(project: Project) -> dict[str, int]:
    return {
        "examples": project.example_count,
        "references": project.reference_count,
        "systems": project.system_count,
        "summaries": project.summary_count,
    }


def list_imports(project: Project) -> QuerySet[Import]:
    return project.imports.select_related("created_by", "job")


def get_plan(import_: Import) -> dict[str, Any]:
    """The plan with every key that a page or client reads, whatever the state."""
    empty: dict[str, Any] = {
        "format": import_.format,
        "counts": {},
        "problems": [],
        "problem_count": 0,
        "columns": [],
        "warnings": [],
        "notes": [],
        "kept": [],
        "sample": [],
        "empty_summaries": 0,
    }
    return {**empty, **import_.plan}
