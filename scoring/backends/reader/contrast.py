"""Contrast for the trees of the reader: units changed by rule, and invented texts.

Presence labels alone don't show what a contradiction is: people rarely meet one. So the trees also
learn from twins of units that people found present, each in its summary in the unit's place, and
from scenes, in which one statement is asked at a time.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from scoring.backends.reader.corpus import embed
from scoring.backends.reader.groups import ENTAILMENT, Labelled
from scoring.backends.reader.scenes import scene_groups
from scoring.backends.reader.tables import Twin
from scoring.backends.reader.twins import list_twins
from scoring.backends.spacy_parser import SpacyParser
from scoring.finetune.data import TrainingRecord
from scoring.judge.protocol import Question

TWINS_OF_ONE = 3  # units of a summary that are replaced
SCENES, ASKED = 300, 3  # invented texts, and statements asked of each
SHARE = 0.4  # of the summaries
OF_UNITS, OF_SCENES = 0.5, 3.0  # weights
SEED = 4097  # not that of the network's training


@dataclass(frozen=True, slots=True)
class Contrast:
    """A question, and labels of some of its units; -1 for the others.

    `weight` is what each of them counts, where a label of people counts 1.
    """

    question: Question
    labels: tuple[int, ...]
    weight: float


def list_contrasts(records: Sequence[TrainingRecord]) -> list[Contrast]:
    """The same for the same records, in whatever order."""
    drawn = [record for record in records if _number(record) < SHARE]
    found = [one for record in drawn if (one := change_units(record)) is not None]
    return [*found, *ask_scenes()]


def _number(record: TrainingRecord) -> float:
    return random.Random(f"{record.document}\t{record.system}").random()


@lru_cache(maxsize=100_000)
def _twins(unit: str) -> tuple[Twin, ...]:
    [doc] = SpacyParser.load().pipeline.pipe([unit])
    found = list_twins(doc, random.Random(unit))
    return tuple(twin for twin in found if not twin.premise and twin.statement.strip())


def change_units(record: TrainingRecord) -> Contrast | None:
    """A summary whose units are the same but for some that were present."""
    rng = random.Random(f"{record.summary}\t{record.document}")
    present = [place for place, label in enumerate(record.labels) if label == 1]
    units, labels = list(record.units), [-1] * len(record.units)
    for place in rng.sample(present, min(TWINS_OF_ONE, len(present))):
        wanted = rng.random() < 0.35
        twins = [
            twin for twin in _twins(record.units[place]) if (twin.label == ENTAILMENT) == wanted
        ]
        if twins:
            units[place] = rng.choice(twins).statement
            labels[place] = int(wanted)
    if max(labels) < 0:
        return None
    return Contrast(Question(record.summary, tuple(units)), tuple(labels), OF_UNITS)


@lru_cache(maxsize=1)
def ask_scenes() -> tuple[Contrast, ...]:
    return tuple(_ask_scenes(random.Random(SEED)))


def _ask_scenes(rng: random.Random) -> Iterator[Contrast]:
    scenes = list(scene_groups(rng, SCENES))
    told = [premise for premise, _ in scenes]
    pipeline = SpacyParser.load().pipeline
    for (premise, statements), doc in zip(scenes, pipeline.pipe(told), strict=True):
        for statement in rng.sample(statements, min(ASKED, len(statements))):
            yield _ask(premise, statement, told, rng)
        twins = list_twins(doc, rng)
        for twin in rng.sample(twins, min(ASKED, len(twins))):
            statement = Labelled(twin.statement, twin.label)
            yield _ask(twin.premise or premise, statement, told, rng)


def _ask(premise: str, said: Labelled, others: Sequence[str], rng: random.Random) -> Contrast:
    question = Question(embed(premise, others, rng), (said.text,))
    return Contrast(question, (int(said.label == ENTAILMENT),), OF_SCENES)
