"""Prediction-powered means."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from scipy import stats

from scoring.estimation import DOCUMENTS, POPULATION, Sampling, estimate_means
from scoring.estimation.means import quantile
from tests.scoring.estimation.toys import judge_some, make_scores

CLOSE = 1e-12


def some(judged: int = 15, **options):
    found = make_scores(**options)
    return judge_some(found, np.arange(judged))


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("judged, noise", [(12, 0.05), (30, 0.2), (55, 3.0)])
def test_it_is_what_ppi_python_says(seed, judged, noise):
    """Estimate, tuned λ and interval, with large samples' formulas; λ = 0 and 1 as well."""
    from ppi_py import ppi_mean_ci, ppi_mean_pointestimate

    scores = some(judged, seed=seed, noise=noise)
    for lam in (None, 0.0, 1.0):
        # Theirs multiplies the mean of unjudged documents, ours that of all.
        ours = None if lam is None else lam * 60 / (60 - judged)
        found = estimate_means(
            scores.human, scores.automatic, target=POPULATION, lam=ours, is_asymptotic=True
        )
        for row, (people, judge) in enumerate(zip(scores.human, scores.automatic, strict=True)):
            parts = (people[:judged], judge[:judged], judge[judged:])
            value = ppi_mean_pointestimate(*parts, lam=lam)
            low, high = ppi_mean_ci(*parts, alpha=0.05, lam=lam)
            assert found.value[row] == pytest.approx(np.ravel(value)[0], abs=CLOSE)
            assert found.low[row] == pytest.approx(np.ravel(low)[0], abs=CLOSE)
            assert found.high[row] == pytest.approx(np.ravel(high)[0], abs=CLOSE)


def test_people_alone_have_the_intervals_of_the_textbook():
    scores = some(15)
    rows = scores.human[:, :15]
    mean, error = rows.mean(axis=1), stats.sem(rows, axis=1)
    for target, left in ((POPULATION, 1.0), (DOCUMENTS, 1 - 15 / 60)):
        found = estimate_means(scores.human, scores.automatic, target=target, lam=0.0)
        low, high = stats.t.interval(0.95, 14, mean, error * np.sqrt(left))
        assert found.low == pytest.approx(low, abs=CLOSE)
        assert found.high == pytest.approx(high, abs=CLOSE)
        t = mean / (error * np.sqrt(left))
        assert found.p == pytest.approx(2 * stats.t.sf(np.abs(t), 14), rel=1e-9)


def _tuned(people, judge, pool):
    """PPI++'s λ from some documents of a random sample, as ours: of all documents' mean."""
    left = 1 - len(people) / len(pool)
    covariance = np.mean(people * judge) - people.mean() * judge.mean()
    return np.clip(covariance * left / pool.var(ddof=1), 0, 1) / left


def test_each_document_is_corrected_by_a_lambda_of_the_others():
    """By hand, document by document: value, and the error of what the others predict."""
    scores = some(15)
    found = estimate_means(scores.human, scores.automatic)
    for row, (people, pool) in enumerate(zip(scores.human[:, :15], scores.automatic, strict=True)):
        judge, values, rests = pool[:15], [], []
        for place in range(15):
            others = np.arange(15) != place
            lam = _tuned(people[others], judge[others], pool)
            # All documents but the other judged ones, of which this one is a random one.
            rest = np.append(judge[place], pool[15:])
            moved = lam * (rest.mean() - judge[place]) * len(rest) / 60
            values.append(people[place] + moved)
            gap = people[place] - people[others].mean()
            rests.append(gap - lam * (judge[place] - judge[others].mean()))
        assert found.value[row] == pytest.approx(np.mean(values), abs=CLOSE)
        variance = 14 / 15 * np.sum(np.square(rests)) / 15**2 * (1 - 15 / 60)
        assert found.error[row] == pytest.approx(np.sqrt(variance), abs=CLOSE)
    assert (found.freedom == 13).all()


def _mean_over_all_samples(human, automatic, judged, **options):
    """Of every sample of so many documents that there is."""
    found = []
    for kept in itertools.combinations(range(human.shape[1]), judged):
        people = np.full(human.shape, np.nan)
        people[:, kept] = human[:, kept]
        found.append(estimate_means(people, automatic, **options).value)
    return np.mean(found, axis=0)


def test_a_tuned_lambda_leaves_no_bias_however_wrong_the_judge_is():
    """Over every sample of 4 of 7 documents; a λ tuned on what it corrects is biased."""
    human = np.array([[0, 0, 0, 0, 0, 0, 1.0], [0.1, 0.9, 0.2, 0.5, 0, 1, 0.3]])
    automatic = np.array([[0.5, 0.4, 0.6, 0.3, 0.5, 0.4, 0.9], [1, 0.2, 0.9, 0.3, 0.4, 0, 0.1]])
    truth = human.mean(axis=1)
    assert _mean_over_all_samples(human, automatic, 4) == pytest.approx(truth, abs=CLOSE)
    plain = _mean_over_all_samples(human, automatic, 4, is_asymptotic=True)
    assert abs(plain[0] - truth[0]) > 0.005


def test_an_audit_slice_leaves_no_bias_either():
    """A ranker chose the first 2 of 8 documents; every slice of 3 of the others."""
    rng = np.random.default_rng(4)
    human, automatic = rng.random((2, 8)) ** 3, rng.random((2, 8))
    found = []
    for kept in itertools.combinations(range(2, 8), 3):
        people = np.full(human.shape, np.nan)
        people[:, [0, 1, *kept]] = human[:, [0, 1, *kept]]
        audit = Sampling(audit=np.isin(np.arange(8), kept))
        found.append(estimate_means(people, automatic, audit).value)
    assert np.mean(found, axis=0) == pytest.approx(human.mean(axis=1), abs=CLOSE)


def test_a_judge_that_knows_nothing_costs_little():
    scores = make_scores(documents=400, systems=20, noise=5.0)
    scores = judge_some(scores, np.arange(50))
    both, alone = (estimate_means(scores.human, scores.automatic, lam=lam) for lam in (None, 0.0))
    assert both.width.mean() < 1.03 * alone.width.mean()
    assert (both.lam < 0.05).all()


def test_a_judge_that_shifts_all_scores_alike_is_cured():
    one, other = (some(15, bias=bias) for bias in (0.0, 0.3))
    found = [estimate_means(each.human, each.automatic).value for each in (one, other)]
    assert found[0] == pytest.approx(found[1], abs=CLOSE)


def test_a_constant_judge_is_people_alone():
    scores = some(15)
    found = estimate_means(scores.human, np.full(scores.human.shape, 0.4))
    assert found.lam.tolist() == [0] * 4
    assert found.value == pytest.approx(scores.human[:, :15].mean(axis=1))


def test_what_is_judged_whole_has_no_doubt_left_on_these_documents():
    scores = make_scores()
    found = estimate_means(scores.human, scores.automatic)
    assert found.value == pytest.approx(scores.human.mean(axis=1))
    assert found.width == pytest.approx([0] * 4)
    wide = estimate_means(scores.human, scores.automatic, target=POPULATION, lam=0.0)
    low, _ = stats.t.interval(0.95, 59, scores.human.mean(axis=1), stats.sem(scores.human, axis=1))
    assert wide.low == pytest.approx(low)


def test_systems_may_lack_documents():
    scores = some(15)
    automatic, human = scores.automatic.copy(), scores.human.copy()
    automatic[0, 50:], human[0, 12:] = np.nan, np.nan
    found = estimate_means(human, automatic)
    alone = estimate_means(human[:1, :50], automatic[:1, :50])
    assert (found.judged.tolist(), found.documents.tolist()) == ([12, 15, 15, 15], [50, 60, 60, 60])
    assert found.value[0] == pytest.approx(alone.value[0], abs=CLOSE)
    assert found.error[0] == pytest.approx(alone.error[0], abs=CLOSE)


def test_even_weights_change_nothing_and_sizes_do():
    scores = some(15)
    plain = estimate_means(scores.human, scores.automatic)
    same = estimate_means(scores.human, scores.automatic, weights=np.full(60, 3.0))
    assert same.value == pytest.approx(plain.value, abs=CLOSE)
    assert same.error == pytest.approx(plain.error, abs=CLOSE)
    sizes = np.arange(1.0, 61)
    found = estimate_means(scores.human, scores.automatic, weights=sizes, lam=0.0)
    by_hand = np.average(scores.human[:, :15], weights=sizes[:15], axis=1)
    assert found.value == pytest.approx(by_hand, abs=CLOSE)


def test_equal_chances_are_a_random_sample():
    scores = some(15)
    plain = estimate_means(scores.human, scores.automatic, lam=0.7)
    same = estimate_means(
        scores.human, scores.automatic, Sampling(probabilities=np.full(60, 0.25)), lam=0.7
    )
    assert same.value == pytest.approx(plain.value, abs=CLOSE)
    assert same.error == pytest.approx(plain.error, abs=CLOSE)


def test_an_audit_slice_speaks_for_what_the_ranker_left():
    """The ranker's own documents are known; the rest is the mean of the slice, by hand."""
    scores = some(20)
    audit = np.isin(np.arange(60), np.arange(8, 20))
    found = estimate_means(scores.human, scores.automatic, Sampling(audit=audit), lam=0.0)
    own, slice_ = scores.human[:, :8], scores.human[:, 8:20]
    assert found.value == pytest.approx((own.sum(axis=1) + 52 * slice_.mean(axis=1)) / 60)
    error = 52 / 60 * np.sqrt((1 - 12 / 52) * slice_.var(axis=1, ddof=1) / 12)
    assert found.error == pytest.approx(error, abs=CLOSE)


@pytest.mark.parametrize("target", [DOCUMENTS, POPULATION])
@pytest.mark.parametrize("how", ["probabilities", "audit"])
def test_choices_of_a_ranker_are_mended(how, target):
    """The ranker prefers documents with low scores; the plain mean of what it chose is far off."""
    scores = make_scores(documents=200, systems=1, noise=0.12, seed=3)
    truth = scores.human.mean()
    chances = np.clip(0.5 - 0.9 * (scores.automatic[0] - scores.automatic.mean()), 0.05, 0.95)
    rng, held, plain = np.random.default_rng(0), [], []
    worst = np.argsort(scores.human[0])[:40]
    for _ in range(300):
        if how == "audit":
            rest = rng.permutation(np.setdiff1d(np.arange(200), worst))[:40]
            chosen = np.isin(np.arange(200), np.r_[worst, rest])
            sampling = Sampling(audit=np.isin(np.arange(200), rest))
        else:
            chosen = rng.random(200) < chances
            sampling = Sampling(probabilities=chances)
        some = judge_some(scores, np.flatnonzero(chosen))
        found = estimate_means(some.human, some.automatic, sampling, target=target)
        held.append(found.low[0] <= truth <= found.high[0])
        taken = estimate_means(some.human, some.automatic, lam=0.0)
        plain.append(taken.low[0] <= truth <= taken.high[0])
    assert np.mean(held) >= 0.93
    assert np.mean(plain) < 0.6


def test_populations_are_covered():
    """New documents each time, of a mean that is known."""
    held = []
    for seed in range(300):
        scores = make_scores(documents=50, systems=1, seed=seed)
        scores = judge_some(scores, np.arange(12))
        found = estimate_means(scores.human, scores.automatic, target=POPULATION)
        held.append(found.low[0] <= 0.5 <= found.high[0])
    assert 0.92 <= np.mean(held) <= 0.98


def test_quantiles_are_scipys():
    assert quantile(0.9, np.array([3.0, np.inf])) == pytest.approx(
        [stats.t.ppf(0.95, 3), stats.norm.ppf(0.95)]
    )


@pytest.mark.parametrize(
    "change, message",
    [
        ({"target": "mean"}, "no target 'mean'. Known: documents, population"),
        ({"level": 95}, "The level is 95"),
        ({"human": np.full((4, 60), np.nan)}, "judged 0 documents"),
        ({"automatic": np.full((4, 60), np.nan)}, "no automatic score"),
        ({"automatic": np.zeros((4, 59))}, "the same shape"),
    ],
)
def test_it_refuses_what_says_nothing(change, message):
    scores = some(15)
    options = {"human": scores.human, "automatic": scores.automatic} | change
    with pytest.raises(ValueError, match=message):
        estimate_means(**options)


def test_an_audit_slice_of_two_is_too_few():
    scores = some(20)
    sampling = Sampling(audit=np.arange(60) >= 18)
    with pytest.raises(ValueError, match="judged 2 documents"):
        estimate_means(scores.human, scores.automatic, sampling)
