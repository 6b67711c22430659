"""Merging: units of different references that say the same are proposed as one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.merging import Cluster, UnitText, propose_clusters, pyramid_tiers

BRIDGE = [
    UnitText("a1", 0, "The old bridge over the Elbe collapsed on Monday."),
    UnitText("a2", 0, "Two cyclists were rescued from the river."),
    UnitText("a3", 0, "Mayor Anna Wood promised a new bridge."),
    UnitText("b1", 1, "A bridge over the Elbe collapsed."),
    UnitText("b2", 1, "Three cyclists were rescued from the river."),
    UnitText("b3", 1, "Nobody was killed."),
    UnitText("c1", 2, "On Monday, the bridge across the Elbe collapsed in seconds."),
    UnitText("c2", 2, "Mayor Paul Reed promised a new bridge."),
    UnitText("c3", 2, "Cyclists were not rescued from the river."),
]


def test_it_brings_the_same_meaning_together() -> None:
    (cluster,) = propose_clusters(BRIDGE)
    assert cluster.members == ("a1", "b1", "c1")
    assert cluster.label == "The old bridge over the Elbe collapsed on Monday."
    assert 0.3 <= cluster.score <= 1


@pytest.mark.parametrize(
    "one, other, is_proposed",
    [
        ("Porto lost.", "Porto lost the match.", True),
        ("The agreement was signed.", "They signed and agreed.", True),
        ("Two cyclists were rescued.", "Three cyclists were rescued.", False),
        ("Two cyclists were rescued.", "2 cyclists were rescued.", True),
        ("Two cyclists were rescued.", "Cyclists were rescued.", True),
        ("The game was won by Porto.", "The game was won by Benfica.", False),
        ("The game was won by FC Porto.", "The game was won by Porto.", True),
        ("Porto won the game.", "Porto never won the game.", False),
        ("Rain fell.", "Snow melted.", False),
        ("", "", False),
    ],
)
def test_it_minds_numbers_names_and_denials(one: str, other: str, is_proposed: bool) -> None:
    rest = [UnitText("x", 0, "Prices rose."), UnitText("y", 1, "Taxes sank.")]
    found = propose_clusters([UnitText("1", 0, one), UnitText("2", 1, other), *rest])
    assert [cluster.members for cluster in found] == ([("1", "2")] if is_proposed else [])


def test_it_never_merges_units_of_one_reference() -> None:
    assert propose_clusters([UnitText("1", 0, "Rain fell."), UnitText("2", 0, "Rain fell.")]) == []


def test_it_does_not_take_a_capital_for_a_name_that_others_write_small() -> None:
    units = [
        UnitText("1", 0, "Author Wally Lamb appeared on the show."),
        UnitText("2", 1, "The novelist and author Wally Lamb appeared on the Oprah Show."),
        UnitText("3", 2, "Guests talked about life."),
    ]
    assert [cluster.members for cluster in propose_clusters(units)] == [("1", "2")]


def test_it_labels_a_cluster_by_its_shortest_full_member() -> None:
    units = [
        UnitText("1", 0, "The bridge collapsed on Monday, early in the morning."),
        UnitText("2", 1, "The bridge collapsed on Monday."),
        UnitText("3", 2, "The bridge collapsed."),
    ]
    (cluster,) = propose_clusters(units)
    assert (cluster.members, cluster.label) == (("1", "2", "3"), "The bridge collapsed on Monday.")


def test_it_puts_the_surest_first() -> None:
    units = [
        UnitText("1", 0, "The bridge collapsed on Monday morning."),
        UnitText("2", 1, "A bridge collapsed in seconds."),
        UnitText("3", 0, "Cyclists were rescued."),
        UnitText("4", 1, "Cyclists were rescued."),
    ]
    first, second = propose_clusters(units)
    assert first == Cluster(("3", "4"), 1.0, "Cyclists were rescued.")
    assert second.members == ("1", "2")
    assert second.score < 1


def test_it_refuses_an_id_that_comes_twice() -> None:
    with pytest.raises(ValueError, match="the id '1' belongs to two units"):
        propose_clusters([UnitText("1", 0, "a"), UnitText("1", 1, "b")])


WORDS = st.lists(
    st.sampled_from(["rain", "snow", "fell", "Rome", "Paris", "two", "not", "7"]), max_size=5
)


@given(st.lists(st.tuples(st.integers(0, 3), WORDS), max_size=12))
def test_it_holds_what_it_promises(given: list[tuple[int, list[str]]]) -> None:
    units = [
        UnitText(str(number), reference, " ".join(words))
        for number, (reference, words) in enumerate(given)
    ]
    clusters = propose_clusters(units)
    assert clusters == propose_clusters(units)
    by_id = {unit.id: unit for unit in units}
    members = [member for cluster in clusters for member in cluster.members]
    assert len(members) == len(set(members))
    for cluster in clusters:
        references = [by_id[member].reference for member in cluster.members]
        assert len(references) == len(set(references)) >= 2
        assert cluster.label in {by_id[member].text for member in cluster.members}
    scores = [cluster.score for cluster in clusters]
    assert scores == sorted(scores, reverse=True)
    assert all(0 < score <= 1 + 1e-9 for score in scores)


@pytest.mark.parametrize(
    "weights, expected",
    [([], []), ([1], [1]), ([4, 3, 3, 1], [1, 2, 0, 1]), ([2, 2], [2, 0])],
)
def test_it_counts_tiers_from_the_top(weights: list[int], expected: list[int]) -> None:
    assert pyramid_tiers(weights) == expected


def test_it_refuses_a_weight_below_one() -> None:
    with pytest.raises(ValueError, match="a weight is 0"):
        pyramid_tiers([1, 0])
