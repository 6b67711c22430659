"""Simulation held against studies that are finished."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from scoring.planning.checking import check_simulation, common_designs
from scoring.planning.orders import random_order
from scoring.planning.simulation import Design
from scoring.planning.study import read_study
from tests.scoring.planning.toys import drawn_study


def shaken(study, seed=0):
    """The same as seen by a judge who errs by unit."""
    rng = np.random.default_rng(seed)
    tables = [
        [np.clip(table * 0.5 + 0.25 + rng.normal(0, 0.3, table.shape), 0, 1) for table in given]
        for given in (study.scu_presence, study.stu_presence)
    ]
    return replace(study, scu_presence=tables[0], stu_presence=tables[1])


def test_full_human_scoring_is_foretold_exactly():
    study = drawn_study()
    [found] = check_simulation(
        study, shaken(study), random_order(60, 0), designs=[Design(0, 20, 20, 1)], draws=20
    )
    assert found.real.value == pytest.approx(1)
    assert found.simulated.value == pytest.approx(1)


def test_it_foretells_what_designs_give():
    """All kinds of design on a made-up study: none is off by more than its interval."""
    study = drawn_study(documents=60, systems=10)
    found = check_simulation(study, shaken(study), random_order(180, 0), draws=150)
    assert len(found) == len(common_designs(60))
    for check in found:
        assert check.simulated.value == pytest.approx(check.real.value, abs=0.05)
        assert check.simulated.low <= check.real.value <= check.simulated.high


def test_it_tries_every_kind_of_design():
    found = common_designs(100)
    assert Design(0.0, 100, 0, 0) in found
    assert Design(50.0, 25, 25, 1) in found
    assert Design(100.0, 100, 25, 1, is_corrected=False) in found
    assert len(found) == len(set(found)) == 18


def test_it_foretells_people_on_realsumm(realsumm_dir):
    """Fewer examples, and half the sentences as STUs, with an ideal judge."""
    study = read_study(realsumm_dir)
    designs = [Design(share, size, size, 1) for share in (0, 50, 100) for size in (25, 50)]
    order = random_order(len(study.sentences), 0)
    for check in check_simulation(study, study, order, designs=designs, draws=200):
        assert check.simulated.value == pytest.approx(check.real.value, abs=0.025)
