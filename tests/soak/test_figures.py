"""The soak's own calculating: percentiles, the mix that is compared, what counts as lost."""

from __future__ import annotations

import pytest

from tests.soak import figures
from tests.soak.log import Answer, Loss


def answers(kind: str, *seconds: float, status: int = 200) -> list[Answer]:
    return [Answer(0.0, kind, value, status) for value in seconds]


@pytest.mark.parametrize(
    ("share", "expected"), [(0.5, 10), (0.95, 19), (1.0, 20), (0.01, 1), (0.951, 20)]
)
def test_it_takes_the_least_value_that_the_share_does_not_exceed(share, expected):
    assert figures.percentile(list(range(20, 0, -1)), share) == expected


def test_it_has_no_percentile_of_nothing():
    with pytest.raises(ValueError, match="no value"):
        figures.percentile([], 0.5)


def test_it_makes_a_row_a_kind():
    under_load = answers("page: a", 0.3, 0.1, 0.2) + answers("job: b", 2.0)
    job, page = figures.make_rows(under_load, answers("page: a", 0.1, 0.1))
    assert page.ratio == pytest.approx(3.0)
    assert page == ("page: a", 3, 0.2, 0.3, 0.3, 0.1)
    assert (job.alone, job.ratio) == (None, None)


def test_it_weighs_what_was_measured_alone_as_the_load_is_mixed():
    alone = answers("page: slow", *[1.0] * 50) + answers("page: quick", *[0.1] * 50)
    mostly_quick = answers("page: slow", *[3.0] * 2) + answers("page: quick", *[0.2] * 98)
    assert figures.percentile([row.seconds for row in alone], 0.95) == 1.0
    assert figures.compare(mostly_quick, alone) == (0.2, 0.1)


def test_it_compares_interactive_kinds_alone_that_both_have():
    load = answers("page: a", 0.2) + answers("export: c", 9.0) + answers("poll: only here", 5.0)
    alone = answers("page: a", 0.1) + answers("export: c", 1.0) + answers("page: never", 7.0)
    assert figures.compare(load, alone) == (0.2, 0.1)


def test_it_cannot_compare_what_has_nothing_in_common():
    with pytest.raises(ValueError, match="no kind in common"):
        figures.p95_of_mix(answers("page: a", 1.0), answers("page: b", 1.0))


def test_it_gives_the_plain_percentile_where_the_mix_is_the_same():
    times = [number / 100 for number in range(1, 101)]
    assert figures.p95_of_mix(answers("page: a", *times), answers("page: a", 1.0)) == 0.95


def test_it_counts_statuses_from_and_below():
    rows = answers("a", 1, status=499) + answers("a", 1, 1, status=500) + answers("a", 1)
    assert figures.count_statuses(rows, 500, 600) == 2
    assert figures.count_statuses(rows, 400, 500) == 1


def test_it_explains_a_lost_line_by_a_kill_just_before_alone():
    losses = [Loss(at, "page: a", "reset") for at in (5.0, 99.5, 100.0, 109.9, 111.0)]
    assert [row.at for row in figures.list_unexplained(losses, [100.0])] == [5.0, 111.0]
    assert figures.list_unexplained(losses, []) == losses
