"""Figures on published SCUs, by rankers that did not see the fold, beside what is wanted."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from scoring.cli import COMMANDS, build_parser
from scoring.stu.rich.ranking import load_shipped

# Study and units: the least accuracy and precision, and the greatest x.
WANTED = {
    ("PyrXSum", "rich, x = 1"): (0.70, 0.70, 1.0),
    ("PyrXSum", "rich, x = 1.6"): (0.74, 0.65, 1.6),
    ("REALSumm", "rich, x = 1"): (0.67, 0.65, 1.0),
    ("REALSumm", "rich, x = 1.6"): (0.70, 0.60, 1.6),
    ("REALSumm", "rich --coref, x = 1"): (0.69, 0.68, 1.0),
    ("REALSumm", "rich --coref, x = 1.6"): (0.725, 0.65, 1.6),
}
RELEASED = {"REALSumm": (0.660, 0.680, 0.92), "PyrXSum": (0.543, 0.662, 0.59)}

Found = dict[str, Any]


@pytest.fixture(scope="module")
def found(realsumm_dir: Path, pyrxsum_dir: Path, tmp_path_factory: pytest.TempPathFactory) -> Found:
    assert pyrxsum_dir.parent == realsumm_dir.parent
    out = tmp_path_factory.mktemp("ranker") / "ranker.json"
    given = ["stu-ranker", "--data", str(realsumm_dir.parent), "--out", str(out)]
    result: Found = COMMANDS["stu-ranker"].run(build_parser().parse_args(given))
    return result


def row_of(found: Found, study: str, units: str) -> dict[str, float]:
    (row,) = (one for one in found["rows"] if (one["study"], one["units"]) == (study, units))
    return dict(row)


@pytest.mark.parametrize(("study", "units"), WANTED)
def test_it_is_accurate_and_precise_within_its_budget(found: Found, study: str, units: str) -> None:
    row = row_of(found, study, units)
    accuracy, precision, x = WANTED[study, units]
    assert row["accuracy"] >= accuracy
    assert row["precision"] >= precision
    assert 0.9 * x <= row["x"] <= x


@pytest.mark.parametrize("study", RELEASED)
def test_it_measures_the_released_units_beside_its_own(found: Found, study: str) -> None:
    row = row_of(found, study, "released STUs")
    accuracy, precision, x = RELEASED[study]
    assert (row["accuracy"], row["precision"]) == pytest.approx((accuracy, precision), abs=0.0005)
    assert round(row["x"], 2) == x


def test_the_ranker_that_comes_along_is_what_the_command_writes(found: Found) -> None:
    assert found["version"] == load_shipped().version
