"""From a plan to work: which examples are scored, who judges them, and which sentences are written.

And afterwards: what the choice of sentences gave against a random one of the same cost.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from scoring.errors import InputError
from scoring.planning.curves import BOOTSTRAP, KEYS, SEEDS, Lens
from scoring.planning.mix import Mask, Order, as_numbers, choose_budget, choose_share, count_words
from scoring.planning.orders import random_order
from scoring.planning.plans import Plan
from scoring.planning.study import SentenceUnits, UnitStudy
from scoring.planning.tables import SentenceTables
from scoring.translation import gettext as _


@dataclass(frozen=True, slots=True)
class Work:
    """`people` are those of `examples` that people judge; sentences are (document, place)."""

    examples: tuple[str, ...]
    people: tuple[str, ...]
    written: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class Given:
    """What a mixture gave at one level: with it, and with random choices of the same words.

    `gain` is the difference, with the middle 95 % over resampled documents; `random_low` and
    `random_high` are the middle 95 % of the random choices.
    """

    level: str
    measure: str
    value: float
    random: float
    random_low: float
    random_high: float
    gain: float
    gain_low: float
    gain_high: float


@dataclass(frozen=True, slots=True)
class LookBack:
    """`words` are those of the sentences that people wrote SCUs for."""

    documents: int
    sentences: int
    written: int
    words: int
    seeds: int
    given: tuple[Given, ...]

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


def choose_work(
    plan: Plan,
    documents: Sequence[str],
    sentences: Sequence[SentenceUnits],
    order: Order,
    *,
    seed: int = 0,
) -> Work:
    """Examples are drawn at random, people's among them too; the hardest sentences are written.

    A larger plan of the same seed has the examples of a smaller one, and more. All are told in the
    order of *documents*.
    """
    if len(documents) < plan.examples:
        raise InputError(
            _(
                "The plan is for {examples} examples, but there are {documents}. Create a "
                "plan for these."
            ).format(examples=plan.examples, documents=len(documents))
        )
    drawn = np.random.default_rng(seed).permutation(len(documents))
    examples, people = ({documents[i] for i in drawn[:n]} for n in (plan.examples, plan.people))
    places = [place for place, row in enumerate(sentences) if row.document in examples]
    gives_way = choose_share(as_numbers(order)[places], plan.percentage)
    return Work(
        tuple(name for name in documents if name in examples),
        tuple(name for name in documents if name in people),
        tuple(
            (sentences[place].document, sentences[place].place)
            for place, way in zip(places, gives_way, strict=True)
            if not way
        ),
    )


def look_back(
    study: UnitStudy,
    gave_way: Sequence[bool] | Mask,
    *,
    seeds: int = SEEDS,
    bootstrap: int = BOOTSTRAP,
    seed: int = 0,
) -> LookBack:
    """What the sentences that were written gave, on examples that have people's scores."""
    own = np.asarray(gave_way, dtype=bool)
    if own.shape != (len(study.sentences),):
        raise InputError(
            _("Expected one value for each of the {sentences} sentences.").format(
                sentences=len(study.sentences)
            )
        )
    words = count_words(study.sentences)
    spent = float(words[~own].sum())
    masks = [
        choose_budget(random_order(len(own), seed + number), words, spent)
        for number in range(seeds)
    ]
    found = Lens(SentenceTables.of(study), (0.0,), bootstrap, seed).look(np.array([own, *masks]))
    given = [_given(*key, found[key]) for key in KEYS]
    return LookBack(
        len(study.documents), len(own), int((~own).sum()), int(spent), seeds, tuple(given)
    )


def _given(level: str, measure: str, values: np.ndarray[Any, np.dtype[np.float64]]) -> Given:
    """From resamples × mixtures: the first is ours, and the first resample the study itself."""
    low, high = np.percentile(values[0, 1:], [2.5, 97.5])
    gains = values[:, 0] - values[:, 1:].mean(axis=1)
    gain_low, gain_high = np.nanpercentile(gains[1:], [2.5, 97.5])
    return Given(
        level,
        measure,
        float(values[0, 0]),
        float(values[0, 1:].mean()),
        float(low),
        float(high),
        float(gains[0]),
        float(gain_low),
        float(gain_high),
    )
