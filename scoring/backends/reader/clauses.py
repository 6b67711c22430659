"""Twins of whole clauses: what is said around one, and how two are joined."""

from __future__ import annotations

import random
from collections.abc import Iterator

from spacy.tokens import Doc

from scoring.backends.reader.groups import ENTAILMENT as E
from scoring.backends.reader.groups import NEUTRAL as N
from scoring.backends.reader.groups import NOT_ENTAILMENT as X
from scoring.backends.reader.phrases import child, find_root, span_of
from scoring.backends.reader.tables import FRAMES, ORDERS, SUBJECTS, Twin


def frame(doc: Doc, rng: random.Random) -> Iterator[Twin]:
    if find_root(doc) is None or len(doc) > 30:
        return
    body = doc.text.rstrip(" .!")
    if doc[0].ent_type_ == "" and doc[0].pos_ != "PROPN" and doc[0].text != "I":
        body = body[0].lower() + body[1:]
    for form, label in rng.sample(FRAMES, 2):
        text = form.format(s=body, name=rng.choice(SUBJECTS)) + "."
        yield Twin(doc.text, label, "attribution", text[0].upper() + text[1:])
    form, _ = rng.choice(FRAMES[:2])
    one, two = rng.sample(SUBJECTS, 2)
    said, wrong = (
        text[0].upper() + text[1:]
        for text in (form.format(s=body, name=name) + "." for name in (one, two))
    )
    yield Twin(wrong, X, "attribution", said)


def mix_clauses(one: Doc, two: Doc, rng: random.Random) -> Iterator[Twin]:
    """Order in time, cause and recombination of two sentences."""
    first, second = (_clause(doc) for doc in (one, two))
    if not first or not second:
        return
    whole, same, other = (_sentence(form, first, second) for form in rng.choice(ORDERS))
    yield Twin(same, E, "order and cause", whole)
    yield Twin(other, X, "order and cause", whole)
    yield Twin(_sentence(rng.choice(("{a}", "{b}")), first, second), E, "order and cause", whole)
    yield Twin(
        _sentence("{a}", first, second), N, "either", _sentence("either {a} or {b}", first, second)
    )
    heads = [find_root(one), find_root(two)]
    subjects = [None if head is None else child(head, "nsubj") for head in heads]
    if all(subject is not None and subject.pos_ != "PRON" for subject in subjects):
        a, b = (span_of(subject) for subject in subjects if subject is not None)
        if a.text.lower() != b.text.lower() and b.start == 0:
            swapped = f"{a.text} {two[b.end :].text}"
            yield Twin(swapped[0].upper() + swapped[1:], X, "recombined", f"{one.text} {two.text}")


def _clause(doc: Doc) -> str:
    root = find_root(doc)
    if root is None or child(root, "nsubj", "nsubjpass") is None or len(doc) > 22:
        return ""
    text = doc.text.rstrip(" .!")
    is_name = doc[0].ent_type_ or doc[0].pos_ == "PROPN" or doc[0].text == "I"
    return text if is_name else text[0].lower() + text[1:]


def _sentence(form: str, one: str, two: str) -> str:
    text = form.format(a=one, b=two) + "."
    return text[0].upper() + text[1:]
