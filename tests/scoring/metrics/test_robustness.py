"""Texts in other words, what metrics lose by that, and where metrics disagree."""

from dataclasses import replace

import numpy as np
import pytest

from scoring.io.texts import SummaryTexts, take_texts
from scoring.metrics import load_metric
from scoring.metrics.disagreement import count_disagreements, lay_out
from scoring.metrics.perturbation import choose_replacements, replace_words
from scoring.metrics.robustness import (
    Drop,
    estimate_drops,
    measure_drops,
    perturb_texts,
    sum_pairs,
)

WORDS = {"lamp": ["light"], "council": ["board"], "lit": ["kindled"], "rain": ["wet"]}
SOURCE = "The council lit the lamp. Rain fell on the lamp."
TEXTS = SummaryTexts(
    documents=("d1", "d1"),
    systems=("one", "two"),
    summaries=("The council lit the lamp.", "Rain fell on the lamp."),
    references=(("The council lit a lamp.",),) * 2,
    sources=((SOURCE,),) * 2,
)


def synonyms(word, context):
    assert word in context
    return WORDS.get(word, [])


def perturb(share, seed=0):
    return perturb_texts(TEXTS, synonyms, share=share, seed=seed)


def test_words_are_replaced_and_the_rest_stays():
    found = replace_words("Lamp, the LAMP’s glass; lamps.", {"lamp": "light"})
    assert found.startswith("Light, the ")
    assert found.endswith("lamps.")
    assert replace_words("No such word.", {"lamp": "light"}) == "No such word."


def test_all_words_that_have_synonyms_can_be_replaced():
    found = perturb(1)
    assert found.summaries == ("The board kindled the light.", "Wet fell on the light.")
    assert found.sources[0] == (" ".join(found.summaries),)
    assert found.references == TEXTS.references


def test_words_of_names_stay():
    texts = ["The council met in Lamp Valley. A lamp fell."]
    found = choose_replacements(texts, synonyms, 1.0, np.random.default_rng(0))
    assert found == {"council": "board"}


def test_it_stops_at_the_share():
    """The source has 6 content words, so that a sixth of them is one word of one place."""
    for seed in range(8):
        rng = np.random.default_rng(seed)
        chosen = choose_replacements([SOURCE], synonyms, 0.15, rng)
        assert len(chosen) == 1
    assert perturb(0).summaries == TEXTS.summaries


def test_a_seed_gives_the_same_words():
    assert perturb(0.3, seed=3) == perturb(0.3, seed=3)
    assert len({perturb(0.3, seed=seed).summaries for seed in range(8)}) > 1


def test_a_share_is_a_share():
    with pytest.raises(ValueError, match="from 0 to 1, not 20"):
        perturb(20)


def test_an_example_has_the_same_words_in_any_company():
    other = SummaryTexts(
        documents=("d0", *TEXTS.documents),
        systems=("one", *TEXTS.systems),
        summaries=("Rain.", *TEXTS.summaries),
        references=(("Rain.",), *TEXTS.references),
        sources=(("Rain on the council.",), *TEXTS.sources),
    )
    for seed in range(4):
        found = perturb_texts(other, synonyms, share=0.3, seed=seed)
        assert found.summaries[1:] == perturb(0.3, seed=seed).summaries


def test_a_larger_share_replaces_the_words_of_a_smaller_one():
    for seed in range(8):
        few, all_ = (" ".join(perturb(share, seed).summaries).split() for share in (0.3, 0.8))
        plain = " ".join(TEXTS.summaries).split()
        changed = [place for place, word in enumerate(plain) if word != few[place]]
        assert changed
        assert all(few[place] == all_[place] for place in changed)


def test_without_sources_words_are_those_of_summaries():
    bare = replace(TEXTS, sources=((), ()))
    found = perturb_texts(bare, synonyms, share=1, seed=0)
    assert found.summaries == ("The board kindled the light.", "Wet fell on the light.")


def test_a_drop_has_an_interval_over_documents():
    """Documents lose 0, 1, 2 and 3 in the mean; the last has two summaries."""
    before = [np.full((n, 1), 4.0) for n in (1, 1, 1, 2)]
    after = [rows - lost for rows, lost in zip(before, range(4), strict=True)]
    sums = np.array([sum_pairs(*pair) for pair in zip(before, after, strict=True)])
    [drop] = estimate_drops("m", ["c"], sums, draws=400, seed=1)
    assert drop.summaries == 5
    assert drop.drop == pytest.approx((0 + 1 + 2 + 3 * 2) / 5)
    assert drop.share == pytest.approx(drop.drop / 4)
    assert 0 <= drop.low < drop.drop < drop.high <= 3
    assert drop.share_low == pytest.approx(drop.low / 4)
    assert drop.share_high == pytest.approx(drop.high / 4)
    assert estimate_drops("m", ["c"], sums, draws=400, seed=1) == [drop]
    assert estimate_drops("m", ["c"], sums, draws=400, seed=2) != [drop]


def test_what_has_no_number_before_or_after_does_not_count():
    before, after = np.array([[1.0], [2.0], [np.nan]]), np.array([[0.5], [np.nan], [1.0]])
    sums = sum_pairs(before, after)
    assert sums[:, 0].tolist() == [1.0, 0.5, 1.0]
    [drop] = estimate_drops("m", ["c"], sum_pairs(before[1:], after[1:])[None])
    assert drop.summaries == 0
    assert np.isnan([drop.actual, drop.low, drop.share_high]).all()


def test_it_measures_what_metrics_lose():
    found = measure_drops([load_metric("rouge")], TEXTS, perturb(1))
    [recall] = [one for one in found if one.column == "rouge1_recall"]
    assert recall.actual == pytest.approx((4 / 5 + 1 / 5 + 1 / 5) / 2, abs=0.11)
    assert recall.perturbed < recall.actual
    assert recall.drop == pytest.approx(recall.actual - recall.perturbed)
    assert recall.share == pytest.approx(recall.drop / recall.actual)
    assert recall.summaries == 2


def test_gains_survive_where_words_do_not():
    drops = measure_drops(
        [load_metric("rouge"), load_metric("sem_ncg", {"k": "1"})], TEXTS, perturb(1)
    )
    lost = {(one.metric, one.column): one for one in drops}
    assert lost["rouge", "rouge2_f1"].share > 0.5
    assert abs(lost["sem_ncg", "ncg1"].drop) < 0.5
    assert lost["sem_ncg", "unmatched"].perturbed == 0


def test_nothing_is_lost_of_nothing():
    assert np.isnan(Drop("m", "c", 0.0, 0.0, 1).share)


def test_disagreements_are_counted_by_pair():
    one = np.array([[1.0, 2, 3, 4], [2, 1, 3, np.nan], [0, 0, 0, 0]])
    other = np.array([[1.0, 2, 1, 4], [0, 1, 5, 5], [2, 2, 2, 2]])
    found = {(row.first, row.second): row for row in count_disagreements("abc", one, other)}
    pair = found["a", "b"]
    assert (pair.agree, pair.disagree, pair.tied) == (1, 1, 1)
    pair = found["a", "c"]
    assert (pair.agree, pair.disagree, pair.tied) == (1, 2, 1)
    assert len(found) == 3


def test_matrices_must_fit_the_systems():
    with pytest.raises(ValueError, match=r"are \(2, 2\) and \(2, 3\) for 2 systems"):
        count_disagreements("ab", np.ones((2, 2)), np.ones((2, 3)))


def test_scores_are_laid_out_by_system_and_document():
    systems, found = lay_out(["d1", "d1", "d2"], ["a", "b", "b"], np.array([1.0, 2, 3]))
    assert systems == ["a", "b"]
    assert found[1].tolist() == [2, 3]
    assert found[0, 0] == 1
    assert np.isnan(found[0, 1])


def test_only_some_systems_and_documents_are_taken():
    assert take_texts(TEXTS, "t*", 0).systems == ("two",)
    assert take_texts(TEXTS, "*", 1).documents == ("d1", "d1")
    with pytest.raises(ValueError, match="Unknown system three. Known: one, two"):
        take_texts(TEXTS, "three", 0)
