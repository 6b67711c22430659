"""Display names of metrics and runs: given, taken away, and used wherever scores are shown."""

from __future__ import annotations

import pytest
from django.core.management.base import CommandError
from django.test import Client

from annotation.corpora.accounts.models import User
from annotation.corpora.activity.models import Activity
from annotation.corpora.projects.models import Project
from annotation.errors import DomainError
from annotation.evaluation.labels.models import LabelSet
from annotation.evaluation.metrics import names as metrics_names
from annotation.evaluation.metrics.models import ScoreSet
from annotation.evaluation.metrics.sources import get_score_source, list_score_sources
from annotation.evaluation.runs.models import JudgeRun
from tests.annotation.evaluation.commanding import run as run_command
from tests.annotation.evaluation.reported import key_of, make_report, make_score_set
from tests.annotation.evaluation.running import finish


@pytest.fixture
def scores(corpus: Project) -> ScoreSet:
    return make_score_set(corpus)


def name(scores: ScoreSet, column: str, wanted: str) -> ScoreSet:
    metrics_names.name_source(
        project=scores.project, user=None, key=key_of(scores, column), name=wanted
    )
    scores.refresh_from_db()
    return scores


def test_a_metric_gets_a_name_and_loses_it(scores: ScoreSet, owner: User):
    name(scores, "good", "  BERTScore \n F1 ")
    assert get_score_source(scores.project, key_of(scores, "good")).name == "BERTScore F1"
    assert scores.columns == ["gold", "good", "<b>bad</b>"]
    told = Activity.objects.filter(target_kind="score_set", target_id=scores.pk).latest("pk")
    assert (told.verb, "BERTScore F1" in told.text) == ("change", True)
    name(scores, "good", "")
    assert scores.display_names == {}
    assert get_score_source(scores.project, key_of(scores, "good")).name == "good"


def test_it_stands_in_tables_figures_and_reports(scores: ScoreSet, owner: User):
    name(scores, "good", "BERTScore F1")
    report = make_report(scores, owner)
    assert report.found["metrics"][0] == report.found["lead"] == "BERTScore F1"
    assert report.metric_names[0] == "BERTScore F1"
    name(scores, "good", "Other")
    assert make_report(scores, owner).found["lead"] == "Other"
    report.refresh_from_db()
    assert report.found["lead"] == "BERTScore F1"


def test_less_is_better_follows_the_name(scores: ScoreSet):
    name(scores, "<b>bad</b>", "Errors")
    assert make_report(scores).found["options"]["lower"] == ["Errors"]


def test_a_set_shows_it_everywhere(scores: ScoreSet, as_owner: Client):
    name(scores, "good", "BERTScore F1")
    html = as_owner.get(f"/p/study/metrics/{scores.pk}/", {"column": "good"}).content.decode()
    assert "BERTScore F1 by system" in html
    assert '<option value="good" selected>BERTScore F1</option>' in html
    assert '<th scope="col" class="number">BERTScore F1</th>' in html
    assert "BERTScore F1" in as_owner.get("/p/study/metrics/").content.decode()
    assert "BERTScore F1" in as_owner.get("/p/study/reports/new/").content.decode()


@pytest.mark.usefixtures("toys")
def test_a_run_shows_it_everywhere(labelled: LabelSet, owner: User, as_owner: Client):
    run = finish(labelled.unit_set)
    metrics_names.name_source(project=run.project, user=owner, key=run.source_key, name="Our judge")
    run = JudgeRun.objects.get(pk=run.pk)
    assert (run.title, run.judge) == ("Our judge", "toy2")
    assert "Our judge" in str(run)
    for path in ("", f"{run.pk}/", f"{run.pk}/people/"):
        assert "Our judge" in as_owner.get(f"/p/study/runs/{path}").content.decode()
    sources = {row.key: row.name for row in list_score_sources(run.project)}
    assert sources[run.source_key] == "Our judge"


@pytest.mark.parametrize(
    ("wanted", "words"),
    [("gold", "already have the name"), ("x" * 61, "at most 60"), ("Scores", "")],
)
def test_a_name_is_short_and_the_only_one(scores: ScoreSet, wanted: str, words: str):
    if not words:
        assert name(scores, "good", wanted).display_names == {"good": wanted}
        return
    with pytest.raises(DomainError, match=words):
        name(scores, "good", wanted)
    assert scores.display_names == {}


def test_labels_keep_their_name(labelled: LabelSet):
    with pytest.raises(DomainError, match="can’t be renamed"):
        metrics_names.name_source(
            project=labelled.project, user=None, key=f"labels:{labelled.pk}", name="Truth"
        )


def test_a_given_name_is_never_made_longer(scores: ScoreSet):
    name(scores, "good", "f1")
    other = make_score_set(scores.project)
    ScoreSet.objects.filter(pk=other.pk).update(columns=["f1", "x", "y"], lower=[])
    names = [source.name for source in list_score_sources(scores.project)]
    assert names.count("f1") == 1
    assert len(set(names)) == len(names)


def test_a_page_keeps_what_was_typed(scores: ScoreSet, as_owner: Client):
    sent = {"key": key_of(scores, "good"), "name": "gold"}
    answer = as_owner.post("/p/study/metrics/name/", sent, follow=True)
    html = answer.content.decode()
    assert "already have the name" in html
    assert 'name="name" maxlength="60" placeholder="good" value="gold"' in html
    as_owner.post("/p/study/metrics/name/", sent | {"name": "Fine"})
    scores.refresh_from_db()
    assert scores.display_names == {"good": "Fine"}


def test_a_command_gives_it(scores: ScoreSet):
    text = run_command(
        "name_scores", "--project", "study", "--scores", "good", "--name", "BERTScore"
    )
    assert text.strip().endswith("shown as BERTScore.")
    with pytest.raises(CommandError, match="'nobody'"):
        run_command("name_scores", "--project", "study", "--scores", "nobody", "--name", "x")
