"""How well simulation foretells: the same designs, played on a study's own summaries.

Examples of a finished study are drawn without replacement and scored as a design says. What that
gives against people's scores of all of them is held against what is simulated from the study's
components. People's labels stand for all judges, so that their noise is left out of both.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scoring.planning.components import JUDGE, PEOPLE, Components, Votes, measure_prior
from scoring.planning.correlations import pearson_rows
from scoring.planning.mix import Order, choose_share
from scoring.planning.simulation import Design, Figure, Simulator
from scoring.planning.study import UnitStudy
from scoring.planning.tables import SentenceTables

DRAWS = 400
SHARES = ((1.0, 0.0), (0.5, 0.0), (0.25, 0.0), (0.25, 1.0), (1.0, 0.25))
PERCENTAGES = (0.0, 50.0, 100.0)

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Check:
    """The correlation with full human scoring that a design gave, and the one foretold."""

    design: Design
    real: Figure
    simulated: Figure


def check_simulation(
    human: UnitStudy,
    judged: UnitStudy,
    order: Order,
    *,
    designs: Sequence[Design] = (),
    draws: int = DRAWS,
    seed: int = 0,
) -> list[Check]:
    """For each design; unless told, some of every kind."""
    prior = measure_prior(human, judged, [order], Votes(0.0, 0.0), seed=seed)
    documents, systems = human.gold.shape
    simulator = Simulator(
        [prior.best, *prior.replicates], examples=documents, systems=systems, rounds=draws
    )
    rng = np.random.default_rng(seed)
    tables = [SentenceTables.of(study) for study in (human, judged)]
    found = []
    for design in designs or common_designs(documents):
        mask = choose_share(order, design.percentage)[None]
        people, judge = (table.score(mask)[0] for table in tables)
        tuned = _tuned(prior.best, design.percentage)
        drawn = [
            _score(design, people, judge, tuned, rng.permutation(documents)) for _ in range(draws)
        ]
        real = pearson_rows(np.array(drawn), human.gold.mean(axis=0)[None])
        low, high = np.nanpercentile(real, [2.5, 97.5])
        figure = Figure(float(np.nanmean(real)), float(low), float(high))
        found.append(Check(design, figure, simulator.run(design).correlation))
    return found


def common_designs(documents: int) -> list[Design]:
    """The judge alone on all and on fewer examples, people on few, and both."""
    found = []
    for percentage in PERCENTAGES:
        for share, by_people in SHARES:
            size = max(1, round(share * documents))
            people = round(by_people * size)
            ways = (True, False) if 0 < people < size else (True,)
            found += [Design(percentage, size, people, int(people > 0), way) for way in ways]
    return found


def _tuned(components: Components, percentage: float) -> float:
    _, document, residual = components.at(percentage)
    within = document + residual
    return float(within[PEOPLE, JUDGE] / max(within[JUDGE, JUDGE], 1e-12))


def _score(
    design: Design, people: Floats, judge: Floats, tuned: float, drawn: NDArray[np.int64]
) -> Floats:
    """System scores of one draw of examples."""
    asked, unasked = drawn[: design.people], drawn[design.people : design.examples]
    if not len(asked):
        return judge[unasked].mean(axis=0)
    if not len(unasked):
        return people[asked].mean(axis=0)
    if not design.is_corrected:
        both = people[asked].sum(axis=0) + judge[unasked].sum(axis=0)
        return np.asarray(both / design.examples)
    gap = judge[asked].mean(axis=0) - judge[unasked].mean(axis=0)
    return np.asarray(people[asked].mean(axis=0) - tuned * (1 - len(asked) / design.examples) * gap)
