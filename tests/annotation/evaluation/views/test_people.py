"""Contested statements, an expert's word on them, workers, and decisions on their work."""

from __future__ import annotations

import pytest
from django.test import Client

from annotation.corpora.accounts.models import User
from annotation.corpora.projects.models import Project
from annotation.crowd.campaigns.models import Assignment, Campaign, Worker
from annotation.evaluation.labels.models import Adjudication, Decision, LabelSet, Verdict
from annotation.evaluation.labels.votes import MOST
from tests.annotation.conftest import sign_in
from tests.annotation.corpora.pages import HOSTILE, page_of

GOLD = "/p/study/gold/"
CONTESTED = f"{GOLD}contested/"
WORKERS = f"{GOLD}workers/"


@pytest.fixture
def noisy(judged: Campaign) -> Worker:
    return judged.project.workers.get(provider_id="DUD")


@pytest.mark.parametrize("path", ["contested/", "workers/", "crowd-size/"])
def test_it_has_nothing_to_show_without_answers(as_owner: Client, corpus: Project, path: str):
    page = page_of(as_owner.get(f"{GOLD}{path}"))
    assert "/p/study/crowd/" in page.links
    assert "<table" not in page.html


def test_it_shows_the_most_evenly_divided_first(as_viewer: Client, judged: Campaign):
    response = as_viewer.get(CONTESTED)
    page = page_of(response)
    rows = response.context["rows"]
    assert [(row.item.absent, row.item.present) for row in rows[:2]] == [(2, 2), (2, 2)]
    assert all(row.item.split < 1 for row in rows[2:])
    assert "1–10 of 18 statements" in page.text
    assert "tie-break rule" in page.text
    assert "over all answers" in page.text


def test_it_counts_votes_by_the_newest_labels(as_viewer: Client, labelled: LabelSet):
    response = as_viewer.get(CONTESTED)
    assert response.context["total"] == 2
    page = page_of(response)
    assert "answers-list__out" in page.html
    assert "Labels v1 of Judged v1" in page.text


def test_it_shows_pseudonyms_to_viewers_and_ids_to_editors(
    as_viewer: Client, editor: User, judged: Campaign
):
    seen = page_of(as_viewer.get(CONTESTED))
    assert "Worker 1" in seen.text
    assert "ANN" not in seen.text
    assert not seen.actions or all("adjudicate" not in action for action in seen.actions)
    known = page_of(sign_in(editor).get(CONTESTED))
    assert "ANN" in known.text
    assert f"{CONTESTED}adjudicate/" in known.actions


def test_it_filters_by_system(as_viewer: Client, judged: Campaign):
    rows = as_viewer.get(f"{CONTESTED}?system=soup").context["rows"]
    assert {row.item.summary.system.name for row in rows} == {"soup"}
    assert not as_viewer.get(f"{CONTESTED}?show=settled").context["rows"]


def settle(client: Client, campaign: Campaign, **more: str) -> str:
    first = client.get(CONTESTED).context["rows"][0].item
    sent = {"summary": first.summary.pk, "unit": first.unit.pk, "present": "1", **more}
    response = client.post(f"{CONTESTED}adjudicate/", sent)
    assert response.status_code == 302, response.content
    return str(response["Location"])


def test_it_settles_a_statement_and_comes_back(as_owner: Client, judged: Campaign):
    there = settle(as_owner, judged, back=f"{CONTESTED}?show=open&page=1#3", reason="Look twice.")
    made = Adjudication.objects.get()
    assert there == f"{CONTESTED}?show=open&page=1&last={made.pk}#3"
    assert (made.present, made.reason) == (True, "Look twice.")
    page = page_of(as_owner.get(there))
    assert "Decided: present." in page.text
    assert "of 17 statements" in page.text
    settled = page_of(as_owner.get(f"{CONTESTED}?show=settled"))
    assert "Expert: present" in settled.text
    assert "Look twice." in settled.text


@pytest.mark.parametrize("back", ["https://evil.example/p/study/", "//evil.example/", "", "x"])
def test_it_comes_back_to_its_own_list_only(as_owner: Client, judged: Campaign, back: str):
    assert settle(as_owner, judged, back=back).startswith(f"{CONTESTED}?last=")


def test_it_takes_an_adjudication_back(as_owner: Client, judged: Campaign):
    settle(as_owner, judged)
    made = Adjudication.objects.get()
    response = as_owner.post(f"{CONTESTED}{made.pk}/undo/", {"back": f"{CONTESTED}?last={made.pk}"})
    assert response["Location"] == f"{CONTESTED}?"
    made.refresh_from_db()
    assert made.undone_at is not None
    assert as_owner.get(CONTESTED).context["total"] == 18
    assert as_owner.post(f"{CONTESTED}{made.pk}/undo/").status_code == 409


@pytest.mark.parametrize(
    "sent, status",
    [
        ({"present": "2"}, 400),
        ({"summary": "x"}, 400),
        ({"unit": "9" * 30}, 400),
        ({"unit": "99999"}, 404),
    ],
)
def test_it_settles_only_what_is_there(
    as_owner: Client, judged: Campaign, sent: dict[str, str], status: int
):
    first = as_owner.get(CONTESTED).context["rows"][0].item
    whole = {"summary": first.summary.pk, "unit": first.unit.pk, "present": "1"}
    assert as_owner.post(f"{CONTESTED}adjudicate/", {**whole, **sent}).status_code == status
    assert not Adjudication.objects.exists()


def test_it_escapes_texts_and_names(as_owner: Client, judged: Campaign):
    judged.unit_set.units.update(text=HOSTILE)
    judged.project.workers.filter(provider_id="ANN").update(provider_id=HOSTILE)
    assert page_of(as_owner.get(CONTESTED)).text.count(HOSTILE) >= 10


def test_it_lists_workers_with_their_figures(as_owner: Client, judged: Campaign):
    response = as_owner.get(WORKERS)
    rows = {row.worker.provider_id: row for row in response.context["rows"]}
    assert set(rows) == {"ANN", "BOB", "CEM", "DUD"}
    assert (rows["DUD"].hits, rows["DUD"].answers) == (6, 18)
    assert rows["DUD"].agreement == 0.0
    assert rows["CEM"].departures == 0.0
    assert rows["DUD"].seconds == 1.0
    # Fifteen cents for three seconds.
    assert str(rows["DUD"].wage) == "180.00"
    assert (rows["DUD"].gold_right, rows["DUD"].gold_asked) == (0, 6)
    assert "0.0 % of 16" in page_of(response).text


@pytest.mark.parametrize(
    "sort, first",
    [
        ("agreement", "DUD"),
        ("departures", "DUD"),
        ("seconds", "DUD"),
        ("gold", "DUD"),
        ("wage", "CEM"),
        ("assignments", "ANN"),
        ("nonsense", "ANN"),
    ],
)
def test_it_sorts_workers(as_owner: Client, judged: Campaign, sort: str, first: str):
    rows = as_owner.get(f"{WORKERS}?sort={sort}").context["rows"]
    assert rows[0].worker.provider_id == first


def test_it_says_how_much_nobodys_name_is_on(as_owner: Client, judged: Campaign):
    Assignment.objects.filter(worker__provider_id="DUD").update(worker=None)
    page = page_of(as_owner.get(WORKERS))
    assert "6 assignments without a worker ID." in page.text


def test_it_shows_where_to_look_when_nobody_is_known(as_owner: Client, judged: Campaign):
    Assignment.objects.update(worker=None)
    page = page_of(as_owner.get(WORKERS))
    assert CONTESTED in page.links
    assert "<table" not in page.html


def test_it_shows_a_workers_leaning(as_owner: Client, noisy: Worker):
    response = as_owner.get(f"{WORKERS}{noisy.pk}/")
    found = {row.system: row.value for row in response.context["leanings"]}
    assert found["soup"] > 0.2 > -0.2 > found["lead"]
    page = page_of(response)
    assert "on 3 of 3" in page.text
    assert "1–6 of 6 assignments" in page.text


def test_it_leaves_a_worker_out_and_takes_it_back(as_owner: Client, noisy: Worker):
    there = f"{WORKERS}{noisy.pk}/"
    word = {"verdict": "drop", "reason": "Always the opposite."}
    assert as_owner.post(f"{there}decide/", word)["Location"] == there
    page = page_of(as_owner.get(there))
    assert "Excluded, by Owner: Always the opposite." in page.text
    assert "Excluded" in page_of(as_owner.get(WORKERS)).text
    assert as_owner.post(f"{there}decide/", word).status_code == 409
    decision = Decision.objects.get()
    as_owner.post(f"{GOLD}decisions/{decision.pk}/undo/")
    page = page_of(as_owner.get(there))
    assert "undone by Owner" in page.text
    assert f"{there}decide/" in page.actions


def test_it_decides_on_one_assignment(as_owner: Client, noisy: Worker):
    work = noisy.assignments.earliest("pk")
    word = {"verdict": "keep", "reason": "It is right."}
    response = as_owner.post(f"{GOLD}assignments/{work.pk}/decide/", word)
    assert response["Location"] == f"{WORKERS}{noisy.pk}/"
    page = page_of(as_owner.get(response["Location"]))
    assert str(Verdict.KEEP.label) in page.text
    whatif = page_of(as_owner.get(f"{GOLD}what-if/?summary=on"))
    assert "Excluded 5 assignments" in whatif.text


def test_it_comes_back_to_all_workers_from_work_without_a_name(as_owner: Client, noisy: Worker):
    work = noisy.assignments.earliest("pk")
    Assignment.objects.filter(pk=work.pk).update(worker=None)
    word = {"verdict": "drop", "reason": "Nobody's."}
    response = as_owner.post(f"{GOLD}assignments/{work.pk}/decide/", word)
    assert response["Location"] == WORKERS


@pytest.mark.parametrize("sent", [{}, {"verdict": "drop"}, {"verdict": "burn", "reason": "x"}])
def test_it_needs_a_verdict_and_a_reason(as_owner: Client, noisy: Worker, sent: dict[str, str]):
    assert as_owner.post(f"{WORKERS}{noisy.pk}/decide/", sent).status_code == 400
    assert not Decision.objects.exists()


def test_it_tells_what_other_crowd_sizes_would_give(as_viewer: Client, judged: Campaign):
    response = as_viewer.get(f"{GOLD}crowd-size/?judges=2&seed=4")
    table = response.context["table"]
    assert [row.judges for row in table.rows] == list(range(1, MOST + 1))
    assert response.context["chosen"].judges == 2
    assert table.row(4).flips.mean == 0
    assert table.row(4).simulated == 0
    assert table.row(6).simulated == 2
    page = page_of(response)
    assert "4.0 answers per statement" in page.text
    assert "2.0 of 6 simulated" in page.text
    again = as_viewer.get(f"{GOLD}crowd-size/?judges=2&seed=4").context["table"]
    assert again.rows == table.rows


@pytest.mark.parametrize("query, chosen", [("", 3), ("judges=0", 1), ("judges=99&seed=x", MOST)])
def test_it_stays_within_what_it_can_tell(
    as_viewer: Client, judged: Campaign, query: str, chosen: int
):
    assert as_viewer.get(f"{GOLD}crowd-size/?{query}").context["chosen"].judges == chosen
