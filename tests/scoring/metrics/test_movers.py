"""Metrics that move earth, against POT's own calls; ROUGE with vectors; basic elements."""

from math import exp

import numpy as np
import ot
import pytest

from scoring.backends.transport import move_earth
from scoring.metrics import load_metric
from scoring.metrics.basic_elements import compare as compare_elements
from scoring.metrics.basic_elements import list_pairs
from scoring.metrics.encoding import load_encoder, pool_words, unit_rows
from scoring.metrics.rouge_we import compare as compare_grams
from scoring.metrics.rouge_we import count_grams, match_rest
from scoring.metrics.transport import find_distances, move, move_within, share_evenly
from scoring.parses import load_parser

SUMMARIES = ["The council lit the lamp. It rained!", "A dog slept.", ""]
REFERENCE = "Brack's council lit its harbour lamp on Friday. Nobody came, because of rain."
RNG = np.random.default_rng(5)


def score(name, summaries=SUMMARIES, references=(REFERENCE,), **options):
    metric = load_metric(name, options)
    return metric.score(summaries, [list(references)] * len(summaries), []).values


def heap(count, size=4):
    return unit_rows(RNG.normal(size=(count, size)).astype(np.float32))


@pytest.mark.parametrize("counts", [(1, 1), (3, 5), (20, 12)])
def test_distances_and_costs_are_those_of_pot(counts):
    first, second = (heap(count) for count in counts)
    weights = [RNG.dirichlet(np.ones(count)) for count in counts]
    distances = ot.dist(first.astype(np.float64), second.astype(np.float64), metric="euclidean")
    assert find_distances(first, second) == pytest.approx(distances, abs=1e-3)
    expected = ot.emd2(*weights, find_distances(first, second))
    assert move(first, second, *weights) == pytest.approx(expected, abs=1e-9)


def test_earth_is_moved_by_hand():
    """Half of the first heap stays, the other half goes as far as it must."""
    assert move_earth(np.array([0.5, 0.5]), np.array([1.0]), np.array([[0.0], [3]])) == 1.5
    cost = move_earth(np.array([2.0, 2]), np.array([1.0, 3]), np.array([[0.0, 1], [1, 0]]))
    assert cost == pytest.approx(0.25)


def test_earth_that_can_not_be_moved_is_refused():
    with pytest.raises(ValueError, match="failed"):
        move_earth(np.array([0.5, 0.5]), np.array([1.0]), np.array([[np.inf], [np.nan]]))


def test_nothing_stays_where_it_is_when_moved_within():
    rows = np.array([[1, 0], [0, 1], [1, 0]], dtype=np.float32)
    assert move_within(rows[:2]) == pytest.approx(2**0.5)
    # The two that are the same may not only swap: the third has to be given and taken.
    assert move_within(rows) == pytest.approx(2 * 2**0.5 / 3, abs=1e-6)


def test_words_are_means_of_their_pieces():
    [found] = load_encoder("minilm").encode(["Unmistakably, the lamp!"])
    words = pool_words(found)
    pieces = found.vectors[~found.is_mark]
    assert len(words) == 3
    assert words[0] == pytest.approx(pieces[:4].mean(axis=0), abs=1e-6)
    assert words[2] == pytest.approx(pieces[6], abs=1e-6)
    [empty] = load_encoder("minilm").encode([""])
    assert len(pool_words(empty)) == 0


def test_moverscore_is_one_less_the_cost():
    found = score("moverscore")[:, 0]
    rows = []
    for encoded in load_encoder("minilm").encode([SUMMARIES[0], REFERENCE]):
        starts = [encoded.text[start : start + 1] for start, _ in encoded.spans]
        kept = [place for place, sign in enumerate(starts) if sign.isalnum()]
        first = encoded.vectors[[place for place in kept if encoded.begins[place]]]
        rows.append(unit_rows(first).astype(np.float64))
    distances = ot.dist(*rows, metric="euclidean")
    expected = 1 - ot.emd2(share_evenly(len(rows[0])), share_evenly(len(rows[1])), distances)
    assert found[0] == pytest.approx(expected, abs=1e-4)
    assert found[0] > found[1]
    assert found[2] == 0


def test_moverscore_of_the_same_text_is_one():
    assert score("moverscore", [REFERENCE])[0, 0] == pytest.approx(1, abs=1e-3)


def test_moverscore_takes_the_best_reference():
    both = score("moverscore", SUMMARIES[:1], (REFERENCE, "Cats sleep."))
    assert both == pytest.approx(score("moverscore", SUMMARIES[:1]))


def test_moverscore_weighs_and_joins_layers(tmp_path):
    path = tmp_path / "texts.txt"
    path.write_text("The lamp.\nThe dog.\nThe rain.\n", encoding="utf-8")
    plain = score("moverscore", SUMMARIES[:1])[0, 0]
    weighed = score("moverscore", SUMMARIES[:1], idf=str(path))[0, 0]
    joined = score("moverscore", SUMMARIES[:1], depth=3)[0, 0]
    assert len({round(value, 6) for value in (plain, weighed, joined)}) == 3


def test_movers_are_what_pot_says():
    [found] = score("movers", SUMMARIES[:1])
    sides = []
    for text in (["The council lit the lamp.", "It rained!"], cut(REFERENCE)):
        listed = [unit_rows(pool_words(one)) for one in load_encoder("minilm").encode(text)]
        pooled = unit_rows(np.stack([rows.mean(axis=0) for rows in listed]))
        sides.append((np.concatenate(listed), pooled, np.array([len(rows) for rows in listed])))
    (words, means, sizes), (others, other_means, other_sizes) = sides
    ones, other_ones = np.ones(len(words)), np.ones(len(others))
    expected = [
        move_plainly(words, others, ones, other_ones),
        move_plainly(means, other_means, sizes, other_sizes),
        move_plainly(
            np.concatenate([words, means]),
            np.concatenate([others, other_means]),
            np.concatenate([ones, sizes]),
            np.concatenate([other_ones, other_sizes]),
        ),
    ]
    assert found == pytest.approx(expected, abs=1e-4)


def cut(text):
    middle = text.index(". ") + 1
    return [text[:middle], text[middle + 1 :]]


def move_plainly(first, second, weights, other_weights):
    distances = ot.dist(first.astype(np.float64), second.astype(np.float64), metric="euclidean")
    shares = [one / one.sum() for one in (weights, other_weights)]
    return exp(-ot.emd2(*shares, distances))


def test_movers_prefer_what_is_like():
    like, unlike, empty = score("movers")
    assert (like > unlike).all()
    assert empty.tolist() == [0, 0, 0]
    assert score("movers", [REFERENCE])[0] == pytest.approx(np.ones(3), abs=1e-3)


TABLE = {
    "lamp": np.array([1, 0], dtype=np.float32),
    "light": np.array([0.8, 0.6], dtype=np.float32),
    "dog": np.array([0, 1], dtype=np.float32),
}


def test_like_words_count_as_far_as_they_are_alike():
    """One word is the same; of the rest light is .8 lamp, and dog .6 light or nothing of lamp."""
    summary = count_grams(["dog", "light", "light"], 1)
    reference = count_grams(["dog", "lamp"], 1)
    recall, precision, f1 = compare_grams(summary, reference, TABLE, 0.5)
    assert recall == pytest.approx(1.8 / 2)
    assert precision == pytest.approx(1.8 / 3)
    assert f1 == pytest.approx(2 * 1.8 / 5)
    assert compare_grams(summary, reference, TABLE, 0.9)[0] == 0.5
    assert compare_grams(count_grams([], 1), reference, TABLE, 0.5) == (0, 0, 0)


def test_each_word_is_matched_once_for_the_highest_sum():
    first, second = [("lamp",), ("light",)], [("light",), ("dog",)]
    assert match_rest(first, second, TABLE, 0) == pytest.approx(0.8 + 0.6)


def test_an_n_gram_is_the_product_of_its_words():
    product = TABLE["lamp"] * TABLE["light"]
    expected = float(product @ TABLE["lamp"] / np.linalg.norm(product))
    assert match_rest([("lamp", "light")], [("lamp", "lamp")], TABLE, 0) == pytest.approx(expected)


def test_without_likeness_it_is_rouge():
    texts = ["the lamp was lit by the council", "rain fell on the lamp"]
    found = score("rouge_we", texts, (REFERENCE,), least=2)
    rouge = load_metric("rouge", {"stem": False}).score(texts, [[REFERENCE]] * 2, []).values
    assert found == pytest.approx(rouge[:, :9])


def test_a_synonym_counts_with_vectors():
    plain = score("rouge_we", ["The boys slept"], ("The children slept",), least=2)
    soft = score("rouge_we", ["The boys slept"], ("The children slept",), least=0.3)
    assert soft[0, 0] > plain[0, 0]


@pytest.fixture(scope="module")
def parse():
    [found] = load_parser().parse(["The old council of Brack quickly lit the lamp."])
    return found


def test_elements_are_pairs_of_a_parse(parse):
    found = set(list_pairs(parse))
    assert ("council", "old", "amod") in found
    assert ("council", "brack", "of") in found
    assert ("light", "lamp", "dobj") in found or ("lit", "lamp", "dobj") in found
    assert not any("the" in element for element in found)


def test_elements_weigh_as_many_references_as_have_them():
    mine = [("a",), ("b",), ("x",)]
    found = compare_elements(mine, [[("a",), ("b",)], [("a",), ("c",)]])
    assert found == pytest.approx((3 / 4, 2 / 3, 2 * (3 / 4) * (2 / 3) / (3 / 4 + 2 / 3)))
    assert compare_elements([], [[("a",)]]) == (0, 0, 0)


def test_basic_elements_meet_across_forms():
    texts = ["The council lights the lamps.", "The lamp lit the council.", "Cats sleep."]
    reference = "The council lit a lamp."
    pairs, named = (
        score("basic_elements", texts, (reference,), words=False, relations=relations)
        for relations in (False, True)
    )
    assert pairs[:, 2].tolist() == [1, 1, 0]
    # Who did it and to whom is in the names of relations alone.
    assert named[:, 2].tolist() == [1, 0, 0]


def test_words_are_elements_too():
    texts = ["A lamp on a council."]
    alone = score("basic_elements", texts, ("The council lit a lamp.",), words=False)
    words = score("basic_elements", texts, ("The council lit a lamp.",))
    assert words[0, 2] > alone[0, 2] == 0


def test_they_sign_what_they_depend_on():
    assert "en_core_web_sm@" in load_metric("basic_elements").signature
    assert "minilm@" in load_metric("rouge_we").signature
    assert load_metric("moverscore", {"depth": 2}).signature.find("/L5-6") > 0
    assert "minilm@" in load_metric("movers").signature
