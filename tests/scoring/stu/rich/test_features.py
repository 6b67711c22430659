from __future__ import annotations

import numpy as np

from scoring.stu.rich.features import FEATURES, RULES
from scoring.stu.rich.wording import word_fact
from tests.scoring.stu.rich.candidates import pools

SENTENCE = "Norway goalkeeper Erik Lund has joined a club on a short loan."


def column(rows: np.ndarray, name: str) -> list[float]:
    found: list[float] = rows[:, FEATURES.index(name)].tolist()
    return found


def test_it_reads_a_row_of_every_candidate() -> None:
    (pool,) = pools(SENTENCE)
    texts = [word_fact(pool.tree, fact) for fact in pool.facts]
    assert pool.rows.shape == (len(texts), len(FEATURES))
    assert pool.rows.dtype == np.float32
    assert column(pool.rows, "words") == [len(text.split()) for text in texts]


def test_it_marks_the_one_rule_of_a_candidate() -> None:
    (pool,) = pools(SENTENCE)
    assert pool.rows[:, : len(RULES)].sum(axis=1).tolist() == [1.0] * len(pool.facts)
    for row, fact in zip(pool.rows, pool.facts, strict=True):
        assert row[FEATURES.index(f"rule {fact.rule}")] == 1


def test_it_tells_how_alike_two_candidates_are() -> None:
    (pool,) = pools(SENTENCE)
    texts = [word_fact(pool.tree, fact) for fact in pool.facts]
    one, two = texts.index("Erik Lund is a goalkeeper."), texts.index("Erik Lund is from Norway.")
    assert pool.likeness[one, one] == 1
    assert pool.likeness[one, two] == pool.likeness[two, one] == np.float32(2 * 3 / 10)


def test_it_tells_where_in_its_reference_a_sentence_stands() -> None:
    found = pools("It rained.", SENTENCE)
    assert set(column(found[1].rows, "place")) == {1}
    assert set(column(found[1].rows, "sentences")) == {2}


def test_it_bears_a_sentence_without_words() -> None:
    (pool,) = pools("")
    assert pool.facts == ()
    assert pool.rows.shape == (0, len(FEATURES))


def test_it_names_each_feature_once() -> None:
    assert len(set(FEATURES)) == len(FEATURES)
