"""How a project writes its units: weights, and the rules of the linter."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from annotation.corpora.projects.models import Project
from annotation.units.sets import queries as sets_queries
from annotation.units.sets import service as sets_service
from annotation.units.sets.models import Weighting
from scoring.linting import RULES
from tests.annotation.corpora.pages import page_of

SETTINGS = "/p/study/units/settings/"
As = Callable[[str], Client]


@pytest.mark.parametrize(
    "who, status",
    [("owner", 200), ("editor", 200), ("annotator", 403), ("viewer", 403), ("outsider", 404)],
)
def test_it_is_open_to_editors(who: str, status: int, project: Project, as_who: As):
    assert as_who(who).get(SETTINGS).status_code == status


def test_it_asks_strangers_to_sign_in(project: Project, client: Client):
    assert client.get(SETTINGS)["Location"].startswith("/sign-in/")


def test_it_explains_every_choice(project: Project, as_owner: Client):
    page = page_of(as_owner.get(SETTINGS))
    for rule in RULES.values():
        assert f"{rule.title} {rule.explanation}" in page.text
    for label in Weighting.labels:
        assert label in page.words
    assert "(LitePyramid) The units of each reference" in page.text
    assert "(Pyramid) Units with the same meaning" in page.text


def checked(html: str, kind: str) -> set[str]:
    tags = [tag for tag in html.split("<input ")[1:] if tag.startswith(f'type="{kind}" name=')]
    values = {tag.split('value="')[1].split('"')[0]: tag.split(">")[0] for tag in tags}
    return {value for value, tag in values.items() if " checked" in tag}


def test_it_shows_what_is_chosen(project: Project, as_owner: Client):
    html = page_of(as_owner.get(SETTINGS)).html
    assert checked(html, "radio") == {Weighting.UNMERGED}
    assert checked(html, "checkbox") == set(RULES)
    sets_service.update_settings(
        project=project, weighting=Weighting.MERGED, disabled_rules=["too-long", "empty"]
    )
    html = page_of(as_owner.get(SETTINGS)).html
    assert checked(html, "radio") == {Weighting.MERGED}
    assert checked(html, "checkbox") == set(RULES) - {"too-long", "empty"}


def test_it_saves(project: Project, as_owner: Client):
    sent = {"weighting": "merged", "rules": ["duplicate"]}
    page = page_of(as_owner.post(SETTINGS, sent, follow=True))
    assert "Settings saved." in page.text
    saved = sets_queries.get_settings(project)
    assert saved.weighting == Weighting.MERGED
    assert set(RULES) - set(saved.disabled_rules) == {"duplicate"}


@pytest.mark.parametrize(
    "sent, message",
    [
        ({"weighting": "heavy"}, "heavy is not one of the available choices"),
        ({"weighting": "merged", "rules": ["silence"]}, "silence is not one of"),
    ],
)
def test_it_says_what_is_wrong(
    sent: dict[str, Any], message: str, project: Project, as_owner: Client
):
    page = page_of(as_owner.post(SETTINGS, sent), 422)
    assert message in page.text
    assert sets_queries.get_settings(project).weighting == Weighting.UNMERGED
