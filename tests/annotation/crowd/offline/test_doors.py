"""The page and REST calls that take in judgements and write batches."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.test import Client

from annotation.corpora.accounts.models import User
from annotation.corpora.jobs.models import Job
from annotation.corpora.jobs.service import run_job
from annotation.corpora.projects.models import Project
from annotation.crowd.campaigns.models import Assignment, Campaign
from annotation.crowd.review.bulk import list_top_ups
from annotation.units.sets.models import UnitSet
from tests import factories
from tests.annotation.corpora.pages import page_of
from tests.annotation.crowd.offline.permissions import make_batch
from tests.annotation.crowd.results import row, write

PAGE = "/p/study/crowd/import/"
CALL = "/api/v1/projects/study/campaigns/import/"


def upload(folder: Path, *rows: dict[str, str], name: str = "r.csv") -> SimpleUploadedFile:
    return SimpleUploadedFile(name, write(folder / "sent.csv", *rows).read_bytes())


def send(client: Client, address: str, unit_set: UnitSet, *files: Any, **more: Any) -> Any:
    return client.post(address, {"unit_set": unit_set.pk, "files": list(files), **more})


@pytest.mark.parametrize("address, status", [(PAGE, 302), (CALL, 202)])
def test_it_takes_files_and_starts_a_job(
    address: str, status: int, as_owner: Client, unit_set: UnitSet, tmp_path: Path
):
    systems = SimpleUploadedFile("systems.csv", b"system,raw_crowd_file\nsoup,raw/r.csv\n")
    sent = upload(tmp_path, row(system="x", summary="dam dam"))
    answer = send(as_owner, address, unit_set, sent, systems, name="From files")
    assert answer.status_code == status, answer.content
    job = Job.objects.latest("pk")
    run_job(job_id=job.pk)
    assert Assignment.objects.get().hit.summary.system.name == "soup"
    assert Campaign.objects.get().name == "From files"
    where = answer["Location"] if status == 302 else answer.json()["id"]
    assert where in (f"/p/study/jobs/{job.pk}/", job.pk)


def test_it_only_checks_files_if_asked_to(
    as_owner: Client, unit_set: UnitSet, tmp_path: Path, uploads: Path
):
    sent = upload(tmp_path, row(), row(key="e2"))
    answer = send(as_owner, CALL, unit_set, sent, check="true")
    assert (answer.status_code, answer.json()) == (200, {"checked": 2})
    out = StringIO()
    options = ("--project", "study", "--set", unit_set.name, "--check", "--json")
    call_command("import_judgements", str(tmp_path / "sent.csv"), *options, stdout=out)
    assert json.loads(out.getvalue()) == {"checked": 2}
    assert not Campaign.objects.exists()
    assert list(uploads.iterdir()) == []


@pytest.mark.parametrize("address, value", [(PAGE, "on"), (CALL, "true")])
def test_it_counts_answers_to_blank_where_asked(
    address: str, value: str, as_owner: Client, unit_set: UnitSet, tmp_path: Path
):
    sent = upload(tmp_path, row(texts=("The dam burst.", "BLANK"), answers="pp"))
    send(as_owner, address, unit_set, sent, count_blank=value)
    run_job(job_id=Job.objects.latest("pk").pk)
    found = Assignment.objects.get()
    assert (found.gold_asked, found.gold_right) == (1, 0)


def test_it_asks_nobody_to_pay_for_what_came_in_files(
    as_owner: Client, unit_set: UnitSet, tmp_path: Path
):
    """They tell how long the work took, and neither when it was done nor what was paid for it."""
    send(as_owner, PAGE, unit_set, upload(tmp_path, row(WorkTimeInSeconds="30")), name="Files")
    run_job(job_id=Job.objects.latest("pk").pk)
    campaign = Campaign.objects.get()
    page = page_of(as_owner.get(f"/p/study/crowd/{campaign.pk}/")).text
    assert "The files don’t give payments." in page
    assert "The files don’t give times." in page
    assert "floor" not in page
    assert list_top_ups(campaign) == []


@pytest.mark.parametrize("address, status", [(PAGE, 422), (CALL, 409)])
def test_it_shows_what_is_wrong_by_file_and_line(
    address: str, status: int, as_owner: Client, unit_set: UnitSet, tmp_path: Path
):
    """A statement from a file is text, whatever it looks like."""
    bad = row(texts=("</script><img src=x onerror=alert(1)>",))
    answer = send(as_owner, address, unit_set, upload(tmp_path, row(), bad))
    assert answer.status_code == status
    page = answer.content.decode()
    assert "has no unit" in page
    assert (status == 409) or "<img" not in page
    if status == 409:
        [problem] = answer.json()["error"]["problems"]
        assert (problem["file"], problem["line"]) == ("r.csv", 3)
    assert not Job.objects.filter(kind="import_judgements").exists()


def test_it_takes_the_answers_to_a_batch(as_owner: Client, unit_set: UnitSet, tmp_path: Path):
    campaign = make_batch(unit_set)
    sent = upload(tmp_path, row(texts=("The dam burst.",), answers="p"))
    answer = send(as_owner, PAGE, unit_set, sent, campaign=campaign.pk)
    assert answer.status_code == 302, answer.content.decode()
    run_job(job_id=Job.objects.latest("pk").pk)
    assert Assignment.objects.get().campaign == campaign


@pytest.mark.parametrize("address, status", [(PAGE, 422), (CALL, 400)])
def test_it_refuses_a_campaign_about_other_units(
    address: str,
    status: int,
    as_owner: Client,
    owner: User,
    unit_set: UnitSet,
    tmp_path: Path,
):
    campaign = make_batch(unit_set)
    other = factories.make_set(unit_set.project, owner, "Others")
    factories.add_unit(other, unit_set.project.examples.earliest("pk"), owner, "Else.")
    factories.freeze(other, owner)
    answer = send(as_owner, address, other, upload(tmp_path, row()), campaign=campaign.pk)
    assert answer.status_code == status
    assert "Batch uses SCUs v1." in answer.content.decode()


def test_it_names_what_can_not_be_done_in_the_form(
    as_owner: Client, unit_set: UnitSet, tmp_path: Path
):
    Campaign.objects.filter(pk=make_batch(unit_set).pk).update(name="Taken")
    answer = send(as_owner, PAGE, unit_set, upload(tmp_path, row()), name="Taken")
    assert "already called &#x27;Taken&#x27;" in answer.content.decode()
    twice = [upload(tmp_path, row()), upload(tmp_path, row())]
    answer = send(as_owner, PAGE, unit_set, *twice)
    assert "was uploaded twice" in answer.content.decode()


def test_it_takes_no_more_than_an_upload_may_have(
    as_owner: Client, unit_set: UnitSet, tmp_path: Path, settings: Any
):
    settings.MAX_UPLOAD_MB = 0
    assert send(as_owner, CALL, unit_set, upload(tmp_path, row())).status_code == 413


def test_it_says_what_comes_first_where_nothing_is_frozen(as_owner: Client, corpus: Project):
    assert "No frozen unit set yet" in as_owner.get(PAGE).content.decode()


def test_it_writes_the_batch_as_a_file(as_viewer: Client, unit_set: UnitSet):
    campaign = make_batch(unit_set)
    page = as_viewer.get(f"/p/study/crowd/{campaign.pk}/batch.csv")
    call = as_viewer.get(f"/api/v1/projects/study/campaigns/{campaign.pk}/batch/")
    body = b"".join(page)
    assert body == b"".join(call)
    assert body.decode().splitlines()[1].startswith("e1,lead,\"['s1', 'BLANK'")
    assert page["Content-Disposition"] == 'attachment; filename="study-Batch-batch.csv"'
    campaign.hits.all().delete()
    assert as_viewer.get(f"/p/study/crowd/{campaign.pk}/batch.csv").status_code == 409


def test_a_campaigns_page_imports_into_that_campaign(
    as_owner: Client, unit_set: UnitSet, tmp_path: Path
):
    campaign = make_batch(unit_set)
    Campaign.objects.filter(pk=campaign.pk).update(state="live")
    page = page_of(as_owner.get(f"/p/study/crowd/{campaign.pk}/"))
    [link] = [link for link in page.links if link.startswith(f"{PAGE}?")]
    shown = as_owner.get(link).content.decode()
    assert f'<option value="{campaign.pk}" selected>' in shown
    assert f'<option value="{unit_set.pk}" selected>' in shown


@pytest.mark.parametrize("pk", ["", "x", "0", "999999", "²"])
def test_it_preselects_no_campaign_that_is_not_there(as_owner: Client, unit_set: UnitSet, pk: str):
    assert as_owner.get(PAGE, {"campaign": pk}).status_code == 200


def test_the_page_of_a_campaign_made_of_files_asks_before_it_deletes_it(
    as_owner: Client, unit_set: UnitSet, tmp_path: Path
):
    send(as_owner, PAGE, unit_set, upload(tmp_path, row(AssignmentId="A1")), name="Stray")
    run_job(job_id=Job.objects.latest("pk").pk)
    campaign = Campaign.objects.get()
    link = f"/p/study/crowd/{campaign.pk}/delete/"
    assert link in page_of(as_owner.get(f"/p/study/crowd/{campaign.pk}/")).links
    assert "1 assignment " in page_of(as_owner.get(link)).text
    assert Campaign.objects.exists()
    assert as_owner.post(link).status_code == 302
    assert not Campaign.objects.exists()
