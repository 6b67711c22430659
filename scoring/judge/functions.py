"""The four ways to read presence off a judge's logits (Zhang & Bansal 2021, §3.1).

`p3c`, `l3c`: probability of entailment among three classes, and whether it is the likeliest.
`p2c`, `l2c`: the same with two classes, where the logits of neutral and contradiction add up to
that of *not present*. A judge of two classes offers the latter pair alone. A summary that is
judged by several windows has the highest value of any. Logits that are not numbers are a verdict
that is missing, and stay so by every function.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from scoring.errors import InputError
from scoring.judge.protocol import Logits
from scoring.translation import gettext as _

Values = NDArray[np.float64]


def _p3c(logits: Values) -> Values:
    shifted = np.exp(logits - logits.max(axis=-1, keepdims=True))
    return np.asarray(shifted[..., 0] / shifted.sum(axis=-1))


def _l3c(logits: Values) -> Values:
    return (logits[..., 0] > logits[..., 1:].max(axis=-1)).astype(np.float64)


def _p2c(logits: Values) -> Values:
    margin = logits[..., 1:].sum(axis=-1) - logits[..., 0]
    # exp of a large margin is infinite, and the probability 0, as it should be.
    with np.errstate(over="ignore"):
        return np.asarray(1.0 / (1.0 + np.exp(margin)))


def _l2c(logits: Values) -> Values:
    return (logits[..., 0] > logits[..., 1:].sum(axis=-1)).astype(np.float64)


FUNCTIONS: dict[str, Callable[[Values], Values]] = {
    "p3c": _p3c,
    "l3c": _l3c,
    "p2c": _p2c,
    "l2c": _l2c,
}
THREE_CLASSES = ("p3c", "l3c")


def functions_of(classes: int) -> tuple[str, ...]:
    """The functions that a judge of so many classes offers."""
    return tuple(name for name in FUNCTIONS if classes == 3 or name not in THREE_CLASSES)


def check_function(function: str, classes: int) -> str:
    """The same name, if a judge of so many classes offers that function; an error otherwise."""
    if function not in FUNCTIONS:
        raise InputError(
            _("There is no function '{function}'. Use one of {functions}.").format(
                function=function, functions=", ".join(FUNCTIONS)
            )
        )
    offered = functions_of(classes)
    if function not in offered:
        raise InputError(
            _("This judge has two classes and doesn't support {function}. Use {offered}.").format(
                function=function, offered=" or ".join(offered)
            )
        )
    return function


def read_presence(function: str, logits: Logits) -> float:
    """The presence of one unit from its logits, a row for each window."""
    values = logits.astype(np.float64)
    if np.isnan(values).any():
        return math.nan
    return float(FUNCTIONS[function](values).max())
