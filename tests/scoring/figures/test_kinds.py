"""What each kind of figure shows, and that it stays inside its frame."""

from __future__ import annotations

import re

import pytest

from scoring.figures.axes import short
from scoring.figures.curves import Series, draw_curves
from scoring.figures.display import Circle, Figure, Line, Mark, Path, Rect, Table, Text
from scoring.figures.grids import NOT, draw_heatmap, draw_matrix
from scoring.figures.intervals import IntervalPanel, draw_intervals
from scoring.figures.letters import measure
from scoring.figures.scale import NARROW, WIDE
from scoring.figures.scatter import Point, draw_scatter
from tests.scoring.figures.samples import make_both, make_points


def ends_of(mark: Mark) -> list[tuple[float, float]]:
    match mark:
        case Line():
            return [(mark.x1, mark.y1), (mark.x2, mark.y2)]
        case Rect():
            return [(mark.x, mark.y), (mark.x + mark.width, mark.y + mark.height)]
        case Circle():
            return [(mark.x - mark.r, mark.y - mark.r), (mark.x + mark.r, mark.y + mark.r)]
        case Path():
            return list(mark.points)
        case Text():
            width = measure(mark.text, mark.size, is_bold=mark.is_bold)
            left = mark.x - {"start": 0, "middle": 0.5, "end": 1}[mark.anchor] * width
            return [(left, mark.y), (left + width, mark.y)]


def words_of(figure: Figure) -> list[str]:
    return [mark.text for mark in figure.marks if isinstance(mark, Text)]


@pytest.mark.parametrize("figure", make_both(), ids=lambda each: f"{each.name}-{each.width:g}")
def test_it_stays_inside_its_frame(figure: Figure):
    for mark in figure.marks:
        for x, y in ends_of(mark):
            assert -1 <= x <= figure.width + 1, mark
            assert -1 <= y <= figure.height + 1, mark


def make_series(count: int) -> list[Series]:
    return [Series(f"m{at}", (0, 50, 100), (0.1, 0.5, 0.5 + at / 50)) for at in range(count)]


@pytest.mark.parametrize("width", [WIDE, NARROW])
def test_it_names_a_few_curves_and_lets_the_others_stand_back(width: float):
    figure = draw_curves(make_series(9), name="f", title="t", across="x", up="y", width=width)
    words = words_of(figure)
    assert [each for each in words if each.startswith("m")] == ["m0", "m1", "m2", "m3", "m4"]
    assert "the others" in words
    grey = [each for each in figure.marks if isinstance(each, Path) and each.stroke == "edge"]
    assert len(grey) == 4


def test_it_draws_curves_apart_without_colour():
    figure = draw_curves(make_series(5), name="f", title="t", across="x", up="y")
    drawn = [each for each in figure.marks if isinstance(each, Path) and not each.closed]
    assert len({each.dash for each in drawn}) == 5
    assert "the others" not in words_of(figure)


def test_it_breaks_a_curve_where_nothing_is_known():
    gap = Series("gap", (0, 1, 2, 3, 4), (0.1, 0.2, None, 0.3, 0.4))
    figure = draw_curves([gap], name="f", title="t", across="x", up="y")
    drawn = [each for each in figure.marks if isinstance(each, Path) and not each.closed]
    assert [len(each.points) for each in drawn] == [2, 2]


def test_it_draws_no_curve_of_nothing():
    nothing = Series("none", (0, 1), (None, None))
    figure = draw_curves([nothing], name="f", title="t", across="x", up="y")
    assert "none" in words_of(figure)


@pytest.mark.parametrize("width", [WIDE, NARROW])
def test_every_point_has_its_name_and_none_lies_upon_another(width: float):
    crowd = [Point(f"a long name {at}", 0.5, 0.5 + at / 1000) for at in range(90)]
    figure = draw_scatter(crowd, name="f", title="t", across="x", up="y", width=width)
    words = " ".join(words_of(figure)) + " "
    assert all(f"{point.name} " in words for point in crowd)
    boxes = [
        (*ends_of(mark)[0], ends_of(mark)[1][0])
        for mark in figure.marks
        if isinstance(mark, Text) and "a long" in mark.text
    ]
    for place, (left, y, right) in enumerate(boxes):
        for other_left, other_y, other_right in boxes[place + 1 :]:
            assert abs(y - other_y) >= 10 or right <= other_left or left >= other_right


def test_points_without_room_are_numbered_and_explained():
    crowd = [Point(f"a very long name of a system {at}", 0.5, 0.5) for at in range(150)]
    figure = draw_scatter(crowd, name="f", title="t", across="x", up="y", width=NARROW)
    explained = [each for each in words_of(figure) if re.match(r"\d+ a very", each)]
    assert explained
    numbers = {each.split()[0] for each in explained}
    assert numbers <= set(words_of(figure))
    assert figure.height > 360


def test_no_halo_covers_a_sign():
    figure = draw_scatter(make_points(), name="f", title="t", across="x", up="y")
    signs = [mark for mark in figure.marks if isinstance(mark, Circle | Path) and mark.fill]
    halos = [place for place, mark in enumerate(signs) if mark.fill == "surface"]
    assert len(halos) == len(make_points())
    first = next(place for place, mark in enumerate(signs) if mark.tip)
    assert max(halos) < first
    assert not any(mark.stroke == "surface" for mark in signs)


def test_counts_have_whole_ticks():
    best = Series("a", (4.0, 5.0), (0.9, 0.99))
    figure = draw_curves([best], name="f", title="t", across="x", up="y")
    at_foot = [mark for mark in figure.marks if isinstance(mark, Text) and mark.anchor == "middle"]
    assert {mark.text for mark in at_foot} >= {"4", "5"}
    assert not any(mark.text.startswith("4.") for mark in at_foot)


def test_names_of_a_matrix_are_whole_if_there_is_room():
    names = ["rouge1_recall", "rougeL_recall", "rouge2_recall", "rouge3_recall", "words"]
    figure = draw_matrix(names, [[NOT] * 5] * 5, name="f", title="t")
    assert [f"{at} {each}" for at, each in enumerate(names, 1)] == [
        each for each in words_of(figure) if each[0].isdigit() and " " in each
    ]


@pytest.mark.parametrize("width", [WIDE, NARROW])
def test_names_that_are_cut_still_differ(width: float):
    names = [f"bertscore-roberta-large-mnli-layer-17-{part}" for part in ("f1", "recall", "prec")]
    panels = [IntervalPanel("τ", ((0.5, 0.4, 0.6),) * 3)]
    figure = draw_intervals(names, panels, name="f", title="t", width=width / 2)
    shown = [each for each in words_of(figure) if "…" in each]
    assert len(shown) == len(set(shown)) == 3


def test_it_says_what_signs_stand_for_if_there_are_several():
    alike = [Point("a", 0, 0, "extractive"), Point("b", 1, 1, "extractive")]
    said = draw_scatter(alike, name="f", title="t", across="x", up="y")
    assert "extractive" not in words_of(said)
    assert "extractive" in words_of(
        draw_scatter(make_points(), name="f", title="t", across="x", up="y")
    )


def test_kinds_of_systems_have_signs_of_their_own():
    kinds = ("abstractive", "extractive", "human", "other")
    points = [Point(kind, at, at, kind) for at, kind in enumerate(kinds)]
    figure = draw_scatter(points, name="f", title="t", across="x", up="y")
    signs = [mark for mark in figure.marks if isinstance(mark, Circle | Path) and mark.tip]
    assert len({(type(mark), len(getattr(mark, "points", ())), mark.fill) for mark in signs}) == 4
    assert set(kinds) <= set(words_of(figure))


def test_kinds_with_the_same_sign_are_named_together():
    points = [Point(kind, at, at, kind) for at, kind in enumerate(("hybrid", "other"))]
    figure = draw_scatter(points, name="f", title="t", across="x", up="y")
    assert "hybrid, other" in words_of(figure)


def test_it_tells_the_number_in_every_cell():
    figure = draw_heatmap(
        [[0.5, -0.25], [None, 0.001]],
        ["a", "b"],
        ["c", "d"],
        name="f",
        title="t",
        across="x",
        up="y",
    )
    assert [each for each in words_of(figure) if "." in each] == [".50", "−.25", ".00"]
    shades = [mark for mark in figure.marks if isinstance(mark, Rect)]
    assert [(mark.fill, mark.opacity) for mark in shades] == [
        ("lapis", 0.25),
        ("absent", 0.125),
        ("lapis", 0.01),
    ]


@pytest.mark.parametrize(
    "value, said",
    [(0.834, ".83"), (-0.5, "−.50"), (1.0, "1.00"), (-1.0, "−1.00"), (-0.001, ".00"), (None, "–")],
)
def test_it_tells_figures_in_short(value: float | None, said: str):
    assert short(value) == said


def test_it_writes_data_that_no_spreadsheet_runs():
    table = Table(("system", "r"), (("=cmd()", -0.1), ("a,b", None), ("x", 3)))
    assert table.to_csv() == 'system,r\r\n\'=cmd(),-0.1\r\n"a,b",\r\nx,3\r\n'
