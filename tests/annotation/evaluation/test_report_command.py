"""`build_report`, as a shell would run it."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from django.core.management.base import CommandError

from annotation.corpora.projects.models import Project
from annotation.evaluation.metrics.models import ExampleScores, ScoreSet
from annotation.evaluation.metrics.queries import pack, unpack
from annotation.evaluation.reports.models import MOST_METRICS, Report
from scoring.metaeval.report import write_record
from tests.annotation.evaluation.commanding import run
from tests.annotation.evaluation.reported import COLUMNS, make_score_set

BUILD = ("build_report", "--project", "study", "--resamples", 5, "--human", "gold")


@pytest.fixture
def scores(corpus: Project) -> ScoreSet:
    return make_score_set(corpus)


def test_it_says_in_short_what_it_found(scores: ScoreSet):
    text = run(*BUILD, "--title", "Dams")
    assert text.startswith(f"Report {Report.objects.get().pk}: Dams\n2 metrics are compared")
    assert "τ, system level" in text
    assert "\ngood " in text


def test_it_writes_the_same_bytes_every_time(scores: ScoreSet, tmp_path: Path):
    texts = [run(*BUILD, "--json", "--folder", tmp_path / str(at)) for at in range(2)]
    assert texts[0] == texts[1]
    record = json.loads(texts[0])
    assert texts[0].encode() == write_record(record)
    one, two = (
        {path.name: path.read_bytes() for path in (tmp_path / str(at)).iterdir()} for at in range(2)
    )
    assert {
        "report.json",
        "correlations.tex",
        "scores.csv",
        "scatter.svg",
        "pairs.pdf",
        "leaderboard.csv",
    } <= set(one)
    # The page tells when and as which number it was made; all else is the same.
    assert {name for name in one if one[name] != two[name]} <= {"report.html"}


def test_it_chooses_no_more_metrics_than_a_report_has(scores: ScoreSet):
    values = ExampleScores.objects.filter(score_set=scores)
    columns = [COLUMNS[0], *(f"m{at}" for at in range(MOST_METRICS + 3))]
    for row in values:
        gold = unpack(scores, row.values)[:, :1]
        row.values = pack(np.hstack([gold] + [gold + at for at in range(MOST_METRICS + 3)]))
        row.save()
    ScoreSet.objects.filter(pk=scores.pk).update(columns=columns, lower=[])
    run(*BUILD)
    assert len(Report.objects.get().metrics) == MOST_METRICS


def test_it_takes_the_metrics_that_are_named(scores: ScoreSet):
    chosen = [word for name in "abcd" for word in ("--system", name)]
    run(*BUILD, "--metric", "good", *chosen, "--leave-out", "b")
    report = Report.objects.get()
    assert report.metric_names == ["good"]
    assert len(report.found["systems"]) == 3


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--metric", "nobody"), f"'nobody'. Known: {COLUMNS[0]}, "),
        (("--system", "nobody"), "'nobody'"),
        (("--leave-out", "nobody"), "'nobody'"),
        (("--resamples", 0), "resamples: expected 1"),
        (("--human", ""), "has no human labels"),
    ],
)
def test_it_says_what_is_wrong(scores: ScoreSet, options: tuple[str, ...], words: str):
    with pytest.raises(CommandError, match=words):
        run(*BUILD, *options)
