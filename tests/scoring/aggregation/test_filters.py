"""Rules that leave out noisy work."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.aggregation import FILTERS, default_options, find_drops
from tests.scoring.aggregation.grids import Grid, answers_of, counts_of, dropped_keys, grids


def found(grid: Grid, rule: str, **options: float) -> list[str]:
    answers = answers_of(grid)
    return dropped_keys(answers, find_drops(answers, rule, None, **options))


def timed(grid: Grid, *seconds: float):
    return replace(answers_of(grid), assignment_seconds=np.array(seconds))


def with_gold(grid: Grid, asked: list[int], right: list[int]):
    return replace(
        answers_of(grid),
        assignment_gold_asked=np.array(asked),
        assignment_gold_right=np.array(right),
    )


@pytest.mark.parametrize(
    "people, expected",
    [
        # Nobody departs: all four stay, whatever the even splits.
        ({"a": "pp", "b": "pp", "c": "pp", "d": "pp"}, []),
        ({"a": "ppn", "b": "ppn", "c": "pnp", "d": "pnp"}, []),
        # One departs once: out.
        ({"a": "pp", "b": "pp", "c": "pp", "d": "pn"}, ["d@d/s"]),
        # The one who departs most is out, and only that one.
        ({"a": "ppp", "b": "ppp", "c": "npp", "d": "pnn"}, ["d@d/s"]),
        # Even splits do not count: c departs once, d departs never although it splits twice.
        ({"a": "pppp", "b": "pppp", "c": "pnnn", "d": "pnnp"}, ["c@d/s"]),
        # Equally many departures: the first by key.
        ({"b": "np", "a": "pn", "c": "pp", "d": "pp"}, ["a@d/s"]),
        # Three judges.
        ({"a": "pp", "b": "pn", "c": "pp"}, ["b@d/s"]),
        # Two judges have no strict majority against anybody.
        ({"a": "pp", "b": "nn"}, []),
        # Missing answers are no departures.
        ({"a": "pp", "b": "pp", "c": "p-", "d": "n-"}, ["d@d/s"]),
    ],
)
def test_it_drops_the_worst_of_a_summary(people, expected):
    assert found({"d/s": people}, "per-summary") == expected


def test_it_judges_every_summary_by_itself():
    grid = {
        "d/s": {"a": "p", "b": "p", "c": "n"},
        "e/s": {"a": "n", "b": "p", "c": "p"},
        "f/s": {"a": "p", "b": "p", "c": "p"},
    }
    assert found(grid, "per-summary") == ["c@d/s", "a@e/s"]


def naive_per_summary(grid: Grid) -> set[str]:
    totals = counts_of(grid)
    dropped = set()
    for summary, people in grid.items():
        departures = {}
        for worker, marks in people.items():
            departures[f"{worker}@{summary}"] = sum(
                mark != "-" and (present > absent) != (mark == "p") and present != absent
                for unit, mark in enumerate(marks)
                for absent, present in [totals.get((summary, unit), (0, 0))]
            )
        if most := max(departures.values(), default=0):
            dropped.add(min(key for key, number in departures.items() if number == most))
    return dropped


@given(grids())
def test_it_drops_what_the_rule_by_summary_says(grid):
    assert set(found(grid, "per-summary")) == naive_per_summary(grid)


@given(grids())
def test_it_does_not_depend_on_the_order_of_rows(grid):
    backwards = {summary: dict(reversed(people.items())) for summary, people in grid.items()}
    assert set(found(grid, "per-summary")) == set(found(backwards, "per-summary"))


def test_it_says_why():
    answers = answers_of({"d/s": {"a": "ppp", "b": "ppp", "c": "npp", "d": "pnn"}})
    [drop] = find_drops(answers, "per-summary")
    assert drop.rule == "per-summary"
    assert answers.worker_keys[drop.worker] == "d"
    assert drop.figures == {"departures": 2, "statements": 3}
    assert "on 2 of 3 statements" in drop.reason


NOISY = {
    f"d{code}/s": {"a": "pn", "b": "pn", "c": "pn", "x": "np" if code < 3 else "pn"}
    for code in range(4)
}


@pytest.mark.parametrize(
    "options, number",
    [
        ({"min_hits": 4, "max_disagreement": 0.7}, 4),
        # Exactly the allowed share, or one HIT too few, is not enough.
        ({"min_hits": 4, "max_disagreement": 0.75}, 0),
        ({"min_hits": 5, "max_disagreement": 0.7}, 0),
        ({"min_hits": 1, "max_disagreement": 0}, 4),
    ],
)
def test_it_drops_a_noisy_worker_with_all_their_work(options, number):
    dropped = found(NOISY, "per-worker", **options)
    assert len(dropped) == number
    assert all(key.startswith("x@") for key in dropped)


def naive_per_worker(grid: Grid, least: int, most: float) -> set[str]:
    totals = counts_of(grid)
    work: dict[str, list[tuple[str, bool, bool]]] = {}
    for summary, people in grid.items():
        for worker, marks in people.items():
            for unit, mark in enumerate(marks):
                if mark != "-":
                    absent, present = totals[summary, unit]
                    is_judged = present + absent > 1 and present != absent
                    is_off = (present > absent) != (mark == "p")
                    work.setdefault(worker, []).append((summary, is_judged, is_off))
    dropped = set()
    for worker, rows in work.items():
        hits = {summary for summary, _, _ in rows}
        judged = [is_off for _, is_judged, is_off in rows if is_judged]
        if len(hits) >= least and judged and sum(judged) / len(judged) > most:
            dropped |= {f"{worker}@{summary}" for summary in hits}
    return dropped


@given(grids(), st.integers(1, 4), st.sampled_from([0.0, 0.2, 0.3, 0.45, 0.72]))
def test_it_drops_what_the_rule_by_worker_says(grid, least, most):
    dropped = found(grid, "per-worker", min_hits=least, max_disagreement=most)
    assert set(dropped) == naive_per_worker(grid, least, most)


def test_it_drops_those_who_fail_gold_items():
    grid = {"d/s": {"a": "p", "b": "p", "c": "p", "d": "p"}}
    answers = with_gold(grid, [0, 2, 2, 4], [0, 2, 1, 3])
    assert dropped_keys(answers, find_drops(answers, "gold")) == ["c@d/s", "d@d/s"]
    assert dropped_keys(answers, find_drops(answers, "gold", min_right=0.6)) == ["c@d/s"]


def test_it_drops_work_done_too_fast():
    grid = {"d/s": {"a": "pp", "b": "pp", "c": "pp", "d": "pp"}}
    answers = timed(grid, 3.9, 4.0, np.nan, 60)
    assert dropped_keys(answers, find_drops(answers, "fast")) == ["a@d/s"]
    assert len(find_drops(answers, "fast", min_seconds=2.1)) == 2


@pytest.mark.parametrize(
    "people, expected",
    [
        ({"a": "pppp", "b": "pnpn", "c": "pnpn"}, ["a@d/s"]),
        # The others say so too.
        ({"a": "nnnn", "b": "nnnn", "c": "nnnn"}, []),
        # Too few to tell.
        ({"a": "ppp-", "b": "pnpn", "c": "pnpn"}, []),
        # Nobody to compare with: likeness alone decides.
        ({"a": "pppp"}, ["a@d/s"]),
    ],
)
def test_it_drops_straight_lining(people, expected):
    assert found({"d/s": people}, "straight-lining", min_statements=4) == expected


@pytest.mark.parametrize("rule", FILTERS)
@given(grid=grids())
def test_it_drops_only_what_is_kept_and_nothing_twice(rule, grid):
    answers = answers_of(grid)
    kept = np.arange(len(answers.assignment_keys)) % 2 == 0
    drops = [drop.assignment for drop in find_drops(answers, rule, kept)]
    assert len(set(drops)) == len(drops)
    assert kept[drops].all()


@pytest.mark.parametrize(
    "rule, options, message",
    [
        (
            "per-sumary",
            {},
            "There is no filter 'per-sumary'. Use one of per-summary, per-worker, gold",
        ),
        ("gold", {"right": 1}, "Filter 'gold' has no option 'right'. Options: min_right."),
        ("per-summary", {"most": 1}, "Options: none."),
        ("fast", {"min_seconds": -1}, "min_seconds is -1. Expected a number of at least 0."),
        ("fast", {"min_seconds": float("nan")}, "min_seconds is nan"),
    ],
)
def test_it_knows_its_rules_by_name(rule, options, message):
    answers = answers_of({"d/s": {"a": "p"}})
    with pytest.raises(ValueError, match=message):
        find_drops(answers, rule, **options)


def test_it_tells_the_defaults():
    assert default_options("per-worker") == {"min_hits": 10, "max_disagreement": 0.3}
    assert default_options("per-summary") == {}
