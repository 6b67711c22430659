"""The equations of Chen, Li and King (2021) by hand, and the metric with its variants."""

import numpy as np
import pytest

from scoring.backends.encoders import load, load_signed
from scoring.metrics import load_metric
from scoring.metrics.centrality import PacSum, choose_top, find_centrality, normalise, sum_likeness
from scoring.metrics.encoding import load_encoder
from scoring.metrics.hybrid import read_hybrids
from scoring.metrics.relevance import (
    combine,
    find_beta_squared,
    mean_relevance,
    score_redundancy,
    score_relevance,
    weigh_hybrid,
)

MINILM = ("minilm", -1, 1)
DOCUMENT = (
    "The council of Brack lit the harbour lamp on Friday. It paid 300 crowns for the glass. "
    "Nobody came to see the lamp, because of rain. The mayor of Brack praised the council. "
    "A dog slept."
)
OTHER = "A ferry struck the pier at Ammer. Two of its crew were hurt. The pier is closed."
SUMMARIES = [
    "The council lit the lamp in the harbour of Brack.",
    "A dog slept. A dog slept. The dog slept.",
    "Rain fell on the pier.",
    "",
]
DOCUMENTS = [[DOCUMENT], [DOCUMENT], [DOCUMENT, OTHER], [OTHER]]
SIMILARITY = np.array([[1, 0.8, 0.2], [0.8, 1, 0.4], [0.2, 0.4, 1]])


def score(**options):
    metric = load_metric("reference_free", options)
    return metric.score(SUMMARIES, [], DOCUMENTS).values


@pytest.fixture(scope="module")
def plain():
    return score()


def test_centrality_sums_what_stands_above_the_least_likeness():
    """Less 0.2, the likenesses are .6, 0 and .2: sums of what comes after, and before."""
    assert sum_likeness(SIMILARITY, PacSum()) == pytest.approx([0.6, 0.2, 0])
    assert sum_likeness(SIMILARITY, PacSum(before=1, after=0)) == pytest.approx([0, 0.6, 0.2])
    both = PacSum(before=-0.5, after=1)
    assert sum_likeness(SIMILARITY, both) == pytest.approx([0.6, 0.2 - 0.3, -0.1])


def test_a_threshold_cuts_what_is_little_alike():
    """Of the range from .2 to .8 a half is .5: only .8 stands above it."""
    assert sum_likeness(SIMILARITY, PacSum(threshold=0.5)) == pytest.approx([0.3, 0, 0])


def test_centrality_is_by_cosine():
    vectors = np.array([[2, 0], [3, 4], [0, 1]], dtype=np.float32)
    assert find_centrality(vectors, PacSum()) == pytest.approx([0.6, 0.8, 0])
    assert find_centrality(vectors[:1], PacSum()).tolist() == [1]


def test_centrality_is_brought_to_0_and_1():
    assert normalise(np.array([3.0, 1, 2])).tolist() == [1, 0, 0.5]
    assert normalise(np.array([2.0, 2])).tolist() == [1, 1]
    assert normalise(np.array([])).tolist() == []


def test_it_takes_the_most_central_in_their_order():
    assert choose_top(np.array([1.0, 3, 2, 3]), 2).tolist() == [1, 3]
    assert choose_top(np.array([1.0, 1, 2]), 2).tolist() == [0, 2]
    assert choose_top(np.array([1.0]), 12).tolist() == [0]


def test_pieces_inherit_the_weight_of_their_sentence():
    """Eq. 3 to 7: pieces of sentences 0, 0, 1; all weights together are 1 + 1 + .5 + 1 + .5."""
    found = weigh_hybrid(np.array([1, 0.5]), np.array([0, 0, 1]))
    assert found == pytest.approx(np.array([1, 1, 0.5, 1, 0.5]) / 4)


def test_weights_that_are_all_0_are_alike():
    assert weigh_hybrid(np.zeros(1), np.array([0])).tolist() == [0.5, 0.5]


SUMMARY = np.array([[1, 0], [0, 1]], dtype=np.float32)
REFERENCE = np.array([[0.6, 0.8], [1, 0], [0, -1]], dtype=np.float32)
WEIGHTS = np.array([0.5, 0.25, 0.25])


def test_recall_is_weighted_and_precision_is_not():
    """Eq. 8: .5 × .8 + .25 × 1 + .25 × 0 = .65. Eq. 9: (1 + .8) / 2 = .9. Eq. 10: their F1."""
    expected = 2 * 0.65 * 0.9 / (0.65 + 0.9)
    assert score_relevance(SUMMARY, REFERENCE, WEIGHTS) == pytest.approx(expected)


def test_recall_counts_more_by_beta():
    """Eq. 11 with β² = 2."""
    expected = 3 * 0.65 * 0.9 / (0.65 + 2 * 0.9)
    assert score_relevance(SUMMARY, REFERENCE, WEIGHTS, 2) == pytest.approx(expected)


@pytest.mark.parametrize(
    "reference, summary, gamma, expected",
    [(9, 4, 2, 1.5), (4, 9, 2, 1), (100, 4, 2, 2), (8, 1, 6, 2**0.5), (16, 4, 2, 2), (4, 4, 2, 1)],
)
def test_beta_grows_with_the_ratio_of_lengths(reference, summary, gamma, expected):
    """Eq. 12."""
    assert find_beta_squared(reference, summary, gamma) == pytest.approx(expected)


def test_relevance_is_the_mean_over_documents():
    """Eq. 13."""
    assert mean_relevance([0.2, 0.4, 0.9]) == pytest.approx(0.5)


def test_redundancy_leaves_a_row_itself_out():
    """Eq. 14: the rows' nearest others are .6, .8 and .8."""
    rows = np.array([[1, 0], [0, 1], [0.6, 0.8]], dtype=np.float32)
    assert score_redundancy(rows) == pytest.approx((0.6 + 0.8 + 0.8) / 3)
    assert score_redundancy(rows[:1]) == 0


def test_the_score_takes_redundancy_off():
    """Eq. 15."""
    assert combine(0.8, 0.5, 0.6) == pytest.approx((0.8 - 0.3) / 1.6)


def test_a_text_is_content_pieces_and_sentences():
    [hybrid] = read_hybrids(load_encoder("minilm"), [DOCUMENT]).values()
    assert hybrid.sentences.shape == (5, 384)
    assert len(hybrid.rows) == len(hybrid.pieces) + 5
    assert hybrid.sentence_of_piece.tolist() == sorted(hybrid.sentence_of_piece)
    assert (hybrid.sentence_of_piece == 4).sum() == 2  # dog, slept
    kept = hybrid.keep(np.array([1, 4]))
    assert kept.sentence_of_piece.tolist()[-2:] == [1, 1]
    assert np.array_equal(kept.pieces[-2:], hybrid.pieces[-2:])
    assert np.array_equal(kept.sentences, hybrid.sentences[[1, 4]])


def test_it_prefers_the_central_and_dislikes_repetition(plain):
    relevance, redundancy, total = plain.T
    assert relevance[0] > relevance[1]
    assert redundancy[1] > redundancy[0]
    assert total[0] > total[1]
    assert plain[3].tolist() == [0, 0, 0]
    assert total == pytest.approx((relevance - 0.6 * redundancy) / 1.6)


def test_it_is_what_the_equations_say(plain):
    hybrids = read_hybrids(load_encoder("minilm"), [DOCUMENT, SUMMARIES[0]])
    document, summary = hybrids[DOCUMENT], hybrids[SUMMARIES[0]]
    weights = normalise(find_centrality(document.sentences, PacSum()))
    weights = weigh_hybrid(weights, document.sentence_of_piece)
    assert plain[0, 0] == pytest.approx(score_relevance(summary.rows, document.rows, weights))
    assert plain[0, 1] == pytest.approx(score_redundancy(summary.rows))


def test_several_documents_are_averaged(plain):
    metric = load_metric("reference_free")
    alone = [metric.score(SUMMARIES[2:3], [], [[text]]).values[0, 0] for text in DOCUMENTS[2]]
    assert plain[2, 0] == pytest.approx(np.mean(alone))
    assert alone[0] != pytest.approx(alone[1])


@pytest.mark.parametrize(
    "options, changes",
    [
        ({"measure": "fbeta"}, {"relevance", "score"}),
        ({"sentences": 2}, {"relevance", "score"}),
        ({"centrality": False}, {"relevance", "score"}),
        ({"hybrid": False}, {"relevance", "redundancy", "score"}),
        ({"redundancy": False}, {"score"}),
        ({"form": "moverscore"}, {"relevance", "redundancy", "score"}),
        ({"lambda": 0.3}, {"score"}),
        ({"pacsum_before": 1, "pacsum_after": 0}, {"relevance", "score"}),
        ({"pacsum_threshold": 0.5}, {"relevance", "score"}),
    ],
)
def test_a_variant_differs_where_it_should(plain, options, changes):
    found = score(**options)
    differs = np.abs(found - plain)[:3].max(axis=0) > 1e-6
    columns = np.array(load_metric("reference_free").columns)
    assert set(columns[differs]) == changes


def test_all_sentences_are_more_than_the_top():
    top, everything = (score(sentences=2, pseudo=pseudo) for pseudo in ("top", "all"))
    assert abs(top[0, 0] - everything[0, 0]) > 1e-3
    assert everything == pytest.approx(score(sentences=5))


def test_moving_earth_keeps_to_its_bounds():
    found = score(form="moverscore", centrality=False)
    assert (found[:3, 0] < 1).all()
    repeated = found[1, 1]
    assert repeated > found[0, 1]


def test_each_document_is_encoded_once():
    load_signed.cache_clear()
    metric = load_metric("reference_free")
    summaries = [f"The lamp number {number} was lit." for number in range(70)]
    metric.score(summaries, [], [[DOCUMENT, OTHER]] * len(summaries))
    metric.score(summaries[:3], [], [[OTHER]] * 3)
    assert load(*MINILM).runs == len(summaries) + 5 + 3


@pytest.mark.parametrize(
    "options, message",
    [
        ({"lambda": 0}, "lambda .* above 0 and up to 1, not 0"),
        ({"gamma": 0}, "gamma .* above 0, not 0"),
        ({"form": "moverscore", "measure": "fbeta"}, "fbeta"),
        ({"sentences": 0}, "at least 1 sentence, not 0"),
        ({"pseudo": "some"}, "pseudo can't be 'some'. Expected one of top, all"),
    ],
)
def test_it_refuses_what_makes_no_sense(options, message):
    with pytest.raises(ValueError, match=message):
        load_metric("reference_free", options)


def test_every_option_is_in_its_signature():
    plain = load_metric("reference_free").signature
    assert "minilm@" in plain
    assert load_metric("reference_free", {"sentences": 3}).signature != plain
