"""The facts that sentences hold, by rule: what must be among the candidates, and what must not."""

from __future__ import annotations

import pytest

from tests.scoring.stu.rich.candidates import facts

NOUNS = {
    "Norway goalkeeper Erik Lund has joined a club on a short loan.": [
        "Erik Lund is a Norway goalkeeper.",
        "Erik Lund is from Norway.",
        "Erik Lund is a goalkeeper.",
        "Erik Lund is the goalkeeper of Norway.",
        "The loan is short.",
    ],
    "The mayor, a former teacher, opened the bridge in Ammer on Friday.": [
        "The mayor is a former teacher.",
        "The mayor is a teacher.",
        "The incident happened in Ammer.",
    ],
    "A 34-year-old woman has died in hospital.": ["The woman is 34 years old."],
    "Anna Berg, 41, sold the mill.": ["Anna Berg is 41 years old."],
    "Spain's biggest bank has closed a branch.": [
        "The bank is Spain's.",
        "The bank is from Spain.",
        "Spain has a biggest bank.",
    ],
    "Five teenagers have been sentenced.": ["There are five teenagers."],
    "Divers found the wreck in a lake near the town of Ulm.": [
        "The lake is near the town of Ulm.",
        "Ulm is a town.",
    ],
}
CLAUSES = {
    "The mayor opened the bridge in Ammer on Friday.": [
        "The mayor opened the bridge.",
        "The mayor opened the bridge in Ammer.",
        "The mayor opened the bridge on Friday.",
        "The mayor opened the bridge in Ammer on Friday.",
    ],
    "A woman who was hurt in a crash has died in hospital.": [
        "A woman has died.",
        "The woman was hurt in a crash.",
        "A woman has died in hospital.",
    ],
    "A bomb confiscated by the army exploded in the yard.": [
        "The bomb was confiscated by the army.",
        "A bomb exploded in the yard.",
    ],
    "Anna Berg sold the mill and moved to Oslo after winning a prize.": [
        "Anna Berg sold the mill.",
        "Anna Berg moved to Oslo.",
        "Anna Berg won a prize.",
    ],
    "The minister has promised to cut taxes and raise pensions.": [
        "The minister has promised to cut taxes.",
        "The minister has promised to raise pensions.",
    ],
    "Rain and wind damaged the roof of the chapel.": [
        "Rain and wind damaged the roof of the chapel.",
        "Rain damaged the roof.",
        "Wind damaged the roof.",
    ],
    "Experts warned that hoax calls can cost lives.": [
        "Experts warned that hoax calls can cost lives.",
        "Hoax calls can cost lives.",
        "Experts warned this.",
    ],
    "The farmer asked his neighbours not to feed the wolves.": [
        "The farmer asked his neighbours not to feed the wolves.",
    ],
    "Five teenagers have been sentenced after admitting a theft.": [
        "Five teenagers have been sentenced.",
        "Five teenagers admitted a theft.",
    ],
}
UNSAID = {
    # A denial is never left out, nor is a supposition or an intention told as a fact.
    "The council will no longer pay for the ferry.": "The council will pay for the ferry.",
    "The nurse has never met the surgeon.": "The nurse has met the surgeon.",
    "If the dam breaks, the village must be evacuated.": "The dam breaks.",
    "More should be done to help deaf people.": "More helped deaf people.",
    "A doctor kept the boxer from returning to the ring.": "The boxer returned to the ring.",
    "The minister has promised to cut taxes.": "The minister has promised.",
    "A charity has said more help is needed.": "A charity has said.",
    "The former mayor sold the mill.": "The mayor is former.",
}


@pytest.mark.parametrize("sentence", [*NOUNS, *CLAUSES])
def test_it_finds_the_facts_of_a_sentence(sentence: str) -> None:
    wanted = {**NOUNS, **CLAUSES}[sentence]
    assert set(wanted) <= facts(sentence).keys()


@pytest.mark.parametrize(("sentence", "unsaid"), UNSAID.items())
def test_it_does_not_say_what_the_sentence_does_not(sentence: str, unsaid: str) -> None:
    found = facts(sentence)
    assert found
    assert unsaid not in found


def test_it_names_the_rule_of_each_fact() -> None:
    found = facts("Norway goalkeeper Erik Lund, 22, was signed by a club in Ammer.")
    assert found["Erik Lund is from Norway."] == "origin"
    assert found["Erik Lund is 22 years old."] == "age"
    assert found["Erik Lund was signed by a club."] == "agent"


def test_it_makes_the_sentence_its_own_fact_where_no_rule_applies() -> None:
    assert facts("Quite wonderful!") == {"Quite wonderful.": "whole"}


def test_it_makes_nothing_of_nothing() -> None:
    assert facts("") == {}


def test_it_says_each_fact_once() -> None:
    sentence = "The ferry sank near the harbour and the crew of the ferry swam to the harbour."
    found = [sorted(text.lower().rstrip(".").split()) for text in facts(sentence)]
    assert len(found) == len({tuple(words) for words in found})


def test_it_reads_mentions_as_names() -> None:
    found = facts(
        "Ann Lee opened a shop in Rome.",
        "The 26-year-old has sold her house.",
        "Was seen at the airport with a friend.",
        coref=True,
    )
    assert found["Ann Lee is 26 years old."] == "age"
    assert found["Ann Lee has sold her house."]
    assert found["Ann Lee has a house."] == "has"
    assert found["Ann Lee was seen at the airport."]


def test_it_leaves_mentions_alone_without_coreference() -> None:
    found = facts("Ann Lee opened a shop in Rome.", "She has sold her house.")
    assert "She has sold her house." in found
    assert "Ann Lee has sold her house." not in found
