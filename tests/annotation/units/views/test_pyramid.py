"""The merge assistant, and the pyramid of an example."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from django.test import Client

from annotation.corpora.accounts.models import User
from annotation.corpora.corpus.models import Example
from annotation.corpora.projects.models import Project
from annotation.units.sets import service as sets_service
from annotation.units.sets.models import Peer, PeerMark, Unit, UnitKind, UnitSet, Weighting
from tests import factories
from tests.annotation.corpora.pages import HOSTILE, page_of

As = Callable[[str], Client]


@pytest.fixture
def merging(project: Project, owner: User, tmp_path: Path) -> UnitSet:
    """Three references; two units that say the same, one that does not; and a flat example."""
    texts = ["The dam burst.", "The old dam burst.", "Cows slept in the far meadow."]
    lines = [factories.example("e1", references=texts), factories.example("e2")]
    factories.import_corpus(project, factories.write_jsonl(tmp_path / "texts.jsonl", lines))
    sets_service.update_settings(project=project, weighting=Weighting.MERGED, disabled_rules=[])
    made = factories.make_set(project, owner)
    for reference, text in enumerate(texts):
        factories.add_unit(made, project.examples.get(key="e1"), owner, text, reference=reference)
    return made


def address(unit_set: UnitSet, key: str = "e1") -> str:
    example = Example.objects.get(project=unit_set.project, key=key)
    return f"/p/study/units/{unit_set.pk}/examples/{example.pk}/pyramid/"


@pytest.mark.parametrize(
    "who, status",
    [("owner", 200), ("editor", 200), ("annotator", 200), ("viewer", 200), ("outsider", 404)],
)
def test_it_is_open_to_members(who: str, status: int, merging: UnitSet, as_who: As):
    assert as_who(who).get(address(merging)).status_code == status


def test_it_asks_strangers_to_sign_in(merging: UnitSet, client: Client):
    assert client.get(address(merging))["Location"].startswith("/sign-in/")


def test_it_proposes_units_that_say_the_same(merging: UnitSet, as_owner: Client):
    page = page_of(as_owner.get(address(merging)))
    assert "2 units that may state the same fact similarity" in page.text
    assert "The dam burst. reference 1 The old dam burst. reference 2" in page.text
    assert "Text of the merged unit The" in page.text
    assert 'data-key="y"' in page.html
    assert "Nothing left to merge" in page.text  # shown once every cluster was set aside
    assert "data-no-clusters hidden" in page.html


@pytest.mark.parametrize("who, may", [("annotator", True), ("viewer", False)])
def test_it_lets_writers_merge(who: str, may: bool, merging: UnitSet, as_who: As):
    page = page_of(as_who(who).get(address(merging)))
    assert ("Merge units" in page.text) is may
    assert ("unit" in page.values) is may


def test_it_merges_and_says_the_weight(merging: UnitSet, as_owner: Client):
    units = Unit.objects.filter(text__contains="dam").values_list("pk", flat=True)
    sent = {"unit": list(units), "text": "A dam burst."}
    page = page_of(as_owner.post(address(merging), sent, follow=True))
    assert "Merged into one unit of weight 2." in page.text
    assert "Weight 2 1 unit A dam burst. Weight 1 1 unit Cows slept" in page.text
    assert "Nothing left to merge" in page.text
    assert "data-no-clusters hidden" not in page.html


@pytest.mark.parametrize("who, status", [("viewer", 403), ("outsider", 404)])
def test_it_refuses_others(who: str, status: int, merging: UnitSet, as_who: As):
    units = list(Unit.objects.values_list("pk", flat=True))
    sent = {"unit": units, "text": "A dam burst."}
    assert as_who(who).post(address(merging), sent).status_code == status
    assert Unit.objects.filter(is_deleted=False).count() == 3


def test_it_shows_weights_that_no_unit_has(merging: UnitSet, as_viewer: Client):
    Unit.objects.filter(text__startswith="Cows").update(weight=3)
    page = page_of(as_viewer.get(address(merging)))
    assert "Weight 3 1 unit Cows slept in the far meadow. Weight 2 no units Weight 1" in page.text


def test_it_says_that_one_reference_is_flat(merging: UnitSet, owner: User, as_owner: Client):
    page = page_of(as_owner.get(address(merging, "e2")))
    assert "No units yet" in page.text
    example = merging.project.examples.get(key="e2")
    factories.add_unit(merging, example, owner, "The dam burst.", reference=0)
    page = page_of(as_owner.get(address(merging, "e2")))
    assert "only one reference" in page.text


def test_it_leads_to_the_neighbours(merging: UnitSet, as_viewer: Client):
    assert address(merging, "e2") in page_of(as_viewer.get(address(merging))).links
    assert address(merging) in page_of(as_viewer.get(address(merging, "e2"))).links


def test_it_says_that_unmerged_weights_stay(merging: UnitSet, as_viewer: Client):
    warning = "This set is unmerged:"
    assert warning not in page_of(as_viewer.get(address(merging))).text
    UnitSet.objects.update(weighting=Weighting.UNMERGED)
    assert warning in page_of(as_viewer.get(address(merging))).text


def test_it_marks_what_a_program_made(merging: UnitSet, as_viewer: Client):
    Unit.objects.filter(text__startswith="Cows").update(
        kind=UnitKind.STU, extractor="srl", extractor_version="1.2"
    )
    page = page_of(as_viewer.get(address(merging)))
    assert "Cows slept in the far meadow. ◇ STU" in page.text
    assert "by a program: srl 1.2" in page.html


def test_it_shows_what_peers_carry(merging: UnitSet, as_viewer: Client):
    """A system of the project, whose summary reads otherwise, and a stranger with a bad name."""
    example = Example.objects.get(key="e1")
    assert "annotated summar" not in page_of(as_viewer.get(address(merging))).text
    unit = Unit.objects.filter(set=merging, example=example, is_deleted=False)[0]
    for name in ("lead", HOSTILE):
        peer = Peer.objects.create(set=merging, example=example, name=name, text="A dam burst.")
        PeerMark.objects.create(peer=peer, unit=unit, position=0, spans=[[0, 1], [6, 11]])
        PeerMark.objects.create(peer=peer, unit=None, position=1, spans=[[2, 5]])
    page = page_of(as_viewer.get(address(merging)))
    lead = merging.project.systems.get(name="lead")
    count = merging.units.filter(example=example).count()
    assert "2 annotated summaries" in page.text
    assert f"1 of {count} units, weight {unit.weight} of " in page.text
    assert page.text.count("“A … burst”") == 2
    assert page.text.count("1 passage without a matching unit dam") == 2
    assert f"/p/{merging.project.slug}/systems/{lead.pk}/" in page.links
    assert page.text.count("in the corpus has a different text") == 1
    assert HOSTILE in page.text


def test_it_escapes_what_people_wrote(merging: UnitSet, as_owner: Client):
    Unit.objects.filter(text__contains="dam").update(text=f"{HOSTILE} burst dam.")
    Example.objects.filter(key="e1").update(key=HOSTILE)
    page = page_of(as_owner.get(address(merging, HOSTILE)))
    assert f"Text of the merged unit {HOSTILE} burst dam." in page.text
    assert page.text.count(f"{HOSTILE} burst dam.") == 5
    assert f"Pyramid of {HOSTILE}" in page.text
