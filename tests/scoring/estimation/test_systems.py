"""Estimates of systems and of pairs."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from scoring.estimation import (
    DOCUMENTS,
    POPULATION,
    PartialScores,
    Sampling,
    estimate_means,
    estimate_systems,
)
from scoring.estimation.savings import people_alone
from scoring.multiplicity import benjamini_hochberg, holm
from tests.scoring.estimation.toys import judge_some, make_scores


@pytest.fixture(scope="module")
def scores():
    return judge_some(make_scores(), np.arange(15))


@pytest.fixture(scope="module")
def found(scores):
    return estimate_systems(scores, Sampling())


def test_each_system_stands_beside_people_and_judge(scores, found):
    alone, both = (
        estimate_means(scores.human, scores.automatic, lam=lam, is_moderated=True)
        for lam in (0.0, None)
    )
    assert [row.system for row in found.systems] == ["s0", "s1", "s2", "s3"]
    for place, row in enumerate(found.systems):
        assert (row.value, row.low, row.high) == (
            both.value[place],
            both.low[place],
            both.high[place],
        )
        assert (row.people_low, row.people_high) == (alone.low[place], alone.high[place])
        assert row.judge == pytest.approx(scores.automatic[place].mean())
        assert (row.judged, row.documents) == (15, 60)
        assert row.high - row.low < row.people_high - row.people_low


@pytest.mark.parametrize("target", [DOCUMENTS, POPULATION])
def test_it_tells_how_many_labels_are_saved(scores, target):
    """With so many judged by people alone, of the same variance, the interval is as narrow."""
    own = scores.human[:, :15].var(axis=1, ddof=1)
    for place, row in enumerate(estimate_systems(scores, Sampling(), target=target).systems):
        n, variance = row.people_alone, (14 * own[place] + 3 * own.mean()) / 17
        left = 1 - n / 60 if target == DOCUMENTS else 1
        width = 2 * stats.t.ppf(0.975, n - 1 + 1.5) * np.sqrt(left * variance / n)
        assert width == pytest.approx(row.high - row.low, rel=1e-6)
        assert row.saved == pytest.approx(n - 15)
        assert row.saved > 0


def test_a_systems_variance_is_drawn_towards_that_of_all(scores):
    """Smyth's moderated t by hand: 4 systems lend 3 documents to each variance, and half to t."""
    plain, drawn = (
        estimate_means(scores.human, scores.automatic, lam=0.0, is_moderated=is_moderated)
        for is_moderated in (False, True)
    )
    variance = (14 * plain.error**2 + 3 * np.mean(plain.error**2)) / 17
    assert drawn.error == pytest.approx(np.sqrt(variance), rel=1e-12)
    assert drawn.freedom.tolist() == [15.5] * 4
    assert drawn.high - drawn.value == pytest.approx(stats.t.ppf(0.975, 15.5) * np.sqrt(variance))
    one = estimate_means(scores.human[:1], scores.automatic[:1], lam=0.0, is_moderated=True)
    assert (one.error[0], one.freedom[0]) == (pytest.approx(plain.error[0]), 14)


def test_it_warns_of_few_documents(scores):
    assert estimate_systems(scores, Sampling()).is_few
    assert not estimate_systems(judge_some(make_scores(), np.arange(20)), Sampling()).is_few


def test_an_interval_of_people_alone_saves_nothing(scores):
    alone = estimate_means(scores.human, scores.automatic, lam=0.0)
    variances = scores.human[:, :15].var(axis=1, ddof=1)
    found = people_alone(alone.width, variances, np.full(4, 60.0), target=DOCUMENTS, level=0.95)
    assert found == pytest.approx([15] * 4)


def test_pairs_are_compared_on_the_same_documents(scores, found):
    assert [(pair.first, pair.second) for pair in found.pairs][:3] == [
        ("s0", "s1"),
        ("s0", "s2"),
        ("s0", "s3"),
    ]
    gaps = [table[0] - table[3] for table in (scores.human, scores.automatic)]
    alone = estimate_means(gaps[0][None], gaps[1][None])
    assert found.pairs[2].difference == alone.value[0]
    assert found.pairs[2].p == alone.p[0]
    # What documents share cancels out.
    assert found.pairs[2].high - found.pairs[2].low < 0.15


def test_p_values_are_corrected_for_all_pairs(found):
    p = [pair.p for pair in found.pairs]
    assert [pair.p_holm for pair in found.pairs] == holm(p).tolist()
    assert [pair.p_bh for pair in found.pairs] == benjamini_hochberg(p).tolist()
    people = [pair.p_people for pair in found.pairs]
    assert [pair.p_people_holm for pair in found.pairs] == holm(people).tolist()


def test_pairs_are_tested_at_their_level():
    """Two systems of the same mean are told apart by chance alone."""
    rng, rejected = np.random.default_rng(0), 0
    whole = make_scores(documents=80, systems=2, noise=0.1)
    human = whole.human - whole.human.mean(axis=1, keepdims=True)
    whole = PartialScores(whole.systems, whole.documents, human, whole.automatic)
    for _ in range(400):
        some = judge_some(whole, rng.permutation(80)[:15])
        rejected += estimate_systems(some, Sampling()).pairs[0].p < 0.05
    assert 0.02 <= rejected / 400 <= 0.08


def test_pairs_without_shared_documents_are_left_out():
    human = make_scores().human.copy()
    human[0, :57], human[1, 10:], human[2:, 20:] = np.nan, np.nan, np.nan
    whole = make_scores()
    found = estimate_systems(
        PartialScores(whole.systems, whole.documents, human, whole.automatic), Sampling()
    )
    assert [(pair.first, pair.second) for pair in found.pairs] == [
        ("s1", "s2"),
        ("s1", "s3"),
        ("s2", "s3"),
    ]
    assert found.untold == 3


def test_pairs_with_too_little_of_the_audit_slice_are_left_out():
    """Each system has enough of the slice, and the two have it on different documents."""
    whole = make_scores(systems=2)
    human = np.full(whole.human.shape, np.nan)
    human[0, :12], human[1, 8:20] = whole.human[0, :12], whole.human[1, 8:20]
    scores = PartialScores(whole.systems, whole.documents, human, whole.automatic)
    audit = np.isin(np.arange(60), [0, 1, 2, 8, 17, 18, 19])
    found = estimate_systems(scores, Sampling(audit=audit))
    assert (len(found.systems), found.pairs, found.untold) == (2, (), 1)


def test_its_signature_tells_data_and_choices_apart(scores, found):
    told = {
        estimate_systems(scores, sampling, target=target).signature
        for target in (DOCUMENTS, POPULATION)
        for sampling in (Sampling(), Sampling(probabilities=np.full(60, 0.25)))
    }
    assert len(told) == 4
    assert found.signature in told
    other = judge_some(make_scores(seed=1), np.arange(15))
    assert estimate_systems(other, Sampling()).signature not in told


def test_it_names_the_cell_that_lacks_a_score(scores):
    automatic = scores.automatic.copy()
    automatic[1, 4] = np.nan
    with pytest.raises(ValueError, match="'s1' has"):
        PartialScores(scores.systems, scores.documents, scores.human, automatic)


def test_it_names_the_system_that_people_hardly_judged(scores):
    human = scores.human.copy()
    human[2, 2:] = np.nan
    with pytest.raises(ValueError, match="judged 2 documents of 's2'"):
        PartialScores(scores.systems, scores.documents, human, scores.automatic)
