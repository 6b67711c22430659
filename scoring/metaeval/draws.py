"""Which inputs and which systems each resample holds: drawn once, shared by all metrics.

BOOT-INPUTS draws inputs and keeps systems, BOOT-SYSTEMS the reverse, BOOT-BOTH draws both, each
with replacement (Deutsch, Dror & Roth 2021; Deutsch et al. 2022, appendix A). Where people judged
some inputs only, judged ones are drawn among the judged and the others among the others, so that
every resample has M_a judged inputs of M_t (Deutsch et al. 2022, §3.2).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scoring.errors import InputError
from scoring.translation import gettext as _

Floats = NDArray[np.float64]
Indices = NDArray[np.intp]
BY_INPUTS, BY_SYSTEMS, BY_BOTH = "inputs", "systems", "both"
METHODS = (BY_INPUTS, BY_SYSTEMS, BY_BOTH)
RESAMPLES = 1000
COVERAGE = 0.95


@dataclass(frozen=True, slots=True)
class Resampling:
    """How an interval is made: what is drawn, how often, from which seed, how much it covers."""

    method: str = BY_INPUTS
    resamples: int = RESAMPLES
    seed: int = 0
    coverage: float = COVERAGE


PLAIN = Resampling()


@dataclass(frozen=True, slots=True)
class Draws:
    """Places of inputs and of systems, a row for each resample; None where all stay as they are."""

    method: str
    inputs: Indices | None
    systems: Indices | None
    width: int

    def __len__(self) -> int:
        rows = self.systems if self.inputs is None else self.inputs
        return 0 if rows is None else len(rows)

    def input_counts(self, part: slice) -> Floats | None:
        """How often each input is in each resample of a part: resamples × inputs."""
        return None if self.inputs is None else count_places(self.inputs[part], self.width)


def draw(
    method: str,
    *,
    systems: int,
    judged: NDArray[np.bool_],
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> Draws:
    """The same seed gives `both` the inputs that `inputs` has, and the systems of `systems`."""
    check_method(method)
    if resamples < 1:
        raise InputError(_("Expected at least 1 resample."))
    inputs = chosen = None
    if method != BY_SYSTEMS:
        inputs = _draw_inputs(judged, resamples, np.random.default_rng([seed, 0]))
    if method != BY_INPUTS:
        rng = np.random.default_rng([seed, 1])
        chosen = rng.integers(systems, size=(resamples, systems), dtype=np.intp)
    return Draws(method, inputs, chosen, len(judged))


def draw_as(resampling: Resampling, *, systems: int, judged: NDArray[np.bool_]) -> Draws:
    return draw(
        resampling.method,
        systems=systems,
        judged=judged,
        resamples=resampling.resamples,
        seed=resampling.seed,
    )


def leave_each_out(method: str, *, systems: int, inputs: int) -> list[Draws]:
    """The jackknife's samples: without each input, without each system, or one list of each."""
    check_method(method)
    found = []
    if method != BY_SYSTEMS:
        found.append(Draws(BY_INPUTS, _without_each(inputs), None, inputs))
    if method != BY_INPUTS:
        found.append(Draws(BY_SYSTEMS, None, _without_each(systems), inputs))
    return found


def count_places(drawn: Indices, width: int) -> Floats:
    """How often each place from 0 up to *width* stands in each row."""
    rows = len(drawn)
    shifted = drawn + np.arange(rows)[:, None] * width
    counts = np.bincount(shifted.ravel(), minlength=rows * width)
    return counts.reshape(rows, width).astype(np.float64)


def check_method(method: str) -> None:
    if method not in METHODS:
        raise InputError(
            _("There is no resampling method '{method}'. Known: {methods}.").format(
                method=method, methods=", ".join(METHODS)
            )
        )


def _draw_inputs(judged: NDArray[np.bool_], resamples: int, rng: np.random.Generator) -> Indices:
    parts = [
        places[rng.integers(len(places), size=(resamples, len(places)))]
        for places in (np.flatnonzero(judged), np.flatnonzero(~judged))
        if len(places)
    ]
    return np.concatenate(parts, axis=1)


def _without_each(size: int) -> Indices:
    """Each row all places but one."""
    places = np.arange(size)
    return np.array([np.delete(places, place) for place in places], dtype=np.intp)
