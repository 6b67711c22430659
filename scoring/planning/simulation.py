"""What a plan is likely to give: studies drawn from variance components, scored as it says.

In every simulated study the examples are of three groups: those that people judge, those that the
judge alone scores, and those that the plan leaves out. Scores of a group's summaries are drawn by
their means, which is exact for normal components. Where people judge some examples and the judge
the rest, a system's score is one of

- plain: the mean of people's scores and the judge's, each for its own examples;
- corrected: people's mean − λ · (share of the judge's) · (judge on people's − judge on the rest),
  which is prediction-powered inference with the λ that makes it least variable.

The judge's own bias against a system is diluted by the first and cured by the second, which pays
for it with variance. That of STUs stays in both.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scoring.errors import InputError
from scoring.planning.components import FULL, JUDGE, PEOPLE, Components
from scoring.planning.correlations import pearson_rows
from scoring.translation import gettext as _

Z = 1.959964  # the normal distribution's 97.5th percentile
ROUNDS = 150

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Design:
    """How a study is done. `people` of its `examples` are judged by people, `judges` each."""

    percentage: float
    examples: int
    people: int
    judges: int
    is_corrected: bool = True


@dataclass(frozen=True, slots=True)
class Figure:
    """An expected value with its interval of 95 %."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a design gives.

    `correlation` is Pearson's r of system scores with full human scoring of all examples; its
    interval holds where a single study may fall. `width` is that of an interval which holds a
    system's human score, over all examples that could have been drawn, 95 times in 100: error that
    more examples do not cure is in it. What shifts all systems alike by the same amount in every
    study is not. `power` is the chance to tell two systems apart that differ by `difference`.
    Intervals of the latter two show what is not known of the components.
    """

    correlation: Figure
    width: Figure
    power: Figure
    difference: float


@dataclass(frozen=True, eq=False)
class _Drawn:
    """Covariances between and within systems; systems' means in three ways, and what groups add."""

    system: Floats
    within: Floats
    ways: Floats
    rests: list[Floats]


class Simulator:
    """The same random numbers for every design, so that designs differ by what they do alone.

    The first of *components* gives the expected values, all of them the intervals.
    """

    def __init__(
        self,
        components: Sequence[Components],
        *,
        examples: int,
        systems: int,
        difference: float = 0.05,
        rounds: int = ROUNDS,
        seed: int = 0,
    ) -> None:
        if not components or examples < 1 or systems < 2 or rounds < 2:
            raise InputError(
                _("A simulation needs components and at least 1 example, 2 systems and 2 rounds.")
            )
        self.components = components
        self.examples, self.systems, self.difference = examples, systems, difference
        rng = np.random.default_rng(seed)
        sets = len(components)
        self.by_system = rng.standard_normal((sets, rounds, systems, 3))
        self.by_document = rng.standard_normal((3, sets, rounds, 1, 3))
        self.residual = rng.standard_normal((3, sets, rounds, systems, 3))
        self._drawn: dict[float, _Drawn] = {}
        self._noises: dict[tuple[float, int], Floats] = {}
        self.votes = rng.standard_normal((sets, rounds, systems))

    def run(self, design: Design) -> Outcome:
        found = self.draw(design)
        return Outcome(
            **{name: spread(drawn) for name, drawn in found.items()}, difference=self.difference
        )

    def compare(self, design: Design, base: Design) -> dict[str, Figure]:
        """Each figure of a design minus that of another, in the same simulated studies."""
        first, second = self.draw(design), self.draw(base)
        return {name: spread(first[name] - second[name]) for name in first}

    def draw(self, design: Design) -> dict[str, Floats]:
        """Each figure of an outcome in every simulated study or set of components."""
        self._check(design)
        drawn = self._draw(design.percentage)
        groups = self._groups(design, drawn)
        scores = self._estimate(design, groups, drawn.within)
        truth = drawn.ways[..., FULL]
        return {
            "correlation": pearson_rows(scores, self._full(design, groups)),
            "width": 2 * Z * np.sqrt(((scores - truth) ** 2).mean(axis=(1, 2))),
            "power": self._power(scores, truth, self._slopes(design, drawn.system)),
        }

    def _draw(self, percentage: float) -> _Drawn:
        """What designs of the same percentage share."""
        if percentage not in self._drawn:
            tables = [each.at(percentage) for each in self.components]
            system, document, residual = (np.array(level) for level in zip(*tables, strict=True))
            self._drawn[percentage] = _Drawn(
                system,
                document + residual,
                _mix(self.by_system, system),
                [
                    _mix(one, document) + _mix(other, residual)
                    for one, other in zip(self.by_document, self.residual, strict=True)
                ],
            )
        return self._drawn[percentage]

    def _check(self, design: Design) -> None:
        if not 1 <= design.examples <= self.examples or not 0 <= design.people <= design.examples:
            raise InputError(
                _(
                    "{people} of {examples} examples can't be judged by people in a "
                    "study of {examples_2}."
                ).format(people=design.people, examples=design.examples, examples_2=self.examples)
            )
        if design.people and design.judges < 1:
            raise InputError(_("Examples that people judge need at least 1 judge."))

    def _groups(self, design: Design, drawn: _Drawn) -> list[Floats]:
        """Mean scores of the examples that people judge, that the judge does, and of the rest."""
        found = [
            drawn.ways + rest / np.sqrt(max(size, 1))
            for size, rest in zip(self._sizes(design), drawn.rests, strict=True)
        ]
        if design.people:
            found[0][..., PEOPLE] += self.votes * np.sqrt(self._noise(design) / design.people)
        return found

    def _noise(self, design: Design) -> Floats:
        """Of people's answers; the same for all designs with as many STUs and judges."""
        key = (design.percentage, design.judges)
        if key not in self._noises:
            found = [each.noise(sum(each.units_at(key[0])), key[1]) for each in self.components]
            self._noises[key] = np.array(found)[:, None, None]
        return self._noises[key]

    def _estimate(self, design: Design, groups: Sequence[Floats], within: Floats) -> Floats:
        asked, unasked = groups[0], groups[1]
        if not design.people:
            return np.asarray(unasked[..., JUDGE])
        rest = 1 - design.people / design.examples
        if not design.is_corrected:
            return np.asarray((1 - rest) * asked[..., PEOPLE] + rest * unasked[..., JUDGE])
        tuned = within[:, PEOPLE, JUDGE] / np.maximum(within[:, JUDGE, JUDGE], 1e-12)
        gap = asked[..., JUDGE] - unasked[..., JUDGE]
        return np.asarray(asked[..., PEOPLE] - tuned[:, None, None] * rest * gap)

    def _full(self, design: Design, groups: Sequence[Floats]) -> Floats:
        sizes = self._sizes(design)
        parts = [size * group[..., FULL] for size, group in zip(sizes, groups, strict=True)]
        return np.asarray(sum(parts) / self.examples)

    def _sizes(self, design: Design) -> tuple[int, int, int]:
        judged = design.examples - design.people
        return design.people, judged, self.examples - design.examples

    def _slopes(self, design: Design, system: Floats) -> Floats:
        """How far scores differ, on average, between systems whose full scores differ by 1."""
        slopes = system[:, FULL] / np.maximum(system[:, FULL, FULL], 1e-12)[:, None]
        share = design.people / design.examples
        if design.people and design.is_corrected:
            share = 1.0
        return share * slopes[:, PEOPLE] + (1 - share) * slopes[:, JUDGE]

    def _power(self, scores: Floats, truth: Floats, slopes: Floats) -> Floats:
        """How often a difference is told, at a threshold that chance passes 5 times in 100."""
        slope = slopes[:, None, None]
        noise = scores - slope * truth
        size = self.systems // 2 * 2
        gaps = noise[..., 0:size:2] - noise[..., 1:size:2]
        limit = Z * np.sqrt((gaps**2).mean(axis=(1, 2), keepdims=True))
        return np.asarray((slope * self.difference + gaps > limit).mean(axis=(1, 2)))


def _mix(normals: Floats, covariances: Floats) -> Floats:
    """Standard normals with the covariance of their set; the first axis goes by set."""
    values, vectors = np.linalg.eigh(covariances)
    roots = vectors * np.sqrt(np.maximum(values, 0))[:, None]
    return np.asarray(normals @ roots.transpose(0, 2, 1)[:, None])


def spread(values: Floats) -> Figure:
    """The mean of the first set and the middle 95 % of all; nan where no value is known."""
    is_known = ~np.isnan(values)
    if not is_known[0].any():
        return Figure(float("nan"), float("nan"), float("nan"))
    value = float(values[0][is_known[0]].mean())
    low, high = np.percentile(values[is_known], [2.5, 97.5])
    return Figure(value, min(float(low), value), max(float(high), value))
