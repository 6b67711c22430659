"""The table and its verdict: each broken bound is named, and none that is met."""

from __future__ import annotations

import dataclasses

import pytest

from tests.soak.kills import Kill
from tests.soak.load import LOCK, WEB_CHILD, Load, Schedule
from tests.soak.log import Answer, Log, Loss, Promises
from tests.soak.memory import Memory, Size
from tests.soak.people import Place
from tests.soak.proof import Books
from tests.soak.run import Outcome
from tests.soak.stage import Fault
from tests.soak.table import EXPLAINED, describe, list_figures, write_table

SEEDED = {"draft": 1, "frozen": 2, "project": "soak", "units": 3}


@pytest.fixture
def outcome() -> Outcome:
    """Half a minute in which everything went well."""
    load = Load(30, workers=1, authors=1)
    log = Log(answers=[Answer(5.0, "page: a", 0.2, 200), Answer(6.0, "job: b", 2.0, 202)])
    log.losses.append(Loss(11.0, "page: a", "reset"))
    place = Place("http://nowhere", SEEDED, load, log, Promises())
    sizes = [Size(at, role, 1, 100.0) for role in ("web", "workers", "Redis") for at in (6.0, 29.0)]
    return Outcome(
        load,
        Schedule(8, 9, 18, ((10.0, WEB_CHILD),), ((14.0, LOCK),), 4, (5, 7), (27, 30)),
        place,
        [Answer(0.0, "page: a", 0.1, 200)],
        Memory(dict, lambda: 0.0, sizes),
        Books("", SEEDED, place.promises),
        [Kill(10.0, WEB_CHILD, 77, 2.5)],
        [Fault(LOCK, 14.0, 4.0, 0.5, ("3 writers waited",), ())],
        {"saves": 9, "submitted": 9, "exports": 3, "taken up": 1}
        | dict.fromkeys((name for name, _ in EXPLAINED), 0),
        seconds={"set-up": 60.0, "load": 30.0},
    )


def missed(outcome: Outcome) -> list[str]:
    return [figure.name for figure in list_figures(outcome) if not figure.is_met]


def test_it_is_content_where_all_is_well(outcome: Outcome):
    assert missed(outcome) == []
    assert "Every bound is met. (set-up 60 s, load 30 s)" in write_table(outcome)
    assert describe(outcome)["is_met"] is True


def test_it_tells_requests_memory_and_kills(outcome: Outcome):
    lines = [" ".join(line.split()) for line in write_table(outcome).splitlines()]
    assert "page: a 1 200 200 200 100 2.0x" in lines
    assert "job: b 1 2,000 2,000 2,000" in lines
    assert "web 100 100 0.0%" in lines
    assert f"10 s {WEB_CHILD} 77 back in 2.5 s" in lines


@pytest.mark.parametrize("name, words", EXPLAINED)
def test_it_names_what_was_lost(outcome: Outcome, name: str, words: str):
    outcome.counts[name] = 1
    assert missed(outcome) == [words]
    assert f"MISSED: {words}." in write_table(outcome)


def test_it_names_faults_and_slowness(outcome: Outcome):
    log = outcome.place.log
    log.answers += [Answer(7.0, "page: a", 0.4, 500), Answer(7.0, "page: a", 0.4, 404)]
    log.losses.append(Loss(26.0, "page: a", "reset"))
    assert missed(outcome) == [
        "the same, load to alone",
        "answers 5xx",
        "answers 4xx",
        "lines lost at other times",
    ]


def test_it_does_not_time_what_comes_when_everybody_goes_home(outcome: Outcome):
    outcome.place.log.answers.append(Answer(30.5, "page: a", 99.0, 500))
    assert missed(outcome) == ["answers 5xx"]


def test_it_judges_the_growth_of_our_own_processes(outcome: Outcome):
    outcome.memory.sizes += [Size(29.0, "Redis", 2, 100.0), Size(29.0, "web", 2, 11.0)]
    assert missed(outcome) == ["growth of memory: web"]
    outcome.memory.sizes.append(Size(29.0, "workers", 1, 50.0))
    assert missed(outcome) == [
        "growth of memory: web",
        "growth of memory: workers",
        "growth of memory: workers, not killed",
    ]


def test_it_names_a_process_that_did_not_come_back(outcome: Outcome):
    outcome.kills = [dataclasses.replace(outcome.kills[0], back_after=None)]
    assert missed(outcome) == ["came back"]
    assert "nothing came back" in write_table(outcome)
    outcome.kills = []
    assert "processes killed" in missed(outcome)


def test_it_describes_what_clients_saw_of_a_fault(outcome: Outcome):
    outcome.place.log.answers += [
        Answer(13.0, "page: a", 2.0, 200),
        Answer(17.0, "page: a", 4.0, 200),
    ]
    lines = write_table(outcome).splitlines()
    (line,) = [line for line in lines if LOCK in line]
    assert "healed after 0.5 s; 2 requests, p95 4,000 ms, longest 4,000 ms, 0 answers 5xx" in line
    assert any("3 writers waited" in line for line in lines)


def test_it_does_not_time_what_was_asked_during_a_fault(outcome: Outcome):
    outcome.place.log.answers += [
        Answer(13.0, "page: a", 2.0, 200),
        Answer(18.4, "page: a", 9, 200),
    ]
    assert missed(outcome) == []
    outcome.place.log.answers += [Answer(18.6, "page: a", 9.0, 200)] * 20
    assert missed(outcome) == ["the same, load to alone"]


def test_it_names_a_fault_that_went_wrong_or_did_not_heal(outcome: Outcome):
    whole = outcome.faults[0]
    outcome.faults = [dataclasses.replace(whole, healed_after=None, wrong=("lost",))]
    assert missed(outcome) == [
        "faults that healed by themselves",
        "things that went wrong in faults",
    ]
    outcome.faults = []
    assert "faults caused" in missed(outcome)


def test_it_does_not_pass_an_idle_server(outcome: Outcome):
    outcome.counts |= {"saves": 0, "submitted": 0, "exports": 0}
    assert missed(outcome) == ["saves acknowledged", "assignments submitted", "exports"]


def test_it_shows_what_could_not_be_finished(outcome: Outcome):
    outcome.place.promises.broken.append("the import has not ended")
    outcome.failed_jobs.append("write_import: no space")
    table = write_table(outcome)
    assert "could not finish: the import has not ended" in table
    assert "job failed: write_import: no space" in table
    assert missed(outcome) == ["things that somebody could not finish"]
