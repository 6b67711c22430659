"""What if other rules were used: seen at once, kept only when asked for."""

from __future__ import annotations

import pytest
from django.test import Client

from annotation.corpora.accounts.models import User
from annotation.corpora.jobs.models import Job
from annotation.corpora.jobs.service import run_job
from annotation.corpora.projects.models import Project
from annotation.crowd.campaigns import sums
from annotation.crowd.campaigns.models import Campaign
from annotation.evaluation.labels import settling
from annotation.evaluation.labels.models import LabelSet
from annotation.evaluation.labels.votes import MOST_AT_ONCE
from annotation.evaluation.labels.wording import RULE_NAMES
from annotation.units.sets.models import UnitSet
from annotation.units.templatetags.unit_words import measured
from scoring.aggregation import Agreement
from tests.annotation.conftest import sign_in
from tests.annotation.corpora.pages import HOSTILE, page_of
from tests.annotation.evaluation.campaigns import make_judged

WHATIF = "/p/study/gold/what-if/"
HTMX = {"HX-Request": "true"}


def test_it_says_that_there_is_nothing_to_put_together(as_viewer: Client, corpus: Project):
    page = page_of(as_viewer.get(WHATIF))
    assert "/p/study/crowd/" in page.links
    assert "outcome" not in page.html


def test_it_begins_with_everybody(as_viewer: Client, judged: Campaign):
    page = page_of(as_viewer.get(WHATIF))
    assert "Labels changed 0 of 18" in page.text
    assert "Excluded 0 assignments" in page.text


@pytest.mark.parametrize(
    "query, left_out",
    [
        ("summary=on", 6),
        ("worker=on&min_hits=6&max_disagreement=50", 6),
        ("worker=on&min_hits=7&max_disagreement=50", 0),
        ("gold=on&min_right=100", 6),
        ("fast=on&min_seconds=1", 6),
        ("fast=on&min_seconds=0.5", 0),
        ("straight=on&min_statements=4", 0),
    ],
)
def test_it_leaves_out_by_the_rules_of_the_address(
    as_viewer: Client, judged: Campaign, query: str, left_out: int
):
    assert f"Excluded {left_out} assignment" in page_of(as_viewer.get(f"{WHATIF}?{query}")).text


def test_it_shows_alpha_labels_and_ranks_before_and_after(as_viewer: Client, judged: Campaign):
    response = as_viewer.get(f"{WHATIF}?summary=on")
    comparison = response.context["comparison"]
    assert comparison.labels_changed == 1
    assert "Labels changed 1 of 18" in page_of(response).text
    [alpha, *_] = response.context["figures"]
    assert alpha.before["alpha"] < alpha.after["alpha"]
    assert alpha.after["low"] <= alpha.after["alpha"] <= alpha.after["high"]
    assert page_of(response).text.count("Systems by rank before and after") == 2


def test_it_is_the_alpha_of_the_campaigns_page(as_viewer: Client, judged: Campaign):
    """The same figure with the same interval, by the same name, from one page to the other."""
    live = as_viewer.get(f"/p/study/crowd/{judged.pk}/")
    whatif = f"{WHATIF}?campaign={judged.pk}"
    assert whatif in page_of(live).links
    response = as_viewer.get(whatif)
    [row, *_] = response.context["figures"]
    agreement = live.context["live"].agreement
    told = (agreement.alpha, agreement.low, agreement.high)
    assert told == (row.before["alpha"], row.before["low"], row.before["high"])
    assert agreement.low < agreement.alpha
    for page in (page_of(live), page_of(response)):
        assert row.name in page.text
        assert measured(agreement.alpha) in page.text


def test_an_alpha_without_an_interval_shows_none(
    as_viewer: Client, judged: Campaign, monkeypatch: pytest.MonkeyPatch
):
    alone = Agreement(alpha=0.25, low=None, high=None, statements=9, answers=36)
    monkeypatch.setattr(sums, "_measure", lambda rows: alone)
    page = page_of(as_viewer.get(f"/p/study/crowd/{judged.pk}/"))
    assert "0.250 Too few examples for an interval" in page.text


@pytest.mark.parametrize("is_htmx", [False, True])
def test_campaigns_are_chosen_by_ticks(
    as_viewer: Client, judged: Campaign, owner: User, is_htmx: bool
):
    for worker in judged.project.workers.all():
        worker.provider_id += "-2"
        worker.save()
    other = make_judged(judged.project, owner, "Another", judged.unit_set)
    page = page_of(as_viewer.get(f"{WHATIF}?campaign={judged.pk}"))
    assert "Another" in page.text
    # What begins anew keeps the choice.
    assert f"?campaign={judged.pk}&summary=on" in page.links
    headers = HTMX if is_htmx else {}
    counts = {
        ids: as_viewer.get(f"{WHATIF}?ticked=yes{ids}", headers=headers).context["comparison"]
        for ids in (f"&campaign={judged.pk}", f"&campaign={judged.pk}&campaign={other.pk}")
    }
    assert [len(row.after.collected.assignments) for row in counts.values()] == [24, 48]
    # Without a tick nothing is shown, rather than everything.
    none = as_viewer.get(f"{WHATIF}?ticked=yes", headers=headers)
    assert "comparison" not in none.context
    assert "Choose at least one campaign" in page_of(none, 200 if is_htmx else 422).text


def test_one_campaign_is_named(as_viewer: Client, judged: Campaign):
    assert judged.name in page_of(as_viewer.get(WHATIF)).text


def test_it_takes_the_tie_rule_and_the_seed(as_viewer: Client, judged: Campaign):
    absent, present = (
        as_viewer.get(f"{WHATIF}?tie={tie}").context["comparison"].labels_changed
        for tie in ("absent", "present")
    )
    assert (absent, present) == (0, 2)


def test_it_sends_only_what_follows_to_a_script(as_viewer: Client, judged: Campaign):
    response = as_viewer.get(f"{WHATIF}?summary=on", headers=HTMX)
    text = response.content.decode()
    assert text.lstrip().startswith('<div id="outcome"')
    assert "<html" not in text
    assert "HX-Request" in response["Vary"]


@pytest.mark.parametrize(
    "query", ["vote=drawing-lots", "min_hits=many", "max_disagreement=101", "seed=-1", "campaign=7"]
)
def test_it_says_what_is_wrong_with_an_address(as_viewer: Client, judged: Campaign, query: str):
    page = page_of(as_viewer.get(f"{WHATIF}?{query}"), 422)
    assert 'role="alert"' in page.html
    # A script that moves a slider must be told too, and it swaps only what succeeds.
    assert 'role="alert"' in page_of(as_viewer.get(f"{WHATIF}?{query}", headers=HTMX)).html
    assert as_viewer.get(f"{WHATIF}ranking.csv?{query}").status_code == 400
    assert as_viewer.get(f"{WHATIF}votes/?{query}").status_code == 400


def test_it_puts_campaigns_about_one_unit_set_together(
    as_viewer: Client, judged: Campaign, owner: User
):
    UnitSet.objects.filter(pk=judged.unit_set_id).update(name="Earlier")
    for worker in judged.project.workers.all():
        worker.provider_id += "-2"
        worker.save()
    other = make_judged(judged.project, owner, "Another")
    page = page_of(as_viewer.get(f"{WHATIF}?campaign={judged.pk}"))
    assert "Another" in page.text
    both = as_viewer.get(f"{WHATIF}?campaign={judged.pk}&campaign={other.pk}")
    assert "different unit sets" in page_of(both, 422).text


def test_it_hides_who_it_was_from_viewers(as_viewer: Client, as_owner: Client, judged: Campaign):
    query = f"{WHATIF}?summary=on"
    seen, known = page_of(as_viewer.get(query)), page_of(as_owner.get(query))
    assert "Worker 4" in seen.text
    assert "DUD" not in as_viewer.get(query).content.decode()
    assert "DUD" in known.text
    assert f"{WHATIF}keep/" in known.actions
    assert f"{WHATIF}keep/" not in seen.actions


def test_it_keeps_what_is_shown(as_owner: Client, judged: Campaign):
    shown = page_of(as_owner.get(f"{WHATIF}?summary=on&tie=present&seed=3"))
    sent = {name: value for name, value in shown.values.items() if name in KEPT_FIELDS}
    response = as_owner.post(f"{WHATIF}keep/", {**sent, "note": "Strict."})
    made = LabelSet.objects.get()
    assert response["Location"] == f"/p/study/gold/labels/{made.pk}/"
    assert made.recipe["filters"] == [{"name": "per-summary", "options": {}}]
    assert (made.recipe["tie"], made.recipe["seed"]) == ("present", 3)
    assert made.note == "Strict."
    assert "<progress" in page_of(as_owner.get(response["Location"])).html
    assert made.job is not None
    run_job(job_id=made.job.pk)
    assert "Ready" in page_of(as_owner.get(response["Location"])).text


KEPT_FIELDS = {
    *("min_right", "min_seconds", "min_statements", "min_hits", "max_disagreement"),
    *("summary", "vote", "tie", "seed"),
}


def test_it_keeps_nothing_of_a_wrong_form(as_owner: Client, judged: Campaign):
    assert as_owner.post(f"{WHATIF}keep/", {"vote": "x"}).status_code == 400
    assert as_owner.post(f"{WHATIF}keep/", {"note": "x" * 301}).status_code == 400
    assert not LabelSet.objects.exists()


def test_it_lets_decisions_hold_on_both_sides(as_viewer: Client, judged: Campaign, owner: User):
    noisy = judged.project.workers.get(provider_id="DUD")
    settling.decide_worker(
        project=judged.project, user=owner, worker=noisy, verdict="drop", reason="Always opposite."
    )
    page = page_of(as_viewer.get(WHATIF))
    assert "Excluded 6 assignments" in page.text
    assert f"{RULE_NAMES['decision']}: Always opposite." in page.text
    assert "Labels changed 0 of 18" in page.text


def test_it_gives_the_ranking_as_csv(as_viewer: Client, judged: Campaign):
    judged.project.systems.filter(name="soup").update(name="=soup")
    lines = b"".join(as_viewer.get(f"{WHATIF}ranking.csv?summary=on")).decode().splitlines()
    assert lines[0] == "system,score_before,score_after,rank_before,rank_after"
    assert lines[1].startswith("lead,0.55")
    assert lines[2].startswith("'=soup,")


def test_it_compares_votes_when_asked(as_owner: Client, judged: Campaign):
    there = f"{WHATIF}votes/"
    assert "Not compared yet" in as_owner.get(f"{there}?summary=on").content.decode()
    asked = as_owner.post(f"{there}compare/", {"summary": "on"})["Location"]
    assert asked == f"{there}?summary=on"
    assert "<progress" in as_owner.get(asked).content.decode()
    # Asking twice does it once.
    as_owner.post(f"{there}compare/", {"summary": "on"})
    run_job(job_id=Job.objects.get(kind="compare_votes").pk)
    response = as_owner.get(asked)
    for name in ("Majority", "Dawid–Skene", "MACE", "GLAD", "Wawa"):
        assert name in page_of(response).text
    majority, *models = response.context["rows"]
    assert majority["changed"] == 0
    assert all(0.5 <= row["certainty"] <= 1 for row in (majority, *models))
    # Without the noisy worker everybody sees the same.
    assert {row["changed"] for row in models} == {0}


def test_it_lets_viewers_read_but_not_start_a_comparison(as_viewer: Client, judged: Campaign):
    page = page_of(as_viewer.get(f"{WHATIF}votes/"))
    assert f"{WHATIF}votes/compare/" not in page.actions


def test_it_says_why_nobody_should_wait(
    as_owner: Client, judged: Campaign, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setitem(MOST_AT_ONCE, "glad", 71)
    page = page_of(as_owner.get(f"{WHATIF}?vote=glad"))
    assert "takes too long for a preview" in page.text
    assert f"{WHATIF}keep/" in page.actions
    assert as_owner.get(f"{WHATIF}ranking.csv?vote=glad").status_code == 409


def test_it_escapes_names(as_owner: Client, judged: Campaign):
    judged.project.systems.filter(name="soup").update(name=HOSTILE)
    judged.project.workers.filter(provider_id="DUD").update(provider_id=HOSTILE[:64])
    assert HOSTILE in page_of(as_owner.get(f"{WHATIF}?summary=on")).text


def test_it_shows_the_what_if_page_to_every_member(judged: Campaign, annotator: User, viewer: User):
    for user in (annotator, viewer):
        assert "DUD" not in sign_in(user).get(f"{WHATIF}?summary=on").content.decode()


def test_it_says_that_no_label_is_left_and_keeps_none(as_owner: Client, judged: Campaign):
    response = as_owner.get(f"{WHATIF}?fast=on&min_seconds=30")
    page = page_of(response)
    assert 'id="no-label"' in page.html
    assert "all 24 assignments" in page.text
    assert "– to –" not in page.text
    assert "Labels changed" not in page.text
    assert 'id="keep" class="button button--primary" type="submit" disabled' in (
        response.content.decode()
    )
    refused = as_owner.post(f"{WHATIF}keep/", {"fast": "on", "min_seconds": "30"})
    assert refused.status_code == 409
    assert not LabelSet.objects.exists()
