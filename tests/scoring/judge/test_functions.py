"""The four functions of presence, by hand."""

import math

import numpy as np
import pytest

from scoring.judge import FUNCTIONS, check_function, functions_of, read_presence


def exp(*logits):
    return [math.exp(value) for value in logits]


@pytest.mark.parametrize(
    ("function", "logits", "expected"),
    [
        ("p3c", [2.0, 1.0, -1.0], math.exp(2) / sum(exp(2, 1, -1))),
        ("l3c", [2.0, 1.0, -1.0], 1.0),
        ("l3c", [1.0, 2.0, -1.0], 0.0),
        ("l3c", [1.0, 1.0, -1.0], 0.0),  # as likely as neutral is not the likeliest
        ("p2c", [2.0, 1.0, -1.0], math.exp(2) / sum(exp(2, 0))),
        ("l2c", [2.0, 1.0, 0.5], 1.0),
        ("l2c", [2.0, 1.5, 0.5], 0.0),
        ("p2c", [0.7, 0.0], 1 / (1 + math.exp(-0.7))),
        ("l2c", [0.7, 0.0], 1.0),
        ("l2c", [-0.7, 0.0], 0.0),
        ("p2c", [-3e4, 0.0], 0.0),
        ("p3c", [3e4, 0.0, 0.0], 1.0),
    ],
)
def test_it_reads_presence(function, logits, expected):
    assert read_presence(function, np.array([logits], np.float32)) == pytest.approx(expected)


@pytest.mark.parametrize("function", FUNCTIONS)
def test_it_takes_the_highest_of_all_windows(function):
    rows = np.array([[0.1, 0.9, 0.2], [2.0, 0.3, -1.0], [-1.0, 0.0, 3.0]], np.float32)
    best = max(read_presence(function, row[None]) for row in rows)
    assert read_presence(function, rows) == best


def test_two_classes_offer_two_functions():
    assert functions_of(2) == ("p2c", "l2c")
    assert functions_of(3) == ("p3c", "l3c", "p2c", "l2c")
    with pytest.raises(ValueError, match="doesn't support l3c. Use p2c or l2c"):
        check_function("l3c", 2)


def test_an_unknown_function_is_told_the_known_ones():
    with pytest.raises(ValueError, match="'p4c'. Use one of p3c, l3c, p2c, l2c"):
        check_function("p4c", 3)
