"""REST: labels from answers and from files, what is in them, and their scores."""

from __future__ import annotations

import io
import zipfile
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from annotation.corpora.accounts.models import User
from annotation.corpora.jobs.service import run_job
from annotation.corpora.projects.models import Project
from annotation.crowd.campaigns.models import Campaign
from annotation.evaluation.gold.models import GoldVersion
from annotation.evaluation.labels.models import LabelSet
from tests import factories
from tests.annotation.corpora.rest import Rest, error_of
from tests.annotation.evaluation.campaigns import NOISY, make_units

LABELS = "/projects/study/labels/"
STRICT = {"filters": [{"name": "per-summary"}]}


@pytest.fixture
def rest(owner: User) -> Rest:
    return Rest(owner)


@pytest.fixture
def as_reader(viewer: User) -> Rest:
    return Rest(viewer)


def keep(rest: Rest, **body: Any) -> dict[str, Any]:
    """Labels as they are once their job has run."""
    made = rest.post(LABELS, body)
    assert made.status_code == 202, made.json()
    assert made.json()["figures"] is None
    run_job(job_id=made.json()["job"]["id"])
    found: dict[str, Any] = rest.get(f"{LABELS}{made.json()['id']}/").json()
    return found


def test_it_keeps_labels_by_a_recipe(rest: Rest, judged: Campaign):
    made = keep(rest, campaigns=[judged.pk], recipe=STRICT, note="For the paper")
    assert (made["version"], made["note"], made["is_ready"]) == (1, "For the paper", True)
    assert made["recipe"]["filters"] == [{"name": "per-summary", "options": {}}]
    assert made["figures"]["counts"]["dropped"] == 6
    assert made["figures"]["drops"][0]["rule"] == "per-summary"
    assert made["signature"].startswith(f"answers:{made['answers_hash'][:16]}|")
    assert [row["id"] for row in rest.get(LABELS).json()["results"]] == [made["id"]]


def test_it_says_how_much_annotators_vary(rest: Rest, judged: Campaign):
    """Dud, who says the opposite of everybody, varies more than the summaries do."""
    everybody = keep(rest, campaigns=[judged.pk])["figures"]["annotators"]
    assert (everybody["annotators"], everybody["judgements"]) == (4, 24)
    assert {row["factor"] for row in everybody["components"]} >= {"annotator", "residual"}
    assert sum(row["share"] for row in everybody["components"]) == pytest.approx(1.0)
    assert {tuple(row["drawn"]) for row in everybody["systems"]} == {
        ("documents",),
        ("documents", "annotators"),
    }
    strict = keep(rest, campaigns=[judged.pk], recipe=STRICT)["figures"]["annotators"]
    assert (strict["annotators"], strict["judgements"]) == (3, 18)


def test_it_takes_the_plain_majority_of_the_newest_campaign_unless_told(
    rest: Rest, judged: Campaign
):
    made = keep(rest)
    assert made["campaigns"] == [judged.pk]
    assert (made["recipe"]["vote"], made["recipe"]["tie"]) == ("majority", "absent")
    assert made["figures"]["counts"]["dropped"] == 0


def test_it_says_what_labels_would_be_and_keeps_nothing(as_reader: Rest, judged: Campaign):
    answer = as_reader.post(f"{LABELS}preview/", {"recipe": STRICT})
    assert answer.status_code == 200, answer.json()
    said = answer.json()
    assert (said["labels_changed"], said["counts"]["kept"]) == (1, 18)
    assert said["drops"] == [{"rule": "per-summary", "assignments": 6, "answers": 18, "workers": 1}]
    alphas = [said[name]["pooled"]["alpha"] for name in ("agreement_before", "agreement")]
    assert alphas[0] < 0.1 < 0.7 < alphas[1]
    lead = next(row for row in said["systems"] if row["name"] == "lead")
    assert lead["before"] == pytest.approx((2 / 3 + 1 / 3 + 2 / 3) / 3)
    assert lead["after"] == pytest.approx(2 / 3)
    assert not LabelSet.objects.exists()


@pytest.mark.parametrize(
    ("recipe", "told"),
    [
        ({"filter": []}, "Known: filters, vote, tie, seed, undefined."),
        ({"vote": "loudest"}, "loudest"),
        ({"filters": [{"name": "per-sumary"}]}, "Use one of per-summary, per-worker"),
        ({"filters": [{"name": "fast", "options": {"seconds": 2}}]}, "Options: min_seconds."),
        ({"filters": [{"name": "fast", "options": {"min_seconds": -1}}]}, "from 0"),
        ({"filters": [{"name": "fast", "options": {"min_seconds": True}}]}, "from 0"),
        ({"filters": [{"name": "fast", "options": []}]}, "thresholds by name"),
        ({"filters": [{"rule": "fast"}]}, "name of a rule"),
        ({"filters": [{"name": "fast", "min_seconds": 1}]}, "'min_seconds' is unknown."),
        ({"seed": 1.5}, "integer"),
    ],
)
def test_it_refuses_a_recipe_that_is_not_one(
    recipe: dict[str, Any], told: str, rest: Rest, judged: Campaign
):
    answer = rest.post(f"{LABELS}preview/", {"recipe": recipe})
    assert error_of(answer) == (400, "invalid")
    assert told in str(answer.json())


def test_it_refuses_campaigns_that_have_no_answers(rest: Rest, corpus: Project):
    assert error_of(rest.post(LABELS, {})) == (409, "conflict")


def test_it_refuses_campaigns_of_others(rest: Rest, judged: Campaign):
    assert error_of(rest.post(LABELS, {"campaigns": [judged.pk + 1]})) == (404, "not_found")


def test_it_tells_labels_posteriors_votes_and_what_experts_settled(
    as_reader: Rest, labelled: LabelSet
):
    page = as_reader.get(f"{LABELS}{labelled.pk}/summaries/?page_size=2").json()
    assert page["count"] == 6
    lead, soup = page["results"]
    assert (lead["example"], lead["system"], lead["labels"]) == ("e1", "lead", [1, 0, 1])
    assert (soup["system"], soup["votes"][2]) == ("soup", [2, 1])
    assert soup["posteriors"][2] == pytest.approx(1 / 3, abs=1e-6)
    assert soup["expert"] == []


def test_it_names_left_out_workers_to_editors_alone(
    rest: Rest, as_reader: Rest, labelled: LabelSet
):
    path = f"{LABELS}{labelled.pk}/drops/"
    for caller, name in ((rest, NOISY), (as_reader, "Worker 4")):
        page = caller.get(path).json()
        assert page["count"] == 6
        assert {row["worker"] for row in page["results"]} == {name}
    assert NOISY not in str([row["worker"] for row in as_reader.get(path).json()["results"]])


def test_it_scores_systems_and_pairs_of_them(as_reader: Rest, labelled: LabelSet):
    said = as_reader.get(f"{LABELS}{labelled.pk}/scores/").json()
    assert [(row["system"], row["rank"]) for row in said["rows"]] == [("lead", 1), ("soup", 2)]
    assert said["rows"][0]["score"] == pytest.approx(2 / 3)
    [pair] = said["pairs"]
    assert (pair["first"], pair["second"]) == ("lead", "soup")
    assert pair["difference"] == pytest.approx(1 / 3)
    assert said["signature"].startswith(labelled.signature)


def test_it_scores_a_sample_of_units_by_a_seed(as_reader: Rest, labelled: LabelSet):
    path = f"{LABELS}{labelled.pk}/scores/"
    said = as_reader.get(f"{path}?method=lite&sample=2&seed=7").json()
    assert (said["method"], said["sample"], said["seed"]) == ("lite", 2, 7)
    assert said == as_reader.get(f"{path}?method=lite&sample=2&seed=7").json()


@pytest.mark.parametrize(
    ("query", "status"),
    [
        ("method=best", 400),
        ("sample=0&method=lite", 400),
        ("seed=-1", 400),
        ("seed=", 400),
        ("method=lite", 409),
        ("sample=3", 409),
    ],
)
def test_it_refuses_scores_that_can_not_be_taken(
    query: str, status: int, rest: Rest, labelled: LabelSet
):
    answer = rest.get(f"{LABELS}{labelled.pk}/scores/?{query}")
    assert error_of(answer)[0] == status


def test_it_gives_no_scores_before_labels_are_ready(rest: Rest, judged: Campaign):
    made = rest.post(LABELS, {}).json()
    for name in ("scores", "summaries"):
        assert error_of(rest.get(f"{LABELS}{made['id']}/{name}/"))[0] == 409


def test_it_deletes_labels_that_nothing_is_made_of(rest: Rest, labelled: LabelSet):
    path = f"{LABELS}{labelled.pk}/"
    assert rest("DELETE", path).status_code == 204
    assert error_of(rest.get(path)) == (404, "not_found")


def test_it_does_not_delete_labels_of_a_gold_version(rest: Rest, gold: GoldVersion):
    answer = rest("DELETE", f"{LABELS}{gold.label_set_id}/")
    assert error_of(answer) == (409, "conflict")


def label_file(name: str, *lines: str) -> SimpleUploadedFile:
    return SimpleUploadedFile(name, "".join(f"{line}\n" for line in lines).encode())


def packed(*files: SimpleUploadedFile) -> SimpleUploadedFile:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as made:
        for file in files:
            made.writestr(f"labels/{file.name}", file.read())
    return SimpleUploadedFile("labels.zip", out.getvalue())


@pytest.mark.parametrize("as_zip", [False, True])
def test_it_takes_labels_from_files(as_zip: bool, rest: Rest, corpus: Project, owner: User):
    unit_set = make_units(corpus, owner)
    files = [
        label_file("lead.label", "1\t0\t1", "1\t1\t1", "0\t0\t0"),
        label_file("soup.label", "0\t0\t0", "0\t0\t1", "0\t0\t0"),
    ]
    sent = [packed(*files)] if as_zip else files
    answer = rest.upload(f"{LABELS}import/", *sent, unit_set=str(unit_set.pk))
    assert answer.status_code == 202, answer.json()
    run_job(job_id=answer.json()["job"]["id"])
    found = rest.get(f"{LABELS}{answer.json()['id']}/").json()
    assert (found["origin"], found["is_ready"]) == ("files", True)
    assert found["figures"]["agreement"] is None
    assert found["figures"]["counts"]["present"] == 6
    assert [row["system"] for row in found["figures"]["systems"]] == ["lead", "soup"]


def test_it_lists_what_is_wrong_with_label_files(rest: Rest, corpus: Project, owner: User):
    unit_set = make_units(corpus, owner)
    file = label_file("lead.label", "1\t0", "1\t1\t1", "0\t0\t0")
    answer = rest.upload(f"{LABELS}import/", file, unit_set=str(unit_set.pk))
    assert answer.status_code == 409
    [problem] = answer.json()["error"]["problems"]
    assert (problem["file"], problem["line"]) == ("lead.label", 1)
    assert not LabelSet.objects.exists()


def test_it_takes_labels_of_a_frozen_set_alone(rest: Rest, corpus: Project, owner: User):
    draft = factories.make_set(corpus, owner)
    file = label_file("lead.label", "1", "1", "1")
    answer = rest.upload(f"{LABELS}import/", file, unit_set=str(draft.pk))
    assert error_of(answer) == (404, "not_found")
