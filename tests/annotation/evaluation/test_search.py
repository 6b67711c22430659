"""What is found of campaigns, labels, gold and reports."""

from __future__ import annotations

from annotation.access import get_access
from annotation.corpora.accounts.models import User
from annotation.corpora.search.queries import search_project
from annotation.crowd.campaigns.models import Campaign
from annotation.evaluation.gold.models import GoldVersion
from annotation.evaluation.judges.models import TrainedJudge
from annotation.evaluation.labels.models import LabelSet
from annotation.evaluation.metrics.models import ScoreSet
from annotation.evaluation.reports.models import Report
from annotation.evaluation.runs.models import JudgeRun


def found(user: User, q: str) -> dict[str, list[str]]:
    groups = search_project(get_access(user, "study"), q)
    return {group.kind.name: [match.title for match in group.matches] for group in groups}


def test_it_finds_campaigns(judged: Campaign, viewer: User):
    assert found(viewer, judged.title[:12])["campaigns"] == [judged.name]


def test_it_finds_labels_and_gold(gold: GoldVersion, labelled: LabelSet, viewer: User):
    assert str(gold) in found(viewer, gold.name)["gold"]
    assert str(labelled) in found(viewer, labelled.unit_set.name)["labels"]


def test_it_finds_what_was_computed(labelled: LabelSet, viewer: User):
    project = labelled.project
    run = JudgeRun.objects.create(
        project=project, unit_set=labelled.unit_set, judge="heron", chunk_size=1, data_hash="x"
    )
    scores = ScoreSet.objects.create(project=project, name="heron", origin="computed")
    report = Report.objects.create(project=project, title="Of herons", human="labels:1")
    judge = TrainedJudge.objects.create(project=project, name="heron", base="lexical", version=1)
    everything = found(viewer, "heron")
    expected = {"runs": run, "scores": scores, "reports": report, "judges": judge}
    assert everything == {name: [str(row)] for name, row in expected.items()}
