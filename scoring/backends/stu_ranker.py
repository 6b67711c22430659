"""Growing the forest that ranks candidate facts, with XGBoost."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import numpy as np
import xgboost as xgb
from numpy.typing import NDArray

from scoring.stu.rich.ranking import Forest, ForestRanker

ROUNDS = 120
DEPTH = 4
OPTIONS: dict[str, Any] = {
    "objective": "reg:squarederror",
    "max_depth": DEPTH,
    "eta": 0.08,
    "subsample": 0.7,
    "colsample_bytree": 0.5,
    "min_child_weight": 10,
    "tree_method": "hist",
    # One thread, and the same trees on every machine.
    "nthread": 1,
}

Floats = NDArray[np.float32]


def fit_ranker(
    rows: Floats, nearness: Floats, counts: Sequence[float], *, seed: int = 0
) -> ForestRanker:
    """Train on candidates whose nearness to human units is known."""
    booster = xgb.train(OPTIONS | {"seed": seed}, xgb.DMatrix(rows, nearness), ROUNDS)
    return ForestRanker(read_forest(booster), counts)


def read_forest(booster: xgb.Booster) -> Forest:
    """The trees of a model, all of the same depth."""
    learner = json.loads(bytes(booster.save_raw("json")))["learner"]
    trees = learner["gradient_booster"]["model"]["trees"]
    questions = 2**DEPTH - 1
    forest = Forest(
        np.zeros((len(trees), questions), dtype=np.int64),
        np.zeros((len(trees), questions), dtype=np.float32),
        np.zeros((len(trees), questions + 1), dtype=np.float32),
        float(learner["learner_model_param"]["base_score"].strip("[]")),
    )
    for row, tree in enumerate(trees):
        _copy(tree, forest, row, 0, 0)
    return forest


def _copy(tree: dict[str, Any], forest: Forest, row: int, node: int, place: int) -> None:
    """A node and all below it; a leaf that comes early answers whatever is asked below it."""
    questions = forest.asked.shape[1]
    is_leaf = tree["left_children"][node] < 0
    if place >= questions:
        forest.answers[row, place - questions] = tree["split_conditions"][node]
        return
    if not is_leaf:
        forest.asked[row, place] = tree["split_indices"][node]
        forest.thresholds[row, place] = tree["split_conditions"][node]
    for side, children in enumerate(("left_children", "right_children"), 1):
        below = node if is_leaf else tree[children][node]
        _copy(tree, forest, row, below, 2 * place + side)
