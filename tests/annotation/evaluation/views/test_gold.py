"""Gold versions: what there is, a new one, one with its downloads, and a study from one."""

from __future__ import annotations

import io
import zipfile
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from annotation.corpora.accounts.models import User
from annotation.corpora.jobs.service import run_job
from annotation.corpora.projects.models import Project
from annotation.crowd.campaigns.models import Campaign
from annotation.evaluation.gold.downloads import FORMATS
from annotation.evaluation.gold.models import GoldVersion
from annotation.evaluation.labels.models import LabelSet
from tests.annotation.conftest import sign_in
from tests.annotation.corpora.pages import HOSTILE, page_of
from tests.annotation.evaluation.campaigns import make_gold

GOLD = "/p/study/gold/"


def test_it_asks_for_frozen_units_first(as_owner: Client, corpus: Project):
    assert "First freeze a unit set" in page_of(as_owner.get(GOLD)).text


def test_it_says_what_to_do_with_judgements(as_owner: Client, judged: Campaign):
    page = page_of(as_owner.get(GOLD))
    assert f"{GOLD}what-if/" in page.links
    assert f"{GOLD}labels/import/" in page.links


def test_it_sends_who_has_no_judgement_to_the_crowd(as_viewer: Client, judged: Campaign):
    judged.delete()
    page = page_of(as_viewer.get(GOLD))
    assert "/p/study/crowd/" in page.links
    assert f"{GOLD}labels/import/" not in page.links


def test_it_lists_labels_and_the_next_step(as_owner: Client, labelled: LabelSet):
    page = page_of(as_owner.get(GOLD))
    assert "Labels v1 of Judged v1" in page.text
    assert "Next for you" in page.text
    assert f"{GOLD}labels/{labelled.pk}/gold/" in page.links
    assert not [link for link in page.links if link.startswith(f"{GOLD}versions/")]


def test_it_offers_viewers_no_change(as_viewer: Client, gold: GoldVersion):
    page = page_of(as_viewer.get(GOLD))
    assert "Dams v1" in page.text
    assert f"{GOLD}versions/{gold.pk}/" in page.links
    assert not [link for link in page.links if "import" in link and "gold/" in link]
    assert f"{GOLD}workers/" not in page.links


def test_it_shows_annotators_as_a_random_factor(as_viewer: Client, gold: GoldVersion):
    """On the page of the version and on that of its labels, with the warning only if it holds."""
    labels = gold.label_set
    pages = (f"{GOLD}versions/{gold.pk}/", f"{GOLD}labels/{labels.pk}/")
    for address in pages:
        page = page_of(as_viewer.get(address))
        assert "Annotators as a random factor" in page.text
        assert "Residual" in page.text
        assert "overstates" not in page.text
    labels.figures["annotators"] |= {
        "ratio": 2.0,
        "false_positives": 0.327,
        "reason": "",
        "is_overstated": True,
    }
    labels.save()
    for address in pages:
        text = page_of(as_viewer.get(address)).text
        assert "Ignoring annotators overstates" in text
        assert "2.00" in text
        assert "32.7" in text


def test_labels_made_before_show_no_annotators(as_viewer: Client, gold: GoldVersion):
    del gold.label_set.figures["annotators"]
    gold.label_set.save()
    page = page_of(as_viewer.get(f"{GOLD}versions/{gold.pk}/"))
    assert "Annotators as a random factor" not in page.text


def test_it_refreshes_itself_while_something_is_made(as_owner: Client, labelled: LabelSet):
    LabelSet.objects.update(is_ready=False)
    assert labelled.job is not None
    labelled.job.state = "running"
    labelled.job.save()
    assert 'hx-trigger="every 1s"' in as_owner.get(GOLD).content.decode()
    labelled.job.state = "failed"
    labelled.job.save()
    text = as_owner.get(GOLD).content.decode()
    assert "badge--bad" in text
    assert "hx-trigger" not in text


def test_it_makes_a_version(as_owner: Client, labelled: LabelSet):
    there = f"{GOLD}labels/{labelled.pk}/gold/"
    assert page_of(as_owner.get(there)).values["name"] == "A study: Judged"
    fields = {"name": "Dams", "licence": "CC-BY-4.0", "worker_names": "id"}
    response = as_owner.post(there, fields)
    made = GoldVersion.objects.get()
    assert response["Location"] == f"{GOLD}versions/{made.pk}/"
    assert (made.licence, made.worker_names) == ("CC-BY-4.0", "id")
    assert "<progress" in page_of(as_owner.get(response["Location"])).html
    assert made.job is not None
    run_job(job_id=made.job.pk)
    page = page_of(as_owner.get(response["Location"]))
    assert "Ready" in page.text
    # What was said once is said again.
    assert page_of(as_owner.get(there)).values["licence"] == "CC-BY-4.0"


def test_it_lets_only_owners_give_ids_away(editor: User, labelled: LabelSet):
    there = f"{GOLD}labels/{labelled.pk}/gold/"
    as_editor = sign_in(editor)
    page = page_of(as_editor.get(there))
    assert "worker_names" not in page.values
    as_editor.post(there, {"name": "Dams", "worker_names": "id"})
    assert GoldVersion.objects.get().worker_names == "pseudonym"


def test_it_needs_a_name(as_owner: Client, labelled: LabelSet):
    there = f"{GOLD}labels/{labelled.pk}/gold/"
    page_of(as_owner.post(there, {"name": " ", "worker_names": "pseudonym"}), 422)
    assert not GoldVersion.objects.exists()


def test_it_refuses_labels_that_are_being_made(as_owner: Client, labelled: LabelSet):
    LabelSet.objects.update(is_ready=False)
    there = f"{GOLD}labels/{labelled.pk}/gold/"
    page = page_of(as_owner.post(there, {"name": "Dams", "worker_names": "pseudonym"}), 422)
    assert "is not ready" in page.text


def test_it_tells_a_version_in_hash_counts_card_and_methods(as_viewer: Client, gold: GoldVersion):
    page = page_of(as_viewer.get(f"{GOLD}versions/{gold.pk}/"))
    assert gold.content_hash[:12] in page.text
    assert "# Dams, version 1" in page.text
    assert "Methods paragraph We judged 6 summaries of 3 examples by 2 systems" in page.text
    assert "54 of 72" in page.text
    assert "pseudonyms" in page.text
    for name in FORMATS:
        assert f"{GOLD}versions/{gold.pk}/{name}/" in page.links


def test_it_leads_to_what_can_be_learned_from_a_version(
    as_owner: Client, as_viewer: Client, gold: GoldVersion
):
    units = gold.label_set.unit_set_id
    wanted = {
        f"/p/study/judges/new/?source=gold-{gold.pk}",
        f"/p/study/units/easiness/?scus={units}",
    }
    address = f"{GOLD}versions/{gold.pk}/"
    assert wanted <= set(page_of(as_owner.get(address)).links)
    assert not wanted & set(page_of(as_viewer.get(address)).links)
    assert all(as_owner.get(link).status_code == 200 for link in wanted)


def test_it_shows_no_downloads_of_a_version_that_failed(as_viewer: Client, gold: GoldVersion):
    GoldVersion.objects.update(is_ready=False)
    assert gold.job is not None
    gold.job.state, gold.job.error = "failed", "The disk is full."
    gold.job.save()
    page = page_of(as_viewer.get(f"{GOLD}versions/{gold.pk}/"))
    assert "The disk is full." in page.text
    assert not [link for link in page.links if link.endswith("/csv/")]
    assert as_viewer.get(f"{GOLD}versions/{gold.pk}/csv/").status_code == 409


@pytest.mark.parametrize("format", FORMATS)
def test_it_downloads_every_format(as_viewer: Client, gold: GoldVersion, format: str):
    response = as_viewer.get(f"{GOLD}versions/{gold.pk}/{format}/")
    sent = b"".join(response)
    assert response.status_code == 200
    name = f"Dams-v1-{format}.{FORMATS[format].suffix}"
    assert response["Content-Disposition"] == f'attachment; filename="{name}"'
    assert b"DUD" not in sent
    if FORMATS[format].suffix == "zip":
        assert zipfile.ZipFile(io.BytesIO(sent)).testzip() is None


def test_it_knows_its_formats(as_viewer: Client, gold: GoldVersion):
    page = page_of(as_viewer.get(f"{GOLD}versions/{gold.pk}/tape/"), 404)
    assert "gold, lines, jsonl" in page.text


def test_it_names_files_plainly(as_viewer: Client, labelled: LabelSet, owner: User):
    gold = make_gold(labelled, owner, name='Ü"b; /../')
    response = as_viewer.get(f"{GOLD}versions/{gold.pk}/csv/")
    assert response["Content-Disposition"] == 'attachment; filename="b-v1-csv.csv"'


def test_it_escapes_what_its_owner_wrote(as_viewer: Client, labelled: LabelSet, owner: User):
    gold = make_gold(labelled, owner, name=HOSTILE, description=HOSTILE, licence=HOSTILE)
    assert HOSTILE in page_of(as_viewer.get(f"{GOLD}versions/{gold.pk}/")).text
    assert HOSTILE in page_of(as_viewer.get(GOLD)).text


def test_it_is_not_there_for_other_projects(as_owner: Client, gold: GoldVersion, owner: User):
    from tests import factories

    factories.make_project(owner, "other")
    for path in (f"versions/{gold.pk}/", f"labels/{gold.label_set_id}/"):
        assert as_owner.get(f"/p/other/gold/{path}").status_code == 404


def file_of(response: Any) -> SimpleUploadedFile:
    return SimpleUploadedFile("gold.zip", b"".join(response))


def test_it_restores_a_study(as_viewer: Client, gold: GoldVersion):
    sent = file_of(as_viewer.get(f"{GOLD}versions/{gold.pk}/gold/"))
    fields = {"name": "Again", "slug": "again", "file": sent}
    response = as_viewer.post("/import-gold/", fields)
    made = Project.objects.get(slug="again")
    job = made.jobs.get()
    assert response["Location"] == f"/p/again/jobs/{job.pk}/"
    run_job(job_id=job.pk)
    assert made.gold_versions.get().content_hash == gold.content_hash
    assert "Dams v1" in page_of(as_viewer.get("/p/again/gold/")).text


def test_it_lists_what_is_wrong_with_a_file(as_viewer: Client, corpus: Project):
    sent = SimpleUploadedFile("gold.jsonl", b'{"type": "song"}\n')
    page = page_of(
        as_viewer.post("/import-gold/", {"name": "Again", "slug": "again", "file": sent}), 422
    )
    assert "1 problem found. Nothing was changed." in page.text
    assert "gold.jsonl" in page.text
    assert not Project.objects.filter(slug="again").exists()


def test_it_says_that_an_address_is_taken(as_viewer: Client, gold: GoldVersion):
    sent = file_of(as_viewer.get(f"{GOLD}versions/{gold.pk}/gold/"))
    response = as_viewer.post("/import-gold/", {"name": "Again", "slug": "study", "file": sent})
    assert "study" in page_of(response, 422).text


def test_it_names_a_version_by_where_its_labels_came_from(
    as_owner: Client, gold: GoldVersion, owner: User
):
    """Labels from elsewhere are no second version; those of the same campaign are."""
    there = f"{GOLD}labels/{gold.label_set_id}/gold/"
    assert page_of(as_owner.get(there)).values["name"] == gold.name
    taken = LabelSet.objects.create(
        project=gold.project,
        unit_set=gold.label_set.unit_set,
        version=9,
        origin="files",
        recipe={"vote": "imported", "source": "out.zip"},
        is_ready=True,
    )
    page = page_of(as_owner.get(f"{GOLD}labels/{taken.pk}/gold/"))
    assert page.values["name"] == "A study: labels from out.zip"


def test_its_tables_count_what_agreement_is_over(as_viewer: Client, gold: GoldVersion):
    agreement = {row["measure"]: row["items"] for row in gold.facts["agreement"]}
    assert agreement["percent"] == agreement["fleiss-kappa"] == 18
    page = page_of(as_viewer.get(f"{GOLD}versions/{gold.pk}/"))
    assert "We judged 6 summaries of 3 examples by 2 systems" in page.text
