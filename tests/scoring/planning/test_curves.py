"""Curves over the share of STUs, the tables behind them and the orders they compare."""

from __future__ import annotations

import numpy as np
import pytest

from scoring.metaeval.correlation import kendall, pearson
from scoring.planning.correlations import kendall_rows, pearson_rows
from scoring.planning.curves import draw_curves, mean_height
from scoring.planning.mix import reverse_order
from scoring.planning.orders import (
    order_lines,
    random_order,
    read_order,
    true_damage,
    true_easiness,
    uneven_damage,
)
from scoring.planning.study import SentenceUnits, UnitStudy, read_study
from scoring.planning.tables import SentenceTables
from tests.scoring.goldens import golden
from tests.scoring.planning.toys import drawn_study, toy_study, toy_texts


def test_it_scores_a_mixture_by_hand():
    """d1 with its hard sentence as STUs: (1 + 1) / 2, (1 + 1) / 2 and (0 + 0) / 2."""
    tables = SentenceTables.of(toy_study())
    found = tables.score(np.array([[False] * 3, [False, True, False], [True] * 3]))
    assert found[0] == pytest.approx(toy_study().gold)
    assert found[1].tolist() == [[1, 1, 0], [1, 0, 1]]
    assert found[2].tolist() == [[1, 1, 0], [1, 0, 1]]


def test_it_scores_mixtures_as_one_by_one():
    study = drawn_study(documents=5)
    tables = SentenceTables.of(study)
    way = np.random.default_rng(1).random((4, len(study.sentences))) < 0.5
    for row, scores in zip(way, tables.score(way), strict=True):
        for place, name in enumerate(study.documents):
            own = [i for i, item in enumerate(study.sentences) if item.document == name]
            parts = [
                study.stu_presence[place][:, study.sentences[i].stus]
                if row[i]
                else study.scu_presence[place][:, study.sentences[i].scus]
                for i in own
            ]
            assert scores[place] == pytest.approx(np.concatenate(parts, axis=1).mean(axis=1))
            assert tables.score_document(place, row) == pytest.approx(scores[place])


def lopsided():
    """The first sentence has SCUs alone, the second STUs alone."""
    sentences = (SentenceUnits("d", 0, "", (0, 1), ()), SentenceUnits("d", 1, "", (), (0,)))
    scus, stus = np.array([[1.0, 0.0], [1.0, 1.0]]), np.array([[0.2], [0.4]])
    return UnitStudy(("d",), ("a", "b"), sentences, [scus], [stus], scus.mean(axis=1)[None])


@pytest.mark.parametrize(
    "way, expected",
    [([0, 0], [0.5, 1]), ([1, 1], [0.2, 0.4]), ([0, 1], [0.4, 0.8]), ([1, 0], [0.2, 0.4])],
)
def test_it_scores_documents_that_a_choice_would_leave_bare(way, expected):
    found = SentenceTables.of(lopsided()).score(np.array([way], dtype=bool))
    assert found[0, 0] == pytest.approx(expected)


def test_it_refuses_a_document_without_units():
    study = lopsided()
    bare = (SentenceUnits("d", 0, "", (), ()),)
    with pytest.raises(ValueError, match="'d' has neither SCUs nor STUs"):
        SentenceTables.of(UnitStudy(("d",), ("a", "b"), bare, *study_parts(study)))


def study_parts(study):
    return study.scu_presence, study.stu_presence, study.gold


@pytest.mark.parametrize("rows, single", [(pearson_rows, pearson), (kendall_rows, kendall)])
def test_it_correlates_rows_as_it_does_one(rows, single):
    rng = np.random.default_rng(0)
    one, two = rng.integers(0, 4, size=(2, 50, 6)).astype(float)
    one[3] = 1.0
    found = rows(one, two)
    expected = [single(first, second) for first, second in zip(one, two, strict=True)]
    assert found == pytest.approx(expected, nan_ok=True)
    assert np.isnan(found[3])


def test_it_takes_differences_of_rounding_for_ties():
    one = np.array([[0.1 + 0.2, 0.3, 0.9]])
    assert kendall_rows(one, np.array([[1.0, 2.0, 3.0]])) == pytest.approx(2 / np.sqrt(6))
    assert np.isnan(pearson_rows(one[:, :2], np.array([[1.0, 2.0]])))[0]


@pytest.mark.parametrize(
    "percentages, heights, expected",
    [
        ((0, 100), [0, 1], 0.5),
        ((0, 50, 100), [0, 1, 0], 0.5),
        ((0, 10, 100), [1, 1, 1], 1),
        ((5,), [3], 3),
    ],
)
def test_it_measures_area(percentages, heights, expected):
    assert mean_height(percentages, np.array(heights, dtype=float)) == pytest.approx(expected)


def test_it_draws_every_order_at_every_percentage():
    study = drawn_study()
    order = np.arange(len(study.sentences), dtype=np.float64)[::-1]
    found = draw_curves(study, {"mine": order, "back": reverse_order(order)}, seeds=5, bootstrap=50)
    assert len(found.curves) == 3 * 4
    assert len(found.gains) == 2 * 4
    assert {len(curve.values) for curve in found.curves} == {11}
    for level in ("system", "summary"):
        curves = [found.curve(name, level) for name in ("random", "mine", "back")]
        # All orders begin with all SCUs, which are people's scores, and end with all STUs.
        assert [curve.values[0] for curve in curves] == pytest.approx([1, 1, 1])
        assert curves[0].values[-1] == pytest.approx(curves[1].values[-1])
        assert curves[1].values[-1] == pytest.approx(curves[2].values[-1])
    chance = found.curve("random", "summary", "kendall")
    assert all(
        low <= mean <= high
        for low, mean, high in zip(chance.low, chance.values, chance.high, strict=True)
    )


def test_its_ends_are_plain_correlations():
    study = drawn_study()
    found = draw_curves(
        study, {"mine": random_order(60, 1)}, percentages=(100,), seeds=2, bootstrap=5
    )
    stus = np.array([table.mean(axis=1) for table in study.stu_presence])
    by_document = [pearson(one, two) for one, two in zip(stus, study.gold, strict=True)]
    assert found.curve("mine", "summary").values[0] == pytest.approx(np.mean(by_document))
    assert found.curve("mine", "system", "kendall").values[0] == pytest.approx(
        kendall(stus.mean(axis=0), study.gold.mean(axis=0))
    )
    assert found.gain("mine", "system").area == pytest.approx(0)


def test_it_gains_by_replacing_what_does_no_harm():
    """Damage knows which STUs are good; its reverse loses as surely."""
    study = drawn_study(noise=0.5)
    damage = true_damage(SentenceTables.of(study))
    found = draw_curves(study, {"damage": -damage, "worst": damage}, seeds=10, bootstrap=100)
    gain, loss = (found.gain(name, "summary") for name in ("damage", "worst"))
    assert gain.area_low > 0 > loss.area_high
    assert gain.area_low <= gain.area <= gain.area_high
    assert gain.half_low <= gain.half <= gain.half_high


def test_it_is_the_same_for_the_same_seed():
    study, order = drawn_study(), random_order(60, 3)
    one, two, other = (
        draw_curves(study, {"mine": order}, seeds=3, bootstrap=20, seed=seed) for seed in (1, 1, 2)
    )
    assert one == two
    assert one.gains != other.gains
    assert one.curve("mine", "system") == other.curve("mine", "system")


def test_it_takes_shares_of_words():
    """Sentences of 2, 3 and 4 words: half the words of a document is not half its sentences."""
    study = drawn_study()
    order = np.tile([0.0, 1.0, 2.0], 20)
    by_words, by_sentences = (
        draw_curves(study, {"long first": order}, seeds=2, bootstrap=5, by=by)
        for by in ("words", "sentences")
    )
    one, two = (found.curve("long first", "summary").values for found in (by_words, by_sentences))
    assert one[0] == two[0]
    assert one[5] != two[5]
    assert one[-1] == two[-1]
    assert by_words.by == "words"


@pytest.mark.parametrize(
    "given, message",
    [
        ({"orders": {"random": [0.0] * 60}}, "'random' is"),
        ({"orders": {"mine": [0.0] * 59}}, "60 sentences"),
        ({"orders": {}, "seeds": 0}, "at least 1 percentage, 1 seed"),
        ({"orders": {}, "by": "pages"}, "sentences or words, not of 'pages'"),
    ],
)
def test_it_refuses_what_it_cannot_draw(given, message):
    orders = given.pop("orders")
    with pytest.raises(ValueError, match=message):
        draw_curves(drawn_study(), orders, **({"seeds": 1, "bootstrap": 1} | given))


def test_it_names_a_curve_that_is_not_there():
    found = draw_curves(drawn_study(), {}, seeds=1, bootstrap=1)
    with pytest.raises(KeyError, match="oracle, system"):
        found.curve("oracle", "system")


def test_it_knows_true_easiness_by_hand():
    """'A dog ran.' shares 3 of 4 words with its STU: F1 6/7; 'The dog went home.' 2: 4/8."""
    assert true_easiness(toy_texts()) == pytest.approx([1, (6 / 7 + 4 / 8) / 2, 1])


def test_it_knows_true_damage_by_hand():
    """The hard sentence alone changes d1's scores: by 1/3, 2/3 and −2/3, over two documents."""
    tables = SentenceTables.of(toy_study())
    # The easy sentence's STU says what its SCU does, so nothing changes.
    assert true_damage(tables) == pytest.approx([0, (1 / 3 + 2 / 3 + 2 / 3) / 3 / 2, 0])
    uneven = np.abs(np.array([1 / 3, 2 / 3, -2 / 3]) - 1 / 9).mean() / 2
    assert uneven_damage(tables) == pytest.approx([0, uneven, 0])


def test_it_reads_back_the_order_it_writes(tmp_path):
    texts = toy_texts()
    path = tmp_path / "easiness.txt"
    path.write_text("\n".join(order_lines([0.25, float("nan"), 1 / 3], texts.sentences)))
    assert path.read_text() == "0.25\t\n0.3333333333333333"
    found = read_order(path, texts.documents, texts.sentences)
    assert found == pytest.approx([0.25, np.nan, 1 / 3], nan_ok=True)


@pytest.mark.parametrize(
    "text, message",
    [
        ("0.1\t0.2", "There are 1 lines. Expected 2 lines"),
        ("0.1\n0.2", "line 1: 'd1' has 1 values. Expected 2"),
        ("0.1\tx\n0.2", "line 1: 'x' is no"),
    ],
)
def test_it_says_what_is_wrong_with_a_file_of_order(tmp_path, text, message):
    path = tmp_path / "easiness.txt"
    path.write_text(text)
    texts = toy_texts()
    with pytest.raises(ValueError, match=message):
        read_order(path, texts.documents, texts.sentences)


def test_it_knows_the_easiness_of_realsumm(realsumm_dir):
    study = read_study(realsumm_dir)
    found = true_easiness(study.own_texts)
    expected = golden(realsumm_dir, "realsumm.easiness")["value"]
    assert np.nanmean(found) == pytest.approx(expected["mean"], abs=1e-6)
    first = golden(realsumm_dir, "realsumm.easiness.first10")["value"]
    names = [f"{row.document}/{row.place}" for row in study.sentences]
    own = dict(zip(names, found, strict=True))
    assert {name: own[name] for name in first} == pytest.approx(first, abs=1e-6)


def test_people_gain_from_easiness_on_realsumm(realsumm_dir):
    """With an ideal judge, true easiness beats random order on documents, and its reverse loses."""
    study = read_study(realsumm_dir)
    easiness = true_easiness(study.own_texts)
    orders = {"oracle": easiness, "reverse": reverse_order(easiness)}
    found = draw_curves(study, orders, percentages=(0, 25, 50, 75, 100), bootstrap=200)
    assert found.curve("random", "summary").values[-1] == pytest.approx(0.870, abs=0.001)
    assert found.gain("oracle", "summary").area_low > 0
    assert found.gain("oracle", "summary").half == pytest.approx(0.023, abs=0.006)
    assert found.gain("reverse", "summary").area_high < 0
