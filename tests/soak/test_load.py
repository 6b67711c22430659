"""How much is asked, and when: enough work for everybody, and kills that come while it lasts."""

from __future__ import annotations

import itertools

import pytest

from tests.soak.faults import ACTS
from tests.soak.load import FAULTS, WORKER, WORKER_CHILD, Load, bounded, draw_schedule


@pytest.mark.parametrize("minutes", [1, 2, 30, 120])
def test_it_has_work_left_for_the_quickest_workers(minutes):
    load = bounded(60 * minutes)
    most = load.workers * (load.seconds / load.judging[0] + 1) + load.alone
    assert load.hits * load.places >= most


@pytest.mark.parametrize("minutes", [1, 4, 30])
@pytest.mark.parametrize("seed", range(5))
def test_it_kills_each_once_after_the_warm_stretch_and_before_the_end(minutes, seed):
    load = Load(60 * minutes, seed=seed)
    schedule = draw_schedule(load)
    moments = sorted(at for at, _ in (*schedule.kills, *schedule.faults))
    assert sorted(victim for _, victim in schedule.kills) == sorted(load.victims)
    assert sorted(fault for _, fault in schedule.faults) == sorted(FAULTS)
    assert schedule.warm[1] <= moments[0]
    assert moments[-1] + schedule.longest < schedule.end[0]
    pauses = [after - before for before, after in itertools.pairwise(moments)]
    assert min(pauses) > schedule.longest


def test_it_has_time_for_each_fault_in_half_an_hour():
    assert draw_schedule(bounded(1800)).longest > max(FAULTS.values())
    assert set(ACTS) == set(FAULTS)


def test_it_is_the_load_of_a_hundred_clients():
    load = bounded(1800)
    assert load.authors + load.workers + load.readers + 1 == 100


def test_it_begins_jobs_before_what_may_hit_them():
    schedule = draw_schedule(Load(1800))
    moments = {victim: at for at, victim in schedule.kills}
    assert 0 < moments[WORKER] - schedule.import_at < 10
    assert 0 < moments[WORKER_CHILD] - schedule.run_at < 20


def test_it_draws_the_same_for_the_same_seed():
    assert draw_schedule(Load(600)) == draw_schedule(Load(600))
    assert draw_schedule(Load(600)) != draw_schedule(Load(600, seed=1))


def test_it_needs_nobody_to_be_killed():
    schedule = draw_schedule(Load(10, victims=()))
    assert schedule.kills == ()
    assert 0 < schedule.import_at < schedule.run_at < schedule.gold_at < 10


def test_it_asks_less_of_jobs_in_a_short_run():
    short, long = bounded(60), bounded(1800)
    assert (short.workers, short.authors) == (long.workers, long.authors)
    assert short.import_examples < long.import_examples == 4000
    assert short.systems < long.systems == 25
