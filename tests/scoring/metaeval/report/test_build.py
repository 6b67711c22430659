"""A report from a study: whole, the same every time, and honest where nothing can be told."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from scoring.metaeval.levels import correlate
from scoring.metaeval.report import (
    FIGURES,
    ReportOptions,
    build_report,
    draw_one,
    draw_report,
    write_record,
)
from tests.scoring.metaeval.report.studies import make_record, make_study


@pytest.fixture(scope="module")
def record() -> dict[str, Any]:
    return make_record()


def test_it_holds_every_figure(record: dict[str, Any]):
    without_answers = [name for name in FIGURES if name != "annotators"]
    assert [row["figure"] for row in record["sections"]] == without_answers
    assert list(draw_report(record)) == without_answers


def test_it_ranks_metrics_by_kendall_at_the_system_level(record: dict[str, Any]):
    assert (record["metrics"], record["lead"]) == (["good", "fair", "poor"], "good")
    study = make_study()
    for row in record["leaderboard"]:
        for level in ("system", "summary"):
            for measure, values in row[level].items():
                found = correlate(study, row["metric"], level=level, measure=measure)
                assert values[0] == pytest.approx(found.value, abs=1e-9)
                assert values[1] <= values[2]


def test_it_tells_kinds_apart_where_there_are_enough(record: dict[str, Any]):
    groups = [(group["kind"], group["systems"]) for group in record["kinds"]]
    assert groups == [("all", 12), ("abstractive", 6), ("extractive", 6)]
    fewer = make_record(make_study(8))
    assert [group["kind"] for group in fewer["kinds"]] == ["all"]
    assert "kinds" not in draw_report(fewer)


def test_it_counts_right_and_wrong_among_close_pairs(record: dict[str, Any]):
    for row in record["pairs"]["rows"]:
        pairs = list(zip(row["right"], row["wrong"], row["pairs"], strict=True))
        assert all(right + wrong == total for right, wrong, total in pairs)
        assert row["pairs"][-1] == 12 * 11 // 2
        right, wrong, total = pairs[-1]
        assert row["values"][-1] == pytest.approx((right - wrong) / total)


def test_it_is_the_same_to_the_byte(record: dict[str, Any]):
    said = write_record(record)
    assert write_record(json.loads(said)) == said
    code = (
        "import sys; from tests.scoring.metaeval.report.studies import make_record; "
        "from scoring.metaeval.report import write_record; "
        "sys.stdout.buffer.write(write_record(make_record()))"
    )
    env = os.environ | {"PYTHONHASHSEED": "77"}
    done = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, check=True)
    assert done.stdout == said


def test_it_draws_the_same_after_it_was_stored(record: dict[str, Any]):
    """A database may give keys back in another order."""
    stored = json.loads(json.dumps(record, sort_keys=True))
    assert draw_report(stored) == draw_report(record)


def test_it_differs_by_seed(record: dict[str, Any]):
    other = make_record(seed=1)
    assert (
        other["leaderboard"][1]["system"]["kendall"][0]
        == (record["leaderboard"][1]["system"]["kendall"][0])
    )
    assert other["leaderboard"] != record["leaderboard"]
    assert other["signature"] != record["signature"]


def test_it_signs_what_it_follows_from(record: dict[str, Any]):
    for part in ("data:", "human:gold", "resamples:30", "seed:0", "inputs:every", "giza:"):
        assert part in record["signature"]


def test_it_tells_nothing_of_two_systems():
    record = make_record(make_study(2))
    assert (record["lead"], record["kinds"]) == (None, [])
    assert [row["figure"] for row in record["sections"]] == ["leaderboard"]
    assert record["leaderboard"][0]["system"]["kendall"] == [None, None, None]


def test_it_tells_little_of_three_systems():
    record = make_record(make_study(3))
    assert record["lead"] == "good"
    assert record["kinds"][0]["williams"] == {}
    assert "top" not in draw_report(record)


def test_it_needs_metrics_and_people():
    study = make_study()
    alone = replace(study, scores={"gold": study.people})
    with pytest.raises(ValueError, match="at least one metric"):
        build_report(alone)
    nothing = replace(
        study, scores=dict(study.scores) | {"gold": np.full_like(study.people, np.nan)}
    )
    with pytest.raises(ValueError, match="'gold'"):
        build_report(nothing)


def test_it_turns_metrics_of_which_less_is_better():
    study = make_study(noise={"good": 0.02})
    turned = replace(study, scores=dict(study.scores) | {"good": -study.scores["good"]})
    plain, lower = make_record(study), make_record(turned, lower=("good",))
    assert plain["leaderboard"] == lower["leaderboard"]
    with pytest.raises(ValueError, match="no metric 'x'"):
        make_record(study, lower=("x",))


@pytest.mark.parametrize(
    "said, words",
    [
        ({"resamples": 0}, "resamples: expected 1 to 10,000"),
        ({"seed": -1}, "seed: expected 0"),
        ({"inputs": "some"}, "Inputs can't be 'some'"),
        ({"least_systems": 2}, "least_systems: expected 3"),
    ],
)
def test_it_refuses_odd_options(said: dict[str, Any], words: str):
    with pytest.raises(ValueError, match=words):
        ReportOptions(**said)


def test_no_p_value_sits_on_a_floor(record: dict[str, Any]):
    """A clear difference is significant after Holm; each p has its bounds and its swaps."""
    table = record["kinds"][0]["permutation"]
    found = [
        (p, table["p_low"][at][to], table["p_high"][at][to], table["swaps"][at][to])
        for at, row in enumerate(table["p"])
        for to, p in enumerate(row)
        if p is not None
    ]
    assert len(found) == 3
    assert all(low <= p <= high and swaps >= 1000 for p, low, high, swaps in found)
    assert record["options"]["swaps"] == 100_000
    assert make_record(swaps=50)["options"]["swaps"] == 50


def test_differences_have_intervals_at_both_levels(record: dict[str, Any]):
    taus = {row["metric"]: row for row in record["leaderboard"]}
    for level, rows in record["kinds"][0]["differences"].items():
        assert [(row["first"], row["second"]) for row in rows] == [
            ("good", "fair"),
            ("good", "poor"),
            ("fair", "poor"),
        ]
        for row in rows:
            first, second = (taus[row[side]][level]["kendall"][0] for side in ("first", "second"))
            assert row["value"] == pytest.approx(first - second, abs=1e-9)
            assert row["low"] <= row["high"]


def test_every_figure_says_where_bias_could_not_be_corrected(record: dict[str, Any]):
    table = draw_report(record)["leaderboard"].table
    assert table.columns[-3:] == ("bca_low", "bca_high", "bca_note")
    for row in table.rows:
        assert row[-3] is not None
        if row[-1]:
            assert row[-3:-1] == row[4:6]


def test_a_report_of_an_earlier_version_is_drawn():
    """It has p values only, no tests or differences at the summary level, and no correction."""
    stored = json.loads(write_record(make_record()))
    for row in stored["leaderboard"]:
        del row["bca"]
    for group in stored["kinds"]:
        del group["summary_permutation"], group["differences"]
        for test in ("permutation", "williams"):
            group[test] = {name: group[test][name] for name in ("p", "holm", "benjamini_hochberg")}
    drawn = draw_report(stored)
    assert set(FIGURES) - set(drawn) == {"annotators", "summary_permutation", "differences"}


def test_it_knows_no_other_figure(record: dict[str, Any]):
    assert draw_one(record, "pie") is None
