"""How memory is measured, and how its growth is told apart from kills."""

from __future__ import annotations

import os

import psutil
import pytest

from tests.soak.memory import (
    Growth,
    Memory,
    Size,
    find_growth,
    find_growth_of_survivors,
    measure,
    with_children,
)

WARM, END = (10.0, 20.0), (90.0, 100.0)


def sizes(*rows: tuple[float, str, int, float]) -> list[Size]:
    return [Size(*row) for row in rows]


def test_it_compares_medians_of_sums():
    found = find_growth(
        sizes(
            (5, "web", 1, 900),
            *[(at, "web", pid, 100) for at in (10, 15, 20) for pid in (1, 2)],
            (90, "web", 1, 120),
            (90, "web", 2, 110),
            (95, "web", 1, 500),
            (95, "web", 2, 500),
            (100, "web", 1, 120),
            (100, "web", 2, 100),
        ),
        WARM,
        END,
    )
    assert found == {"web": Growth(200, 230)}
    assert found["web"].percent == pytest.approx(15)


def test_it_sees_a_growth_that_a_kill_would_hide():
    rows = sizes((15, "web", 1, 100), (15, "web", 2, 100), (95, "web", 1, 150), (95, "web", 3, 50))
    assert find_growth(rows, WARM, END)["web"].percent == 0
    assert find_growth_of_survivors(rows, WARM, END) == {"web": Growth(100, 150)}


def test_it_tells_nothing_of_survivors_where_none_is():
    rows = sizes((15, "web", 1, 100), (95, "web", 2, 150))
    assert find_growth_of_survivors(rows, WARM, END) == {}


def test_it_measures_this_process_near_what_psutil_says():
    told = psutil.Process().memory_full_info().pss / 2**20
    assert measure(os.getpid()) == pytest.approx(told, rel=0.2)


def test_it_leaves_out_a_process_that_is_gone():
    gone = psutil.Process()
    gone._pid = 2**22 + 1
    memory = Memory(lambda: {"web": [psutil.Process(), gone]}, lambda: 3.0)
    memory.look()
    assert [(row.at, row.role, row.pid) for row in memory.sizes] == [(3.0, "web", os.getpid())]


def test_it_finds_children_too():
    parent = psutil.Process()
    assert with_children([parent])[0] == parent
