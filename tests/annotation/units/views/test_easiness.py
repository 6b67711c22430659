"""STUs and easiness as pages: extracting, figures, rankings, plans."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client

from annotation.corpora.accounts.models import User
from annotation.corpora.jobs.models import Job
from annotation.corpora.projects.models import Project
from annotation.units.plans import service as plans_service
from annotation.units.sets.models import UnitSet
from annotation.units.stus import extraction, ranking
from annotation.units.stus.models import EasinessModel, SentencePlan
from annotation.units.stus.regressors import read_shipped_card
from tests import factories
from tests.annotation.corpora.pages import HOSTILE, page_of
from tests.annotation.units.easiness_places import CARD, HELD_OUT, make_model, make_stus

UNITS = "/p/study/units/"
EXTRACT, EASINESS = f"{UNITS}extract/", f"{UNITS}easiness/"
As = Callable[[str], Client]


@pytest.fixture
def stus(corpus: Project) -> UnitSet:
    return make_stus(corpus, list(corpus.examples.all()))


@pytest.fixture
def model(corpus: Project, written: UnitSet, stus: UnitSet) -> EasinessModel:
    return make_model(corpus, written, stus)


def set_url(unit_set: UnitSet, more: str = "") -> str:
    return f"{UNITS}{unit_set.pk}/{more}"


# Extracting ----------------------------------------------------------------------------------


def test_it_leads_from_the_sets_to_extracting(written: UnitSet, as_owner: Client, as_who: As):
    assert {EXTRACT, EASINESS} <= set(page_of(as_owner.get(UNITS)).links)
    assert EXTRACT not in page_of(as_who("viewer").get(UNITS)).links


def test_it_offers_stus_where_nobody_has_written(corpus: Project, as_owner: Client):
    assert EXTRACT in page_of(as_owner.get(UNITS)).links


def test_it_begins_an_extraction_and_shows_how_far_it_is(corpus: Project, as_owner: Client):
    page = page_of(as_owner.get(EXTRACT))
    assert "3 examples will be processed" in page.text
    sent = {"extractor": "srl", "x": "1.5", "coref": "on", "name": "Mine", "regressor": "paper"}
    answer = as_owner.post(EXTRACT, sent)
    made = UnitSet.objects.get()
    assert answer["Location"] == set_url(made)
    assert made.job is not None
    asked = {"set": made.pk, "extractor": "srl", "x": 1.5, "coref": True, "regressor": "paper"}
    assert made.job.params == asked
    page = page_of(as_owner.get(set_url(made)))
    assert "Extract Mine v1" in page.text
    assert {f"/p/study/jobs/{made.job_id}/cancel/", set_url(made, "pause/")} <= set(page.actions)


def test_it_pauses_and_resumes(corpus: Project, owner: User, as_owner: Client):
    made = extraction.extract_stus(project=corpus, user=owner)
    assert as_owner.post(set_url(made, "pause/"))["Location"] == set_url(made)
    assert Job.objects.get(kind="extract_stus").state == "paused"
    page = page_of(as_owner.get(set_url(made)))
    assert set_url(made, "resume/") in page.actions
    as_owner.post(set_url(made, "resume/"))
    assert Job.objects.get(kind="extract_stus").state == "queued"


@pytest.mark.parametrize(
    "wrong", [{"extractor": "alen"}, {"x": "0"}, {"x": "11"}, {"regressor": "gizza"}]
)
def test_it_says_what_is_wrong(wrong: dict[str, str], corpus: Project, as_owner: Client):
    sent = {"extractor": "rich", "x": "1", "regressor": "giza", **wrong}
    assert as_owner.post(EXTRACT, sent).status_code == 422
    assert not UnitSet.objects.exists()


def test_it_says_that_a_name_is_taken(unit_set: UnitSet, as_owner: Client):
    sent = {"extractor": "rich", "x": "1", "regressor": "giza", "name": unit_set.name}
    page = page_of(as_owner.post(EXTRACT, sent), 422)
    assert "not extracted" in page.text


# A set of STUs -------------------------------------------------------------------------------


def test_it_shows_what_made_a_set_and_how_good_it_is(
    written: UnitSet, stus: UnitSet, as_owner: Client
):
    page = page_of(as_owner.get(set_url(stus)))
    assert "Extractor srl Extractor version srl-1" in page.text
    assert "Accuracy 0." in page.text
    assert "STUs per SCU (x) 0.50" in page.text
    assert f"{EASINESS}?scus={written.pk}&stus={stus.pk}" in page.links
    assert "All 6 sentences by difficulty" in page.text
    assert "Continue writing" not in page.text
    assert "signed off" not in page_of(as_owner.get(UNITS)).text.partition("STUs v1")[2][:60]


def test_it_measures_nothing_without_scus(stus: UnitSet, as_owner: Client):
    page = page_of(as_owner.get(set_url(stus)))
    assert 'id="quality-title"' in page.html
    assert "Accuracy 0." not in page.text


# Ranking and plans ---------------------------------------------------------------------------


def test_it_ranks_a_draft_by_a_job(unit_set: UnitSet, stus: UnitSet, as_owner: Client):
    page = page_of(as_owner.get(set_url(unit_set)))
    assert set_url(unit_set, "rank/") in page.actions
    as_owner.post(set_url(unit_set, "rank/"), {"stus": stus.pk, "regressor": ""})
    job = Job.objects.get(kind="rank_sentences")
    assert job.params == {"set": unit_set.pk, "stus": stus.pk, "regressor": ""}
    page = page_of(as_owner.get(set_url(unit_set)))
    assert "Rank the sentences of" in page.text
    assert set_url(unit_set, "rank/") not in page.actions


def test_it_offers_no_ranking_without_stus(unit_set: UnitSet, as_owner: Client):
    page = page_of(as_owner.get(set_url(unit_set)))
    assert "rank/" not in " ".join(page.actions)
    assert as_owner.post(set_url(unit_set, "rank/"), {"stus": "1"}).status_code == 409


def test_it_lists_sentences_the_hardest_first(
    unit_set: UnitSet, stus: UnitSet, owner: User, as_who: As
):
    ranking.rank_sentences(unit_set=unit_set, user=owner, stus=stus)
    row = SentencePlan.objects.filter(set=unit_set).latest("pk")
    row.difficulty = 0.9
    row.save()
    page = page_of(as_who("viewer").get(set_url(unit_set, "ranking/")))
    assert page.text.index("0.900") < page.text.index("0.500")
    assert row.sentence.text in page.text
    example = row.sentence.reference.example_id
    assert set_url(unit_set, f"examples/{example}/#s{row.sentence_id}") in page.links
    assert "Predicted by ◇ giza 1" in page.text
    assert "1–6 of 6 sentences" in page.text


def test_it_tells_a_persons_sentences_from_the_others(
    unit_set: UnitSet, stus: UnitSet, owner: User, as_owner: Client
):
    first = SentencePlan.objects.filter(set=stus).earliest("pk").sentence_id
    plans_service.plan_sentences(
        unit_set=unit_set, user=owner, stus=stus, human=[first], difficulty={first: 0.7}
    )
    here = set_url(unit_set, "ranking/")
    assert "1–6 of 6 sentences" in page_of(as_owner.get(here)).text
    assert "1–1 of 1 sentence" in page_of(as_owner.get(f"{here}?who=people")).text
    assert "1–5 of 5 sentences" in page_of(as_owner.get(f"{here}?who=stus")).text
    page = page_of(as_owner.get(set_url(unit_set)))
    assert "✎ Written by people 1 sentence" in page.text
    assert "Left to STUs 2" in page.text
    assert "1 sentence without a written unit gets STUs." in page.text
    assert "Units that people wrote stay." in page.text
    for step, words in (
        ("leave-rest/", "1 sentence left to STUs."),
        ("take-rest-back/", "1 sentence returned to people."),
    ):
        assert words in page_of(as_owner.post(set_url(unit_set, step), follow=True)).text
    assert as_owner.post(set_url(unit_set, "drop-plan/"))["Location"] == set_url(unit_set)
    assert not SentencePlan.objects.filter(set=unit_set).exists()


def test_it_says_that_nothing_is_ranked(unit_set: UnitSet, as_owner: Client):
    page = page_of(as_owner.get(set_url(unit_set, "ranking/")))
    assert "Not ranked yet" in page.text
    assert set_url(unit_set) in page.links


def test_it_marks_sentences_in_the_studio(
    unit_set: UnitSet, stus: UnitSet, owner: User, as_owner: Client
):
    example = unit_set.project.examples.get(key="e1")
    here = set_url(unit_set, f"examples/{example.pk}/")
    assert "Next to write" not in as_owner.get(here).content.decode()
    first = SentencePlan.objects.filter(set=stus, sentence__reference__example=example).first()
    assert first is not None
    plans_service.plan_sentences(
        unit_set=unit_set, user=owner, stus=stus, human=[first.sentence_id], difficulty={}
    )
    answer = as_owner.get(here)
    assert "Next to write" in answer.content.decode()
    plan = answer.context["state"]["plan"]
    assert [(row["human"], row["planned"]) for row in plan] == [(True, True), (False, True)]


# Regressors ----------------------------------------------------------------------------------


def test_it_shows_figures_beside_the_mean_predictors(model: EasinessModel, as_who: As):
    page = page_of(as_who("viewer").get(EASINESS))
    assert "ours@1" in page.text
    assert "0.110 0.120 0.400" in page.text
    assert "✓ better" in page.text
    page = page_of(as_who("viewer").get(f"{EASINESS}{model.pk}/"))
    assert "Significantly better than the baseline." in page.text
    assert f"{EASINESS}{model.pk}/delete/" not in page.actions


@pytest.mark.parametrize(
    ("low", "high", "words"),
    [
        (-0.02, 0.01, "Not significantly better than the baseline."),
        (-0.03, -0.01, "Significantly worse than the baseline."),
    ],
)
def test_it_is_honest_about_a_regressor_that_does_not_help(
    low: float, high: float, words: str, model: EasinessModel, as_owner: Client
):
    held_out = {**HELD_OUT, "gain": (low + high) / 2, "gain_low": low, "gain_high": high}
    EasinessModel.objects.filter(pk=model.pk).update(card={**CARD, "held_out": held_out})
    assert words in page_of(as_owner.get(f"{EASINESS}{model.pk}/")).text


def test_it_trains_on_the_sets_that_the_address_names(
    written: UnitSet, stus: UnitSet, owner: User, as_owner: Client
):
    second = written.project.examples.get(key="e2")
    factories.add_unit(written, second, owner, "The dam burst.", reference=0)
    html = as_owner.get(f"{EASINESS}?scus={written.pk}&stus={stus.pk}").content.decode()
    assert f'<option value="{stus.pk}" selected>' in html
    sent = {"name": "mine", "scus": written.pk, "stus": stus.pk, "regressor": "paper", "folds": 2}
    answer = as_owner.post(EASINESS, sent)
    made = EasinessModel.objects.get()
    assert answer["Location"] == f"{EASINESS}{made.pk}/"
    assert (str(made), made.regressor, made.folds) == ("mine@1", "paper", 2)
    assert "mine@1 … Queued paper SCUs v1 and STUs v1 – – –" in page_of(as_owner.get(EASINESS)).text
    page = page_of(as_owner.get(f"{EASINESS}{made.pk}/"))
    assert "Queued" in page.text
    assert f"/p/study/jobs/{made.job_id}/cancel/" in page.actions


def test_it_refuses_a_training_in_words(written: UnitSet, stus: UnitSet, as_owner: Client):
    sent = {"name": "giza", "scus": written.pk, "stus": stus.pk, "regressor": "giza", "folds": 5}
    page = page_of(as_owner.post(EASINESS, sent), 422)
    assert "already called 'giza'" in page.text


def test_it_says_how_good_those_of_giza_are(corpus: Project, as_owner: Client):
    held_out = read_shipped_card("giza")["held_out"]
    words = f"MAE {held_out['mae']:.3f} (baseline {held_out['mean_mae']:.3f})"
    assert words in page_of(as_owner.get(EASINESS)).text


def test_it_says_what_is_missing(corpus: Project, as_owner: Client):
    page = page_of(as_owner.get(EASINESS))
    assert "There are no STUs" in page.text
    assert "There are no SCUs" in page.text
    assert EXTRACT in page.links


def test_it_gives_the_file_and_deletes(model: EasinessModel, as_owner: Client):
    here = f"{EASINESS}{model.pk}/"
    answer = as_owner.get(f"{here}file/")
    assert answer.json() == model.file
    assert "attachment" in answer["Content-Disposition"]
    assert as_owner.post(f"{here}delete/")["Location"] == EASINESS
    assert not EasinessModel.objects.exists()


def test_it_tells_a_failed_training(model: EasinessModel, as_owner: Client):
    job = Job.objects.create(
        project=model.project, kind="train_easiness", title="x", state="failed", error="Too few."
    )
    EasinessModel.objects.filter(pk=model.pk).update(is_ready=False, card={}, job=job)
    assert "Too few." in page_of(as_owner.get(f"{EASINESS}{model.pk}/")).text
    assert as_owner.get(f"{EASINESS}{model.pk}/file/").status_code == 404


def test_it_escapes_what_people_wrote(
    corpus: Project, written: UnitSet, stus: UnitSet, model: EasinessModel, as_owner: Client
):
    UnitSet.objects.filter(pk=stus.pk).update(name=HOSTILE, extractor=HOSTILE)
    EasinessModel.objects.filter(pk=model.pk).update(learned_from=HOSTILE)
    SentencePlan.objects.filter(set=stus).update(model=HOSTILE)
    for here in (EASINESS, f"{EASINESS}{model.pk}/", set_url(stus), set_url(stus, "ranking/")):
        page = page_of(as_owner.get(here))
        assert HOSTILE in page.text, here
        assert page.faults == []
