"""The reader's training data: published pairs, rule-made twins of their sentences, and scenes."""

from __future__ import annotations

import json
import random
from collections.abc import Iterable, Iterator, Sequence
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any

from spacy.tokens import Doc

from scoring.backends.reader.clauses import mix_clauses
from scoring.backends.reader.groups import (
    CONTRADICTION,
    ENTAILMENT,
    NEUTRAL,
    NOT_ENTAILMENT,
    Group,
    Labelled,
)
from scoring.backends.reader.scenes import scene_groups
from scoring.backends.reader.tables import Twin
from scoring.backends.reader.twins import list_twins
from scoring.backends.spacy_parser import SpacyParser
from scoring.sentences import split_sentences

FOLDER = "entailment"
LABELS = {
    "entailment": ENTAILMENT,
    "neutral": NEUTRAL,
    "contradiction": CONTRADICTION,
    "not-entailment": NOT_ENTAILMENT,
}
MOST = 7  # statements of a group
HELD_OUT_PREMISES = 16  # of SummEdits, for watching the training


def read_lines(data: Path, name: str) -> list[dict[str, Any]]:
    path = data / FOLDER / f"{name}.jsonl"
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def make_groups(data: Path, seed: int, sizes: dict[str, int]) -> list[Group]:
    """All groups, in one random order; the same for the same seed and files."""
    rng = random.Random(seed)
    snli = read_lines(data, "snli_subset")
    edits = read_lines(data, "summary_edits")
    points = read_lines(data, "argument_key_points")
    groups = [
        *merge(snli, "snli"),
        *edited(edits),
        *merge(rng.sample(read_lines(data, "veridicality"), sizes["veridicality"]), "veridicality"),
        *merge(choose_points(points, rng, sizes["points"]), "points"),
    ]
    premises = sorted({row["premise"] for row in snli})
    arguments = [
        text for text in sorted({row["premise"] for row in points}) if 6 < len(text.split()) < 26
    ]
    rng.shuffle(premises)
    rng.shuffle(arguments)
    texts = [[line] for line in premises[: sizes["captions"]]]
    texts += [cut_sentences(text) for text in sorted({row["premise"] for row in edits})] * 3
    texts += [[line[0].upper() + line[1:]] for line in arguments[: sizes["arguments"]]]
    scenes = list(scene_groups(rng, sizes["scenes"]))
    told = [premise for premise, _ in scenes]
    others = [*premises, *told]
    groups += twin_groups(texts, others, rng)
    groups += twin_groups([[text] for text in told[: sizes["told"]]], told, rng)
    groups += [
        Group(embed(premise, told, rng), tuple(statements), "scenes")
        for premise, statements in scenes
    ]
    rng.shuffle(groups)
    return groups


def merge(rows: Iterable[dict[str, Any]], source: str) -> Iterator[Group]:
    """Statements with the same premise are read together."""
    by_premise: dict[str, list[Labelled]] = {}
    for row in rows:
        label = (
            LABELS[row["label"]]
            if "label" in row
            else (ENTAILMENT if row["present"] else NOT_ENTAILMENT)
        )
        by_premise.setdefault(row["premise"], []).append(Labelled(row["hypothesis"], label))
    for premise, statements in by_premise.items():
        for start in range(0, len(statements), MOST):
            yield Group(premise, tuple(statements[start : start + MOST]), source)


def choose_points(
    rows: Sequence[dict[str, Any]], rng: random.Random, most: int
) -> list[dict[str, Any]]:
    """As many key points that are absent as present ones."""
    present = [row for row in rows if row["present"]]
    absent = [row for row in rows if not row["present"]]
    return rng.sample(present, min(most, len(present))) + rng.sample(absent, most)


def edited(rows: Sequence[dict[str, Any]]) -> Iterator[Group]:
    """The sentences that an edit changed, asked of the whole original."""
    premises = sorted({row["premise"] for row in rows})
    watched = set(premises[:HELD_OUT_PREMISES])
    for premise in premises:
        found: dict[str, int] = {}
        for row in rows:
            if row["premise"] == premise:
                for sentence in changed_sentences(premise, row["hypothesis"]):
                    found.setdefault(sentence, label_edit(row))
        statements = [Labelled(text, label) for text, label in found.items()]
        source = "watched" if premise in watched else "edits"
        for start in range(0, len(statements), MOST):
            yield Group(premise, tuple(statements[start : start + MOST]), source)


def label_edit(row: dict[str, Any]) -> int:
    return ENTAILMENT if row["consistent"] else NOT_ENTAILMENT


def changed_sentences(before: str, after: str) -> list[str]:
    """Of a text with one changed sentence or more, those; of one that changed all over, all."""
    kept = set(cut_sentences(before))
    found = [sentence for sentence in cut_sentences(after) if sentence not in kept]
    close = [
        sentence
        for sentence in found
        if max((SequenceMatcher(None, sentence, one).ratio() for one in kept), default=0) < 1
    ]
    # Several changed sentences of an inconsistent text: which of them is false isn't known.
    return close if len(close) == 1 else ([after] if len(after.split()) < 60 else [])


def cut_sentences(text: str) -> list[str]:
    return [text[start:end] for start, end in split_sentences(text)]


def twin_groups(
    texts: Sequence[Sequence[str]], others: Sequence[str], rng: random.Random
) -> Iterator[Group]:
    """Each sentence with its twins, half of the time within other sentences."""
    pipeline = SpacyParser.load().pipeline
    flat = [(number, sentence) for number, text in enumerate(texts) for sentence in text]
    before: Doc | None = None
    for doc, number in pipeline.pipe(((text, number) for number, text in flat), as_tuples=True):
        if not 4 <= len(doc) <= 40:
            continue
        twins = list_twins(doc, rng)
        if before is not None and rng.random() < 0.5:
            twins += list(mix_clauses(before, doc, rng))
        before = doc
        own = [sentence for sentence in texts[number] if sentence != doc.text] or others
        yield from pack_twins(doc.text, twins, own, others, rng)


def pack_twins(
    text: str, twins: Sequence[Twin], near: Sequence[str], far: Sequence[str], rng: random.Random
) -> Iterator[Group]:
    """A group for the sentence itself, and one for each premise that a rule made of it."""
    own = [Labelled(twin.statement, twin.label) for twin in twins if not twin.premise]
    rng.shuffle(own)
    own = balance(own, rng)
    own.append(
        Labelled(text, ENTAILMENT) if rng.random() < 0.3 else Labelled(rng.choice(far), NEUTRAL)
    )
    yield Group(embed(text, near, rng), tuple(own[:MOST]), "twins")
    by_premise: dict[str, list[Labelled]] = {}
    for twin in twins:
        if twin.premise:
            by_premise.setdefault(twin.premise, []).append(Labelled(twin.statement, twin.label))
    chosen = rng.sample(sorted(by_premise), min(3, len(by_premise)))
    for premise in chosen:
        statements = [*by_premise[premise]]
        if rng.random() < 0.4:
            statements.append(Labelled(premise, ENTAILMENT))
        yield Group(embed(premise, near, rng, 0.25), tuple(statements), "twins")


def balance(statements: Sequence[Labelled], rng: random.Random) -> list[Labelled]:
    """No more false ones than true ones, plus two."""
    true = [one for one in statements if one.label == ENTAILMENT][:4]
    false = [one for one in statements if one.label != ENTAILMENT][: len(true) + 2]
    found = [*true, *false]
    rng.shuffle(found)
    return found


def embed(text: str, others: Sequence[str], rng: random.Random, share: float = 0.5) -> str:
    """The text alone, or between one or two other sentences."""
    if rng.random() > share:
        return text
    around = (
        rng.sample(list(others), min(len(others), rng.choice((1, 2))))
        if len(others) < 50
        else [rng.choice(others) for _ in range(rng.choice((1, 2)))]
    )
    parts = [*around, text]
    rng.shuffle(parts)
    whole = " ".join(part if part.rstrip()[-1:] in ".!?" else part + "." for part in parts)
    return whole.lower() if rng.random() < 0.15 else whole
