"""Twins by rule, scenes, and that the probes have none of their words."""

from __future__ import annotations

import json
import random
import re
from importlib.resources import files

import pytest

from scoring.backends.reader.clauses import mix_clauses
from scoring.backends.reader.groups import CONTRADICTION, ENTAILMENT, NEUTRAL, NOT_ENTAILMENT
from scoring.backends.reader.scenes import SCENES, change_facts, draw_facts, scene_groups, slots_of
from scoring.backends.reader.twins import list_twins
from scoring.backends.spacy_parser import SpacyParser


def twins(sentence: str, seeds: int = 6) -> set[tuple[str, str, int]]:
    """Premise, statement and label of all that several seeds make."""
    [doc] = SpacyParser.load().pipeline.pipe([sentence])
    return {
        (twin.premise or sentence, twin.statement, twin.label)
        for seed in range(seeds)
        for twin in list_twins(doc, random.Random(seed))
    }


@pytest.mark.parametrize(
    ("sentence", "statement", "label"),
    [
        ("A man is singing.", "A man is not singing.", CONTRADICTION),
        ("A dog chased a cat.", "A cat was chased by a dog.", ENTAILMENT),
        ("A dog chased a cat.", "A dog was chased by a cat.", NOT_ENTAILMENT),
        ("Three men sat in a boat.", "3 men sat in a boat.", ENTAILMENT),
        ("A tall man sat in a boat.", "A short man sat in a boat.", CONTRADICTION),
        ("A man sat inside a boat.", "A man sat outside a boat.", CONTRADICTION),
        ("A man sat in a red boat.", "A man sat in a boat.", ENTAILMENT),
    ],
)
def test_a_rule_makes_the_twin(sentence: str, statement: str, label: int) -> None:
    found = {
        (said.lower(), found) for premise, said, found in twins(sentence, 12) if premise == sentence
    }
    assert (statement.lower(), label) in found


def test_a_premise_may_be_changed_too() -> None:
    found = twins("The man sold a boat.", 60)
    assert ("The man may sell a boat.", "The man sold a boat.", NEUTRAL) in found
    assert ("The man never sold a boat.", "The man sold a boat.", CONTRADICTION) in found


def test_clauses_change_places() -> None:
    one, two = SpacyParser.load().pipeline.pipe(["A woman sings a song.", "The man left the room."])
    found = {
        (twin.premise, twin.statement, twin.label)
        for seed in range(40)
        for twin in mix_clauses(one, two, random.Random(seed))
    }
    before = "A woman sings a song before the man left the room."
    assert (before, "The man left the room after a woman sings a song.", ENTAILMENT) in found
    assert (before, "A woman sings a song after the man left the room.", NOT_ENTAILMENT) in found


def test_no_statement_is_its_premise() -> None:
    assert all(premise != statement for premise, statement, _ in twins("Two men met in Rome."))


def test_scenes_use_known_slots_and_both_labels() -> None:
    facts = draw_facts(random.Random(0))
    for scene in SCENES:
        for wording in (*scene.full, *scene.short, *scene.opposite):
            assert set(slots_of(wording)) <= set(facts)
    for _, statements in scene_groups(random.Random(1), 50):
        labels = {statement.label for statement in statements}
        assert ENTAILMENT in labels
        assert labels - {ENTAILMENT}


def test_one_fact_changes() -> None:
    rng = random.Random(3)
    facts = draw_facts(rng)
    changed = change_facts(facts, "place1", rng)
    assert {slot for slot in facts if facts[slot] != changed[slot]} == {"place1"}


def read(package: str, name: str) -> dict:
    return json.loads(files(package).joinpath(name).read_text(encoding="utf-8"))


def words(values: object) -> set[str]:
    return set(re.findall(r"[a-z-]{4,}", json.dumps(values).lower()))


def test_probes_share_no_filler_with_training() -> None:
    probes = read("scoring.judge", "probes.json")["fillers"]
    scenes = read("scoring.backends.reader", "scenes.json")
    trained = words([scenes["first"], scenes["last"], scenes["fillers"]])
    assert not words(probes) & trained


def test_probes_share_no_wording_with_training() -> None:
    slot = re.compile(r"\{\w+\}|[^a-z{} ]")

    def plain(wording: str) -> str:
        return " ".join(slot.sub(" ", wording.lower()).split())

    probes = read("scoring.judge", "probes.json")["wordings"].values()
    asked = {plain(text) for group in probes for row in group for text in row.values()}
    scenes = read("scoring.backends.reader", "scenes.json")["scenes"]
    trained = {plain(text) for scene in scenes for k in ("full", "short") for text in scene[k]}
    long = {text for text in asked & trained if len(text.split()) > 3}
    assert not long
