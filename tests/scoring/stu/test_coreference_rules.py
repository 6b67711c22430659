"""Whom names, pronouns, ages and roles mean, by rule."""

from __future__ import annotations

import pytest

from tests.scoring.stu.parsing import texts

REFERENCES = {
    (
        "Justin Rose finished second.",
        "Rose hopes to build on his display.",
        "He won in 2013.",
    ): [
        "Justin Rose finished second",
        "Justin Rose hopes to build on his display",
        "Justin Rose won in 2013",
    ],
    (
        "Catherine Nevin was jailed for life.",
        "The 62-year-old was seen on the bus.",
        "Ireland's most infamous prisoner murdered her husband.",
    ): [
        "Catherine Nevin was jailed for life",
        "Catherine Nevin was seen on the bus",
        "Catherine Nevin murdered her husband",
        "Catherine Nevin is The 62-year-old",
        "Catherine Nevin is Ireland's most infamous prisoner",
    ],
    ("Ann Lee met Ben Cole in Rome.", "She gave him a key.", "He thanked her."): [
        "Ann Lee met Ben Cole",
        "Ann Lee met in Rome",
        "Ann Lee gave Ben Cole",
        "Ann Lee gave a key",
        "Ben Cole thanked Ann Lee",
    ],
    ("A man was robbed in Leeds.", "He was taken to a clinic."): [
        "A man was robbed in Leeds",
        "A man was taken to a clinic",
    ],
    ("Mr Axelrod was hired by Labour.", "David Axelrod is paid in dollars."): [
        "Mr Axelrod was hired by Labour",
        "David Axelrod is paid in dollars",
    ],
    ("Ann Lee says she will sell her house.",): [
        "Ann Lee says she will sell her house",
        "Ann Lee will sell her house",
    ],
    ("Ben Cole forced her into a car.",): [
        "Ben Cole forced her",
        "Ben Cole forced into a car",
    ],
}


@pytest.mark.parametrize("reference", REFERENCES, ids=lambda reference: reference[-1])
def test_it_unifies(reference: tuple[str, ...]) -> None:
    assert texts(*reference, coref=True) == REFERENCES[reference]


def test_it_leaves_an_age_that_is_said_of_a_noun() -> None:
    found = texts("Ann Lee won gold.", "A 62-year-old man lost his hat.", coref=True)
    assert found == ["Ann Lee won gold", "A 62-year-old man lost his hat"]


def test_it_leaves_another_persons_relative() -> None:
    found = texts("Ann Lee won gold.", "Her husband won silver.", coref=True)
    assert found == ["Ann Lee won gold", "Ann Lee's husband won silver"]


def test_it_changes_nothing_unless_asked() -> None:
    assert texts("Ann Lee won gold.", "She won silver.")[-1] == "She won silver"
