"""Figures on published SCUs: the released STUs, and ours beside them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from scoring.stu.quality import Quality, ReferenceUnits, measure_extraction
from tests.scoring.easiness.published import read_published
from tests.scoring.goldens import golden
from tests.scoring.stu.parsing import loaded


def released(folder: Path) -> Quality:
    return measure_extraction(
        ReferenceUnits(one.sentences, one.scus, one.stus) for one in read_published(folder)
    )


def ours(folder: Path, *, coref: bool) -> Quality:
    studies = list(read_published(folder))
    made = loaded(coref).extract([one.sentences for one in studies])
    return measure_extraction(
        ReferenceUnits(one.sentences, one.scus, [unit.text for unit in units])
        for one, units in zip(studies, made, strict=True)
    )


def test_it_measures_the_released_units_of_realsumm(realsumm_dir: Path) -> None:
    found = released(realsumm_dir)
    assert (found.accuracy, found.precision) == pytest.approx((0.660, 0.680), abs=0.0005)
    assert round(found.x, 2) == 0.92
    expected = golden(realsumm_dir, "realsumm.easiness")
    value, tolerance = expected["value"], expected["tolerance"]
    assert found.sentences == value["sentences"]
    assert found.accuracy == pytest.approx(value["mean"], abs=tolerance)
    assert np.std(found.by_sentence) == pytest.approx(value["sd_population"], abs=tolerance)


def test_it_measures_the_released_units_of_pyrxsum(pyrxsum_dir: Path) -> None:
    found = released(pyrxsum_dir)
    assert (found.accuracy, found.precision) == pytest.approx((0.543, 0.662), abs=0.0005)
    assert round(found.x, 2) == 0.59


def test_it_comes_nearer_to_realsumm_than_the_released_units(realsumm_dir: Path) -> None:
    found, before = ours(realsumm_dir, coref=True), released(realsumm_dir)
    assert found.accuracy >= 0.67 > before.accuracy
    assert found.precision >= before.precision
    assert found.x <= 0.96


def test_it_comes_nearer_to_pyrxsum_than_the_released_units(pyrxsum_dir: Path) -> None:
    found, before = ours(pyrxsum_dir, coref=False), released(pyrxsum_dir)
    assert found.accuracy >= 0.59 > before.accuracy
    assert found.precision >= before.precision
    assert found.x <= 0.75
