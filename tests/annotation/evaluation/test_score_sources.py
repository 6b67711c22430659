"""All scores of a project under one roof: people's, judges', metrics'."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from annotation.corpora.projects.models import Project
from annotation.errors import NotFound
from annotation.evaluation.labels.models import LabelSet
from annotation.evaluation.labels.scores import get_table
from annotation.evaluation.metrics.sources import (
    ScoreSource,
    get_score_source,
    list_score_sources,
    read_score_source,
    read_score_sources,
)
from tests.annotation.evaluation.running import finish
from tests.annotation.evaluation.scored import begin_scores, bring_whole, make_scores, write_csv


@pytest.mark.usefixtures("toys")
def test_it_lists_what_is_ready(labelled: LabelSet):
    project = labelled.project
    run, scores = finish(labelled.unit_set), make_scores(project, "js")
    begin_scores(project)
    found = list_score_sources(project)
    assert [(source.key, source.kind, source.name) for source in found] == [
        (f"labels:{labelled.pk}", "people", "people"),
        (f"run:{run.pk}", "judge", "toy2"),
        (f"scores:{scores.pk}:js1", "metric", "js1"),
        (f"scores:{scores.pk}:js2", "metric", "js2"),
    ]
    assert [source.is_lower_better for source in found] == [False, False, True, True]
    assert [source.signature for source in found[:3]] == [
        labelled.signature,
        run.signature,
        scores.signature,
    ]


def test_names_that_stand_twice_say_whose_they_are(corpus: Project):
    first, second = (make_scores(corpus, "length") for _ in range(2))
    names = [source.name for source in list_score_sources(corpus)]
    assert names == [
        f"length {column} #{pk}"
        for pk in (second.pk, first.pk)
        for column in ("words", "compression")
    ]


def test_columns_of_one_name_are_told_apart_by_their_metrics(corpus: Project, tmp_path: Path):
    rows = [("e1", "lead", "words", 0.5), ("e1", "lead", "rest", 0.5)]
    bring_whole(corpus, write_csv(tmp_path / "a.csv", rows))
    make_scores(corpus, "length")
    names = {source.name for source in list_score_sources(corpus)}
    assert names == {"words", "rest", "length words", "compression"}


@pytest.mark.usefixtures("toys")
def test_it_reads_each_as_systems_and_examples(labelled: LabelSet):
    project = labelled.project
    run, scores = finish(labelled.unit_set), make_scores(project, "length")
    people = read_score_source(project, f"labels:{labelled.pk}")
    assert people.scores.tolist() == get_table(labelled).scores.tolist()
    for key in (f"run:{run.pk}", f"scores:{scores.pk}:words"):
        table = read_score_source(project, key)
        assert (table.systems, table.documents) == (("lead", "soup"), ("e1", "e2", "e3"))


def test_it_puts_several_side_by_side(corpus: Project, tmp_path: Path):
    whole = make_scores(corpus, "length")
    path = write_csv(tmp_path / "a.csv", [("e3", "soup", "bleu:x", 0.5)])
    part = bring_whole(corpus, path)
    keys = [f"scores:{part.pk}:bleu:x", f"scores:{whole.pk}:words"]
    found = read_score_sources(corpus, [*keys, keys[0]])
    assert (found.systems, found.examples) == (("lead", "soup"), ("e1", "e2", "e3"))
    assert [source.key for source in found.sources] == keys
    assert found.kinds == {"lead": "other", "soup": "other"}
    assert found.tables[keys[1]].tolist() == [[3, 3, 3], [2, 2, 2]]
    assert found.tables[keys[0]][1, 2] == 0.5
    assert math.isnan(found.tables[keys[0]][0, 2])


@pytest.mark.parametrize("key", ["", "scores:1", "labels:1", "scores:999999:words", "run:x"])
def test_it_says_which_it_does_not_know(corpus: Project, key: str):
    with pytest.raises(NotFound, match=f"has no scores '{key}'"):
        get_score_source(corpus, key)


@pytest.mark.parametrize(
    "metric, column, label",
    [
        ("novelty", "word", "novelty word"),
        ("rouge", "rouge-1 f1", "rouge-1 f1"),
        ("", "bleu", "bleu"),
    ],
)
def test_it_labels_a_column_with_its_metric(metric: str, column: str, label: str) -> None:
    source = ScoreSource("scores:1:x", "metric", column, "", False, "", "", metric)
    assert source.label == label
