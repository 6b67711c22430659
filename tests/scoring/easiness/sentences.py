"""Sentences for tests: parsed by hand, or by the embedded parser."""

from __future__ import annotations

from functools import cache

from scoring.easiness.trees import Tree
from scoring.parses import ParsedSentence, Parser, load_parser

NO_SPACE_BEFORE = (".", ",", "POS", "HYPH")


def by_hand(text: str) -> ParsedSentence:
    """From `word/TAG/relation/head` for each word, where the head is a place, or -1."""
    columns = [part.rsplit("/", 3) for part in text.split()]
    words, tags, relations, heads = zip(*columns, strict=True)
    starts, place = [], 0
    for word in words:
        starts.append(place)
        place += len(word) + 1
    return ParsedSentence(
        text=" ".join(words),
        words=words,
        starts=tuple(starts),
        tags=tags,
        lemmas=tuple(word.lower() for word in words),
        heads=tuple(map(int, heads)),
        relations=relations,
        entities=("",) * len(words),
        opens=(False,) * len(words),
    )


def parse(*sentences: str) -> list[ParsedSentence]:
    return list(_parser().parse(sentences))


def written(tree: Tree) -> str:
    """A gold tree's sentence as a person writes it."""
    found = ""
    for leaf in tree.leaves():
        is_tight = leaf.label in NO_SPACE_BEFORE or leaf.word == "%" or found[-1:] in ("", "$", "-")
        found += leaf.word if is_tight else f" {leaf.word}"
    return found


@cache
def _parser() -> Parser:
    return load_parser()
