"""People beside the others."""

from __future__ import annotations

import numpy as np
from hypothesis import given

from scoring.aggregation import describe_workers, measure_biases
from scoring.aggregation.workers import compare_with_others, find_departures
from tests.scoring.aggregation.grids import answers_of, counts_of, grids

GRID = {"d1/a": {"w0": "ppn", "w1": "ppn", "w2": "pnp"}, "d1/b": {"w0": "nn", "w2": "pn"}}


def by_worker(answers, values):
    return dict(zip(answers.worker_keys, values.tolist(), strict=True))


def test_it_compares_each_with_the_others():
    answers = answers_of(GRID)
    table = describe_workers(answers)
    assert by_worker(answers, table.hits) == {"w0": 2, "w1": 1, "w2": 2}
    assert by_worker(answers, table.answers) == {"w0": 5, "w1": 3, "w2": 5}
    assert by_worker(answers, table.present) == {"w0": 2, "w1": 2, "w2": 3}
    # On u1 and u2 of d1/a, the other two of w0 and of w1 are split and can't be compared with.
    assert by_worker(answers, table.compared) == {"w0": 3, "w1": 1, "w2": 5}
    assert by_worker(answers, table.agreed) == {"w0": 2, "w1": 1, "w2": 2}


def test_it_counts_departures_from_everybody():
    answers = answers_of(GRID)
    table = describe_workers(answers)
    assert by_worker(answers, table.judged) == {"w0": 4, "w1": 3, "w2": 4}
    assert by_worker(answers, table.departed) == {"w0": 0, "w1": 0, "w2": 2}


def test_it_looks_at_kept_work_alone():
    answers = answers_of(GRID)
    kept = np.array([key != "w2@d1/a" for key in answers.assignment_keys])
    table = describe_workers(answers, kept)
    assert by_worker(answers, table.hits) == {"w0": 2, "w1": 1, "w2": 1}
    assert by_worker(answers, table.departed) == {"w0": 0, "w1": 0, "w2": 0}


@given(grids())
def test_it_counts_like_a_person_with_a_pencil(grid):
    answers = answers_of(grid)
    totals = counts_of(grid)
    compared, agreed, judged, departed = (dict.fromkeys(answers.worker_keys, 0) for _ in range(4))
    for summary, people in grid.items():
        for worker, marks in people.items():
            for unit, mark in enumerate(marks):
                if mark == "-":
                    continue
                absent, present = totals[summary, unit]
                others = present - absent - (1 if mark == "p" else -1)
                compared[worker] += others != 0
                agreed[worker] += others != 0 and (others > 0) == (mark == "p")
                is_judged = present != absent and present + absent > 1
                judged[worker] += is_judged
                departed[worker] += is_judged and (present > absent) != (mark == "p")
    table = describe_workers(answers)
    assert by_worker(answers, table.compared) == compared
    assert by_worker(answers, table.agreed) == agreed
    assert by_worker(answers, table.judged) == judged
    assert by_worker(answers, table.departed) == departed


@given(grids())
def test_it_never_counts_a_departure_that_is_not_compared(grid):
    for found in (find(answers_of(grid)) for find in (find_departures, compare_with_others)):
        assert not (found.departed & ~found.counted).any()


def test_it_tells_how_a_worker_leans_by_system():
    answers = answers_of({**GRID, "d2/c": {"w0": "p"}})
    leanings = measure_biases(answers, 0)
    # On a: 2 of 3 present, the others 1 + 1/2 + 1/2 of 3. On b: none, the other 1 of 2.
    assert leanings[:2].tolist() == [0.0, -0.5]
    assert np.isnan(leanings[2])
