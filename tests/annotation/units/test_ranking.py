"""Sentences by how hard they are, regressors trained on a project's own units, and figures."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from annotation.corpora.accounts.models import User
from annotation.corpora.corpus.models import Reference
from annotation.corpora.jobs.models import Job
from annotation.corpora.projects.models import Project
from annotation.errors import DomainError
from annotation.units.plans import service as plans_service
from annotation.units.plans.queries import (
    get_difficulties,
    get_easiness_model,
    list_easiness_models,
)
from annotation.units.sets import service as sets_service
from annotation.units.sets.comparison import get_stu_quality
from annotation.units.sets.models import UnitSet
from annotation.units.studio.models import Assignment
from annotation.units.studio.queries import list_queue
from annotation.units.stus import easiness
from annotation.units.stus import ranking as stus_ranking
from annotation.units.stus.easiness import FEWEST
from annotation.units.stus.models import EasinessModel, SentencePlan
from annotation.units.stus.regressors import (
    count_extracted,
    count_ranked,
    list_regressors,
    resolve_regressor,
)
from scoring.judge.learned import LearnedTexts
from tests import factories
from tests.annotation.units.corpus import extract, make_corpus, sentence_ids, write_scus
from tests.annotation.units.writing import add, run


@pytest.fixture
def news(owner: User, tmp_path: Path) -> Project:
    return make_corpus(owner, tmp_path)


@pytest.fixture
def stus(news: Project, owner: User) -> UnitSet:
    return extract(news, owner)


@pytest.fixture
def scus(news: Project, owner: User, tmp_path: Path) -> UnitSet:
    return write_scus(news, owner, tmp_path)


@pytest.fixture
def draft(news: Project, owner: User) -> UnitSet:
    return factories.make_set(news, owner, "Draft")


def train(project: Project, scus: UnitSet, stus: UnitSet, **more: Any) -> EasinessModel:
    asked = {"name": "ours", "folds": 3, **more}
    made = easiness.train_easiness(project=project, user=None, scus=scus, stus=stus, **asked)
    job = run(made.job)
    assert job.state == "done", job.error
    made.refresh_from_db()
    return made


def test_it_takes_over_what_was_foretold_with_the_stus(
    draft: UnitSet, stus: UnitSet, owner: User, news: Project
):
    count = stus_ranking.rank_sentences(unit_set=draft, user=owner, stus=stus)
    assert count == len(sentence_ids(news))
    assert get_difficulties(draft) == get_difficulties(stus)
    assert all(SentencePlan.objects.filter(set=draft).values_list("is_human", flat=True))


def test_it_puts_the_hardest_examples_first(draft: UnitSet, stus: UnitSet, owner: User):
    stus_ranking.rank_sentences(unit_set=draft, user=owner, stus=stus)
    rows = SentencePlan.objects.filter(set=draft).select_related("sentence__reference__example")
    hardest: dict[str, float] = {}
    for row in rows.order_by("-difficulty"):
        hardest.setdefault(row.sentence.reference.example.key, row.difficulty)
    queue = list_queue(draft, owner)
    assert [row.example.key for row in queue] == list(hardest)
    assert [row.priority for row in queue] == list(hardest.values())


def test_it_asks_another_regressor_when_told_to(draft: UnitSet, stus: UnitSet, owner: User):
    stus_ranking.rank_sentences(unit_set=draft, user=owner, stus=stus, regressor="paper")
    assert get_difficulties(draft) != get_difficulties(stus)
    [model] = set(SentencePlan.objects.filter(set=draft).values_list("model", flat=True))
    assert model.startswith("paper ")


def test_it_foretells_for_stus_that_came_from_a_file(
    news: Project, draft: UnitSet, stus: UnitSet, owner: User
):
    SentencePlan.objects.filter(set=stus).delete()
    assert stus_ranking.rank_sentences(unit_set=draft, user=owner, stus=stus) == 12
    again = get_difficulties(draft)
    stus_ranking.rank_sentences(unit_set=draft, user=owner, stus=stus, regressor="giza")
    assert get_difficulties(draft) == again


def test_it_keeps_who_writes_what_when_it_ranks_a_plan_anew(
    draft: UnitSet, stus: UnitSet, owner: User, news: Project
):
    first, *_ = sentence_ids(news)
    plans_service.plan_sentences(
        unit_set=draft, user=owner, stus=stus, human=[first], difficulty={}
    )
    stus_ranking.rank_sentences(unit_set=draft, user=owner, stus=stus)
    assert list(
        SentencePlan.objects.filter(set=draft, is_human=True).values_list("sentence", flat=True)
    ) == [first]
    spared = Assignment.objects.filter(set=draft, state="spared")
    assert set(spared.values_list("priority", flat=True)) == {0.0}


def test_it_ranks_by_a_job_that_goes_on_after_a_kill(
    news: Project, draft: UnitSet, stus: UnitSet, owner: User, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(
        stus_ranking, "chunk_examples", lambda p, after=0: easiness.chunk_examples(p, after, 2)
    )
    job = stus_ranking.start_ranking(unit_set=draft, user=owner, stus=stus)
    with pytest.raises(DomainError, match="already being ranked"):
        stus_ranking.start_ranking(unit_set=draft, user=owner, stus=stus)
    store, stored = stus_ranking.store_difficulties, []

    def die(unit_set: UnitSet, foretold: stus_ranking.Foretold) -> None:
        stored.append(foretold)
        if len(stored) == 2:
            raise KeyboardInterrupt
        store(unit_set, foretold)

    with monkeypatch.context() as patch:
        patch.setattr(stus_ranking, "store_difficulties", die)
        with pytest.raises(KeyboardInterrupt):
            run(job)
    assert SentencePlan.objects.filter(set=draft).count() == 4
    Job.objects.filter(pk=job.pk).update(lease_until="2020-01-01T00:00:00Z")
    assert run(job).state == "done"
    assert job.result == {"set": draft.pk, "sentences": 12}
    assert get_difficulties(draft) == get_difficulties(stus)


@pytest.mark.parametrize("fault", ["frozen", "no stus", "regressor"])
def test_it_refuses_to_rank(fault: str, draft: UnitSet, stus: UnitSet, scus: UnitSet, owner: User):
    faults: dict[str, dict[str, Any]] = {
        "frozen": {"unit_set": stus},
        "no stus": {"stus": scus},
        "regressor": {"regressor": "gizza"},
    }
    asked = {"unit_set": draft, "user": owner, "stus": stus, **faults[fault]}
    for service in (stus_ranking.rank_sentences, stus_ranking.start_ranking):
        with pytest.raises(DomainError):
            service(**asked)
    assert not SentencePlan.objects.filter(set=draft).exists()


# Training ------------------------------------------------------------------------------------


def test_it_trains_a_regressor_with_figures_from_examples_it_never_saw(
    news: Project, scus: UnitSet, stus: UnitSet
):
    made = train(news, scus, stus)
    held_out = made.card["held_out"]
    assert held_out["sentences"] == 12
    assert {"mae", "rho", "mean_mae", "gain_low", "gain_high"} <= held_out.keys()
    assert made.card["data"]["documents"] == 6
    assert made.card["folds"] == 3
    assert (str(made), made.learned_from) == ("ours@1", "SCUs v1 and STUs by srl v1")
    assert made.file["features"] == "giza"


def test_it_trains_the_same_again_as_the_next_version(news: Project, scus: UnitSet, stus: UnitSet):
    first, second = (train(news, scus, stus, regressor="paper") for _ in range(2))
    assert (first.version, second.version) == (1, 2)
    assert first.card["held_out"] == second.card["held_out"]
    assert first.card["data"] == second.card["data"]
    assert [str(row) for row in list_easiness_models(news)] == ["ours@2", "ours@1"]
    assert get_easiness_model(news, first.pk).regressor == "paper"


def test_it_ranks_by_a_regressor_of_the_project(
    news: Project, scus: UnitSet, stus: UnitSet, draft: UnitSet, owner: User
):
    made = train(news, scus, stus)
    assert [choice.name for choice in list_regressors(news)][-1] == "ours@1"
    assert resolve_regressor(news, "ours").model == made
    stus_ranking.rank_sentences(unit_set=draft, user=owner, stus=stus, regressor="ours")
    assert set(SentencePlan.objects.filter(set=draft).values_list("model", flat=True)) == {"ours@1"}
    with pytest.raises(DomainError, match="uses it"):
        easiness.delete_easiness_model(model=made, user=owner)
    sets_service.delete_set(unit_set=draft, user=owner)
    easiness.delete_easiness_model(model=made, user=owner)
    assert not EasinessModel.objects.exists()


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({"name": "no spaces"}, "letters, digits"),
        ({"name": "giza"}, "already called 'giza'"),
        ({"regressor": "damage"}, "Known: paper, giza"),
        ({"folds": 1}, "2 to 100"),
        ({"folds": 7}, "too few for 7 folds"),
    ],
)
def test_it_refuses_to_train(
    asked: dict[str, Any], words: str, news: Project, scus: UnitSet, stus: UnitSet
):
    said = {"name": "ours", "scus": scus, "stus": stus, **asked}
    with pytest.raises(DomainError) as refused:
        easiness.train_easiness(project=news, user=None, **said)
    assert words in f"{refused.value.message} {refused.value.hint}"
    assert not EasinessModel.objects.exists()


def test_it_refuses_sets_that_hold_nothing_of_the_kind(
    news: Project, scus: UnitSet, stus: UnitSet, owner: User, tmp_path: Path
):
    other = make_corpus(owner, tmp_path, "elsewhere")
    foreign = factories.make_set(other, owner, "Foreign")
    for human, made in ((stus, stus), (scus, scus), (foreign, stus)):
        with pytest.raises(DomainError):
            easiness.train_easiness(project=news, user=None, name="ours", scus=human, stus=made)


def test_it_says_that_there_is_too_little_to_learn(
    news: Project, stus: UnitSet, draft: UnitSet, owner: User
):
    for example in news.examples.all()[:2]:
        add(draft, example, owner, "Something happened.")
    made = easiness.train_easiness(
        project=news, user=owner, name="few", scus=draft, stus=stus, folds=2
    )
    job = run(made.job)
    assert job.state == "failed"
    assert f"at least {FEWEST}" in job.error


def test_it_forgets_a_training_that_is_cancelled(news: Project, scus: UnitSet, stus: UnitSet):
    from annotation.corpora.jobs.service import cancel_job

    made = easiness.train_easiness(
        project=news, user=None, name="ours", scus=scus, stus=stus, folds=2
    )
    assert made.job is not None
    assert made.is_moving
    cancel_job(job=made.job)
    assert not EasinessModel.objects.exists()


# Quality -------------------------------------------------------------------------------------


def test_it_measures_stus_by_the_three_figures(stus: UnitSet, scus: UnitSet):
    found = get_stu_quality(stus)
    assert found is not None
    assert found.scus == scus
    assert (found.examples, found.written) == (6, 6)
    assert 0.4 < found.figures.accuracy < 1
    assert 0.4 < found.figures.precision < 1
    assert found.figures.x == pytest.approx(stus.unit_count / scus.unit_count)


def test_it_measures_nothing_without_scus(stus: UnitSet, draft: UnitSet):
    assert get_stu_quality(stus) is None
    assert get_stu_quality(stus, draft) is None


# What it was trained on ----------------------------------------------------------------------


def test_a_regressor_is_recognised_on_the_texts_that_it_learned_from(
    news: Project, scus: UnitSet, stus: UnitSet, draft: UnitSet, as_owner: Client
):
    made = train(news, scus, stus)
    assert LearnedTexts.from_json(made.card["learned"]).references
    stus_ranking.rank_sentences(unit_set=draft, user=None, stus=stus, regressor="ours")
    path = reverse("units:ranking", args=[news.slug, draft.pk])
    found = count_ranked(draft)
    assert found is not None
    assert (found.model, found.met, found.examples) == ("ours@1", 6, 6)
    assert 'id="shared-references"' in as_owner.get(path).content.decode()
    stus_ranking.rank_sentences(unit_set=draft, user=None, stus=stus)
    found = count_ranked(draft)
    assert found is not None
    assert (found.met, found.examples) == (0, 6)
    assert 'id="shared-references"' not in as_owner.get(path).content.decode()


def test_of_a_regressor_without_hashes_its_scus_are_read(
    news: Project, scus: UnitSet, stus: UnitSet, draft: UnitSet
):
    made = train(news, scus, stus)
    made.card.pop("learned")
    made.save()
    stus_ranking.rank_sentences(unit_set=draft, user=None, stus=stus, regressor="ours")
    found = count_ranked(draft)
    assert found is not None
    assert found.met == 6


def test_stus_of_a_published_study_are_in_sample(stus: UnitSet, scus: UnitSet, realsumm_dir: Path):
    """The ranker of `rich` and the regressors that ship were trained on REALSumm."""
    line = (realsumm_dir / "references.txt").read_text().splitlines()[0]
    reference = Reference.objects.filter(example__project=stus.project).first()
    assert reference is not None
    reference.text = line.replace("<t>", "").replace("</t>", "")
    assert count_extracted(stus, [reference.example_id]) == 0
    stus.extractor = "rich"
    assert count_extracted(stus, [reference.example_id]) == 0
    reference.save()
    assert count_extracted(stus, [reference.example_id]) == 1
    stus.extractor = "srl"
    assert count_extracted(stus, [reference.example_id]) == 0
