"""Pages of curves."""

from __future__ import annotations

import pytest
from django.test import Client

from annotation.corpora.jobs.service import run_job
from annotation.corpora.projects.models import Project
from annotation.evaluation.labels.models import LabelSet
from annotation.evaluation.metrics import names
from annotation.evaluation.planning.models import CurveRun
from annotation.evaluation.planning.studies import list_study_judges
from annotation.units.sets.models import UnitSet
from annotation.units.stus.models import SentencePlan
from tests.annotation.corpora.pages import Page, page_of
from tests.annotation.evaluation.planned import begin_curves, make_curves
from tests.annotation.evaluation.running import finish

HERE = "/p/study/curves/"


def get(client: Client, path: str = "", **query: str) -> Page:
    return page_of(client.get(f"{HERE}{path}", query))


def test_it_says_what_is_missing(corpus: Project, as_owner: Client) -> None:
    assert "Label a set of SCUs first" in get(as_owner).text
    assert "Something is missing" in get(as_owner, "new/").text


def test_it_asks_for_stus(labelled: LabelSet, as_owner: Client, as_viewer: Client) -> None:
    assert "Extract STUs first" in get(as_viewer).text
    assert "Open units" in get(as_owner, "new/").text


def test_it_draws_curves(labelled: LabelSet, stus: UnitSet, as_owner: Client) -> None:
    assert f"{HERE}new/" in get(as_owner).links
    sent = {"source": f"labels-{labelled.pk}", "stus": stus.pk, "judge": "human", "step": 50}
    sent |= {"seeds": 20, "bootstrap": 10, "seed": 3}
    response = as_owner.post(f"{HERE}new/", sent)
    made = CurveRun.objects.get()
    assert response["Location"] == f"{HERE}{made.pk}/"
    assert made.options == {"step": 50, "seeds": 20, "bootstrap": 10, "seed": 3}
    assert "Waiting for a worker" in get(as_owner, f"{made.pk}/").text
    run_job(job_id=made.job_id or 0)
    page = get(as_owner, f"{made.pk}/")
    assert "Judged v1 and STUs v1" in page.text
    assert "system level" in page.text
    assert "True damage" in page.text
    assert "the regressor (giza 1)" in page.text
    assert made.found == {}
    assert "✓ Ready" in get(as_owner).text


def test_it_says_whose_labels_stus_have(
    labelled: LabelSet, stus: UnitSet, as_viewer: Client
) -> None:
    """Wherever people's labels of STUs are shown; not of a judge's."""
    curves = make_curves(labelled, stus)
    pages = ("", f"{curves.pk}/")
    assert all("ROUGE-1" in get(as_viewer, page).text for page in pages)
    assert "stu_labels" in curves.found
    CurveRun.objects.filter(pk=curves.pk).update(judge="toy2")
    assert not any("ROUGE-1" in get(as_viewer, page).text for page in pages)


def test_it_says_that_nothing_was_foretold(
    labelled: LabelSet, stus: UnitSet, as_viewer: Client
) -> None:
    SentencePlan.objects.filter(set=stus).delete()
    curves = make_curves(labelled, stus)
    assert "No regressor has ranked these sentences" in get(as_viewer, f"{curves.pk}/").text


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"seeds": 3}, "greater than or equal to 20"),
        ({"judge": "nobody"}, "is not one of the available choices"),
        ({"source": ""}, "This field is required."),
    ],
)
def test_it_says_what_is_wrong(
    labelled: LabelSet, stus: UnitSet, as_owner: Client, changes: dict[str, str], words: str
) -> None:
    sent = {"source": f"labels-{labelled.pk}", "stus": stus.pk, "judge": "human", "step": 50}
    sent |= {"seeds": 20, "bootstrap": 10, "seed": 3}
    assert words in page_of(as_owner.post(f"{HERE}new/", {**sent, **changes}), 422).text


def test_it_says_what_the_service_refuses(
    labelled: LabelSet, stus: UnitSet, as_owner: Client
) -> None:
    labelled.unit_set.units.update(weight=2)
    sent = {"source": f"labels-{labelled.pk}", "stus": stus.pk, "judge": "human", "step": 50}
    sent |= {"seeds": 20, "bootstrap": 10, "seed": 3}
    assert "weighs 2" in page_of(as_owner.post(f"{HERE}new/", sent), 422).text


def test_it_gives_the_points_as_csv(labelled: LabelSet, stus: UnitSet, as_viewer: Client) -> None:
    curves = make_curves(labelled, stus)
    response = as_viewer.get(f"{HERE}{curves.pk}/curves.csv")
    assert b"".join(response).decode().startswith("order,level,measure")
    waiting = begin_curves(labelled, stus)
    assert as_viewer.get(f"{HERE}{waiting.pk}/curves.csv").status_code == 409


def test_it_leads_to_a_budget(labelled: LabelSet, stus: UnitSet, as_owner: Client) -> None:
    curves = make_curves(labelled, stus)
    assert f"/p/study/plans/new/?stus={stus.pk}" in get(as_owner, f"{curves.pk}/").links


def test_it_is_deleted(labelled: LabelSet, stus: UnitSet, as_owner: Client) -> None:
    curves = make_curves(labelled, stus)
    as_owner.post(f"{HERE}{curves.pk}/delete/")
    assert not CurveRun.objects.exists()


@pytest.mark.usefixtures("toys")
def test_a_judge_has_the_name_that_somebody_gave_it(
    labelled: LabelSet, stus: UnitSet, as_owner: Client
) -> None:
    """In curves, and wherever else a judge of runs is named."""
    first, second = (finish(unit_set) for unit_set in (labelled.unit_set, stus))
    curves = make_curves(labelled, stus, judge="toy2")
    assert list_study_judges(labelled.project) == {"toy2": "toy2"}
    names.name_source(project=first.project, user=None, key=first.source_key, name="Our judge")
    assert list_study_judges(labelled.project) == {"toy2": "Our judge"}
    names.name_source(project=first.project, user=None, key=second.source_key, name="Newest")
    for path in ("", f"{curves.pk}/"):
        page = get(as_owner, path).text
        assert "Newest" in page
        assert "toy2" not in page
    form = as_owner.get(f"{HERE}new/").context["form"]
    assert ("toy2", "Newest") in form.fields["judge"].choices
