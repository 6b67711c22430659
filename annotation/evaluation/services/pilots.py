"""What a project's own labels and runs tell of studies like it."""

from __future__ import annotations

import numpy as np

from annotation.evaluation.models import LabelOrigin, LabelSet
from annotation.evaluation.selectors.answers import get_collected
from annotation.evaluation.selectors.studies import StudySource, read_study
from annotation.units.selectors.plans import get_difficulties
from scoring.errors import InputError
from scoring.planning.components import Prior, Votes, measure_prior
from scoring.planning.mix import Order
from scoring.planning.orders import random_order
from scoring.planning.priors import load_prior
from scoring.planning.votes import measure_votes

RANDOM_ORDERS = 10


def measure_pilot(source: StudySource, seed: int = 0) -> Prior:
    """Variance components of people's scores and the judge's, mixed as the regressor says."""
    read = read_study(source)
    difficulty = get_difficulties(source.stus)
    orders: list[Order] = [
        random_order(len(read.sentences), seed + number) for number in range(RANDOM_ORDERS)
    ]
    if difficulty:
        orders = [np.array([-difficulty.get(pk, np.nan) for pk in read.sentences])]
    return measure_prior(
        read.human,
        read.study,
        orders,
        get_votes(source.label_set),
        name=str(source.label_set),
        order="easiness" if difficulty else "random",
        seed=seed,
    )


def get_votes(label_set: LabelSet) -> Votes:
    """How the pilot's own people vary, if units were judged by several; else as published."""
    campaigns = list(label_set.campaigns.select_related("unit_set"))
    if label_set.origin == LabelOrigin.CROWD and campaigns:
        try:
            return measure_votes(get_collected(campaigns).answers)
        except InputError:
            pass
    best = load_prior().best
    return Votes(best.vote, best.tied)
