"""Meta-metrics and clusters in a report: the numbers of the library, and careful conclusions."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from scoring.metaeval.clusters import cluster_systems
from scoring.metaeval.draws import Resampling
from scoring.metaeval.meta_metrics import score_meta_metrics
from scoring.metaeval.report import draw_one
from tests.scoring.metaeval.report.studies import make_record, make_study


def section(record, figure):
    return next(row for row in record["sections"] if row["figure"] == figure)


def test_it_has_the_figures_of_the_library():
    record, study = make_record(), make_study()
    expected = {row.metric: row for row in score_meta_metrics(study, resampling=Resampling())}
    assert [row["metric"] for row in record["comparisons"]] == ["good", "fair", "poor"]
    for row in record["comparisons"]:
        for name in ("acc_eq", "acc_eq_chance", "epsilon", "spa", "spa_chance", "pdp"):
            assert row[name] == pytest.approx(getattr(expected[row["metric"]], name), abs=1e-9)
    assert [row["name"] for row in record["clusters"]] == [
        row.name for row in cluster_systems(study)
    ]
    for row in record["clusters"]:
        assert row["low"] < row["mean"] < row["high"]


def test_its_csv_states_the_chance_levels():
    drawing = draw_one(make_record(), "comparisons")
    assert drawing is not None
    lines = drawing.table.to_csv().splitlines()
    for name in ("acc_eq_chance", "spa_chance", "pdp_chance", "cluster", "epsilon"):
        assert name in lines[0].split(",")
    assert len(lines) == 4


def test_a_metric_at_chance_is_not_said_to_compare():
    record = make_record()
    found = section(record, "comparisons")
    assert "good and fair" in found["may"][0]
    assert not any("poor" in line for line in found["may"])
    assert any("poor" in line for line in found["may_not"])


def test_equal_metrics_share_the_first_cluster():
    study = make_study()
    twin = replace(study, scores=dict(study.scores) | {"twin": study.scores["good"] * 2})
    found = section(make_record(twin), "comparisons")
    assert not any("only metric in the first cluster" in line for line in found["may"])
    assert any("good and twin" in line for line in found["may_not"])


def test_equal_systems_are_not_called_different():
    study = make_study()
    noise = np.random.default_rng(0).normal(0, 0.1, study.people.shape)
    alike = replace(study, scores=dict(study.scores) | {"gold": noise})
    record = make_record(alike)
    assert {row["cluster_holm"] for row in record["clusters"]} == {1}
    found = section(record, "clusters")
    assert not any("significantly better" in line for line in found["may"])
    assert any("best" in line for line in found["may_not"])


def test_a_report_that_was_stored_before_is_drawn_without_them():
    record = {k: v for k, v in make_record().items() if k not in ("comparisons", "clusters")}
    assert draw_one(record, "comparisons") is None
    assert draw_one(record, "clusters") is None
