"""The probes: what they are made of, and what is said of a judge."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator

import numpy as np
import pytest

from scoring.cli import build_parser, probe
from scoring.judge import Question, Verdict
from scoring.judge.probes import (
    ADVICE,
    Probe,
    ProbeReport,
    list_probes,
    probe_judge,
    read_shipped,
)
from scoring.judge.protocol import Identity


class Saying:
    """A judge that finds what a function says."""

    classes = 2
    default_function = "p2c"
    identity = Identity("saying", "toy", "none")

    def __init__(self, finds: Callable[[str, str], bool]) -> None:
        self.finds = finds

    def judge(self, questions: Iterable[Question]) -> Iterator[list[Verdict]]:
        for question in questions:
            yield [
                Verdict(np.array([[4.0 if self.finds(question.summary, unit) else -4.0, 0.0]]))
                for unit in question.units
            ]


def test_every_category_has_forty_pairs_of_its_own() -> None:
    probes = list_probes()
    counts = Counter(one.category for one in probes)
    assert len(counts) >= 12
    assert min(counts.values()) >= 40
    assert len({(one.text, one.true, one.false) for one in probes}) == len(probes)


def test_they_are_the_same_each_time() -> None:
    assert list_probes() == list_probes()


@pytest.mark.parametrize("category", sorted({one.category for one in list_probes()}))
def test_a_twin_differs_and_no_slot_is_left(category: str) -> None:
    for one in list_probes():
        if one.category == category:
            assert one.true != one.false
            assert not set("{}|") & set(one.text + one.true + one.false)
            assert all(part[0] == part[0].upper() for part in (one.text, one.true, one.false))


@pytest.mark.parametrize(
    ("finds", "true_found", "false_rejected"),
    [(lambda *_: True, 1, 0), (lambda *_: False, 0, 1)],
)
def test_it_counts_true_and_false_statements(
    finds: Callable[[str, str], bool], true_found: float, false_rejected: float
) -> None:
    found = probe_judge(Saying(finds)).total
    assert (found.true_found, found.false_rejected, found.ordered) == (
        true_found,
        false_rejected,
        0,
    )


def test_figures_are_by_category() -> None:
    probes = [
        Probe("one", "A lamp was lit.", "Yes.", "No."),
        Probe("one", "A lamp was lit.", "Maybe.", "No."),
        Probe("two", "A lamp was lit.", "Yes.", "Yes indeed."),
    ]
    found = probe_judge(Saying(lambda _, unit: unit.startswith("Yes")), probes=probes)
    assert [(row.category, row.true_found, row.false_rejected) for row in found.categories] == [
        ("one", 0.5, 1.0),
        ("two", 1.0, 0.0),
    ]
    assert ProbeReport.from_json(found.to_json()) == found
    assert not found.reads


def test_the_command_warns_of_a_judge_that_does_not_read() -> None:
    arguments = build_parser().parse_args(["probe", "lexical"])
    found = probe.run(arguments)
    assert found["total"]["false_rejected"] < 0.7
    said = probe.show(found)
    assert ADVICE in said
    assert all(row["category"] in said for row in found["categories"])
    shipped = {report.judge: report.to_json() for report in read_shipped().values()}
    assert found == shipped["lexical"]
