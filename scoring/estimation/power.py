"""The chance that a study detects a difference between two systems, by repeating a pilot.

A study of n examples with a annotators is drawn from a pilot: its documents with replacement, and
for every summary as many of its annotators as are asked for, whose majority is the label. What
annotators the pilot lacks are made up, as often right as the others are. The difference of each
pair of systems is moved to the one asked about, so that it is known to be there, and counts as
detected if a paired t-test over documents says so, in the right direction.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scoring.aggregation import Answers, majority, score_labels
from scoring.aggregation.simulation import JudgeDraws
from scoring.errors import InputError
from scoring.translation import gettext as _

# The power that a study is usually planned for.
ENOUGH = 0.8
ROUNDS = 2000
REPLICATES = 20
LEVEL = 0.05
CELLS_AT_ONCE = 4_000_000

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Power:
    """The mean over pairs of systems, with the middle 95 % of pairs; one pair has no range.

    `made_up` annotators a summary, on average, were not in the pilot. `level` is of each test,
    after it was divided by the number of comparisons.
    """

    difference: float
    examples: int
    annotators: int
    power: float
    low: float
    high: float
    pairs: int
    made_up: float
    level: float
    rounds: int
    seed: int

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


def conclude_power(rows: Sequence[Mapping[str, Any]], goal: float = ENOUGH) -> str:
    """The smallest design of each difference that reaches the goal, on average over pairs.

    The fewest answers are the smallest design: examples times annotators.
    """
    found = []
    for difference in sorted({row["difference"] for row in rows}):
        tried = [row for row in rows if row["difference"] == difference]
        enough = [row for row in tried if row["power"] >= goal]
        if not enough:
            best = max(row["power"] for row in tried)
            found.append(
                _(
                    "None of these designs detects a difference of {difference:g} with a power of "
                    "{goal:g}; the highest power is {best:.2f}."
                ).format(difference=difference, goal=goal, best=best)
            )
            continue
        least = min(enough, key=lambda row: (row["examples"] * row["annotators"], row["examples"]))
        people = "annotator" if least["annotators"] == 1 else "annotators"
        found.append(
            _(
                "To detect a difference of {difference:g}, {examples:,} examples with "
                "{annotators} {people} per summary are enough (power {power:.2f})."
            ).format(
                difference=difference,
                examples=least["examples"],
                annotators=least["annotators"],
                people=people,
                power=least["power"],
            )
        )
    return " ".join(found)


class Pilot:
    """Answers of several annotators, from which studies are drawn."""

    def __init__(
        self,
        answers: Answers,
        *,
        systems: Sequence[str] = (),
        replicates: int = REPLICATES,
        rounds: int = ROUNDS,
        seed: int = 0,
    ) -> None:
        if replicates < 1 or rounds < 1:
            raise InputError(_("Power needs at least 1 replicate and 1 round."))
        self.answers, self.replicates, self.rounds, self.seed = answers, replicates, rounds, seed
        self.systems = _places(answers, systems)
        self.before = majority(answers.counts(), tie="absent", seed=seed).present
        self.documents = np.flatnonzero(~np.isnan(self._table(self.before)).any(axis=0))
        if len(self.documents) < 2:
            raise InputError(_("Fewer than 2 documents have answers about all of these systems."))
        self._drawn: dict[int, tuple[Floats, float]] = {}

    def power(
        self,
        difference: float,
        *,
        examples: int,
        annotators: int,
        level: float = LEVEL,
        comparisons: int = 1,
    ) -> Power:
        """*level* is shared out among so many comparisons, as Holm's first step does."""
        _check(difference, examples, annotators, level, comparisons)
        gaps, made_up = self._gaps(annotators)
        found = self._detected(gaps, abs(difference), examples, level / comparisons)
        low, high = np.percentile(found, [2.5, 97.5])
        return Power(
            difference,
            examples,
            annotators,
            float(found.mean()),
            float(low),
            float(high),
            len(found),
            made_up,
            level / comparisons,
            self.rounds,
            self.seed,
        )

    def _detected(self, gaps: Floats, difference: float, examples: int, level: float) -> Floats:
        """Of each pair, the share of rounds in which the difference is seen."""
        from scipy import special  # takes a while, and a server seldom needs it

        # Gaps are small numbers around 0, so that sums of squares lose nothing.
        squares = gaps**2
        limit = special.stdtrit(examples - 1, 1 - level / 2)
        rng = np.random.default_rng([self.seed, examples])
        seen = np.zeros(gaps.shape[1])
        for counts in _resamples(len(gaps), examples, self.rounds, rng):
            sums = counts @ gaps
            variance = np.maximum(counts @ squares - sums**2 / examples, 0) / (examples - 1)
            mean = difference + sums / examples
            seen += (mean > limit * np.sqrt(variance / examples)).sum(axis=0)
        return seen / self.rounds

    def _gaps(self, annotators: int) -> tuple[Floats, float]:
        """Replicates and documents × pairs: differences of scores around their pair's mean."""
        if annotators not in self._drawn:
            draws = JudgeDraws(self.answers, annotators, self.before)
            rng = np.random.default_rng([self.seed, annotators])
            tables = [self._score(draws, rng) for __ in range(self.replicates)]
            self._drawn[annotators] = _differences(np.array(tables)), draws.made_up()
        return self._drawn[annotators]

    def _score(self, draws: JudgeDraws, rng: np.random.Generator) -> Floats:
        counts = draws.draw(rng)
        present = majority(counts, tie="absent", seed=int(rng.integers(2**31))).present
        return self._table(present)[:, self.documents]

    def _table(self, present: NDArray[np.int8]) -> Floats:
        answers = self.answers
        found = np.full((len(answers.system_keys), len(answers.document_keys)), np.nan)
        scores = score_labels(answers, present)
        found[answers.summary_systems, answers.summary_documents] = scores
        return found[self.systems]


def _differences(tables: Floats) -> Floats:
    """Of replicates × systems × documents; as spread as those of new documents would be."""
    firsts, seconds = np.triu_indices(tables.shape[1], k=1)
    gaps = tables[:, firsts] - tables[:, seconds]
    gaps = gaps - gaps.mean(axis=(0, 2), keepdims=True)
    documents = tables.shape[2]
    spread = np.sqrt(documents / (documents - 1))
    return np.asarray(spread * gaps.transpose(0, 2, 1).reshape(-1, len(firsts)))


def _resamples(
    cells: int, examples: int, rounds: int, rng: np.random.Generator
) -> Iterator[Floats]:
    """How often each cell is drawn, some rounds at a time."""
    most = max(1, CELLS_AT_ONCE // cells)
    for start in range(0, rounds, most):
        number = min(most, rounds - start)
        drawn = rng.integers(cells, size=(number, examples))
        counts = np.zeros((number, cells))
        np.add.at(counts, (np.arange(number)[:, None], drawn), 1.0)
        yield counts


def _places(answers: Answers, systems: Sequence[str]) -> NDArray[np.int64]:
    names = list(answers.system_keys)
    if unknown := sorted(set(systems) - set(names)):
        raise InputError(
            _("There is no system '{unknown}'. Known: {names}.").format(
                unknown=unknown[0], names=", ".join(names)
            )
        )
    chosen = [place for place, name in enumerate(names) if not systems or name in systems]
    if len(chosen) < 2:
        raise InputError(
            _(
                "Power is the probability of detecting a difference between two systems. Choose at "
                "least 2 systems."
            )
        )
    return np.array(chosen)


def _check(
    difference: float, examples: int, annotators: int, level: float, comparisons: int
) -> None:
    if examples < 2 or annotators < 1 or comparisons < 1 or not 0 < level < 1:
        raise InputError(
            _(
                "Power needs at least 2 examples, 1 annotator and 1 comparison, and a level "
                "between 0 and 1."
            )
        )
    if not 0 < abs(difference) <= 1:
        raise InputError(
            _("The difference is {difference:g}. Expected a number above 0 and up to 1.").format(
                difference=difference
            )
        )
