"""Summaries cleaned for workers: off by default, reversible, kept with the HIT."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from annotation.corpora.accounts.models import User
from annotation.corpora.corpus.models import Document, Summary
from annotation.corpora.projects.models import Project
from annotation.crowd.campaigns import cleaning
from annotation.crowd.campaigns.live import compare_texts, list_shown_summaries
from annotation.crowd.campaigns.models import Campaign, Hit, ProviderName
from annotation.crowd.campaigns.service import update_campaign
from annotation.crowd.judging_page.question import (
    build_question,
    list_preview_hits,
    make_task,
    render_page,
)
from annotation.crowd.offline import service as offline
from annotation.crowd.offline.service import export_batch_csv
from annotation.errors import DomainError, Invalid
from scoring.cleaning import RULES
from tests.annotation.corpora.pages import page_of
from tests.annotation.corpora.rest import Rest
from tests.annotation.crowd.campaigns.playing import publish
from tests.annotation.crowd.wire import Wire

DIRTY = "-lrb- cnn -rrb- the dam near porto burst , <unk> said ."
CLEAN = "(CNN) The dam near Porto burst, […] said."
HERE = "/p/study/crowd"


@pytest.fixture(autouse=True)
def unlearned() -> Iterator[None]:
    """What was learned in one test was of another database."""
    cleaning._casers.clear()
    yield
    cleaning._casers.clear()


@pytest.fixture
def dirty(campaign: Campaign) -> Summary:
    """One of the campaign's six summaries; the corpus knows how CNN and Porto are written."""
    found = Summary.objects.filter(system__name="soup").earliest("pk")
    Summary.objects.filter(pk=found.pk).update(text=DIRTY)
    Document.objects.filter(example=found.example).update(text="A dam in Porto burst, CNN said.")
    found.refresh_from_db()
    return found


def switch(campaign: Campaign, *rules: str) -> Campaign:
    return update_campaign(campaign=campaign, user=None, cleaning=list(rules))


def read(campaign: Campaign, summary: Summary) -> str:
    """The summary on the page that workers get."""
    [hit] = list_preview_hits(campaign, summary)
    return make_task(hit).summary


def test_it_is_off_unless_it_is_switched_on(campaign: Campaign, dirty: Summary) -> None:
    assert campaign.cleaning == []
    assert read(campaign, dirty) == DIRTY


def test_it_cleans_what_workers_see_and_shows_the_original_again(
    campaign: Campaign, dirty: Summary
) -> None:
    assert read(switch(campaign, *RULES), dirty) == CLEAN
    assert read(switch(campaign, "case"), dirty).startswith("-lrb- CNN -rrb- the dam near Porto")
    assert read(switch(campaign), dirty) == DIRTY
    dirty.refresh_from_db()
    assert dirty.text == DIRTY


def test_it_keeps_what_was_shown_with_the_hit(
    campaign: Campaign, dirty: Summary, wire: Wire
) -> None:
    live = publish(switch(campaign, *RULES))
    hit = Hit.objects.select_related("summary__example", "summary__system", "campaign").get(
        campaign=live, summary=dirty
    )
    assert hit.shown == CLEAN
    assert CLEAN in render_page(make_task(hit))
    assert CLEAN in build_question(hit, [])
    assert DIRTY not in build_question(hit, [])
    others = Hit.objects.filter(campaign=live).exclude(summary=dirty)
    assert set(others.values_list("shown", flat=True)) == {"", "Dam dam"}
    assert live.cleaning_signature.startswith("clean|rules:tokens,case|version:1|caser:")
    assert len(live.shown_hash) == 64
    # Whatever happens to the texts later, the HIT shows what it showed.
    Document.objects.all().update(text="nothing")
    cleaning._casers.clear()
    assert read(live, dirty) == CLEAN
    with pytest.raises(DomainError, match="cleaning can't be changed"):
        switch(live)


def test_it_hashes_what_workers_read(campaign: Campaign, dirty: Summary, wire: Wire) -> None:
    live = publish(switch(campaign, *RULES))
    first = live.shown_hash
    Hit.objects.filter(summary=dirty).update(shown="Something else.")
    cleaning.note_cleaning(live)
    live.refresh_from_db()
    assert live.shown_hash != first


def test_it_notes_nothing_where_it_is_off(campaign: Campaign, dirty: Summary, wire: Wire) -> None:
    live = publish(campaign)
    assert (live.shown_hash, live.cleaning_signature) == ("", "")
    assert not live.hits.exclude(shown="").exists()


def test_it_leaves_a_summary_of_which_nothing_would_be_left(campaign: Campaign) -> None:
    summary = Summary.objects.earliest("pk")
    Summary.objects.filter(pk=summary.pk).update(text="<s> </s>")
    summary.refresh_from_db()
    assert read(switch(campaign, "tokens"), summary) == "<s> </s>"


@pytest.mark.parametrize("rules", ["case", ["spelling"], [1], {"case": True}])
def test_it_refuses_rules_that_it_does_not_know(campaign: Campaign, rules: Any) -> None:
    with pytest.raises(Invalid, match="cleaning: "):
        update_campaign(campaign=campaign, user=None, cleaning=rules)


def test_it_learns_again_when_the_corpus_changes(
    corpus: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    learned = cleaning.get_caser(corpus)
    assert learned.forms == {"monday": "Monday"}
    monkeypatch.setattr(cleaning, "learn_case", lambda texts: pytest.fail("learned twice"))
    assert cleaning.get_caser(corpus) is learned
    corpus.imports.update(state="dropped")
    monkeypatch.undo()
    assert cleaning.get_caser(corpus).forms == {}


def test_it_goes_through_offline_files_as_it_was_shown(
    campaign: Campaign, dirty: Summary, tmp_path: Path
) -> None:
    update_campaign(campaign=campaign, user=None, provider=ProviderName.OFFLINE)
    live = publish(switch(campaign, *RULES))
    rows = list(csv.DictReader(io.StringIO("".join(export_batch_csv(live)))))
    shown = {text for row in rows for text in row.values()}
    assert CLEAN in shown
    assert DIRTY not in shown
    path = tmp_path / "results.csv"
    _answer(path, rows)
    outcome = offline.import_judgements(
        project=live.project, user=None, unit_set=live.unit_set, paths=[path], campaign=live
    )
    assert outcome.problems == []


def _answer(path: Path, rows: list[dict[str, str]]) -> None:
    """The batch's results as MTurk gives them back."""
    out = []
    for number, row in enumerate(rows):
        said = {f"Input.{name}": value for name, value in row.items()}
        said |= {"HITId": f"H{number}", "AssignmentId": f"A{number}", "WorkerId": "W"}
        out.append(said | {"Answer.s1": "present", "Answer.s2": "absent"})
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, fieldnames=list(out[0]))
        writer.writeheader()
        writer.writerows(out)


def test_it_shows_before_and_after(
    campaign: Campaign, dirty: Summary, as_viewer: Client, as_owner: Client, wire: Wire
) -> None:
    address = f"{HERE}/{campaign.pk}/cleaning/"
    page = page_of(as_viewer.get(address))
    assert "Cleaning is off" in page.text
    assert "Workers will see the stored text" in page.text
    assert "3 of 6 summaries on this page change" in page.text
    assert f"{HERE}/{campaign.pk}/setup/#id_cleaning_helptext" not in page.links
    assert (
        f"{HERE}/{campaign.pk}/setup/#id_cleaning_helptext" in page_of(as_owner.get(address)).links
    )
    publish(switch(campaign, *RULES))
    page = page_of(as_viewer.get(address))
    assert "Cleaning is on: tokens and case" in page.text
    assert "a cleaned version of 3 summaries" in page.text
    assert "brackets (2)" in page.text
    assert Campaign.objects.get(pk=campaign.pk).shown_hash in page.text


def test_it_escapes_what_it_shows(campaign: Campaign, as_viewer: Client) -> None:
    Summary.objects.update(text="<script>alert(1)</script> , <unk> .")
    page = page_of(as_viewer.get(f"{HERE}/{campaign.pk}/cleaning/"))
    assert "<script>alert" not in page.html


def test_it_says_when_nothing_was_changed(
    campaign: Campaign, as_viewer: Client, wire: Wire
) -> None:
    publish(campaign)
    page = page_of(as_viewer.get(f"{HERE}/{campaign.pk}/cleaning/"))
    assert "Nothing was changed" in page.text


def test_it_is_switched_on_in_the_set_up(campaign: Campaign, as_owner: Client) -> None:
    from tests.annotation.crowd.campaigns.views.test_setup import save, shown

    data = shown(as_owner, campaign)
    assert "cleaning" not in data
    assert save(as_owner, campaign, data | {"cleaning": ["tokens", "case"]}).status_code == 302
    assert shown(as_owner, campaign)["cleaning"] == ["tokens", "case"]
    campaign.refresh_from_db()
    assert campaign.cleaning == ["tokens", "case"]


def test_it_is_told_by_rest(campaign: Campaign, dirty: Summary, owner: User) -> None:
    rest, there = Rest(owner), f"/projects/study/campaigns/{campaign.pk}/"
    assert rest.get(there).json()["cleaning"] == []
    assert rest("PATCH", there, {"cleaning": ["tokens"]}).json()["cleaning"] == ["tokens"]
    rows = rest.get(f"{there}cleaning/").json()["results"]
    assert len(rows) == 6
    [found] = [row for row in rows if row["after"]]
    assert found["summary"] == dirty.pk
    assert found["before"] == DIRTY
    assert found["after"] == "(cnn) the dam near porto burst, […] said."
    assert found["kinds"]["brackets"] == 2
    assert rest("PATCH", there, {"cleaning": ["spelling"]}).status_code == 400


def test_it_is_previewed_from_the_command_line(campaign: Campaign, dirty: Summary) -> None:
    def run(*arguments: str) -> str:
        out = io.StringIO()
        call_command("preview_cleaning", str(campaign.pk), *arguments, stdout=out)
        return out.getvalue()

    text = run("--limit", "5")
    assert f"- {DIRTY}\n+ {CLEAN}" in text
    assert "First: cleaning is off; with tokens and case" in text
    assert "3 of 6 summaries change." in text
    assert "capitals" in text
    found = json.loads(run("--rule", "tokens", "--json"))
    assert [row["example"] for row in found] == [dirty.example.key]
    with pytest.raises(CommandError, match="'spelling'"):
        run("--rule", "spelling")
    campaign.refresh_from_db()
    assert campaign.cleaning == []


def test_it_compares_word_by_word() -> None:
    before, after = compare_texts("the dam , burst", "The dam, burst")
    assert before == [("the", True), (" dam", False), (" ", True), (", burst", False)]
    assert after == [("The", True), (" dam", False), (", burst", False)]


def test_it_goes_through_a_drafts_summaries_in_order(campaign: Campaign) -> None:
    keys = [(row.example_id, row.system_id) for row in list_shown_summaries(campaign)]
    assert keys == sorted(keys)
    assert len(keys) == 6
