"""Mentions of one thing unified to its name, and what its other names say of it (§3.2, note 3)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from scoring.parses import ParsedSentence
from scoring.stu.types import COREFERENCE, Cluster, Mention, Stu
from scoring.types import Span

_MINE = """
    his her hers its their theirs my mine our ours your yours whose
"""
_OTHERS = """
    he him himself she herself it itself they them themselves i me myself we us ourselves you
    yourself one who whom which that this these those
"""
_NO_NOUN_BEGINS_WITH = """
    about after again against and as at away back because before but by down for from home if in
    into of off on or out over so than that then through to too under up when while with without
    was is were are has had will would a an the
"""
POSSESSIVE = frozenset(_MINE.split())
PRONOUNS = POSSESSIVE | frozenset(_OTHERS.split())
_AFTER_OBJECT = frozenset(_NO_NOUN_BEGINS_WITH.split())
_OWNING = re.compile(r"\s*['’]s?$")
_WORDS = re.compile(r"\w+")
_NEXT = re.compile(r"[\s'\"‘“]+(\w+)")


class CoreferenceSource(Protocol):
    """Where clusters come from."""

    version: str
    needs_parse: bool
    keeps_pronouns: bool  # where the unit has said the name before

    def find(self, sentences: Sequence[ParsedSentence]) -> list[Cluster]:
        """The clusters of one reference."""
        ...


@dataclass(frozen=True, slots=True)
class Renaming:
    """Characters of a sentence that are read as a name, and what is added to own by.

    `gives_way`: they stay as they are in a unit that has said the name.
    """

    start: int
    end: int
    name: str
    ending: str = ""
    gives_way: bool = False


def cluster_of(mentions: Iterable[tuple[int, int, int]], texts: Sequence[str]) -> Cluster | None:
    """A cluster of (sentence, start, end) whose name is its first mention that is no pronoun.

    None if there is no such mention.
    """
    found = [
        Mention(sentence, start, end, is_owner(texts[sentence], start, end))
        for sentence, start, end in sorted(set(mentions), key=lambda m: (m[0], m[1], -m[2]))
    ]
    names = [one for one in found if _text(one, texts).lower() not in PRONOUNS]
    return Cluster(tuple(found), names[0], tuple(names)) if names else None


def is_owner(text: str, start: int, end: int) -> bool:
    """Does the mention own what follows: his, Ann's, and her before a noun?"""
    said = text[start:end].lower()
    if said != "her":
        return said in POSSESSIVE or _OWNING.search(said) is not None
    after = _NEXT.match(text, end)
    return after is not None and after.group(1).lower() not in _AFTER_OBJECT


def list_renamings(
    clusters: Iterable[Cluster], texts: Sequence[str], *, keeps_pronouns: bool = False
) -> list[list[Renaming]]:
    """What is renamed in each sentence, from left to right; of nested mentions the longest."""
    found: list[list[Renaming]] = [[] for _ in texts]
    for cluster in clusters:
        name = bare_name(_text(cluster.name, texts))
        for mention in cluster.mentions:
            said = _text(mention, texts)
            if mention != cluster.name and bare_name(said) != name:
                found[mention.sentence].append(
                    Renaming(
                        mention.start,
                        mention.end,
                        name,
                        _owning(name) if mention.owns else "",
                        keeps_pronouns and said.lower() in PRONOUNS,
                    )
                )
    return [_outermost(renamings) for renamings in found]


def bare_name(text: str) -> str:
    """A mention's words, without the 's of a possessive."""
    return " ".join(_OWNING.sub("", text).split())


def _owning(name: str) -> str:
    return "'" if name.endswith("s") else "'s"


def _text(mention: Mention, texts: Sequence[str]) -> str:
    return texts[mention.sentence][mention.start : mention.end]


def _outermost(renamings: list[Renaming]) -> list[Renaming]:
    kept: list[Renaming] = []
    for one in sorted(renamings, key=lambda one: (one.start, -one.end)):
        if not kept or one.start >= kept[-1].end:
            kept.append(one)
    return kept


def rename(text: str, span: Span, renamings: Iterable[Renaming], *, said: str = "") -> str:
    """A stretch of a sentence with its mentions renamed; one that reaches out of it is kept.

    *said* is what the unit says before it.
    """
    start, end = span
    done, position = "", start
    for one in renamings:
        if one.start < position or end < one.end:
            continue
        lead = done + text[position : one.start]
        if not one.gives_way or one.name not in said + lead:
            done, position = lead + one.name + one.ending, one.end
    return done + text[position:end]


def list_namings(clusters: Iterable[Cluster], texts: Sequence[str]) -> list[Stu]:
    """ "name₁ is nameₙ" for each other name, once; not where one name holds the other."""
    return [unit for cluster in clusters for unit in _namings(cluster, texts)]


def _namings(cluster: Cluster, texts: Sequence[str]) -> list[Stu]:
    name = bare_name(_text(cluster.name, texts))
    known = [_words(name)]
    units = []
    for mention in cluster.names:
        other = bare_name(_text(mention, texts))
        words = _words(other)
        if words and not any(words <= seen or seen <= words for seen in known):
            known.append(words)
            units.append(
                Stu(f"{name} is {other}", mention.sentence, mention.start, mention.end, COREFERENCE)
            )
    return units


def _words(text: str) -> set[str]:
    return set(_WORDS.findall(text.lower()))
