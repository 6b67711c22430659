"""`plan_budget` and `draw_curves`, as a shell would run them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.core.management.base import CommandError

from annotation.corpora.accounts.models import User
from annotation.evaluation.labels.models import LabelSet
from annotation.evaluation.planning.models import BudgetPlan
from annotation.units.sets.models import UnitSet
from tests.annotation.evaluation.commanding import run, run_json

PLAN = ("plan_budget", "--project", "study", "--rounds", 2)
DRAW = ("draw_curves", "--project", "study", "--stus", "STUs", "--step", 50, "--bootstrap", 5)


def test_it_prints_plans(labelled: LabelSet, stus: UnitSet) -> None:
    text = run(*PLAN, "--money", 150, "--hours", 6, "--stus", "STUs")
    assert "$150 and 6 hours" in text
    assert "plans are within the budget" in text
    assert "\n* " in text


def test_it_prints_plans_as_json(labelled: LabelSet) -> None:
    said = run_json(*PLAN, "--money", 20, "--goal-width", 0.3, "--examples", 2)
    assert (said["asked"]["money"], said["asked"]["goal_width"]) == ("20", 0.3)
    assert (said["chosen"], said["asked"]["examples"]) == ("", 2)
    assert said["plans"]


def test_it_takes_a_plan(labelled: LabelSet, stus: UnitSet, owner: User) -> None:
    options = ("--stus", "STUs@1", "--take", "best", "--name", "Spring", "--author", owner.email)
    text = run(*PLAN, "--money", 150, *options)
    plan = BudgetPlan.objects.get()
    assert plan.chosen == plan.frontier["best"]
    assert "created Spring v1" in text
    again = run_json(*PLAN, "--stus", "STUs", "--take", plan.chosen)
    assert again["chosen"] == plan.chosen


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--money", "much"), "expected dollars"),
        (("--take", "best"), "no STUs are chosen"),
        (("--take", "none", "--stus", "STUs"), "No plan is called"),
        (("--take", "best", "--author", "a@b.c"), "There is no account"),
        (("--stus", "More"), "no unit set 'More'"),
        (("--pilot", 9), "no such labels"),
        (("--pilot", 1, "--set", "Judged", "--stus", "STUs"), "needs a judge"),
        (("--power", 2), "between 0 and 1"),
    ],
)
def test_it_says_why_not(
    labelled: LabelSet, stus: UnitSet, options: tuple[Any, ...], words: str
) -> None:
    with pytest.raises(CommandError, match=words):
        run(*PLAN, *options)


def test_it_draws_curves(labelled: LabelSet, stus: UnitSet, tmp_path: Path) -> None:
    text = run(*DRAW, "--csv", tmp_path / "curves.csv", "--labels", 1, "--set", "Judged")
    assert "3 examples, 2 systems, 6 sentences; judge human" in text
    assert "system-level" in text
    assert "gain over random" in text
    assert (tmp_path / "curves.csv").read_text().startswith("order,level")


def test_it_draws_curves_as_json(labelled: LabelSet, stus: UnitSet) -> None:
    said = run_json(*DRAW, "--judge", "human", "--seeds", 20, "--seed", 1)
    assert said["percentages"] == [0, 50, 100]
    assert said["signature"].endswith("giza:0.1.0")


@pytest.mark.parametrize(
    ("options", "words"),
    [(("--judge", "nobody"), "no run of nobody"), (("--seeds", 2), "expected 20 to 200")],
)
def test_it_says_why_nothing_is_drawn(
    labelled: LabelSet, stus: UnitSet, options: tuple[Any, ...], words: str
) -> None:
    with pytest.raises(CommandError, match=words):
        run(*DRAW, *options)
