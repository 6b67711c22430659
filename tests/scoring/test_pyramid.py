"""Pyramid scores from labels."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.cli.pyramid import load_units
from scoring.pyramid import METHODS, label_units, sample_units, score_summaries
from tests.scoring.goldens import golden


def score(weights, labels, method="exhaustive", **options):
    units = label_units({"d": weights}, {"s": {"d": labels}})
    return score_summaries(units, method=method, **options).scores[0, 0]


@pytest.mark.parametrize(
    "weights, labels, exhaustive, original",
    [
        ([1, 1, 1, 1], [1, 0, 0, 1], 1 / 2, 1),
        ([4, 2, 1], [1, 0, 0], 4 / 7, 1),
        ([4, 2, 1], [0, 0, 1], 1 / 7, 1 / 4),
        ([4, 2, 1], [0, 1, 1], 3 / 7, 3 / 6),
        ([1, 3, 3, 2], [1, 0, 1, 0], 4 / 9, 4 / 6),
        ([4, 2, 1], [0, 0, 0], 0, 0),
        ([4, 2, 1], [1, 1, 1], 1, 1),
        # A unit without a label is out of both sums.
        ([4, 2, 1], [1, None, 0], 4 / 5, 1),
        ([4, 2, 1], [None, 1, 0], 2 / 3, 2 / 4),
    ],
)
def test_it_scores_a_summary(weights, labels, exhaustive, original):
    assert score(weights, labels) == pytest.approx(exhaustive)
    assert score(weights, labels, "original") == pytest.approx(original)


@pytest.mark.parametrize("method", METHODS)
def test_it_has_no_score_without_labels_or_units(method):
    units = label_units({"d": [1, 2], "e": []}, {"s": {"d": [None, None], "e": []}})
    table = score_summaries(units, method=method, sample=2 if method == "lite" else None)
    assert np.isnan(table.scores).all()
    assert np.isnan(table.means()).all()
    assert table.ranks().tolist() == [0]


labelled = st.lists(
    st.tuples(st.integers(1, 4), st.sampled_from([0, 1, None])), min_size=1, max_size=8
)


@given(st.lists(labelled, min_size=1, max_size=4))
def test_it_scores_like_the_formulas(documents):
    weights = {str(code): [weight for weight, _ in rows] for code, rows in enumerate(documents)}
    labels = {str(code): [label for _, label in rows] for code, rows in enumerate(documents)}
    units = label_units(weights, {"s": labels})
    exhaustive, original = (
        score_summaries(units, method=name) for name in ("exhaustive", "original")
    )
    for code, rows in enumerate(documents):
        known = [(weight, label) for weight, label in rows if label is not None]
        present = [weight for weight, label in known if label]
        best = sum(sorted(weights[str(code)])[::-1][: len(present)])
        if known:
            assert exhaustive.scores[0, code] == sum(present) / sum(weight for weight, _ in known)
            assert original.scores[0, code] == (sum(present) / best if present else 0)
        else:
            assert np.isnan([exhaustive.scores[0, code], original.scores[0, code]]).all()


def test_it_samples_as_many_units_of_every_document():
    units = label_units({"d": [1] * 9, "e": [3, 1], "f": [1]}, {"s": {}})
    drawn = sample_units(units, 3, seed=1)
    assert [drawn[:9].sum(), drawn[9:11].sum(), drawn[11:].sum()] == [3, 3, 1]
    assert drawn[:9].max() == 1
    assert (drawn <= units.weights).all()


def test_it_samples_by_seed_and_document_whatever_the_others_are():
    both = label_units({"d": [1] * 20, "e": [1] * 20}, {"s": {}})
    alone = label_units({"e": [1] * 20}, {"s": {}})
    assert (sample_units(both, 5, 1)[20:] == sample_units(alone, 5, 1)).all()
    assert (sample_units(both, 5, 1) != sample_units(both, 5, 2)).any()
    assert (sample_units(both, 5, 1)[:20] != sample_units(both, 5, 1)[20:]).any()


def test_it_scores_a_sample():
    labels = [1] * 10 + [0] * 10
    units = label_units({"d": [1] * 20}, {"s": {"d": labels}})
    drawn = sample_units(units, 4, seed=3)
    table = score_summaries(units, method="lite", sample=4, seed=3)
    assert table.scores[0, 0] == drawn[:10].sum() / 4
    whole = score_summaries(units, method="lite", sample=20)
    assert whole.scores[0, 0] == score_summaries(units).scores[0, 0]


def test_it_ranks_systems_with_ties():
    labels = {"a": [1, 0], "b": [1, 1], "c": [0, 1], "d": [0, 0]}
    units = label_units({"x": [1, 1]}, {name: {"x": row} for name, row in labels.items()})
    assert score_summaries(units).ranks().tolist() == [2, 1, 2, 4]


def test_it_averages_over_the_documents_a_system_has():
    units = label_units({"x": [1], "y": [1]}, {"a": {"x": [1], "y": [0]}, "b": {"x": [1]}})
    assert score_summaries(units).means().tolist() == [0.5, 1]


def test_it_signs_what_scores_depend_on():
    units = label_units({"x": [1, 1]}, {"a": {"x": [1, 0]}})
    other = label_units({"x": [1, 1]}, {"a": {"x": [0, 1]}})
    signatures = {
        score_summaries(units).signature,
        score_summaries(other).signature,
        score_summaries(units, method="original").signature,
        score_summaries(units, method="lite", sample=1).signature,
        score_summaries(units, method="lite", sample=1, seed=1).signature,
        score_summaries(units, method="lite", sample=2).signature,
    }
    assert len(signatures) == 6
    assert "|method:lite|sample:1|seed:0|" in " ".join(signatures)


@pytest.mark.parametrize(
    "weights, labels, message",
    [
        ({"d": [1, 1]}, {"s": {"d": [1]}}, "'s' has 1 labels for 'd', which has 2 units"),
        ({"d": [1]}, {"s": {"e": [1]}}, "'s' has labels for 'e', which has no units"),
        ({"d": [1]}, {"s": {"d": [2]}}, "'s' has the label 2"),
        ({"d": [0]}, {"s": {"d": [1]}}, "weight must be at least 1"),
    ],
)
def test_it_names_labels_that_do_not_fit(weights, labels, message):
    with pytest.raises(ValueError, match=message):
        label_units(weights, labels)


@pytest.mark.parametrize(
    "options, message",
    [
        ({"method": "golden"}, "Unknown method 'golden'. Known: exhaustive, original, lite"),
        ({"method": "lite"}, "'lite' needs a sample"),
        ({"method": "lite", "sample": 0}, "'lite' needs a sample"),
        ({"sample": 3}, "other methods"),
    ],
)
def test_it_knows_methods_by_name(options, message):
    with pytest.raises(ValueError, match=message):
        score_summaries(label_units({"d": [1]}, {"s": {}}), **options)


@pytest.fixture(scope="module")
def realsumm(realsumm_dir):
    return load_units(realsumm_dir / "SCUs.txt", realsumm_dir / "labels")


@pytest.fixture(scope="module")
def pyrxsum(pyrxsum_dir):
    return load_units(pyrxsum_dir / "SCUs.txt", pyrxsum_dir / "labels")


def system_scores(units):
    table = score_summaries(units)
    return dict(zip(table.systems, table.means().tolist(), strict=True))


def test_it_has_the_published_scores_to_the_last_digit(realsumm, pyrxsum):
    assert system_scores(realsumm)["abs_bart_out"] == 0.48349483849483854
    assert system_scores(pyrxsum)["t5-large"] == 0.29117532467532464


def test_it_has_every_gold_score_of_realsumm(realsumm, realsumm_dir):
    scores = system_scores(realsumm)
    for name in ("realsumm.gold.a", "realsumm.gold.overall"):
        assert golden(realsumm_dir, name)["tolerance"] == 1e-6
    for system, value in golden(realsumm_dir, "realsumm.gold.a")["value"].items():
        assert scores[system] == pytest.approx(value, abs=1e-6)
    overall = golden(realsumm_dir, "realsumm.gold.overall")["value"]
    assert np.mean(list(scores.values())) == pytest.approx(overall["mean"], abs=1e-6)
    assert max(scores, key=scores.__getitem__) == overall["best"]
    assert min(scores, key=scores.__getitem__) == overall["worst"]


@pytest.mark.parametrize("name", ["realsumm", "pyrxsum"])
def test_it_has_the_published_counts(name, request):
    units = request.getfixturevalue(name)
    counts = golden(request.getfixturevalue(f"{name}_dir"), f"{name}.counts")["value"]
    sizes = np.diff(units.starts)
    assert len(units.documents) == counts["documents"]
    assert len(units.systems) == counts["systems"]
    assert units.labels.size == counts["labels_total"]
    assert (units.labels == 1).sum() == counts["labels_positive"]
    assert [sizes.sum(), sizes.min(), sizes.max()] == [
        counts["scus_total"],
        counts["scus_min"],
        counts["scus_max"],
    ]
    assert sizes.mean() == pytest.approx(counts["scus_mean"])
