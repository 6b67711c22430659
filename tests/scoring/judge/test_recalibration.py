"""A temperature and a shift that adapt a judge to another study."""

import numpy as np
import pytest

from scoring.errors import InputError
from scoring.judge.held_out import HeldOutRecord, calibrate, calibration_error, evaluate_held_out
from scoring.judge.recalibration import Recalibration, cross_fit, fit_recalibration


def draw(count: int, temperature: float, shift: float) -> tuple[np.ndarray, np.ndarray]:
    """Presence by a judge that is wrong in just this way, and labels."""
    rng = np.random.default_rng(7)
    logits = rng.normal(0, 2, count)
    truth = 1 / (1 + np.exp(-(logits / temperature + shift)))
    return 1 / (1 + np.exp(-logits)), (rng.random(count) < truth).astype(int)


def test_it_finds_the_temperature_and_the_shift_again() -> None:
    found = fit_recalibration(*draw(20_000, 2.5, -0.8))
    assert found.temperature == pytest.approx(2.5, rel=0.1)
    assert found.shift == pytest.approx(-0.8, abs=0.1)


def test_a_handful_of_labels_changes_little_and_helps() -> None:
    presence, labels = draw(5_000, 2.0, -1.5)
    found = fit_recalibration(presence[:40], labels[:40])
    before, after = (
        calibration_error(calibrate(labels[40:], values))
        for values in (presence[40:], found(presence[40:]))
    )
    assert after < before / 2
    one = fit_recalibration([0.9], [0])
    assert 1 <= one.temperature < 2
    assert -1 < one.shift < 0


def test_the_order_of_units_stays() -> None:
    presence = np.linspace(0.01, 0.99, 50)
    assert (np.diff(Recalibration(3, -2)(presence)) > 0).all()
    assert Recalibration()(presence) == pytest.approx(presence)


def test_certain_verdicts_and_wrong_lengths() -> None:
    found = fit_recalibration([0.0, 1.0, 1.0, 0.0], [0, 1, 0, 0])
    assert np.isfinite(found([0.0, 1.0])).all()
    with pytest.raises(InputError, match="2 labels and 1 predictions"):
        fit_recalibration([0.5], [0, 1])
    with pytest.raises(InputError, match="two documents"):
        cross_fit([0.5, 0.6], [0, 1], ["d", "d"])


def test_held_out_figures_say_what_it_would_bring() -> None:
    presence, labels = draw(2_000, 2.0, -1.0)
    records = [
        HeldOutRecord(
            f"d{i}", f"s{i % 4}", labels[i : i + 10].tolist(), presence[i : i + 10].tolist()
        )
        for i in range(0, 2_000, 10)
    ]
    found = evaluate_held_out(records)
    assert found.recalibrated.shift < -0.7
    assert found.recalibrated.ece is not None
    assert found.recalibrated.ece < found.ece / 2
    assert found.to_json()["recalibrated"]["temperature"] > 1.5
    alone = evaluate_held_out(records[:1]).to_json()["recalibrated"]
    assert alone["ece"] is None
