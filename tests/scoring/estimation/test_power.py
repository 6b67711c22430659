"""The chance to tell systems apart."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from scipy import stats

from scoring.aggregation import AnswerRow, Answers, build_answers
from scoring.estimation.power import Pilot, conclude_power

UNITS, RIGHT = 5, 0.85


def draw_truth(rng: np.random.Generator, documents: int) -> np.ndarray:
    """Two systems × documents × units: what each summary carries; documents differ in hardness."""
    easy = rng.beta(2, 2, size=documents)
    shares = np.stack([easy, np.clip(easy + 0.1, 0, 1)])
    return rng.random((2, documents, UNITS)) < shares[..., None]


def answer(rng: np.random.Generator, truth: np.ndarray, annotators: int) -> np.ndarray:
    """Annotators × the shape of truth; each answer is right with the same chance."""
    return truth ^ (rng.random((annotators, *truth.shape)) > RIGHT)


def make_pilot(documents: int = 300, annotators: int = 3, seed: int = 0) -> Answers:
    rng = np.random.default_rng(seed)
    said = answer(rng, draw_truth(rng, documents), annotators)

    def rows() -> Iterator[AnswerRow]:
        for (worker, system, document, unit), mark in np.ndenumerate(said):
            yield AnswerRow(f"d{document}", f"s{system}", f"u{unit}", f"w{worker}", "", bool(mark))

    return build_answers(rows())


def true_power(difference: float, examples: int, annotators: int, rounds: int = 4000) -> float:
    """New documents and annotators each time, scores moved so that the difference is known."""
    rng = np.random.default_rng(99)
    truth = draw_truth(rng, rounds * examples)
    present = answer(rng, truth, annotators).sum(axis=0) > annotators / 2
    scores = present.mean(axis=-1).reshape(2, rounds, examples)
    gaps = scores[1] - scores[0]
    gaps = gaps - gaps.mean() + difference
    t = gaps.mean(axis=1) / (gaps.std(axis=1, ddof=1) / np.sqrt(examples))
    return float((t > stats.t.ppf(0.975, examples - 1)).mean())


@pytest.fixture(scope="module")
def pilot():
    return Pilot(make_pilot(), rounds=1500)


@pytest.mark.parametrize(
    "difference, examples, annotators",
    [(0.06, 60, 1), (0.06, 60, 3), (0.1, 40, 3), (0.1, 40, 5), (0.04, 150, 1)],
)
def test_it_is_near_the_truth(pilot, difference, examples, annotators):
    """Of a made-up world; five annotators, where the pilot has three, are partly made up."""
    found = pilot.power(difference, examples=examples, annotators=annotators)
    assert found.power == pytest.approx(true_power(difference, examples, annotators), abs=0.05)
    assert found.made_up == max(0, annotators - 3)


def test_more_of_anything_helps(pilot):
    base = pilot.power(0.06, examples=60, annotators=1).power
    assert pilot.power(0.06, examples=120, annotators=1).power > base + 0.1
    assert pilot.power(0.09, examples=60, annotators=1).power > base + 0.1
    assert pilot.power(0.06, examples=60, annotators=3).power > base


def test_a_difference_that_is_hardly_there_is_seen_by_chance(pilot):
    found = pilot.power(1e-9, examples=60, annotators=3)
    assert found.power == pytest.approx(0.025, abs=0.015)


def test_comparisons_share_the_level(pilot):
    one, many = (
        pilot.power(0.06, examples=60, annotators=3, comparisons=comparisons)
        for comparisons in (1, 10)
    )
    assert many.level == pytest.approx(0.005)
    assert many.power < one.power


def test_it_is_the_same_for_the_same_seed():
    answers = make_pilot(documents=20)
    first, again, other = (
        Pilot(answers, rounds=300, seed=seed).power(0.1, examples=20, annotators=2)
        for seed in (0, 0, 1)
    )
    assert first == again
    assert first.power != other.power


def test_it_ranges_over_pairs(realsumm_dir):
    """REALSumm's own crowd: some pairs of systems are far easier to tell apart than others."""
    from scoring.io.answers import load_answers

    answers = load_answers(realsumm_dir / "raw_crowd")
    found = Pilot(answers, rounds=200, replicates=5).power(0.05, examples=100, annotators=3)
    assert found.pairs == 300
    assert 0.45 < found.power < 0.58
    assert found.low < 0.42 < 0.65 < found.high
    two = Pilot(answers, systems=["abs_bart_out", "ext_bart_out"], rounds=200)
    assert two.power(0.05, examples=100, annotators=3).pairs == 1


@pytest.mark.parametrize(
    "change, message",
    [
        ({"examples": 1}, "2 examples"),
        ({"annotators": 0}, "1 annotator"),
        ({"difference": 0}, "above 0"),
        ({"difference": 2}, "up to 1"),
        ({"level": 5}, "level between 0 and 1"),
    ],
)
def test_it_refuses_studies_that_can_not_be(pilot, change, message):
    asked = {"difference": 0.05, "examples": 50, "annotators": 3} | change
    with pytest.raises(ValueError, match=message):
        pilot.power(**asked)


@pytest.mark.parametrize("systems, message", [(["s0"], "at least 2"), (["s0", "x"], "'x'")])
def test_it_takes_two_systems(systems, message):
    with pytest.raises(ValueError, match=message):
        Pilot(make_pilot(documents=3), systems=systems)


def design(examples: int, annotators: int, power: float, difference: float = 0.05):
    return {
        "difference": difference,
        "examples": examples,
        "annotators": annotators,
        "power": power,
    }


def test_it_names_the_smallest_design_that_is_enough():
    rows = [design(100, 1, 0.5), design(200, 1, 0.82), design(100, 3, 0.81), design(400, 3, 0.99)]
    said = conclude_power(rows)
    assert "200 examples with 1 annotator per summary" in said
    assert "0.82" in said


def test_it_names_none_where_none_is_enough():
    said = conclude_power([design(100, 1, 0.5), design(200, 1, 0.79)])
    assert said.startswith("None of these designs detects a difference of 0.05")
    assert "0.79" in said
    both = conclude_power([design(100, 1, 0.5), design(100, 1, 0.9, difference=0.1)])
    assert "None of these designs" in both
    assert "a difference of 0.1, 100 examples" in both
