"""What is measured against the source without references: SUPERT, C-SBERT, words, and ROUGE."""

from math import log

import numpy as np
import pytest

from scoring.metrics import load_metric
from scoring.metrics.c_sbert import compare_means
from scoring.metrics.centrality import PacSum
from scoring.metrics.encoding import load_encoder
from scoring.metrics.greedy import harmonic_mean
from scoring.metrics.hybrid import Hybrid, cut_sentences, read_hybrids
from scoring.metrics.pseudo import PseudoReference, PseudoRule, PseudoShelf, build_pseudo
from scoring.metrics.rarity import Rarity
from scoring.metrics.source_overlap import find_cosine, find_divergence
from scoring.metrics.supert import _score

DOCUMENT = (
    "The council of Brack lit the harbour lamp on Friday. It paid 300 crowns for the glass. "
    "Nobody came to see the lamp, because of rain. The mayor praised the council for its lamp."
)
OTHER = "A ferry struck the pier at Ammer. Two of its crew were hurt."
GOOD, BAD = "The council lit the lamp in the harbour.", "Cats sleep."
FLAT = np.array([[1, 0], [0, 1]], dtype=np.float32)


def score(name, summaries=(GOOD, BAD, ""), documents=(DOCUMENT,), **options):
    metric = load_metric(name, options)
    return metric.score(list(summaries), [], [list(documents)] * len(summaries)).values


def make_hybrid(pieces, ids):
    rows = np.array(pieces, dtype=np.float32)
    return Hybrid(rows, FLAT[:1], FLAT[:1], np.zeros(len(rows), dtype=np.int64), np.array(ids))


def test_rarity_is_of_texts_that_have_a_piece():
    rarity = Rarity.of_pieces([[1, 1, 2], [1], [3]])
    expected = [log(4 / 3), log(4 / 2), log(4 / 1)]
    assert rarity.weigh([1, 2, 9]) == pytest.approx(expected)


def test_supert_is_greedy_matching_of_pieces():
    """Cosines .6 and 1 in the first row, .8 and 0 in the second."""
    summary = make_hybrid(FLAT, [1, 2])
    source = make_hybrid([[0.6, 0.8], [1, 0]], [3, 1])
    rarity = Rarity(3, {1: 2, 2: 0, 3: 1})
    found = _score(summary, PseudoReference(source, (0,), np.ones(1), rarity))
    assert found[0] == pytest.approx(harmonic_mean((1 + 0.8) / 2, (0.8 + 1) / 2))
    one, two, three = log(4 / 3), log(4), log(2)
    precision = (1 * one + 0.8 * two) / (one + two)
    recall = (0.8 * three + 1 * one) / (three + one)
    assert found[1] == pytest.approx(harmonic_mean(precision, recall))


def test_supert_prefers_what_the_source_says():
    good, bad, empty = score("supert")
    assert (good > bad).all()
    assert good[0] != pytest.approx(good[1])
    assert empty.tolist() == [0, 0]


def test_the_cosine_is_of_mean_vectors():
    assert compare_means(FLAT, FLAT[:1]) == pytest.approx(2**-0.5)
    assert compare_means(FLAT[:0], FLAT) == 0


def test_c_sbert_prefers_what_the_source_says():
    good, bad, empty = score("c_sbert")[:, 0]
    assert good > bad > empty == 0
    hybrids = read_hybrids(load_encoder("minilm"), [DOCUMENT, GOOD])
    assert good == pytest.approx(compare_means(hybrids[GOOD].means, hybrids[DOCUMENT].means))


@pytest.mark.parametrize("name", ["supert", "c_sbert", "pseudo_references"])
def test_several_documents_are_averaged(name):
    one, other, both = (
        score(name, [GOOD], documents) for documents in ([DOCUMENT], [OTHER], [DOCUMENT, OTHER])
    )
    assert both == pytest.approx((one + other) / 2)
    assert np.abs(one - other).max() > 0.01


@pytest.mark.parametrize("name", ["supert", "c_sbert", "pseudo_references"])
def test_the_pseudo_reference_can_be_short(name):
    assert np.abs(score(name, [GOOD], sentences=1) - score(name, [GOOD])).max() > 1e-3


def test_rouge_is_of_the_central_sentences():
    found = score("pseudo_references", [GOOD], sentences=2)
    hybrid = read_hybrids(load_encoder("minilm"), [DOCUMENT])[DOCUMENT]
    pseudo = build_pseudo(hybrid, PseudoRule(2, PacSum()))
    sentences = cut_sentences(DOCUMENT)
    assert len(pseudo.places) == 2
    text = " ".join(sentences[place] for place in pseudo.places)
    rouge = load_metric("rouge")
    assert found == pytest.approx(rouge.score([GOOD], [[text]], []).values)


def test_the_metric_inside_gives_columns_and_signature():
    metric = load_metric("pseudo_references", {"metric": "movers"})
    assert metric.columns == ("word", "sentence", "both")
    assert "metric:(metric:movers|" in metric.signature
    with pytest.raises(ValueError, match="metric can't be 'length'. Expected one of rouge"):
        load_metric("pseudo_references", {"metric": "length"})


def test_a_shelf_keeps_only_what_is_at_hand():
    shelf = PseudoShelf(load_encoder("minilm"), PseudoRule(2, PacSum()))
    first = shelf.take([DOCUMENT])[DOCUMENT]
    both = shelf.take([DOCUMENT, OTHER])
    assert both[DOCUMENT] is first
    assert set(shelf.take([OTHER])) == {OTHER}


def test_an_empty_document_is_no_trouble():
    assert score("supert", [GOOD], [""]).tolist() == [[0, 0]]
    assert score("c_sbert", [GOOD], [""]).tolist() == [[0]]


def test_words_are_compared_by_cosine_and_divergence():
    assert find_cosine(np.array([3.0, 4]), np.array([1.0, 0])) == pytest.approx(0.6)
    assert find_cosine(np.zeros(2), np.ones(2)) == 0
    assert find_divergence(np.array([2.0, 2]), np.array([1.0, 1])) == 0
    assert find_divergence(np.array([1.0, 0]), np.array([0, 1.0])) == 1
    assert find_divergence(np.zeros(1), np.ones(1)) == 1
    # (1, 0) with (½, ½): the middle is (¾, ¼).
    expected = (np.log2(4 / 3) + 0.5 * np.log2(2 / 3) + 0.5) / 2
    assert find_divergence(np.array([5.0, 0]), np.array([1.0, 1])) == pytest.approx(expected)


def test_source_overlap_by_hand():
    """The source is lamp, glass over lamp: of 2 sentences lamp is in both, glass in one."""
    [[cosine, divergence]] = score("source_overlap", ["The lamp."], ["Lamp glass. The lamp."])
    lamp, glass = 1.0, log(3 / 2) + 1
    assert cosine == pytest.approx(2 * lamp / np.hypot(2 * lamp, glass))
    assert divergence == pytest.approx(find_divergence(np.array([0.0, 1]), np.array([1.0, 2])))


def test_source_overlap_knows_less_from_more():
    good, bad, empty = score("source_overlap")
    assert good[0] > bad[0] == empty[0] == 0
    assert good[1] < 0.9
    assert [bad[1], empty[1]] == pytest.approx([1, 1])
    assert load_metric("source_overlap").lower == {"js"}
