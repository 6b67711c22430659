"""Entailment is found by the names of a model's classes."""

from __future__ import annotations

import pytest

from scoring.judge.classes import class_order


@pytest.mark.parametrize(
    "labels, order",
    [
        (["entailment", "neutral", "contradiction"], (0, 1, 2)),
        (["contradiction", "neutral", "entailment"], (2, 0, 1)),
        (["CONTRADICTION", "ENTAILMENT", "NEUTRAL"], (1, 0, 2)),
        (["not_entailment", "entailment"], (1, 0)),
        (["present", "not present"], (0, 1)),
    ],
)
def test_it_puts_entailment_first(labels, order):
    assert class_order(labels) == order


@pytest.mark.parametrize(
    "labels, message",
    [
        (["LABEL_0", "LABEL_1"], "LABEL_0, LABEL_1: none of them, or more than one"),
        (["entailment", "entails", "neutral"], "more than one, is entailment"),
        (["not_entailment", "neutral"], "none of them"),
        (["entailment"], "has 1 classes"),
        (["entailment", "a", "b", "c"], "has 4 classes"),
    ],
)
def test_it_refuses_other_models(labels, message):
    with pytest.raises(ValueError, match=message):
        class_order(labels)
