"""Regressors: those that come along, the released ones, and any from a file."""

import json
import warnings
from pathlib import Path

import numpy as np
import pytest

from scoring.backends.easiness_trees import (
    EasinessTrees,
    fit_regressor,
    load_file,
    load_shipped,
    write_regressor,
)
from scoring.easiness.features import FEATURES, SentenceCase
from scoring.easiness.regressors import (
    DAMAGE,
    DEFAULT,
    EASINESS,
    MODELS,
    as_easiness,
    load_regressor,
)
from tests.scoring.easiness.sentences import by_hand, parse
from tests.scoring.goldens import golden

ROWS = {
    "zeros": [0.0] * 69,
    "ones_tail": [25, 180, 12, 25 / 12] + [1.0] * 65,
    "short": [8, 50, 5, 1.6] + [0.0] * 65,
    "long": [45, 400, 18, 2.5] + [2.0] * 65,
}


def trained(*, features: str = "paper", target: str = EASINESS, seed: int = 0) -> EasinessTrees:
    rng = np.random.default_rng(1)
    rows = rng.random((60, len(FEATURES[features]))).astype(np.float32)
    card = {"name": "mine", "target": target}
    return fit_regressor(rows, rows[:, 0].astype(float), features, card=card, seed=seed)


def test_it_predicts_as_the_released_regressors_do(realsumm_dir: Path) -> None:
    figure = golden(realsumm_dir, "regressors.load.a")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for name, wanted in figure["value"].items():
            path = realsumm_dir.parent / "regressors" / name
            regressor = load_file(path)
            values = regressor.predict_rows(list(ROWS.values()))
            expected = [wanted["predictions"][row] for row in ROWS]
            assert values == pytest.approx(expected, abs=figure["tolerance"])
            assert (regressor.features, regressor.target) == ("paper", EASINESS)
            assert regressor.name == path.stem
            assert regressor.card == {"name": path.stem}


def test_it_loads_all_six_released_regressors(realsumm_dir: Path) -> None:
    paths = sorted((realsumm_dir.parent / "regressors").glob("*/*.json"))
    versions = {load_regressor(str(path)).version for path in paths}
    assert len(paths) == len(versions) == 6


def test_it_predicts_from_sentences() -> None:
    easy, hard = parse(
        "The dog barked.",
        "Netherlands midfielder Wesley Sneijder, 32, has joined French Ligue 1 side Nice on a "
        "free transfer after leaving Turkish club Galatasaray by mutual consent last month.",
    )
    stus = "Netherlands midfielder Wesley Sneijder joined French Ligue 1 side Nice"
    cases = [SentenceCase(easy, None, ("The dog barked",)), SentenceCase(hard, None, (stus,))]
    for name in ("giza", "paper"):
        regressor = load_regressor(name)
        first, second = regressor.predict(cases)
        assert 0 < second < first < 1.1
        assert regressor.predict([]) == []
        assert regressor.predict(cases[1:]) == [second]


@pytest.mark.parametrize("name", MODELS)
def test_it_ships_regressors_with_their_cards(name: str) -> None:
    regressor = load_regressor(name)
    card = regressor.card
    assert (regressor.name, card["name"]) == (name, name)
    assert regressor.target == (DAMAGE if name == DAMAGE else EASINESS)
    assert set(card["held_out_by_study"]) == {"realsumm", "pyrxsum"}
    assert card["data"]["documents"] == 200
    assert len(card["data"]["hash"]) == 64
    assert card["folds"] == 5
    assert card["training"]["max_depth"] == 3
    assert load_shipped(name) is regressor


def test_it_ships_small_files() -> None:
    folder = Path(__file__).parents[3] / "scoring" / "backends" / "models"
    sizes = {path.name: path.stat().st_size for path in folder.glob("easiness_*.json")}
    assert set(sizes) == {f"easiness_{name}.json" for name in MODELS}
    assert max(sizes.values()) < 300_000


def test_it_trains_as_published() -> None:
    card = load_regressor("paper").card
    assert card["training"] == {"rounds": 40, "max_depth": 3, "eta": 0.1, "seed": 0}


def test_it_takes_the_best_held_out_for_default() -> None:
    cards = {name: load_regressor(name).card for name in ("giza", "paper")}
    assert load_regressor().name == DEFAULT == "giza"
    for study in ("realsumm", "pyrxsum"):
        best, other = (cards[name]["held_out_by_study"][study] for name in ("giza", "paper"))
        assert best["mae"] < other["mae"]
        assert best["rho"] > other["rho"]


def test_it_comes_back_from_a_file_the_same(tmp_path: Path) -> None:
    path = tmp_path / "mine.json"
    regressor = trained()
    write_regressor(path, regressor)
    found = load_regressor(str(path))
    rows = list(ROWS.values())
    assert isinstance(found, EasinessTrees)
    assert found.predict_rows(rows) == regressor.predict_rows(rows)
    assert (found.name, found.target, found.features) == ("mine", EASINESS, "paper")
    assert len(found.version) == 12


def test_it_is_the_same_for_the_same_seed() -> None:
    rows = np.random.default_rng(2).random((5, 120)).tolist()
    one, same, other = (trained(features="giza", seed=seed) for seed in (0, 0, 1))
    assert one.predict_rows(rows) == same.predict_rows(rows)
    assert one.predict_rows(rows) != other.predict_rows(rows)


def test_it_names_the_regressors_that_it_knows() -> None:
    with pytest.raises(ValueError, match="no regressor 'gizza'.*giza, paper, damage"):
        load_regressor("gizza")


def test_it_refuses_to_learn_from_nothing() -> None:
    with pytest.raises(ValueError, match="1 sentences"):
        fit_regressor(np.zeros((1, 69), np.float32), np.zeros(1), "paper")


@pytest.mark.parametrize(
    "change, message",
    [
        ({"format": 99}, "another version"),
        ({"features": "other"}, "another version"),
        ({"names": ["words"]}, "another version"),
        ({"card": None}, "another version"),
        ({"card": {"target": "joy"}}, "predicts 'joy'"),
        ({"model": {}}, "an XGBoost model"),
    ],
)
def test_it_refuses_a_file_that_it_can_not_read(
    tmp_path: Path, change: dict[str, object], message: str
) -> None:
    path = tmp_path / "mine.json"
    path.write_text(json.dumps(trained().to_json() | change))
    with pytest.raises(ValueError, match=message):
        load_regressor(str(path))


@pytest.mark.parametrize("text", ["{", "[]", "{}", '{"learner": 1}'])
def test_it_refuses_what_is_no_regressor(tmp_path: Path, text: str) -> None:
    path = tmp_path / "other.json"
    path.write_text(text)
    with pytest.raises(ValueError, match="other.json"):
        load_regressor(str(path))


def test_it_refuses_a_foreign_model_of_other_features(tmp_path: Path) -> None:
    path = tmp_path / "other.json"
    path.write_text(json.dumps(trained(features="giza").to_json()["model"]))
    with pytest.raises(ValueError, match="has 120 features; the published regressors have 69"):
        load_regressor(str(path))


def test_it_takes_little_damage_for_easy() -> None:
    assert as_easiness([0.2, 0.1], EASINESS) == [0.2, 0.1]
    assert as_easiness([0.2, 0.1], DAMAGE) == [-0.2, -0.1]


def test_it_predicts_without_an_stu() -> None:
    case = SentenceCase(by_hand("Dogs/NNS/nsubj/1 bark/VBP/ROOT/-1"))
    assert len(load_regressor("giza").predict([case])) == 1
