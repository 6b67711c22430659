"""Coordinates of plots: in order, inside the frame, and told in letters."""

from __future__ import annotations

import pytest

from annotation.evaluation.labels.charts import draw_scores, draw_slopes, letter_of, name_groups
from annotation.evaluation.labels.outcome import SystemChange
from annotation.evaluation.labels.score_pages import find_groups, list_groups
from annotation.evaluation.labels.scores import PairRow, ScoreRow, Scores
from scoring.figures.scale import NARROW, WIDE

LONG = "a-system-with-a-name-that-is-far-too-long-for-any-plot"
CHANGES = [
    SystemChange("b", 0.4, 0.6, 2, 1),
    SystemChange("a", 0.5, 0.5, 1, 2),
    SystemChange(LONG, None, 0.1, 3, 3),
]


def row(name: str, score: float | None, spread: float = 0.05) -> ScoreRow:
    if score is None:
        return ScoreRow(name, "other", None, None, None, 0, 3)
    return ScoreRow(name, "other", score, score - spread, score + spread, 10, 1)


def pair(first: str, second: str, p: float) -> PairRow:
    return PairRow(first, second, 0.1, 0.0, 0.2, 0.5, p, p, p, p, 1000, p, True)


def test_it_draws_a_line_from_rank_to_rank():
    chart = draw_slopes(CHANGES)
    by_name = {slope.name: slope for slope in chart.slopes}
    assert by_name["b"].move == "up"
    assert by_name["a"].move == "down"
    assert by_name[LONG].move == "same"
    assert by_name["b"].y1 == by_name["a"].y2 > by_name["b"].y2
    assert chart.moved == 2


def test_it_draws_what_moves_on_top():
    assert [slope.move for slope in draw_slopes(CHANGES).slopes] == ["same", "up", "down"]


@pytest.mark.parametrize("width", [WIDE, NARROW])
def test_it_stays_inside_the_frame(width: int):
    slopes = draw_slopes(CHANGES, width)
    assert 0 < slopes.x1 < slopes.x2 < slopes.width == width
    assert all(len(slope.label) < len(LONG) for slope in slopes.slopes)
    assert all(0 < slope.y1 < slopes.height for slope in slopes.slopes)
    scores = draw_scores([row("a", 0.9), row(LONG, 0.1)], [[0, 1]], width)
    assert scores is not None
    for mark in scores.marks:
        assert scores.left <= mark.x1 <= mark.x <= mark.x2 <= scores.right < width
        assert mark.y < scores.base < scores.height
    assert scores.right < scores.brackets[0].x < width


def test_it_leaves_scores_to_the_table_where_there_is_no_room():
    assert draw_slopes(CHANGES, WIDE).has_scores
    assert not draw_slopes(CHANGES, NARROW).has_scores
    many = [[place, place + 1] for place in range(9)]
    rows = [row(str(place), 1 - place / 20) for place in range(10)]
    wide, narrow = (draw_scores(rows, many, width) for width in (WIDE, NARROW))
    assert wide is not None
    assert narrow is not None
    assert (len(wide.brackets), len(narrow.brackets)) == (9, 0)
    assert narrow.marks[1].letters == "ab"


def test_it_draws_no_dot_without_a_score():
    chart = draw_scores([row("a", 0.5), row("b", None)], [])
    assert chart is not None
    assert [mark.name for mark in chart.marks] == ["a"]
    assert draw_scores([row("b", None)], []) is None


def test_it_draws_one_score_without_an_interval():
    alone = ScoreRow("a", "other", 0.5, None, None, 1, 1)
    chart = draw_scores([alone], [])
    assert chart is not None
    assert chart.marks[0].x1 == chart.marks[0].x2


@pytest.mark.parametrize("number, letter", [(0, "a"), (25, "z"), (26, "aa"), (27, "ab")])
def test_it_never_runs_out_of_letters(number: int, letter: str):
    assert letter_of(number) == letter


@pytest.mark.parametrize(
    "size, apart, groups",
    [
        (0, [], []),
        (3, [], [[0, 1, 2]]),
        (3, [(0, 2)], [[0, 1], [1, 2]]),
        (3, [(0, 1), (0, 2)], [[0], [1, 2]]),
        (3, [(0, 1), (0, 2), (1, 2)], [[0], [1], [2]]),
        # The outer two can't be told apart, the middle one from either can.
        (3, [(0, 1), (1, 2)], [[0, 2], [1]]),
    ],
)
def test_it_groups_what_can_not_be_told_apart(
    size: int, apart: list[tuple[int, int]], groups: list[list[int]]
):
    assert find_groups(size, apart) == groups


def test_it_groups_exactly_the_pairs_that_are_not_separable():
    size = 9
    apart = {(one, other) for one in range(size) for other in range(one + 3, size)} - {(2, 6)}
    groups = find_groups(size, sorted(apart))
    together = {(a, b) for group in groups for a in group for b in group if a < b}
    assert together == {(a, b) for a in range(size) for b in range(a + 1, size)} - apart


def test_it_leaves_out_who_is_alone_or_unscored():
    rows = [row("a", 0.9), row("b", 0.5), row("c", 0.4), row("d", None)]
    pairs = [pair("a", "b", 0.01), pair("a", "c", 0.02), pair("b", "c", 0.6)]
    scores = Scores("exhaustive", None, 0, rows, pairs, "")
    assert list_groups(scores) == [[1, 2]]
    assert name_groups(3, [[1, 2]]) == ["", "a", "a"]
