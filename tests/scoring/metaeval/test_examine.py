"""Everything of a study under plain names."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from scoring.cli import as_json
from scoring.metaeval.examine import SECTIONS, Options, examine, examine_kinds
from tests.scoring.metaeval.studies import random_study

QUICK = Options(resamples=20, swaps=20, gaps=(0.3,))


def kinds_of(study):
    names = ("extractive", "abstractive")
    return {name: names[place % 2] for place, name in enumerate(study.systems)}


def test_it_tells_every_section_of_every_kind():
    study = random_study(systems=8, documents=10)
    study = replace(study, kinds=kinds_of(study))
    options = replace(QUICK, folds=(("d1", "d2", "d3"), ("d4", "d5", "d6")))
    found = examine_kinds(study, options)
    assert list(found["sets"]) == ["all", "extractive", "abstractive"]
    for part in found["sets"].values():
        assert set(SECTIONS) < set(part)
        assert all(part[name] for name in SECTIONS)
        assert part["signature"].startswith("data:")
    assert len(found["sets"]["extractive"]["systems"]) == 4
    assert found["sets"]["all"]["folds"]["m1"]["summary"]["count"] == 6


def test_the_same_seed_gives_the_same_words():
    study = random_study(missing=0.1)
    one, two = (as_json(examine(study, QUICK)) for _ in range(2))
    assert one == two
    assert one != as_json(examine(study, replace(QUICK, seed=1)))


def test_inputs_that_nobody_judged_bring_intervals_over_every_input():
    study = random_study(documents=20)
    study.people[:, 8:] = np.nan
    rows = examine(study, QUICK, only=["intervals"])["intervals"]
    assert {(row["level"], row["inputs"]) for row in rows} == {
        ("system", "judged"),
        ("summary", "judged"),
        ("system", "every"),
    }
    whole = examine_kinds(study, QUICK, only=["correlations"])
    assert (whole["documents"], whole["judged"]) == (20, 8)
    levels = whole["sets"]["all"]["correlations"]["m1"]
    assert levels["system"] != levels["system, every input"]


def test_a_kind_of_few_systems_is_passed_over_unless_asked_for():
    study = replace(random_study(), kinds={"A": "human", "B": "human"})
    assert list(examine_kinds(study, QUICK, only=["means"])["sets"]) == ["all"]
    with pytest.raises(ValueError, match="at least 3 systems; there are 2"):
        examine_kinds(study, QUICK, kinds=["human"], only=["means"])


def test_an_unknown_section_lists_the_known():
    with pytest.raises(ValueError, match="'all of it'. Known: means, correlations"):
        examine(random_study(), QUICK, only=["all of it"])
