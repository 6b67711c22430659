"""Sentences changed by rule: twins that still follow from the sentence, and twins that don't.

Every rule reads a parse and gives pairs of a premise and a statement. A rule that isn't sure gives
nothing; what it gives is right most of the time, which is what training needs.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from itertools import pairwise

from spacy.tokens import Doc, Span, Token

from scoring.backends.reader.clauses import frame
from scoring.backends.reader.groups import CONTRADICTION as C
from scoring.backends.reader.groups import ENTAILMENT as E
from scoring.backends.reader.groups import NOT_ENTAILMENT as X
from scoring.backends.reader.meanings import load_meanings
from scoring.backends.reader.phrases import child, find_root, render, span_of
from scoring.backends.reader.tables import (
    BE,
    IRREGULAR,
    NUMBERS,
    PLACE_PAIRS,
    POOLS,
    QUANTIFIERS,
    STANCES,
    Twin,
)

Rule = Callable[[Doc, random.Random], Iterator[Twin]]


def negate(doc: Doc, rng: random.Random) -> Iterator[Twin]:
    root = find_root(doc)
    for head in [root] if root is not None else [t for t in doc if t.tag_ == "VBG"][:1]:
        said = _negated(doc, head, rng)
        if said:
            yield Twin(said, C, "negation")
            yield Twin(doc.text, C, "negation", said)


def _negated(doc: Doc, head: Token, rng: random.Random) -> str:
    denial = child(head, "neg")
    if denial is not None:
        return "" if denial.lower_ in ("never",) else render(doc, drop=[denial.i])
    helper = child(head, "aux", "auxpass")
    if helper is not None and helper.tag_ != "TO":
        word = rng.choice(("not", "not", "never")) if helper.lower_ in BE else "not"
        return render(doc, {helper.i: f"{helper.text} {word}"})
    if head.lower_ in BE:
        return render(doc, {head.i: f"{head.text} not"})
    if head.tag_ == "VBD":
        forms = ("did not {b}", "didn't {b}", "never {p}", "failed to {b}")
        said = rng.choice(forms).format(b=head.lemma_, p=head.text)
    else:
        plain = {"VBZ": "does not", "VBP": "do not", "VBG": "not"}.get(head.tag_, "")
        said = f"{plain} {head.text if head.tag_ == 'VBG' else head.lemma_}" if plain else ""
    return render(doc, {head.i: said}) if said else ""


def swap_roles(doc: Doc, _rng: random.Random) -> Iterator[Twin]:
    for verb in (token for token in doc if token.pos_ == "VERB"):
        who = child(verb, "nsubj")
        whom = child(verb, "dobj") or _object_of(verb)
        if (
            who is None
            or whom is None
            or "PRON" in (who.pos_, whom.pos_)
            or verb.lemma_ in ("be", "have", "meet", "marry")
        ):
            continue
        one, two = span_of(who), span_of(whom)
        if one.end > two.start or verb.i < one.end:
            continue
        changed = {one.start: two.text, two.start: one.text}
        gone = [*range(one.start + 1, one.end), *range(two.start + 1, two.end)]
        yield Twin(render(doc, changed, gone), X, "roles")
        if child(verb, "dobj") is not None and not list(verb.conjuncts):
            yield from _passive(doc, verb, one, two, who, whom)
        return


def _passive(
    doc: Doc, verb: Token, one: Span, two: Span, who: Token, whom: Token
) -> Iterator[Twin]:
    participle = IRREGULAR.get(verb.lemma_) or (
        verb.text if verb.tag_ == "VBD" and verb.text.endswith("ed") else ""
    )
    helper = child(verb, "aux")
    if not participle and verb.tag_ in ("VBG", "VBZ", "VBP"):
        participle = verb.lemma_ + ("d" if verb.lemma_.endswith("e") else "ed")
    if (
        not participle
        or (helper is not None and helper.lower_ not in BE)
        or child(verb, "neg") is not None
    ):
        return
    past = verb.tag_ == "VBD" or (helper is not None and helper.lower_ in ("was", "were"))

    def say(doer: Span, done: Span, is_many: bool) -> str:
        be = ("were" if is_many else "was") if past else ("are" if is_many else "is")
        being = " being" if verb.tag_ == "VBG" else ""
        text = f"{done.text} {be}{being} {participle} by {doer.text}"
        return text[0].upper() + text[1:] + "."

    yield Twin(say(one, two, whom.tag_ in ("NNS", "NNPS")), E, "passive")
    yield Twin(say(two, one, who.tag_ in ("NNS", "NNPS")), X, "roles")
    if past or verb.tag_ == "VBG":
        yield Twin(doc.text, E, "passive", say(one, two, whom.tag_ in ("NNS", "NNPS")))
        yield Twin(doc.text, X, "roles", say(two, one, who.tag_ in ("NNS", "NNPS")))


def _object_of(verb: Token) -> Token | None:
    prep = child(verb, "prep", "agent")
    return None if prep is None else child(prep, "pobj")


def renumber(doc: Doc, rng: random.Random) -> Iterator[Twin]:
    found = [token for token in doc if token.tag_ == "CD" and token.lower_ != "one"]
    for token in found[:3]:
        other = other_number(token.text, rng)
        if not other:
            continue
        yield Twin(render(doc, {token.i: other}), C, "number")
        low = token.lower_
        as_word = NUMBERS[int(low) - 1] if low.isdigit() and 0 < int(low) <= 20 else ""
        as_digits = str(NUMBERS.index(low) + 1) if low in NUMBERS else ""
        if as_word or as_digits:
            yield Twin(render(doc, {token.i: as_word or as_digits}), E, "number")
            size = int(low) if as_word else int(as_digits)
            yield Twin(render(doc, {token.i: f"more than {NUMBERS[size % 20]}"}), C, "number")
            yield Twin(render(doc, {token.i: f"at least {NUMBERS[max(size - 2, 0)]}"}), E, "number")
            yield Twin(
                doc.text,
                X,
                "number",
                render(doc, {token.i: f"at most {NUMBERS[max(size - 2, 0)]}"}),
            )
    if (
        found
        and child(found[0], "nummod") is None
        and found[0].dep_ == "nummod"
        and found[0].head.tag_ == "NNS"
    ):
        yield Twin(render(doc, {found[0].i: "some"}), E, "number")


def other_number(text: str, rng: random.Random) -> str:
    low = text.lower()
    if low in NUMBERS:
        return rng.choice([word for word in NUMBERS[1:12] if word != low])
    digits = re.sub(r"\D", "", text)
    if not digits:
        return ""
    if len(digits) == 1 or rng.random() < 0.5:
        place = rng.randrange(len(text))
        while not text[place].isdigit():
            place = rng.randrange(len(text))
        return (
            text[:place]
            + rng.choice([d for d in "123456789" if d != text[place]])
            + text[place + 1 :]
        )
    new = str(int(digits) + rng.choice((-11, -3, -2, 2, 3, 7, 10, 25)))
    return new.removeprefix("-")


def rename(doc: Doc, rng: random.Random) -> Iterator[Twin]:
    entities = [entity for entity in doc.ents if entity.label_ in POOLS]
    for entity in entities[:3]:
        other = rng.choice(POOLS[entity.label_])
        if set(other.lower().split()) & set(entity.text.lower().split()):
            continue
        gone = list(range(entity.start + 1, entity.end))
        yield Twin(render(doc, {entity.start: other}, gone), X, "name")
        if entity.label_ == "PERSON" and len(entity) == 2:
            yield Twin(render(doc, drop=[entity.start]), E, "name")
    for one, two in pairwise(entities):
        if one.label_ == two.label_ and one.text != two.text:
            gone = [*range(one.start + 1, one.end), *range(two.start + 1, two.end)]
            changed = {one.start: two.text, two.start: one.text}
            yield Twin(render(doc, changed, gone), X, "name")
            return


def requantify(doc: Doc, rng: random.Random) -> Iterator[Twin]:
    head = next((t for t in doc if t.dep_ in ("nsubj", "nsubjpass") and t.tag_ == "NNS"), None)
    if head is None or child(head, "poss") is not None:
        return
    first = child(head, "det", "nummod", "predet")
    start = (first or span_of(head)[0]).i
    gone = [] if first is None else [first.i]

    def say(quantifier: str) -> str:
        place = start if first is None else first.i + 1
        return render(
            doc,
            {place: f"{quantifier} {doc[place].lower_ if place == 0 else doc[place].text}"},
            gone,
        )

    if first is not None and first.i + 1 >= len(doc):
        return
    for (one, two), label in rng.sample(sorted(QUANTIFIERS.items()), 3):
        yield Twin(say(two), label, "quantifier", say(one))


OF_MANY = {
    "is ": "are ",
    "was ": "were ",
    "has ": "have ",
    "plans ": "plan ",
    "wants ": "want ",
    "hopes ": "hope ",
    "claims ": "claim ",
    "continues ": "continue ",
}


def _agree_with_many(text: str) -> str:
    """The verb that it begins with, for a subject in the plural."""
    changed = (new + text.removeprefix(old) for old, new in OF_MANY.items() if text.startswith(old))
    return next(changed, text)


def change_stance(doc: Doc, rng: random.Random) -> Iterator[Twin]:
    root = find_root(doc)
    who = None if root is None else child(root, "nsubj")
    if root is None or who is None or child(root, "neg", "auxpass", "prt") is not None:
        return
    helper = child(root, "aux")
    if root.lemma_ == "be" or (helper is not None and helper.lower_ not in BE):
        return
    many = (
        who.tag_ in ("NNS", "NNPS")
        or who.lower_ in ("they", "we", "you", "i")
        or child(who, "conj") is not None
    )
    bare, participle = (
        root.lemma_,
        IRREGULAR.get(root.lemma_, root.text if root.tag_ == "VBD" else ""),
    )
    past = root.text if root.tag_ == "VBD" else ""
    if not past:
        past = "" if root.lemma_ in IRREGULAR else bare + ("d" if bare.endswith("e") else "ed")
    if not past or not bare.isalpha():
        return
    participle = participle or past
    now = bare if many else bare + ("es" if re.search(r"(s|sh|ch|x|o)$", bare) else "s")
    gone = [] if helper is None else [helper.i]

    def say(stance: str) -> str:
        text = {"stopped short of": f"stopped short of {bare.removesuffix('e')}ing"}.get(
            stance, stance
        )
        text = re.sub(r"\bdid$", past, text).replace("does not", "do not" if many else "does not")
        text = re.sub(r"\bdoes$", now, text)
        if many:
            text = _agree_with_many(text)
        return render(doc, {root.i: text.format(b=bare, p=participle)}, gone)

    for (one, two), label in rng.sample(sorted(STANCES.items()), 4):
        yield Twin(say(two), label, "tense and modality", say(one))


def exchange(doc: Doc, rng: random.Random) -> Iterator[Twin]:
    """Opposites and other kinds of a thing are false; synonyms and broader words are true."""
    meanings = load_meanings()
    denied = any(token.dep_ == "neg" or token.lower_ in ("no", "without", "never") for token in doc)
    tokens = [t for t in doc if t.pos_ in ("NOUN", "ADJ", "ADV", "VERB") and t.text.islower()]
    for token in rng.sample(tokens, min(len(tokens), 6)):
        is_plain = token.text == token.lemma_ or (
            token.pos_ == "NOUN" and token.text == token.lemma_ + "s"
        )
        if not is_plain:
            continue
        ending = token.text.removeprefix(token.lemma_)
        choices = [
            (meanings.opposites(token.lemma_, token.pos_), C, "opposite"),
            (meanings.synonyms(token.lemma_, token.pos_), E, "synonym"),
            (
                meanings.broader(token.lemma_) if token.pos_ == "NOUN" and not denied else [],
                E,
                "broader",
            ),
            (meanings.sisters(token.lemma_) if token.pos_ == "NOUN" else [], X, "sister"),
            (
                meanings.narrower(token.lemma_) if token.pos_ == "NOUN" and not denied else [],
                X,
                "narrower",
            ),
        ]
        for words, label, kind in choices:
            if words and rng.random() < (1.0 if kind in ("opposite", "synonym") else 0.4):
                yield Twin(render(doc, {token.i: rng.choice(words) + ending}), label, kind)


def turn_around(doc: Doc, rng: random.Random) -> Iterator[Twin]:
    """Words of place, order and degree."""
    text = f" {doc.text} "
    pairs = [pair for one, two in PLACE_PAIRS for pair in ((one, two), (two, one))]
    found = [(one, two) for one, two in pairs if f" {one} " in text]
    for one, two in rng.sample(found, min(2, len(found))):
        label = C if (one, two) not in (("on", "under"),) else X
        yield Twin(text.replace(f" {one} ", f" {two} ", 1).strip(), label, "place and order")


def shorten(doc: Doc, rng: random.Random) -> Iterator[Twin]:
    """Leaving out a detail is true; the detail is then new, if the texts change places."""
    if any(
        token.dep_ == "neg" or token.lower_ in ("no", "only", "if", "few", "without")
        for token in doc
    ):
        return
    parts = [
        span_of(token)
        for token in doc
        if token.dep_ in ("prep", "relcl", "acl", "advcl", "advmod", "amod", "appos", "npadvmod")
        and token.head.pos_ in ("NOUN", "VERB", "PROPN")
        and token.lower_ not in ("fake", "former", "alleged", "almost", "nearly", "of", "not")
    ]
    parts = [part for part in parts if len(part) < len(doc) - 3 and part.start > 0]
    for part in rng.sample(parts, min(2, len(parts))):
        short = render(doc, drop=range(part.start, part.end))
        yield Twin(short, E, "shorter")
        yield Twin(doc.text, X, "added detail", short)
    root = find_root(doc)
    if root is not None and child(root, "conj") is not None and child(root, "cc") is not None:
        second, link = child(root, "conj"), child(root, "cc")
        if second is not None and link is not None and link.lower_ == "and":
            yield Twin(
                render(doc, drop=[link.i, *range(second.left_edge.i, second.right_edge.i + 1)]),
                E,
                "shorter",
            )


def core(doc: Doc, _rng: random.Random) -> Iterator[Twin]:
    """Subject, verb and object alone."""
    root = find_root(doc)
    who = None if root is None else child(root, "nsubj", "nsubjpass")
    if root is None or who is None or child(root, "neg") is not None:
        return
    kept = {token.i for token in root.children if token.dep_ in ("aux", "auxpass", "prt")} | {
        root.i
    }
    for part in (who, child(root, "dobj", "attr", "acomp", "xcomp", "ccomp")):
        if part is not None:
            kept |= set(range(part.left_edge.i, part.right_edge.i + 1))
    if len(kept) < len(doc) - 2:
        said = render(doc, drop=[token.i for token in doc if token.i not in kept])
        yield Twin(said.rstrip(" .,") + ".", E, "shorter")


RULES: tuple[Rule, ...] = (
    negate, swap_roles, renumber, rename, requantify, change_stance, frame, exchange, turn_around,
    shorten, core,
)  # fmt: skip


def list_twins(doc: Doc, rng: random.Random) -> list[Twin]:
    """What all rules make of a sentence; nothing that equals its premise."""
    found = [twin for rule in RULES for twin in rule(doc, rng)]
    return [twin for twin in found if twin.statement.strip() != (twin.premise or doc.text).strip()]
