"""What a report says: right in plain cases, and careful where little is known."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from scoring.metaeval.report.abstract import find_gap, list_rivals
from scoring.metaeval.report.on_tests import count_tests
from scoring.metaeval.report.saying import counted, estimated, gap, listed
from tests.scoring.metaeval.report.studies import make_record, make_study


@pytest.fixture(scope="module")
def record() -> dict[str, Any]:
    return make_record()


def section(record: dict[str, Any], figure: str) -> dict[str, Any]:
    return next(row for row in record["sections"] if row["figure"] == figure)


def words(record: dict[str, Any]) -> str:
    return " ".join(record["abstract"])


def test_it_says_what_was_compared(record: dict[str, Any]):
    assert record["abstract"][0] == (
        "3 metrics are compared with human scores (gold) on 12 systems and 16 examples."
    )
    assert record["abstract"][1].startswith("good shows strong agreement with people")


def test_it_says_something_everywhere(record: dict[str, Any]):
    for row in record["sections"]:
        assert row["title"], row["figure"]
        assert row["caption"].endswith("."), row["figure"]
        assert all(row[name] for name in ("may", "may_not", "how")), row["figure"]
        for line in (*row["may"], *row["may_not"], row["how"]):
            assert not any(bad in line for bad in ("None", "nan", "  ", "..", "[", "{")), line


def test_it_says_that_a_metric_may_be_chance(record: dict[str, Any]):
    doubtful = section(record, "leaderboard")["may_not"][0]
    assert "poor" in doubtful
    assert doubtful.endswith("includes 0.")


def test_it_says_how_close_pairs_are_ordered(record: dict[str, Any]):
    said = section(record, "pairs")["may"][0]
    assert said.startswith("Of the 20 % of pairs with the closest scores (")
    assert "good ranks " in said
    assert said in words(record)


def test_it_counts_the_tests(record: dict[str, Any]):
    for test in ("permutation", "summary_permutation", "williams"):
        alone, significant, fewer, open_tests, tests = count_tests(record, test)
        assert (tests, open_tests) == (3, 0)
        assert significant <= fewer <= significant + alone
        assert f"{significant or 'None'} of 3 pairs of metrics" in section(record, test)["may"][0]


def test_a_verdict_that_is_not_settled_is_no_finding():
    record = make_record(swaps=30)
    found = record["kinds"][0]["permutation"]
    at, to = next(
        (at, to) for at, row in enumerate(found["unsettled"]) for to, said in enumerate(row) if said
    )
    _, significant, _, open_tests, _ = count_tests(record, "permutation")
    assert open_tests > 0
    assert significant + open_tests <= 3
    assert "not settled" in section(record, "permutation")["may"][0]
    if at == 0:
        assert record["metrics"][to] in list_rivals(record, ("permutation",))


def test_it_says_that_two_systems_tell_nothing():
    record = make_record(make_study(2))
    assert "people have judged 2 systems" in words(record)
    assert section(record, "leaderboard")["may"] == []
    assert "only 2" in " ".join(section(record, "leaderboard")["may_not"])


def test_it_says_that_all_are_alike():
    study = make_study()
    flat = replace(study, scores={"gold": study.people, "flat": np.ones_like(study.people)})
    record = make_record(flat)
    assert "No correlation can be computed" in words(record)
    assert "flat gives every system the same score." in words(record)


def test_it_says_so_of_one_constant_metric_among_others():
    study = make_study()
    scores = dict(study.scores) | {"flat": np.ones_like(study.people)}
    record = make_record(replace(study, scores=scores))
    assert (record["metrics"], record["leaderboard"][-1]["metric"]) == (
        ["good", "fair", "poor"],
        "flat",
    )
    assert "flat gives every system the same score." in words(record)


def without(record_scores: dict[str, Any], metric: str, systems: slice) -> dict[str, Any]:
    table = record_scores[metric].copy()
    table[systems] = np.nan
    return record_scores | {metric: table}


def test_it_says_that_a_metric_lacks_a_system():
    study = make_study()
    record = make_record(replace(study, scores=without(dict(study.scores), "fair", slice(3, 4))))
    rows = {row["metric"]: row for row in record["leaderboard"]}
    assert (rows["fair"]["systems"], rows["fair"]["missing"]) == (11, ["s03"])
    assert (rows["good"]["systems"], rows["good"]["missing"]) == (12, [])
    assert "11 of 12 systems" in words(record)
    assert "s03" in words(record)
    assert any("fair" in line and "fewer systems" in line for line in may_not(record))


def may_not(record: dict[str, Any]) -> list[str]:
    lines: list[str] = section(record, "leaderboard")["may_not"]
    return lines


def test_it_says_that_a_metric_lacks_summaries():
    study = make_study()
    scores = {name: table.copy() for name, table in study.scores.items()}
    scores["fair"][0, :4] = np.nan
    record = make_record(replace(study, scores=scores))
    assert {row["metric"]: row["lacks"] for row in record["leaderboard"]} == {
        "good": 0,
        "fair": 4,
        "poor": 0,
    }
    assert "fair lacks 4 judged summaries." in words(record)


def test_a_correlation_of_two_systems_is_none():
    study = make_study()
    record = make_record(replace(study, scores=without(dict(study.scores), "poor", slice(2, None))))
    assert record["lead"] == "good"
    assert "poor" not in record["metrics"]
    assert record["leaderboard"][-1]["system"]["kendall"] == [None, None, None]
    assert "poor has no defined correlation" in words(record)


@pytest.mark.parametrize("values", [1.0, np.nan])
def test_a_metric_without_a_correlation_gets_no_verdict(values: float):
    study = make_study()
    scores = dict(study.scores) | {"flat": np.full_like(study.people, values)}
    record = make_record(replace(study, scores=scores))
    for group in record["kinds"]:
        assert "flat" not in group["f1"]
        assert len(group["permutation"]["p"]) == 3
    assert "flat" not in list_rivals(record)
    assert "flat has no defined correlation" in words(record)
    for row in record["sections"]:
        said = " ".join((*row["may"], *row["may_not"]))
        assert "flat" not in said, row["figure"]


def test_it_says_that_a_metric_ranks_against_people():
    study = make_study(noise={"good": 0.02})
    turned = replace(study, scores=dict(study.scores) | {"good": -study.scores["good"]})
    record = make_record(turned)
    assert "good ranks systems in the opposite direction to people: τ −" in words(record)
    assert "good does not rank two systems significantly better" in words(record)


def test_it_does_not_trust_an_interval_of_few_systems():
    record = make_record(make_study(6, noise={"same": 0.0}))
    assert "τ 1.00 (1.00 to 1.00) on 6 systems. These are too few" in words(record)
    assert "too few close pairs" in words(record)


def test_metrics_that_tie_are_all_named():
    study = make_study(noise={"good": 0.02})
    twins = {f"twin{place}": study.scores["good"] + place + 1 for place in range(4)}
    record = make_record(replace(study, scores=dict(study.scores) | twins))
    names = "good, twin0, twin1, twin2 and twin3"
    assert f"{names} tie for the highest τ at the system level" in words(record)
    kinds = section(record, "kinds")["may"]
    assert len(kinds) == 2
    assert all(f"{names} tie for the highest τ" in line for line in kinds)
    assert "not significantly better than any other metric" in words(record)


def test_it_speaks_of_one_metric_alone():
    record = make_record(make_study(noise={"good": 0.02}))
    assert words(record).startswith("1 metric is compared")
    assert "good shows strong agreement" in words(record)
    assert "others" not in words(record)
    assert "permutation" not in [row["figure"] for row in record["sections"]]


def test_it_warns_of_copies():
    study = make_study()
    scores = {name: table.copy() for name, table in study.scores.items()}
    for table in scores.values():
        table[1] = table[0]
    record = make_record(replace(study, scores=scores))
    assert record["copies"] == [["s00", "s01"]]
    assert "s00 and s01 have identical scores" in words(record)


def test_equal_metrics_count_once_and_it_says_so():
    study = make_study()
    again = {**study.scores, "again": study.scores["good"].copy()}
    record = make_record(replace(study, scores=again))
    plain = make_record(study)
    assert record["same"] == [["again", "good"]]
    assert [row["metric"] for row in record["leaderboard"]] == [
        row["metric"] for row in plain["leaderboard"]
    ]
    assert record["leaderboard"] == plain["leaderboard"]
    assert "again has exactly the same scores as good" in words(record)


def test_it_names_the_examples_that_people_judged():
    study = make_study(judged=10)
    said = section(make_record(study), "scatter")["how"]
    assert said.startswith("Human means are over the 10 examples that people judged")
    judged = section(make_record(study, inputs="judged"), "scatter")["how"]
    assert judged == "Means over the 10 examples that people judged."
    assert "16 examples, 10 of them judged by people" in words(make_record(study))


def test_it_names_what_counts_negated():
    record = make_record(lower=("poor",))
    assert "poor is negated" in section(record, "leaderboard")["how"]


def make_pairs(low: list[float | None], values: list[float]) -> dict[str, Any]:
    row = {
        "metric": "m",
        "values": values,
        "low": low,
        "high": [1.0] * len(low),
        "gap": [0.01, 0.02, 0.03],
    }
    return {"lead": "m", "pairs": {"rows": [row], "shares": [10, 20, 30]}}


@pytest.mark.parametrize(
    "low, limit",
    [
        ([0.1, 0.2, 0.3], 0.0),
        ([-0.1, 0.2, 0.3], 0.01),
        ([0.1, -0.2, 0.3], 0.02),
        ([0.1, 0.2, -0.3], float("inf")),
        ([None, 0.2, 0.3], 0.01),
        ([None, None, None], None),
    ],
)
def test_it_finds_the_gap_below_which_order_may_be_chance(
    low: list[float | None], limit: float | None
):
    assert find_gap(make_pairs(low, [0.5, 0.6, 0.7]), "m") == limit


def test_it_needs_both_tests_to_be_sure():
    holm = {"permutation": 0.01, "williams": 0.2}
    group = {test: {"holm": [[None, p], [None, None]]} for test, p in holm.items()}
    record = {"metrics": ["a", "b"], "lead": "a", "kinds": [group]}
    assert list_rivals(record) == ["b"]
    assert list_rivals(record, ("permutation",)) == []
    group["permutation"]["unsettled"] = [[None, "holm"], [None, None]]
    assert list_rivals(record, ("permutation",)) == ["b"]


def test_it_writes_figures_and_names():
    assert estimated((0.834, 0.66, 0.85)) == ".83 (.66 to .85)"
    assert estimated((0.5, None, None)) == ".50"
    assert listed([]) == ""
    assert listed(["a"]) == "a"
    assert listed(["a", "b", "c"]) == "a, b and c"
    assert listed(list("abcdef")) == "a, b, c, d and 2 others"
    assert counted(1, "pair", "pairs") == "1 pair"
    assert (gap(0.0123), gap(0)) == ("0.012", "0")
