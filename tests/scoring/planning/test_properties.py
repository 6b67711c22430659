"""What holds of every mixture, simulation and frontier, whatever is given."""

from __future__ import annotations

from collections import Counter
from decimal import Decimal

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.planning.components import Components, at_least_zero
from scoring.planning.curves import draw_curves
from scoring.planning.mix import SCU, choose_share, reverse_order, take_units
from scoring.planning.orders import random_order
from scoring.planning.plans import Budget, Goal, StudySize, find_plans, keep_best
from scoring.planning.prices import Prices, price_hits
from scoring.planning.priors import list_priors, load_prior
from scoring.planning.quote import quote_systems
from scoring.planning.simulation import Design, Simulator
from scoring.planning.study import SentenceUnits, UnitTexts
from scoring.planning.tables import SentenceTables
from tests.scoring.planning.toys import drawn_study, plan_of

shares = st.floats(0, 100)


@st.composite
def unit_texts(draw):
    """Up to three documents whose sentences have any number of SCUs and STUs, none included."""
    documents, sentences, scus, stus = [], [], [], []
    for number in range(draw(st.integers(1, 3))):
        name = f"d{number}"
        counts = draw(
            st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2)), min_size=1, max_size=4)
        )
        own: list[list[str]] = [[], []]
        for place, pair in enumerate(counts):
            places = []
            for kind, count in enumerate(pair):
                start = len(own[kind])
                own[kind] += [f"{name}-{place}-{kind}-{i}" for i in range(count)]
                places.append(tuple(range(start, start + count)))
            sentences.append(SentenceUnits(name, place, "words " * (place + 1), *places))
        documents.append(name)
        scus.append(tuple(own[0]))
        stus.append(tuple(own[1]))
    return UnitTexts(tuple(documents), tuple(sentences), tuple(scus), tuple(stus))


def has_units(texts):
    return all(one or two for one, two in zip(texts.scus, texts.stus, strict=True))


@given(unit_texts().filter(has_units), shares, st.integers(0, 9))
def test_a_mixture_has_no_unit_twice_and_no_document_bare(texts, share, seed):
    order = random_order(len(texts.sentences), seed)
    mix = take_units(texts, choose_share(order, share))
    for place, row in enumerate(mix.units):
        assert row
        assert max(Counter(unit.text for unit in row).values()) == 1
        known = {*texts.scus[place], *texts.stus[place]}
        assert {unit.text for unit in row} <= known


@given(unit_texts().filter(has_units), shares, st.integers(0, 9))
def test_a_sentence_has_units_of_one_kind(texts, share, seed):
    mix = take_units(texts, choose_share(random_order(len(texts.sentences), seed), share))
    way = {
        (row.document, row.place): gave
        for row, gave in zip(texts.sentences, mix.gave_way, strict=True)
    }
    for name, units in zip(mix.documents, mix.units, strict=True):
        if any(way[name, unit.sentence] == (unit.kind == SCU) for unit in units):
            # Only a document that would have been left bare has units against the choice.
            own = [row for row in texts.sentences if row.document == name]
            assert not any(row.stus if way[name, row.place] else row.scus for row in own)


@given(shares, st.integers(0, 20))
def test_an_order_and_its_reverse_share_out_all_sentences(share, seed):
    order = random_order(30, seed)
    one, two = choose_share(order, share), choose_share(reverse_order(order), 100 - share)
    assert abs(int(one.sum()) + int(two.sum()) - 30) <= 1
    assert int((one & two).sum()) <= 1


@given(st.lists(st.floats(-1, 1), min_size=9, max_size=9))
def test_the_nearest_covariance_is_one(values):
    found = at_least_zero(np.reshape(values, (3, 3)))
    assert np.linalg.eigvalsh(found).min() >= -1e-12
    assert found == pytest.approx(found.T)


@given(st.sampled_from(list_priors()), shares)
def test_shipped_covariances_are_ones_at_every_percentage(prior, share):
    for components in (prior.best, *prior.replicates):
        for table in components.at(share):
            assert np.linalg.eigvalsh(table).min() >= -1e-9
        scus, stus = components.units_at(share)
        assert scus >= 0 <= stus


@given(
    st.floats(0, 100),
    st.integers(1, 40),
    st.floats(0, 1),
    st.integers(1, 5),
    st.booleans(),
)
@settings(max_examples=20)
def test_every_design_gives_figures_that_can_be(percentage, examples, share, judges, corrected):
    prior = load_prior()
    simulator = Simulator([prior.best, *prior.replicates[:2]], examples=40, systems=5, rounds=20)
    people = round(share * examples)
    found = simulator.run(Design(percentage, examples, people, judges, corrected))
    assert -1 <= found.correlation.low <= found.correlation.value <= found.correlation.high <= 1
    assert 0 < found.width.low <= found.width.value <= found.width.high
    assert 0 <= found.power.low <= found.power.value <= found.power.high <= 1


def test_systems_that_do_not_differ_have_no_correlation():
    flat = np.zeros((2, 3, 3))
    components = Components(flat, flat, flat, (1.0, 0.0), (0.0, 1.0), 1.0, 0.0, 0.0, (0.0, 100.0))
    found = Simulator([components], examples=5, systems=3, rounds=5).run(Design(0, 5, 0, 0))
    assert np.isnan(found.correlation.value)
    assert found.width.value == 0


figures = st.tuples(
    st.integers(0, 3),
    st.integers(0, 3),
    st.sampled_from([0.8, 0.9, 0.95]),
    st.sampled_from([0.1, 0.2]),
)


@given(st.lists(figures, min_size=1, max_size=12))
@settings(max_examples=30)
def test_a_frontier_beats_what_it_drops(rows):
    plans = [plan_of(str(number), *row) for number, row in enumerate(rows)]
    kept = keep_best(plans, Goal(width=0.1))
    assert kept
    for found in plans:
        assert any(
            other.money <= found.money
            and other.hours <= found.hours
            and other.correlation >= found.correlation
            and other.width <= found.width
            for other in kept
        )
    for one in kept:
        for two in (other for other in kept if other is not one):
            is_cheaper = one.money < two.money or one.hours < two.hours
            assert is_cheaper or one.correlation > two.correlation or one.width < two.width


@given(st.decimals(0, 300, places=2), st.floats(0, 10))
@settings(max_examples=5)
def test_no_budget_is_ever_overdrawn(money, hours):
    found = find_plans(
        StudySize(10, 3), load_prior(), budget=Budget(money, hours), judges=(1, 3), rounds=2
    )
    assert found.plans
    assert all(row.money <= money and row.hours <= hours + 1e-6 for row in found.plans)
    assert all(row.money == row.rewards + row.fees for row in found.plans)


@given(st.lists(st.integers(0, 60), max_size=8), st.integers(1, 12), st.integers(1, 4))
def test_a_quote_adds_up(units, judges, systems):
    prices = Prices(reward=Decimal("0.20"))
    found = quote_systems(units, systems=systems, judges=judges, prices=prices)
    assert found.assignments == found.hits * judges
    assert found.total == found.assignments * (Decimal("0.20") + prices.fee(judges))
    one_by_one = sum(
        (quote_systems([unit], judges=judges, prices=prices).total for unit in units), Decimal(0)
    )
    assert found.total == one_by_one * systems


@given(st.integers(0, 1000), st.integers(1, 20))
def test_ten_judges_cost_more_than_ten_times_one(hits, judges):
    one, many = (price_hits(Prices(), hits, hits, number).total for number in (1, judges))
    factor = Decimal("0.21") / Decimal("0.18") if judges >= 10 else 1
    assert many == pytest.approx(one * judges * factor)


@pytest.mark.parametrize("seed", range(3))
def test_curves_meet_at_both_ends_in_any_study(seed):
    study = drawn_study(documents=8, systems=5, seed=seed)
    orders = {f"o{number}": random_order(24, number) for number in range(3)}
    found = draw_curves(study, orders, percentages=(0, 30, 100), seeds=3, bootstrap=10, seed=seed)
    for level in ("system", "summary"):
        for measure in ("pearson", "kendall"):
            curves = [found.curve(name, level, measure).values for name in ("random", *orders)]
            assert len({round(values[0], 9) for values in curves}) == 1
            assert len({round(values[-1], 9) for values in curves}) == 1


@given(st.integers(0, 50))
@settings(max_examples=10)
def test_scores_of_mixtures_lie_between_0_and_1(seed):
    tables = SentenceTables.of(drawn_study(documents=4, seed=seed))
    way = np.random.default_rng(seed).random((5, 12)) < 0.5
    scores = tables.score(way)
    assert scores.shape == (5, 4, 8)
    assert scores.min() >= 0
    assert scores.max() <= 1
