"""The places of a project: six areas of work and the project itself, each with its pages."""

from __future__ import annotations

from dataclasses import dataclass

from django.urls import reverse

from annotation.access import ProjectAccess
from annotation.corpora.projects.models import Project, Role
from annotation.translation import gettext_lazy


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
        gettext_lazy("Corpus"),
        (
            Page(
                "examples",
                gettext_lazy("Examples"),
                "corpora:examples",
                "e",
                counts="example_count",
            ),
            Page("systems", gettext_lazy("Systems"), "corpora:systems", "s", counts="system_count"),
            Page("imports", gettext_lazy("Imports"), "corpora:imports", "i"),
        ),
    ),
    (
        gettext_lazy("Units"),
        (
            Page("units", gettext_lazy("Unit sets"), "units:sets", "u"),
            Page("easiness", gettext_lazy("Easiness"), "units:easiness"),
            Page("double", gettext_lazy("Double annotation"), "units:doubles"),
            Page("plans", gettext_lazy("Plans"), "evaluation:plans", "b"),
            Page("curves", gettext_lazy("Curves"), "evaluation:curves_list"),
            Page("samples", gettext_lazy("Samples"), "evaluation:samples"),
        ),
    ),
    (
        gettext_lazy("Crowd"),
        (
            Page("crowd", gettext_lazy("Campaigns"), "crowd:campaigns", "c"),
            Page("quote", gettext_lazy("One more system"), "evaluation:quote"),
        ),
    ),
    (
        gettext_lazy("Gold"),
        (
            Page("gold", gettext_lazy("Labels and gold"), "evaluation:gold", "l"),
            Page("whatif", "What-if", "evaluation:whatif", "w"),
            Page("contested", gettext_lazy("Contested"), "evaluation:contested"),
            Page("crowd_size", gettext_lazy("Crowd size"), "evaluation:crowd_size"),
            Page("workers", gettext_lazy("Workers"), "evaluation:workers", least=Role.EDITOR),
        ),
    ),
    (
        gettext_lazy("Scores"),
        (
            Page("runs", gettext_lazy("Runs"), "evaluation:runs", "r"),
            Page("judges", gettext_lazy("Judges"), "evaluation:trained_judges"),
            Page("estimates", gettext_lazy("Estimates"), "evaluation:estimates"),
            Page("metrics", gettext_lazy("Metrics"), "evaluation:score_sets", "k"),
            Page("disagreements", gettext_lazy("Disagreements"), "evaluation:metric_disagreements"),
            Page("robustness", gettext_lazy("Robustness"), "evaluation:robustness_list"),
        ),
    ),
    (
        gettext_lazy("Reports"),
        (Page("reports", gettext_lazy("Reports"), "evaluation:reports", "f"),),
    ),
    (
        gettext_lazy("Project"),
        (
            Page("overview", gettext_lazy("Overview"), "corpora:project", "o"),
            Page("jobs", gettext_lazy("Jobs"), "corpora:jobs", "j"),
            Page("members", gettext_lazy("Members"), "corpora:members", "m"),
            Page("activity", gettext_lazy("Activity"), "corpora:activity", "v", least=Role.EDITOR),
            Page(
                "settings",
                gettext_lazy("Settings"),
                "corpora:project_settings",
                "t",
                least=Role.OWNER,
            ),
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
