"""Annotators as a random factor in a report."""

from __future__ import annotations

import numpy as np
import pytest

from scoring.metaeval.annotators import AND_SYSTEMS, bootstrap_correlations
from scoring.metaeval.draws import BY_BOTH, Resampling
from scoring.metaeval.raw_judgements import read_judgements
from scoring.metaeval.report import ReportOptions, build_report, draw_one, write_record
from scoring.metaeval.study import Study
from tests.scoring.metaeval.judged import make_answers

OPTIONS = ReportOptions(resamples=60, inputs="judged")


def make_case(systems=6, **options):
    judgements = read_judgements(make_answers(systems=systems, annotators=systems, **options))
    table = judgements.table()
    rng = np.random.default_rng(0)
    scores = {
        "gold": table,
        "close": table + rng.normal(0, 0.001, table.shape),
        "noise": rng.random(table.shape),
    }
    names = judgements.system_names, judgements.document_names
    return Study(*names, {}, "gold", scores), judgements


@pytest.fixture(scope="module")
def record():
    study, judgements = make_case(nested=True, annotator_sd=0.4)
    return build_report(study, OPTIONS, judgements=judgements)


def section(record):
    return next(row for row in record["sections"] if row["figure"] == "annotators")


def test_it_has_the_intervals_of_the_library(record):
    study, judgements = make_case(nested=True, annotator_sd=0.4)
    rows = bootstrap_correlations(study, judgements, resampling=Resampling(BY_BOTH, 60))
    expected = {(row.name, list(row.drawn)[-1]): row for row in rows if row.drawn == AND_SYSTEMS}
    found = [row for row in record["annotators"]["correlations"] if row["drawn"][-1] == "systems"]
    assert len(found) == 2
    for row in found:
        other = expected[row["name"], "systems"]
        assert (row["value"], row["low"]) == pytest.approx((other.value, other.low))


def test_it_warns_where_annotators_are_nested_in_systems(record):
    assert record["annotators"]["is_overstated"]
    assert any("Steen and Markert" in line for line in section(record)["may_not"])


def test_it_does_not_warn_where_everybody_judges_everything():
    study, judgements = make_case(annotator_sd=0.4)
    calm = build_report(study, OPTIONS, judgements=judgements)
    assert not calm["annotators"]["is_overstated"]
    assert not any("Steen and Markert" in line for line in section(calm)["may_not"])


def test_a_metric_of_noise_is_not_said_to_rank(record):
    found = section(record)
    assert not any("noise" in line for line in found["may"])
    assert any("noise" in line for line in found["may_not"])


def test_a_good_metric_is_said_to_rank_only_on_enough_systems(record):
    assert not any("close" in line for line in section(record)["may"])
    study, judgements = make_case(systems=12, nested=True, annotator_sd=0.4)
    many = build_report(study, OPTIONS, judgements=judgements)
    row = next(
        row
        for row in many["annotators"]["correlations"]
        if row["name"] == "close" and len(row["drawn"]) == 3
    )
    assert row["low"] > 0
    assert any("close" in line for line in section(many)["may"])


def test_it_is_drawn_and_written(record):
    drawing = draw_one(record, "annotators")
    assert drawing is not None
    assert len(drawing.table.rows) == 8
    assert write_record(record)


def test_without_raw_answers_there_is_no_such_figure():
    study, _ = make_case()
    plain = build_report(study, OPTIONS)
    assert "annotators" not in plain
    assert draw_one(plain, "annotators") is None
