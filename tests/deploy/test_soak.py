"""A soak of seconds with a handful of people: it works, finds nothing lost, and tells all of it.

How quick and how large everything is says nothing here; `make soak` judges that.
"""

from __future__ import annotations

import pytest

from tests.servers import Lab
from tests.soak.figures import count_statuses, list_unexplained
from tests.soak.load import LOCK, SLOW_CLIENTS, WORKER_CHILD, Load
from tests.soak.run import Outcome, Soak
from tests.soak.table import EXPLAINED, describe, write_table

TINY = Load(
    seconds=6,
    authors=1,
    workers=2,
    readers=1,
    saving=(0.3, 0.6),
    judging=(0.5, 1.0),
    reading=(0.4, 0.8),
    exporting=(1.0, 2.0),
    polling=0.5,
    # More HITs than anybody can judge in this time.
    examples=10,
    systems=2,
    judged_systems=2,
    units=2,
    judge="lexical",
    import_examples=40,
    import_systems=2,
    alone=2,
    alone_first=1,
    victims=(WORKER_CHILD,),
    # The others need seconds each, and a disk of their own.
    faults=(SLOW_CLIENTS, LOCK),
)


@pytest.fixture(scope="module")
def outcome(lab: Lab, tmp_path_factory: pytest.TempPathFactory) -> Outcome:
    return Soak(lab, TINY, tmp_path_factory.mktemp("soak")).run()


def test_it_loses_nothing(outcome: Outcome):
    assert outcome.place.promises.broken == []
    assert outcome.failed_jobs == []
    assert {name: outcome.counts[name] for name, _ in EXPLAINED} == dict.fromkeys(
        (name for name, _ in EXPLAINED), 0
    )


def test_it_has_done_something_of_everything(outcome: Outcome):
    assert min(outcome.counts[name] for name in ("saves", "submitted", "exports")) > 0
    assert set(outcome.place.promises.made) == {"import", "run", "gold", "demo gold"}
    kinds = {answer.kind.partition(":")[0] for answer in outcome.place.log.answers}
    assert kinds == {"studio", "work", "page", "poll", "job", "export"}


def test_it_sees_no_fault(outcome: Outcome):
    log = outcome.place.log
    assert log.faults == []
    assert count_statuses([*log.answers, *outcome.alone], 400, 600) == 0
    assert list_unexplained(log.losses, []) == []


def test_it_kills_and_sees_what_comes_back(outcome: Outcome):
    (kill,) = outcome.kills
    assert kill.victim == WORKER_CHILD
    assert kill.back_after is not None


def test_it_causes_faults_that_heal(outcome: Outcome):
    assert {fault.name for fault in outcome.faults} == set(TINY.faults)
    for fault in outcome.faults:
        assert fault.wrong == ()
        assert fault.healed_after is not None


def test_it_tells_all_of_it(outcome: Outcome):
    table = write_table(outcome)
    for said in ("studio: ", "work: ", "page: ", WORKER_CHILD):
        assert said in table
    told = describe(outcome)
    assert {row.role for row in outcome.memory.sizes} == {"web", "workers"}
    assert [row["victim"] for row in told["kills"]] == [WORKER_CHILD]
