"""What others must ask before they let go of labels, and what the overview says of them."""

from __future__ import annotations

import pytest
from django.db.models import F
from django.utils import timezone

from annotation.access import ProjectAccess, get_access
from annotation.corpora.accounts.models import User
from annotation.corpora.corpus.models import Summary
from annotation.corpora.imports.models import Import
from annotation.corpora.projects.models import Project, Role
from annotation.corpora.projects.queries import NextStep, get_next_step, list_stages
from annotation.corpora.projects.service import delete_project
from annotation.crowd.campaigns.models import Campaign
from annotation.errors import DomainError
from annotation.evaluation.gold.models import GoldVersion
from annotation.evaluation.labels.models import Adjudication, LabelOrigin, LabelSet
from annotation.evaluation.labels.queries import ask_again
from annotation.evaluation.labels.scores import get_scores
from annotation.evaluation.metrics.models import ScoreSet
from annotation.evaluation.overview.guards import refuse_if_labelled
from annotation.evaluation.planning import taken
from annotation.evaluation.reports.models import Report
from annotation.evaluation.runs.models import JudgeRun
from annotation.units.sets.models import UnitSet
from tests.annotation.evaluation.planned import key_of, make_plan, make_stus


def stage(project: Project, name: str) -> str:
    return next(row.figure for row in list_stages(project) if row.name == name)


def test_it_says_what_there_is_of_gold(judged: Campaign):
    assert stage(judged.project, "Gold") == "None yet"
    assert stage(judged.project, "Scores") == "—"


def test_it_tells_of_labels(labelled: LabelSet):
    assert stage(labelled.project, "Gold") == "1 label set"
    assert stage(labelled.project, "Scores") == "2 systems"


def test_it_tells_of_the_gold_version(gold: GoldVersion):
    assert stage(gold.project, "Gold") == "v1"


def test_it_leads_from_answers_to_labels_to_gold(judged: Campaign, owner: User):
    from tests.annotation.evaluation.campaigns import make_gold, make_labels

    access = ProjectAccess(judged.project, Role.OWNER)
    assert get_next_step(access).label == "Open what-if analysis"
    made = make_labels(judged, owner)
    assert get_next_step(access).label == "Create gold version"
    make_gold(made, owner)
    assert get_next_step(access).label not in ("Open what-if analysis", "Create gold version")


def test_it_keeps_an_import_whose_summaries_are_labelled(labelled: LabelSet):
    source = Import.objects.filter(project=labelled.project, summaries__isnull=False).first()
    assert source is not None
    with pytest.raises(DomainError, match="labelled in"):
        refuse_if_labelled(source)


def test_it_takes_labels_and_files_along_when_a_project_goes(gold: GoldVersion):
    path = gold.path
    delete_project(project=gold.project)
    assert not path.exists()
    assert not LabelSet.objects.exists()


def test_it_scores_with_intervals_and_pairs(labelled: LabelSet):
    found = get_scores(labelled)
    assert [row.system for row in found.rows] == ["lead", "soup"]
    assert [row.score for row in found.rows] == pytest.approx([2 / 3, 1 / 3])
    assert all(row.low is not None and row.high is not None for row in found.rows)
    [pair] = found.pairs
    assert (pair.first, pair.second) == ("lead", "soup")
    assert pair.difference == pytest.approx(1 / 3)
    assert labelled.signature in found.signature
    lite = get_scores(labelled, method="lite", sample=2, seed=1)
    assert "sample:2" in lite.signature
    with pytest.raises(DomainError, match="Unknown method"):
        get_scores(labelled, method="best")


def test_it_tells_of_plans(corpus: Project, owner: User):
    assert stage(corpus, "Plan") == "—"
    plan = make_plan(corpus, owner)
    assert stage(corpus, "Plan") == f"{len(plan.plans)} plans"
    stus = make_stus(corpus, owner)
    taken.apply_plan(plan=plan, user=owner, key=key_of(plan), stus=stus)
    make_plan(corpus, owner)
    share = 100 - (plan.chosen_plan or {})["percentage"]
    assert stage(corpus, "Plan") == f"{share:g} % SCU"


def next_for(user: User) -> NextStep:
    return get_next_step(get_access(user, "study"))


def test_it_leads_from_stus_to_a_plan(corpus: Project, owner: User, viewer: User):
    assert next_for(owner).title == "Create content units"
    UnitSet.objects.filter(pk=make_stus(corpus, owner).pk).update(extractor="srl")
    assert next_for(owner).title == "Plan with a budget"
    assert next_for(viewer).title == "Read the examples"
    make_plan(corpus, owner)
    assert next_for(owner).title != "Plan with a budget"


def test_it_leads_from_an_experts_word_to_labels_anew(gold: GoldVersion, owner: User):
    labels = gold.label_set
    unit = labels.unit_set.units.first()
    assert unit is not None
    summary = Summary.objects.filter(example=unit.example)[0]
    Adjudication.objects.create(project=gold.project, summary=summary, unit=unit, present=True)
    step = next_for(owner)
    assert step.title == f"1 expert decision since {labels}"
    assert step.url == ask_again(labels)
    Adjudication.objects.update(undone_at=timezone.now())
    assert next_for(owner).title != step.title


def test_it_leads_from_newer_labels_to_gold(gold: GoldVersion, owner: User):
    made = LabelSet.objects.create(
        project=gold.project, unit_set=gold.label_set.unit_set, version=7, is_ready=True
    )
    assert next_for(owner).title == f"Publish {made}"


def test_it_leads_from_a_judge_by_metrics_and_a_report_to_the_end(gold: GoldVersion, owner: User):
    project = gold.project
    assert next_for(owner).title == "Score the summaries with a judge"
    JudgeRun.objects.create(
        project=project,
        unit_set=gold.label_set.unit_set,
        judge="lexical",
        chunk_size=1,
        data_hash="x",
        is_ready=True,
    )
    assert next_for(owner).title == "Compute other metrics"
    ScoreSet.objects.create(project=project, name="rouge", origin="computed", is_ready=True)
    assert next_for(owner).label == "New report"
    Report.objects.create(project=project, title="Trust", human="labels:1", is_ready=True)
    step = next_for(owner)
    assert (step.title, step.label) == ("The study is complete", f"Open {gold}")


def test_it_puts_the_crowds_answers_before_labels_from_files(judged: Campaign, owner: User):
    made = LabelSet.objects.create(
        project=judged.project,
        unit_set=judged.unit_set,
        version=7,
        is_ready=True,
        origin=LabelOrigin.FILES,
    )
    step = next_for(owner)
    assert step.title == "Create labels from judgements"
    assert step.url.endswith(f"?campaign={judged.pk}")
    made.campaigns.add(judged)
    assert next_for(owner).title == f"Publish {made}"


def test_it_does_not_call_a_study_done_that_is_not(gold: GoldVersion, owner: User):
    project = gold.project
    JudgeRun.objects.create(
        project=project,
        unit_set=gold.label_set.unit_set,
        judge="lexical",
        chunk_size=1,
        data_hash="x",
        is_ready=True,
    )
    Report.objects.create(project=project, title="Trust", human="labels:1", is_ready=True)
    assert next_for(owner).title == "The study is complete"
    assert next(row.state for row in list_stages(project) if row.name == "Crowd") == "done"
    campaign = Campaign.objects.get()
    Campaign.objects.update(state="live")
    campaign.hits.update(decided=F("wanted"))
    assert next_for(owner).title == "The study is complete"
    assert next(row.state for row in list_stages(project) if row.name == "Crowd") == "done"
    campaign.hits.update(decided=0)
    step = next_for(owner)
    assert step.title == "Gold dataset and report are ready"
    assert step.detail.endswith(f"Not finished: {campaign} is live.")
    assert next(row.state for row in list_stages(project) if row.name == "Crowd") == "current"
