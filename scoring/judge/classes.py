"""Which of a model's classes says that a unit is entailed, by the names that the model gives."""

from __future__ import annotations

from collections.abc import Sequence

ENTAILMENT = ("entailment", "entail", "entailed", "entails", "present")


def find_entailment(labels: Sequence[str]) -> int:
    """The place of entailment among the labels, read from their names and never assumed."""
    if len(labels) not in (2, 3):
        raise ValueError(
            f"The model has {len(labels)} classes. A judge has two or three: choose a model of "
            "natural language inference."
        )
    found = [place for place, label in enumerate(labels) if label.strip().lower() in ENTAILMENT]
    if len(found) != 1:
        raise ValueError(
            f"The model's classes are {', '.join(labels)}: none of them, or more than one, is "
            "entailment. Choose a model of natural language inference, or name the classes in "
            "its config.json (id2label)."
        )
    return found[0]


def class_order(labels: Sequence[str]) -> tuple[int, ...]:
    """Places of the classes with entailment first, the others as they come."""
    first = find_entailment(labels)
    return (first, *(place for place in range(len(labels)) if place != first))
