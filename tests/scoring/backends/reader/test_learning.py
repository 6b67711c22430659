"""Training the reader: its loss, its data, and that a kill costs nothing."""

from __future__ import annotations

import math
import random
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load_file

from scoring.backends.reader import corpus, learning
from scoring.backends.reader.groups import ENTAILMENT, NOT_ENTAILMENT, Group, Labelled
from scoring.backends.reader.scenes import scene_groups

GROUPS = [
    Group(premise, tuple(statements), "scenes")
    for premise, statements in scene_groups(random.Random(5), 40)
]
OPTIONS = learning.LearningOptions(steps=4, tokens=200, checkpoint_every=2)


@pytest.fixture(autouse=True)
def few_watched(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(learning, "WATCHED", 4)


def test_not_entailed_is_neutral_or_contradiction() -> None:
    logits = torch.log(torch.tensor([[0.5, 0.3, 0.2]]))
    assert float(learning.find_loss(logits, [NOT_ENTAILMENT])) == pytest.approx(-math.log(0.5))
    assert float(learning.find_loss(logits, [ENTAILMENT])) == pytest.approx(-math.log(0.5))


def test_a_killed_training_ends_with_the_same_weights(tmp_path: Path) -> None:
    whole, broken = tmp_path / "whole", tmp_path / "broken"
    for folder in (whole, broken):
        folder.mkdir()
    learning.save_trained(learning.Learning(GROUPS, OPTIONS, whole).run(print), whole / "out")

    class Killed(Exception):
        pass

    def kill(line: str) -> None:
        if line.startswith("step 2:"):
            raise Killed

    with pytest.raises(Killed):
        learning.Learning(GROUPS, OPTIONS, broken).run(kill)
    learning.save_trained(learning.Learning(GROUPS, OPTIONS, broken).run(print), broken / "out")
    one, other = load_file(whole / "out"), load_file(broken / "out")
    assert one.keys() == other.keys()
    assert all(torch.equal(one[name], other[name]) for name in one)


def test_groups_are_read_back(tmp_path: Path) -> None:
    learning.write_groups(tmp_path / "groups", GROUPS[:3])
    assert learning.read_groups(tmp_path / "groups") == GROUPS[:3]


def test_statements_of_one_premise_are_read_together() -> None:
    rows: list[dict[str, Any]] = [
        {"premise": "P.", "hypothesis": "A.", "label": "entailment"},
        {"premise": "P.", "hypothesis": "B.", "label": "not-entailment"},
        {"premise": "Q.", "hypothesis": "C.", "present": 1},
    ]
    found = list(corpus.merge(rows, "toy"))
    assert [group.premise for group in found] == ["P.", "Q."]
    assert found[0].statements == (Labelled("A.", ENTAILMENT), Labelled("B.", NOT_ENTAILMENT))


def test_only_the_sentence_that_was_edited_is_asked() -> None:
    before = "A lamp was lit at noon. Nobody saw it."
    after = "A lamp was lit at night. Nobody saw it."
    assert corpus.changed_sentences(before, after) == ["A lamp was lit at night."]
