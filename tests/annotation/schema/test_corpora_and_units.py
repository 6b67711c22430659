"""REST keeps every promise about corpora and units, whatever it is sent."""

from __future__ import annotations

from collections import Counter
from typing import Any

from tests.annotation.schema.checking import (
    CAMPAIGNS,
    CHANCE,
    LABELS,
    PLANS,
    REPORTS,
    ROBUSTNESS,
    RUNS,
    SAMPLES,
    SCORES,
    TRAINED,
    Everywhere,
    check,
    load,
)
from tests.annotation.world import World

schema = load()
EVALUATED = (RUNS, TRAINED, PLANS, REPORTS, ROBUSTNESS, SAMPLES, SCORES)
for elsewhere in (CAMPAIGNS, LABELS, *EVALUATED):
    schema = schema.exclude(path_regex=elsewhere)


@schema.parametrize()
@CHANCE
def test_it_keeps_its_promises(case: Any, key: str, world: World, answers: Counter[int]):
    check(case, key, Everywhere(world), answers)
