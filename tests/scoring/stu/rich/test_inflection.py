from __future__ import annotations

import pytest

from scoring.stu.rich.inflection import past, present

PAST = {
    "pose": "posed", "win": "won", "admit": "admitted", "plan": "planned", "carry": "carried",
    "play": "played", "put": "put", "visit": "visited", "open": "opened", "be": "was",
}  # fmt: skip
PRESENT = {"carry": "carries", "play": "plays", "teach": "teaches", "have": "has", "be": "is"}


@pytest.mark.parametrize(("lemma", "form"), PAST.items())
def test_it_puts_a_verb_into_the_past(lemma: str, form: str) -> None:
    assert past(lemma) == form


@pytest.mark.parametrize(("lemma", "form"), PRESENT.items())
def test_it_puts_a_verb_into_the_present(lemma: str, form: str) -> None:
    assert present(lemma, is_plural=False) == form


def test_it_leaves_a_verb_of_many_as_it_is() -> None:
    assert present("carry", is_plural=True) == "carry"
    assert present("be", is_plural=True) == "are"
