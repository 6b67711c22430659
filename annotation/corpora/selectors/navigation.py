"""The places of a project: six areas of work and the project itself, each with its pages."""

from __future__ import annotations

from dataclasses import dataclass

from django.urls import reverse

from annotation.access import ProjectAccess
from annotation.corpora.models import Project, Role


@dataclass(frozen=True, slots=True)
class Page:
    """One entry of an area. `tab` is what a view calls it; `letter` follows `g` from anywhere."""

    tab: str
    name: str
    url_name: str
    letter: str = ""
    least: Role = Role.VIEWER
    counts: str = ""


AREAS: tuple[tuple[str, tuple[Page, ...]], ...] = (
    (
        "Corpus",
        (
            Page("examples", "Examples", "corpora:examples", "e", counts="example_count"),
            Page("systems", "Systems", "corpora:systems", "s", counts="system_count"),
            Page("imports", "Imports", "corpora:imports", "i"),
        ),
    ),
    (
        "Units",
        (
            Page("units", "Unit sets", "units:sets", "u"),
            Page("easiness", "Easiness", "units:easiness"),
            Page("double", "Double annotation", "units:doubles"),
            Page("plans", "Plans", "evaluation:plans", "b"),
            Page("curves", "Curves", "evaluation:curves_list"),
            Page("samples", "Samples", "evaluation:samples"),
        ),
    ),
    (
        "Crowd",
        (
            Page("crowd", "Campaigns", "crowd:campaigns", "c"),
            Page("quote", "One more system", "evaluation:quote"),
        ),
    ),
    (
        "Gold",
        (
            Page("gold", "Labels and gold", "evaluation:gold", "l"),
            Page("whatif", "What-if", "evaluation:whatif", "w"),
            Page("contested", "Contested", "evaluation:contested"),
            Page("crowd_size", "Crowd size", "evaluation:crowd_size"),
            Page("workers", "Workers", "evaluation:workers", least=Role.EDITOR),
        ),
    ),
    (
        "Scores",
        (
            Page("runs", "Runs", "evaluation:runs", "r"),
            Page("judges", "Judges", "evaluation:trained_judges"),
            Page("estimates", "Estimates", "evaluation:estimates"),
            Page("metrics", "Metrics", "evaluation:score_sets", "k"),
            Page("disagreements", "Disagreements", "evaluation:metric_disagreements"),
            Page("robustness", "Robustness", "evaluation:robustness_list"),
        ),
    ),
    ("Reports", (Page("reports", "Reports", "evaluation:reports", "f"),)),
    (
        "Project",
        (
            Page("overview", "Overview", "corpora:project", "o"),
            Page("jobs", "Jobs", "corpora:jobs", "j"),
            Page("members", "Members", "corpora:members", "m"),
            Page("activity", "Activity", "corpora:activity", "v", least=Role.EDITOR),
            Page("settings", "Settings", "corpora:project_settings", "t", least=Role.OWNER),
        ),
    ),
)


@dataclass(frozen=True, slots=True)
class Link:
    """A page of an area as somebody sees it; `key` is pressed after `g`."""

    name: str
    url: str
    key: str
    is_here: bool
    count: int | None


@dataclass(frozen=True, slots=True)
class Place:
    """An area; its own link leads to the first of its pages."""

    name: str
    links: tuple[Link, ...]
    is_here: bool


def list_places(access: ProjectAccess, tab: str) -> list[Place]:
    """The areas in their order. In the area of `tab`, a number also leads to each page."""
    return [
        Place(name, _list_links(access, pages, tab), any(page.tab == tab for page in pages))
        for name, pages in AREAS
    ]


def _list_links(access: ProjectAccess, pages: tuple[Page, ...], tab: str) -> tuple[Link, ...]:
    shown = [page for page in pages if access.allows(page.least)]
    is_here = any(page.tab == tab for page in pages)
    return tuple(
        _make_link(access.project, page, tab, number if is_here else None)
        for number, page in enumerate(shown, start=1)
    )


def _make_link(project: Project, page: Page, tab: str, number: int | None) -> Link:
    return Link(
        page.name,
        reverse(page.url_name, args=[project.slug]),
        page.letter or (str(number) if number else ""),
        page.tab == tab,
        getattr(project, page.counts) if page.counts else None,
    )
