"""Variance components: analysis of variance by hand, and statsmodels where cells are missing."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

from scoring.metaeval.mixed import (
    ANNOTATOR,
    DOCUMENT,
    FACTORS,
    RESIDUAL,
    SUMMARY,
    SYSTEM,
    fit_mixed_model,
)

SIZES = (9, 5, 4)


def crossed(seed=0, sizes=SIZES):
    """Every annotator's score of every summary, and the codes of each score."""
    rng = np.random.default_rng(seed)
    shape = np.indices(sizes).reshape(3, -1)
    document, system, annotator = shape
    effects = [rng.normal(0, sd, size) for sd, size in zip((0.2, 0.1, 0.15), sizes, strict=True)]
    scores = 0.5 + sum(effect[codes] for effect, codes in zip(effects, shape, strict=True))
    scores = scores + rng.normal(0, 0.1, sizes[:2])[document, system]
    scores = scores + rng.normal(0, 0.1, len(document))
    values = (document, system, annotator, document * sizes[1] + system)
    return dict(zip(FACTORS, values, strict=True)), scores


@pytest.mark.parametrize("seed", range(3))
def test_on_a_full_table_it_is_the_analysis_of_variance(seed):
    """Mean squares of a crossed design solved for variances, as in any textbook."""
    codes, scores = crossed(seed)
    d, s, k = SIZES
    table = scores.reshape(SIZES)
    grand, summary = table.mean(), table.mean(axis=2)
    document, system, annotator = (table.mean(axis=axes) for axes in ((1, 2), (0, 2), (0, 1)))
    of_documents = s * k * ((document - grand) ** 2).sum() / (d - 1)
    of_systems = d * k * ((system - grand) ** 2).sum() / (s - 1)
    of_annotators = d * s * ((annotator - grand) ** 2).sum() / (k - 1)
    both = summary - document[:, None] - system + grand
    of_summaries = k * (both**2).sum() / ((d - 1) * (s - 1))
    rest = table - summary[:, :, None] - annotator + grand
    residual = (rest**2).sum() / ((d * s - 1) * (k - 1))
    expected = {
        DOCUMENT: (of_documents - of_summaries) / (s * k),
        SYSTEM: (of_systems - of_summaries) / (d * k),
        ANNOTATOR: (of_annotators - residual) / (d * s),
        SUMMARY: (of_summaries - residual) / k,
        RESIDUAL: residual,
    }
    assert min(expected.values()) > 0
    model = fit_mixed_model(codes, scores)
    assert model.mean == pytest.approx(grand)
    for row in model.components:
        assert row.variance == pytest.approx(expected[row.factor], rel=1e-4, abs=1e-7)
    assert sum(row.share for row in model.components) == pytest.approx(1.0)


def test_with_cells_missing_it_is_statsmodels():
    import pandas as pd
    from statsmodels.regression.mixed_linear_model import MixedLM

    codes, scores = crossed(7)
    kept = np.random.default_rng(1).random(len(scores)) < 0.6
    codes, scores = {name: levels[kept] for name, levels in codes.items()}, scores[kept]
    frame = pd.DataFrame({**codes, "score": scores, "all": 1})
    formulas = {name: f"0 + C({name})" for name in FACTORS}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of variances near 0
        model = MixedLM.from_formula("score ~ 1", groups="all", vc_formula=formulas, data=frame)
        theirs = model.fit(reml=True)
    expected = dict(zip(sorted(FACTORS), theirs.vcomp, strict=True)) | {RESIDUAL: theirs.scale}
    ours = fit_mixed_model(codes, scores)
    assert ours.mean == pytest.approx(float(theirs.fe_params.iloc[0]), abs=1e-4)
    for row in ours.components:
        assert row.variance == pytest.approx(expected[row.factor], rel=2e-3, abs=1e-5)


def test_a_factor_that_can_not_be_estimated_is_left_out():
    codes, scores = crossed()
    first = codes[ANNOTATOR] == 0
    codes = {name: levels[first] for name, levels in codes.items()}
    model = fit_mixed_model(codes, scores[first])
    assert dict(model.left_out) == {
        ANNOTATOR: "there is only one",
        SUMMARY: "each has one judgement",
    }
    assert [row.factor for row in model.components] == [DOCUMENT, SYSTEM, RESIDUAL]


def test_equal_scores_have_no_variance():
    codes, scores = crossed()
    model = fit_mixed_model(codes, np.full(len(scores), 0.5))
    assert model.mean == 0.5
    assert {row.variance for row in model.components} == {0.0}


def test_two_judgements_are_too_few():
    codes, scores = crossed()
    few = {name: levels[:2] for name, levels in codes.items()}
    with pytest.raises(ValueError, match="at least 3 judgements"):
        fit_mixed_model(few, scores[:2])


def test_it_finds_what_was_put_in():
    """Over many studies the estimates average to the truth: .04, .0225 and .01."""
    found = [fit_mixed_model(*crossed(seed, (8, 6, 5))) for seed in range(16)]
    means = {name: np.mean([model.variance(name) for model in found]) for name in FACTORS}
    assert means[DOCUMENT] == pytest.approx(0.04, abs=0.015)
    assert means[ANNOTATOR] == pytest.approx(0.0225, abs=0.012)
    assert means[SUMMARY] == pytest.approx(0.01, abs=0.002)
