"""Sem-nCG: Algorithm 1 by hand, matching with the source, ensembles and repetition."""

import numpy as np
import pytest

from scoring.backends.encoders import load, load_signed
from scoring.metrics import load_metric
from scoring.metrics.extracted import Source, list_unmatched, match_sentences
from scoring.metrics.ncg import (
    UNMATCHED,
    find_gains,
    join_gains,
    mean_similarity,
    rank_down,
    score_ncg,
    score_ncg_without_repeats,
)
from tests.scoring.backends.nli_models import make_model

SENTENCES = [
    "The council of Brack lit the harbour lamp on Friday.",
    "It paid 300 crowns for the glass.",
    "Nobody came to see the lamp, because of rain.",
    "A dog slept near the pier.",
    "The harbour lamp of Brack was lit by the council.",
]
DOCUMENT = " ".join(SENTENCES)
REFERENCES = ["Brack's council lit a lamp in its harbour.", "Nobody saw it. It rained."]
SIMILAR = np.array([0.2, 0.9, 0.5, 0.1])
GAINS = np.array([0.2, 0.4, 0.3, 0.1])


def score(summaries, references=REFERENCES[:1], **options):
    metric = load_metric("sem_ncg", options)
    rows = len(summaries)
    return metric.score(summaries, [references] * rows, [[DOCUMENT]] * rows).values


def test_similarity_is_the_mean_over_the_reference():
    document = np.array([[1, 0], [0.6, 0.8]], dtype=np.float32)
    reference = np.array([[1, 0], [0, 1]], dtype=np.float32)
    assert mean_similarity(document, [reference]) == pytest.approx([0.5, 0.7])


def test_every_reference_counts_alike():
    document = np.array([[1, 0]], dtype=np.float32)
    long = np.array([[1, 0], [1, 0], [1, 0]], dtype=np.float32)
    short = np.array([[0, 1]], dtype=np.float32)
    assert mean_similarity(document, [long, short]) == pytest.approx([0.5])


def test_gains_are_ranks_from_the_bottom_as_shares():
    assert rank_down(SIMILAR).tolist() == [3, 1, 2, 4]
    assert rank_down(np.array([0.5, 0.5])).tolist() == [1, 2]
    assert find_gains(SIMILAR) == pytest.approx(GAINS)


@pytest.mark.parametrize(
    "chosen, cut, expected",
    [
        ([1, 2, 0], 1, 1),
        ([2, 1, 0], 1, 0.3 / 0.4),
        ([3, 1, 0], 3, (0.1 + 0.4 + 0.2) / 0.9),
        ([1], 3, 0.4 / 0.9),
        ([1, 1, 2], 3, 0.7 / 0.9),
        ([UNMATCHED, 1], 2, 0.4 / 0.7),
        ([0, 1, 2, 3], 9, 1),
        ([], 3, 0),
    ],
)
def test_gain_is_of_what_the_best_would_gain(chosen, cut, expected):
    assert score_ncg(GAINS, chosen, cut) == pytest.approx(expected)


def test_ensembles_join_at_three_points():
    """Ranks of the two are 1 2 3 and 3 1 2; gains 3 2 1 and 1 3 2 of 6."""
    found = [np.array([0.9, 0.2, 0.1]), np.array([0.3, 0.5, 0.4])]
    assert join_gains(found, "sim") == pytest.approx(np.array([3, 2, 1]) / 6)
    assert join_gains(found, "rank") == pytest.approx(np.array([2, 3, 1]) / 6)
    assert join_gains(found, "rel") == pytest.approx(np.array([2, 2.5, 1.5]) / 6)


def test_one_encoder_makes_every_ensemble_the_same():
    for ensemble in ("sim", "rank", "rel"):
        assert join_gains([SIMILAR], ensemble) == pytest.approx(GAINS)


def test_repeats_gain_only_what_is_new():
    similarity = np.array([[1, 0.5, -0.2, 0], [0.5, 1, 0, 0], [-0.2, 0, 1, 0], [0, 0, 0, 1]])
    found = score_ncg_without_repeats(GAINS, similarity, [1, 0, 2], 3)
    assert found == pytest.approx((0.4 + 0.2 * 0.5 + 0.3) / 0.9)
    assert score_ncg_without_repeats(GAINS, similarity, [1, 0], 1) == 1


def test_sentences_are_matched_exactly_then_fuzzily():
    source = Source.of_sentences(SENTENCES)
    summary = [
        "it paid 300 crowns for the glass",
        "The council of Brack lit the harbour lamp.",
        "Something else altogether happened.",
    ]
    assert match_sentences(summary, source, 0.7) == [1, 0, UNMATCHED]
    assert match_sentences(summary, source, 0.99) == [1, UNMATCHED, UNMATCHED]
    assert list_unmatched(summary, source, 0.7) == summary[2:]
    assert match_sentences(["Rain."], Source.of_sentences([]), 0.7) == [UNMATCHED]


def test_it_rewards_the_sentences_that_the_reference_is_like():
    good, bad, foreign, empty = score(
        [SENTENCES[0], SENTENCES[3], "Something else altogether happened.", ""]
    )
    assert good[0] > bad[0]
    assert good[-1] == bad[-1] == 0
    assert np.isnan(foreign[:-1]).all()
    assert foreign[-1] == 1
    assert empty.tolist() == [0, 0, 0, 0]


def test_it_reports_the_share_that_is_not_in_the_source():
    [row] = score([f"{SENTENCES[0]} Something else altogether happened."])
    assert row[-1] == 0.5
    assert 0 < row[0] <= 1


def test_k_names_the_columns():
    metric = load_metric("sem_ncg", {"k": "2, 1"})
    assert metric.columns == ("ncg1", "ncg2", "unmatched")


def test_repetition_costs_where_it_is_asked_for():
    twice = f"{SENTENCES[0]} {SENTENCES[4]}"
    [plain], [aware] = score([twice], k="2"), score([twice], k="2", redundancy=True)
    assert aware[0] < plain[0] - 0.1
    [once], [same] = score([SENTENCES[0]], k="1"), score([SENTENCES[0]], k="1", redundancy=True)
    assert once.tolist() == same.tolist()


def test_several_references_change_the_gains():
    first, second, both = (
        score([SENTENCES[2]], references, k="1")[0, 0]
        for references in (REFERENCES[:1], REFERENCES[1:], REFERENCES)
    )
    assert first < second
    assert first <= both <= second


def test_several_encoders_are_joined(tmp_path):
    tiny = make_model(tmp_path, "bert")
    alone = [score([SENTENCES[2]], encoders=name)[0, 0] for name in ("minilm", tiny)]
    found = score([SENTENCES[2]], encoders=f"minilm, {tiny}", ensemble="rel")[0, 0]
    assert min(alone) <= found <= max(alone) + 0.2
    metric = load_metric("sem_ncg", {"encoders": f"minilm,{tiny}"})
    assert metric.signature.count("@") == 2


def test_a_source_is_encoded_once():
    load_signed.cache_clear()
    metric = load_metric("sem_ncg")
    metric.score(SENTENCES, [REFERENCES[:1]] * 5, [[DOCUMENT]] * 5)
    assert load("minilm", -1, 1).runs == 6


def test_nothing_can_be_gained_from_an_empty_source():
    metric = load_metric("sem_ncg")
    assert np.isnan(metric.score(["Rain fell."], [["Rain."]], [[""]]).values).all()


@pytest.mark.parametrize("k", ["", "0,1", "one"])
def test_it_refuses_a_k_that_is_no_number(k):
    with pytest.raises(ValueError, match="k can't be"):
        load_metric("sem_ncg", {"k": k})


def test_it_asks_for_an_encoder():
    with pytest.raises(ValueError, match="Name at least one, such as minilm"):
        load_metric("sem_ncg", {"encoders": " , "})
