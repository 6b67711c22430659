"""Six areas and the project: every page has its place, and a role sees what it may open."""

from __future__ import annotations

import ast
from collections import Counter
from pathlib import Path

import pytest
from django.test import Client

from annotation.access import ProjectAccess
from annotation.corpora.projects.models import Project, Role
from annotation.corpora.projects.navigation import AREAS, list_places

NAMES = ["Corpus", "Units", "Crowd", "Gold", "Scores", "Reports", "Project"]
PAGES = [(area, page) for area, pages in AREAS for page in pages]
# Pages of a project that belong to none of its areas.
ELSEWHERE = {"search", "error"}


def test_it_has_one_place_for_each_page() -> None:
    assert [name for name, _ in AREAS] == NAMES
    tabs = Counter(page.tab for _, page in PAGES)
    letters = Counter(page.letter for _, page in PAGES if page.letter)
    assert set(tabs.values()) == set(letters.values()) == {1}


def test_every_view_names_a_place() -> None:
    known = {page.tab for _, page in PAGES} | ELSEWHERE
    named = {tab for path in Path("annotation").rglob("*.py") for tab in find_tabs(path)}
    assert named <= known
    assert {"examples", "quote", "whatif", "judges", "robustness", "settings"} <= named


def find_tabs(path: Path) -> set[str]:
    """What calls of `project_context` in a file name as their place, as text or by a constant."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    texts = {
        target.id: node.value.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    found = set()
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call) or getattr(node.func, "id", "") != "project_context":
            continue
        tab = node.args[1]
        named = tab.value if isinstance(tab, ast.Constant) else texts[getattr(tab, "id", "")]
        found.add(str(named))
    return found


@pytest.mark.parametrize(
    "role, missing",
    [
        (Role.OWNER, set()),
        (Role.EDITOR, {"Settings"}),
        (Role.ANNOTATOR, {"Settings", "Activity", "Workers"}),
        (Role.VIEWER, {"Settings", "Activity", "Workers"}),
    ],
)
def test_a_role_sees_what_it_may_open(project: Project, role: Role, missing: set[str]) -> None:
    places = list_places(ProjectAccess(project, role), "overview")
    shown = {link.name for place in places for link in place.links}
    assert {page.name for _, page in PAGES} - shown == missing


@pytest.mark.parametrize("area, page", PAGES, ids=[page.tab for _, page in PAGES])
def test_a_page_marks_its_area_and_itself(
    corpus: Project, as_owner: Client, area: str, page: object
) -> None:
    [place] = [
        place
        for place in list_places(ProjectAccess(corpus, Role.OWNER), page.tab)  # type: ignore[attr-defined]
        if place.is_here
    ]
    [link] = [link for link in place.links if link.is_here]
    response = as_owner.get(link.url)
    assert (place.name, response.status_code) == (area, 200)
    assert [row.name for row in response.context["places"] if row.is_here] == [area]
    assert response.context["tab"] == page.tab  # type: ignore[attr-defined]


def test_a_number_leads_to_each_page_of_the_area(corpus: Project) -> None:
    places = {
        place.name: place for place in list_places(ProjectAccess(corpus, Role.OWNER), "estimates")
    }
    keys = [link.key for link in places["Scores"].links]
    assert keys == ["r", "2", "3", "k", "5", "6"]
    assert [link.key for link in places["Gold"].links] == ["l", "w", "", "", ""]
