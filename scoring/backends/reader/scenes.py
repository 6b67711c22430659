"""Invented events with their facts, each told in several ways, for training the reader.

A scene has slots. All its full wordings say the same of the same facts, and its short wordings say
less. So any other wording of the same facts follows from a text, and a wording of changed facts
doesn't. The names, words and wordings of the probes are others; a test compares them.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

from scoring.backends.reader.groups import CONTRADICTION, ENTAILMENT, NOT_ENTAILMENT, Labelled

_DATA: dict[str, Any] = json.loads(
    files("scoring.backends.reader").joinpath("scenes.json").read_text(encoding="utf-8")
)
FIRST: list[str] = _DATA["first"]
LAST: list[str] = _DATA["last"]
NTHS: list[str] = _DATA["nths"]
# Slots whose fillers can be told apart, with the list that each is filled from.
FILLERS: dict[str, list[str]] = _DATA["fillers"]


@dataclass(frozen=True, slots=True)
class Scene:
    """`swaps` are pairs of slots whose exchange is another fact; `opposite` denies all of it."""

    full: tuple[str, ...]
    short: tuple[str, ...]
    opposite: tuple[str, ...] = ()
    swaps: tuple[tuple[str, str], ...] = ()


SCENES = tuple(
    Scene(
        tuple(row["full"]),
        tuple(row["short"]),
        tuple(row["opposite"]),
        tuple((one, two) for one, two in row["swaps"]),
    )
    for row in _DATA["scenes"]
)


def draw_facts(rng: random.Random) -> dict[str, str]:
    """A filler for every slot; the two slots of a kind are never the same."""
    facts: dict[str, str] = {"thing0": rng.choice(("ferry", "ship", "yacht")), "role0": "a king"}
    for kind, fillers in FILLERS.items():
        facts[f"{kind}1"], facts[f"{kind}2"] = rng.sample(fillers, 2)
    for slot in ("person1", "person2"):
        facts[slot] = draw_person(rng)
    low, high = sorted(rng.sample(range(13, 400), 2))
    facts |= {"n1": str(low), "n2": str(high), "age1": str(rng.randint(18, 89))}
    facts |= {"year1": str(rng.randint(1950, 2019)), "nth1": rng.choice(NTHS)}
    facts["score"] = f"{rng.randint(3, 6)}-{rng.randint(0, 2)}"
    return facts


def draw_person(rng: random.Random) -> str:
    last = rng.choice(LAST)
    return last if rng.random() < 0.3 else f"{rng.choice(FIRST)} {last}"


def change_facts(facts: dict[str, str], slot: str, rng: random.Random) -> dict[str, str]:
    """The same facts but for one slot."""
    other = draw_facts(rng)
    while other[slot] == facts[slot] or set(other[slot].split()) & set(facts[slot].split()) - {
        "the"
    }:
        other = draw_facts(rng)
    return facts | {slot: other[slot]}


def slots_of(wording: str) -> list[str]:
    return [part.split("}")[0] for part in wording.split("{")[1:]]


def tell(wording: str, facts: dict[str, str]) -> str:
    said = wording.format(**facts)
    return said[0].upper() + said[1:] + "."


def scene_groups(rng: random.Random, count: int) -> Iterator[tuple[str, list[Labelled]]]:
    """Sentences, each with wordings that follow from it and wordings that don't."""
    for _ in range(count):
        scene = rng.choice(SCENES)
        facts = draw_facts(rng)
        premise = rng.choice(scene.full)
        yield tell(premise, facts), _ask(scene, premise, facts, rng)


def _ask(scene: Scene, premise: str, facts: dict[str, str], rng: random.Random) -> list[Labelled]:
    """Two or three that are true and about as many that are false."""
    others = [wording for wording in scene.full if wording != premise]
    trues = [*rng.sample(scene.short, min(2, len(scene.short))), rng.choice(others)]
    found = [Labelled(tell(wording, facts), ENTAILMENT) for wording in trues]
    wordings = [*scene.full, *scene.short]
    for _ in range(2):
        wording = rng.choice(wordings)
        slots = [slot for slot in slots_of(wording) if slot not in ("thing0", "role0")]
        if slots:
            changed = change_facts(facts, rng.choice(slots), rng)
            found.append(Labelled(tell(wording, changed), NOT_ENTAILMENT))
    for one, two in scene.swaps:
        both = [wording for wording in wordings if {one, two} <= set(slots_of(wording))]
        swapped = facts | {one: facts[two], two: facts[one]}
        found.append(Labelled(tell(rng.choice(both), swapped), CONTRADICTION))
    if scene.opposite:
        found.append(Labelled(tell(rng.choice(scene.opposite), facts), CONTRADICTION))
    rng.shuffle(found)
    return found
