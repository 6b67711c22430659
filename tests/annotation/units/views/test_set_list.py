"""All unit sets of a project, and how to begin one."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from django.test import Client

from annotation.corpora.accounts.models import User
from annotation.corpora.imports.models import KeptFile
from annotation.corpora.projects.models import Project
from annotation.units.sets.models import UnitSet
from tests import factories
from tests.annotation.corpora.pages import HOSTILE, page_of

SETS = "/p/study/units/"
IMPORT = "/p/study/units/import/"
As = Callable[[str], Client]


def keep(project: Project, name: str) -> KeptFile:
    source = project.imports.get()
    return KeptFile.objects.create(source=source, name=name, data=b"The dam burst.\n\n\n")


@pytest.mark.parametrize(
    "who, status",
    [("owner", 200), ("editor", 200), ("annotator", 200), ("viewer", 200), ("outsider", 404)],
)
def test_it_is_open_to_members(who: str, status: int, corpus: Project, as_who: As):
    assert as_who(who).get(SETS).status_code == status


def test_it_asks_strangers_to_sign_in(corpus: Project, client: Client):
    assert client.get(SETS)["Location"] == f"/sign-in/?next={SETS}"


def test_it_has_a_place_in_the_navigation(corpus: Project, as_viewer: Client):
    html = as_viewer.get(SETS).content.decode()
    assert 'data-key="g u"' in html
    assert html.index(">Corpus</a>") < html.index(">Units</a>") < html.index(">Unit sets</a>")
    assert SETS in page_of(as_viewer.get("/p/study/")).links


def test_it_wants_texts_first(project: Project, as_owner: Client, as_viewer: Client):
    page = page_of(as_owner.get(SETS))
    assert "No texts yet" in page.text
    assert "/p/study/imports/new/" in page.links
    assert "/p/study/imports/new/" not in page_of(as_viewer.get(SETS)).links


def test_it_explains_and_offers_a_first_set(corpus: Project, as_owner: Client):
    page = page_of(as_owner.get(SETS))
    assert "one short sentence that states one fact" in page.text
    assert "Create set" in page.text
    assert {IMPORT, "/p/study/units/settings/"} <= set(page.links)


@pytest.mark.parametrize("who", ["annotator", "viewer"])
def test_it_offers_nothing_that_is_refused(who: str, corpus: Project, as_who: As):
    kept = keep(corpus, "SCUs.txt")
    page = page_of(as_who(who).get(SETS))
    assert "No unit set yet" in page.text
    assert page.actions == ["/sign-out/"]
    assert not {IMPORT, "/p/study/units/settings/"} & set(page.links)
    assert kept.name not in page.text


def test_it_offers_the_files_that_came_along(corpus: Project, as_owner: Client):
    kept = [keep(corpus, name) for name in ("SCUs.txt", "STUs.txt", "labels.txt")]
    page = page_of(as_owner.get(SETS))
    assert "Create a set from SCUs.txt" in page.words
    assert "Create a set from STUs.txt" in page.words
    assert "labels.txt" not in page.text
    assert f"/p/study/units/kept/{kept[0].pk}/import/" in page.actions


def test_it_still_offers_them_beside_a_set(unit_set: UnitSet, as_owner: Client):
    kept = keep(unit_set.project, "SCUs.txt")
    page = page_of(as_owner.get(SETS))
    assert f"/p/study/units/kept/{kept.pk}/import/" in page.actions


def test_it_starts_a_set(corpus: Project, as_owner: Client):
    response = as_owner.post(SETS, {"name": "SCUs"})
    made = UnitSet.objects.get()
    assert response["Location"] == f"{SETS}{made.pk}/"
    assert made.name == "SCUs"


@pytest.mark.parametrize("name, message", [("SCUs", "already called 'SCUs'"), ("", "required")])
def test_it_says_why_a_set_is_not_started(
    name: str, message: str, unit_set: UnitSet, as_owner: Client
):
    page = page_of(as_owner.post(SETS, {"name": name}), 422)
    assert message in page.text
    assert UnitSet.objects.count() == 1


@pytest.mark.parametrize("who, status", [("annotator", 403), ("viewer", 403), ("outsider", 404)])
def test_it_lets_only_editors_start_one(who: str, status: int, corpus: Project, as_who: As):
    assert as_who(who).post(SETS, {"name": "SCUs"}).status_code == status
    assert not UnitSet.objects.exists()


def test_it_lists_sets_with_their_state(written: UnitSet, as_viewer: Client):
    page = page_of(as_viewer.get(SETS))
    assert f"{SETS}{written.pk}/" in page.links
    assert "SCUs v1 ○ Draft 2" in page.text
    assert "0 of 3 signed off" in page.text
    assert "when frozen" in page.text


def test_it_says_how_many_wait_for_a_check(written: UnitSet, owner: User, as_viewer: Client):
    from annotation.units.studio import progress

    for example in written.project.examples.all()[:2]:
        progress.mark_written(unit_set=written, example=example, user=owner)
    assert "0 of 3 signed off, 2 to check" in page_of(as_viewer.get(SETS)).text


def test_it_shows_the_hash_of_a_frozen_one(frozen: UnitSet, as_viewer: Client):
    page = page_of(as_viewer.get(SETS))
    assert "■ Frozen" in page.text
    assert "3 of 3 signed off" in page.text
    assert frozen.content_hash[:12] in page.words
    assert frozen.content_hash in page.words
    assert f'data-copy="#hash-{frozen.pk}"' in page.html


def test_it_says_that_a_set_is_being_filled(corpus: Project, as_owner: Client):
    kept = keep(corpus, "SCUs.txt")
    as_owner.post(f"{SETS}kept/{kept.pk}/import/")
    assert "adding units" in page_of(as_owner.get(SETS)).text


def test_it_escapes_names(corpus: Project, owner: User, as_owner: Client, tmp_path: Path):
    User.objects.update(name=HOSTILE)
    factories.make_set(corpus, owner, name=HOSTILE)
    keep(corpus, "SCUs.txt")
    corpus.imports.update(name=HOSTILE)
    assert HOSTILE in page_of(as_owner.get(SETS)).text
    page = page_of(as_owner.post(SETS, {"name": HOSTILE}), 422)
    assert page.values["name"] == HOSTILE
