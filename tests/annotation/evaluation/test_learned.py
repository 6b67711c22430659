"""A judge that meets its own training texts: said with its figures, and run out of fold."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from annotation.corpora.accounts.models import User
from annotation.corpora.corpus.models import Reference, Summary
from annotation.corpora.jobs.models import Job, JobState
from annotation.corpora.jobs.service import finish_job
from annotation.errors import DomainError
from annotation.evaluation.judges import service as judges_service
from annotation.evaluation.judges.models import TrainedJudge
from annotation.evaluation.judges.offered import has_folds, list_judges, resolve_judge
from annotation.evaluation.judges.queries import count_learned, list_learned
from annotation.evaluation.labels.models import LabelSet
from annotation.evaluation.reports import service as reports_service
from annotation.evaluation.runs import service as runs_service
from annotation.evaluation.runs.models import JudgeRun, SummaryPresence
from annotation.units.sets.models import Unit, UnitSet
from scoring.judge.learned import LearnedTexts, Met
from tests.annotation.evaluation.commanding import run as command
from tests.annotation.evaluation.commanding import run_json
from tests.annotation.evaluation.estimating import make_estimate
from tests.annotation.evaluation.planned import make_curves
from tests.annotation.evaluation.running import begin, finish, lead
from tests.annotation.evaluation.training import train

pytestmark = pytest.mark.usefixtures("toys")

IN_SAMPLE = "In-sample figures"


@pytest.fixture
def labelled(labelled: LabelSet) -> LabelSet:
    """Every example with texts of its own: what was learned from one says nothing of another."""
    for summary in Summary.objects.filter(example__project=labelled.project):
        summary.text = f"{summary.text} That was {summary.pk}."
        summary.save()
    for unit in Unit.objects.filter(set=labelled.unit_set).select_related("example"):
        unit.text = f"{unit.text} That was {unit.example.key}."
        unit.save()
    return labelled


@pytest.fixture
def run(labelled: LabelSet, owner: User) -> JudgeRun:
    """By a judge that was trained on labels of the very texts."""
    train(labelled, owner)
    return finish(labelled.unit_set, owner, judge="dams")


def test_it_counts_the_texts_that_the_judge_was_trained_on(run: JudgeRun) -> None:
    assert (SummaryPresence.objects.filter(run=run).count(), run.unit_set.unit_count) == (6, 9)
    assert count_learned(run) == Met(True, 6, 9, 6, 9)
    [row] = list_learned([run, None])
    assert (row["run"], row["judge"], row["can_hold_out"]) == (run.pk, "dams@1", True)


def test_a_judge_that_met_none_of_them_is_not_named(labelled: LabelSet, owner: User) -> None:
    shipped, toy = (finish(labelled.unit_set, owner, judge=name) for name in ("lexical", "toy2"))
    assert (count_learned(shipped).is_known, count_learned(toy).is_known) == (True, False)
    assert list_learned([shipped, toy]) == []


def test_of_a_judge_without_hashes_its_labels_are_read(run: JudgeRun) -> None:
    """One that was trained by an earlier version of the program."""
    counted = count_learned(run)
    judge = TrainedJudge.objects.get()
    (judge.path / "learned.json").unlink()
    again = JudgeRun.objects.get(pk=finish(run.unit_set, judge="dams").pk)
    assert count_learned(again) == counted
    judge.label_set = None
    judge.save()
    third = finish(run.unit_set, judge="dams")
    assert not count_learned(third).is_known


@pytest.mark.parametrize("name", ["run", "presence", "people", "disagreements", "summaries"])
def test_every_page_of_the_run_says_so(name: str, run: JudgeRun, as_owner: Client) -> None:
    path = reverse(f"evaluation:{name}", args=[run.project.slug, run.pk])
    page = as_owner.get(path).content.decode()
    assert IN_SAMPLE in page
    assert reverse("evaluation:out_of_fold_run", args=[run.project.slug, run.pk]) in page
    other = finish(run.unit_set, judge="toy2")
    path = reverse(f"evaluation:{name}", args=[run.project.slug, other.pk])
    assert IN_SAMPLE not in as_owner.get(path).content.decode()


def test_curves_say_so(run: JudgeRun, labelled: LabelSet, stus: UnitSet, as_owner: Client):
    finish(stus, judge="dams@1")
    curves = make_curves(labelled, stus, judge="dams@1")
    rows = curves.sources["learned"]
    assert [row["run"] for row in rows] == curves.sources["runs"]
    assert all(row["summaries"] for row in rows)
    path = reverse("evaluation:curves", args=[run.project.slug, curves.pk])
    assert IN_SAMPLE in as_owner.get(path).content.decode()
    told = as_owner.get(f"/api/v1/projects/{run.project.slug}/curves/{curves.pk}/").json()
    assert [row["run"] for row in told["learned"]] == curves.sources["runs"]


def test_curves_say_so_of_the_regressor_and_of_their_intervals(
    labelled: LabelSet, stus: UnitSet, as_owner: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The regressor that ships was trained on the references of all examples."""
    rows = Reference.objects.filter(example__project=labelled.project)
    texts = LearnedTexts.of((), (), rows.values_list("text", flat=True))
    monkeypatch.setattr("annotation.units.stus.regressors.read_shipped", lambda study: texts)
    curves = make_curves(labelled, stus)
    slug = labelled.project.slug
    told = as_owner.get(f"/api/v1/projects/{slug}/curves/{curves.pk}/").json()
    assert told["regressor_references"] == {"model": "giza 1", "met": 3, "examples": 3}
    assert "summary level, average: 99." in told["coverage"]
    said = ("draw_curves", "--project", slug, "--stus", stus.name, "--bootstrap", "5")
    words = command(*said)
    assert "In-sample: giza 1 was trained on references of 3 of 3 examples" in words
    assert told["coverage"] in words
    found = run_json(*said)
    assert (found["regressor_references"]["met"], found["coverage"]) == (3, told["coverage"])


def test_reports_say_so_in_every_form(run: JudgeRun, labelled: LabelSet, as_owner: Client) -> None:
    report = reports_service.build_report(
        project=run.project,
        user=None,
        human=f"labels:{labelled.pk}",
        metrics=[run.source_key],
        resamples=10,
    )
    assert report.job is not None
    finish_job(job=report.job)
    report.refresh_from_db()
    assert [row["run"] for row in report.learned] == [run.pk]
    slug = run.project.slug
    for name in ("report", "print_report", "report_html"):
        path = reverse(f"evaluation:{name}", args=[slug, report.pk])
        assert IN_SAMPLE in as_owner.get(path).content.decode(), name
    told = as_owner.get(f"/api/v1/projects/{slug}/reports/{report.pk}/").json()
    assert [row["run"] for row in told["learned"]] == [run.pk]


def test_rest_says_so_of_a_run(run: JudgeRun, as_owner: Client) -> None:
    path = f"/api/v1/projects/{run.project.slug}/runs/{run.pk}/"
    [row] = as_owner.get(path).json()["learned"]
    assert (row["is_in_sample"], row["summaries"]) == (True, row["all_summaries"])


def test_commands_say_so(run: JudgeRun, labelled: LabelSet) -> None:
    said = ("judge_summaries", "--project", run.project.slug, "--set", "Judged", "--wait")
    assert "In-sample: dams@1" in command(*said, "--judge", "dams")
    assert "In-sample" not in command(*said, "--judge", "toy2")
    assert run_json(*said, "--judge", "dams")["learned"][0]["judge"] == "dams@1"
    words = command(
        "build_report", "--project", run.project.slug, "--metric", run.source_key, "--resamples", 10
    )
    assert "In-sample: dams@1" in words


def test_a_trained_judge_has_its_out_of_fold_run_at_once(run: JudgeRun, owner: User) -> None:
    made = runs_service.start_out_of_fold_run(run=run, user=owner)
    assert isinstance(made, JudgeRun)
    assert made.judge == "dams@1/out-of-fold"
    lead(made)
    assert made.is_ready
    assert count_learned(made).is_in_sample is False
    assert made.content_hash != run.content_hash
    assert runs_service.start_out_of_fold_run(run=run, user=owner) == made
    with pytest.raises(DomainError, match="can't be retrained"):
        runs_service.start_out_of_fold_run(run=made, user=owner)
    run.delete()
    with pytest.raises(DomainError, match="uses it"):
        judges_service.delete_judge(judge=TrainedJudge.objects.get(), user=owner)


def test_one_without_folds_is_trained_again_first(labelled: LabelSet, owner: User) -> None:
    train(labelled, owner, folds=0)
    run = finish(labelled.unit_set, owner, judge="dams")
    made = runs_service.start_out_of_fold_run(run=run, user=owner)
    assert isinstance(made, TrainedJudge)
    assert (made.name, made.base, made.folds) == ("dams-folds", "lexical", 3)
    assert runs_service.start_out_of_fold_run(run=run, user=owner) == made
    assert made.job is not None
    finish_job(job=made.job)
    assert made.job.state == JobState.DONE, made.job.error
    follows = JudgeRun.objects.get(pk=made.job.result["run"])
    assert (follows.judge, follows.unit_set) == ("dams-folds@1/out-of-fold", run.unit_set)
    made.refresh_from_db()
    assert has_folds(made)
    assert runs_service.start_out_of_fold_run(run=run, user=owner) == follows


def test_a_builtin_judge_is_trained_again_on_the_projects_labels(
    labelled: LabelSet, owner: User
) -> None:
    run = finish(labelled.unit_set, owner, judge="lexical")
    made = runs_service.start_out_of_fold_run(run=run, user=owner)
    assert isinstance(made, TrainedJudge)
    assert (made.base, made.label_set, made.folds) == ("lexical", labelled, 3)
    TrainedJudge.objects.all().delete()
    LabelSet.objects.filter(pk=labelled.pk).update(is_ready=False)
    with pytest.raises(DomainError, match="no labels to retrain"):
        runs_service.start_out_of_fold_run(run=run, user=owner)


def test_a_judge_from_elsewhere_is_not_trained_again(labelled: LabelSet) -> None:
    run = finish(labelled.unit_set)
    with pytest.raises(DomainError, match="can't be retrained"):
        runs_service.start_out_of_fold_run(run=run, user=None)


def test_one_click_leads_to_the_run(run: JudgeRun, as_owner: Client) -> None:
    path = reverse("evaluation:out_of_fold_run", args=[run.project.slug, run.pk])
    answer = as_owner.post(path)
    made = JudgeRun.objects.exclude(pk=run.pk).get()
    assert answer["Location"] == reverse("evaluation:run", args=[run.project.slug, made.pk])
    said = as_owner.post(f"/api/v1/projects/{run.project.slug}/runs/{run.pk}/out-of-fold/")
    assert (said.status_code, said.json()) == (202, {"run": made.pk, "judge": None})


def test_the_command_trains_and_judges_to_the_end(labelled: LabelSet, owner: User) -> None:
    train(labelled, owner, folds=0)
    run = finish(labelled.unit_set, owner, judge="dams")
    said = ("start_out_of_fold_run", "--project", run.project.slug, "--run", run.pk)
    assert run_json(*said)["judge"] == "dams-folds@1"
    told = run_json(*said, "--wait")
    assert (told["judge"], told["is_ready"]) == ("dams-folds@1/out-of-fold", True)
    assert told["learned"] == []
    assert "finished" in command(*said, "--wait")
    assert Job.objects.filter(state=JobState.FAILED).count() == 0


def test_an_out_of_fold_judge_can_be_chosen_and_not_trained_from(run: JudgeRun) -> None:
    name = "dams@1/out-of-fold"
    assert name in {choice.name for choice in list_judges(run.project)}
    assert resolve_judge(run.project, name).classes == 2
    assert resolve_judge(run.project, "dams/out-of-fold").name == name
    with pytest.raises(DomainError, match="several models"):
        train(LabelSet.objects.get(), name="more", base=name)


def test_two_runs_that_are_equal_to_the_bit_are_said_and_count_once(
    run: JudgeRun, labelled: LabelSet, as_owner: Client
) -> None:
    again = finish(run.unit_set, judge="dams")
    slug = run.project.slug
    page = as_owner.get(reverse("evaluation:run", args=[slug, again.pk])).content.decode()
    assert f'href="{reverse("evaluation:run", args=[slug, run.pk])}"' in page
    assert 'id="same-run"' in page
    path = f"/api/v1/projects/{slug}/runs"
    same = [as_owner.get(f"{path}/{row.pk}/").json()["same_as"] for row in (run, again)]
    assert same == [None, run.pk]
    report = reports_service.build_report(
        project=run.project,
        user=None,
        human=f"labels:{labelled.pk}",
        metrics=[run.source_key, again.source_key],
        resamples=10,
    )
    assert report.job is not None
    finish_job(job=report.job)
    report.refresh_from_db()
    assert len(report.found["leaderboard"]) == 1
    assert len(report.found["same"]) == 1


def test_a_run_that_is_not_ready_says_nothing(run: JudgeRun, as_owner: Client) -> None:
    waiting = begin(run.unit_set, judge="dams")
    path = reverse("evaluation:run", args=[run.project.slug, waiting.pk])
    assert IN_SAMPLE not in as_owner.get(path).content.decode()


def test_estimates_say_so(labelled: LabelSet, as_owner: Client) -> None:
    train(labelled)
    run = finish(labelled.unit_set, judge="dams")
    estimate = make_estimate(labelled, run, target="population")
    assert [row["run"] for row in estimate.sources["learned"]] == [run.pk]
    slug = run.project.slug
    path = reverse("evaluation:estimate", args=[slug, estimate.pk])
    assert IN_SAMPLE in as_owner.get(path).content.decode()
    rest = f"/api/v1/projects/{slug}/estimates/{estimate.pk}/"
    assert [row["run"] for row in as_owner.get(rest).json()["learned"]] == [run.pk]
    estimate.sources["learned"] = True  # as an earlier version stored it
    estimate.save()
    assert [row["run"] for row in as_owner.get(rest).json()["learned"]] == [run.pk]
    said = ("estimate_scores", "--project", slug, "--run", run.pk, "--chosen", "random")
    assert "In-sample: dams@1" in command(*said, "--target", "population")


def test_scores_of_texts_that_are_sent_say_so(run: JudgeRun, as_owner: Client) -> None:
    slug = run.project.slug
    summary = Summary.objects.filter(example__project=run.project).first()
    assert summary is not None
    unit = Unit.objects.filter(set=run.unit_set, example=summary.example_id).first()
    assert unit is not None
    document = {"units": [unit.text, "A new unit."], "summary": summary.text}
    said = {"judge": "dams@1", "documents": [document]}
    path = f"/api/v1/projects/{slug}/score/"
    answer = as_owner.post(path, said, content_type="application/json").json()
    finish_job(job=Job.objects.get(pk=answer["id"]))
    met = as_owner.get(f"{path}{answer['id']}/").json()["result"]["learned"]
    assert met == {
        "is_known": True,
        "is_in_sample": True,
        "summaries": 1,
        "all_summaries": 1,
        "units": 1,
        "all_units": 2,
    }
