"""A text as the embedded judges read it: words with stems, and what each word is.

Words, stems and weights are looked up once for each text and shared by all pairs it is in.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from scoring.judge.frequencies import DocumentFrequencies, key_of, load_frequencies
from scoring.overlap import STOP_WORDS, Token, tokenize
from scoring.sentences import split_sentences
from scoring.stemming import stem, word_set
from scoring.types import Span

Flags = NDArray[np.bool_]
Floats = NDArray[np.float64]

NEGATIONS = word_set(
    "no not never without none nobody nothing neither nor cannot denied denies deny refused failed"
)
KEPT = 256  # readings; units and summaries of an example are judged together


@dataclass(frozen=True, slots=True, eq=False)
class Reading:
    """The words of a text. Every column has a value for each word.

    `stems` are numbers: two words with the same number have the same stem. `weights` say how rare
    a stem is. `starts` is the first word of every sentence that has words; `sentences` the places
    of those among all sentences of the text.
    """

    spans: tuple[Span, ...]
    stems: NDArray[np.int64]
    weights: Floats
    is_content: Flags
    is_number: Flags
    is_name: Flags
    is_negation: Flags
    starts: NDArray[np.int64]
    sentences: tuple[int, ...]
    trigrams: tuple[frozenset[str], ...]

    def __len__(self) -> int:
        return len(self.spans)


@lru_cache(maxsize=KEPT)
def read_text(text: str, frequencies: DocumentFrequencies | None = None) -> Reading:
    """Read a text; one without any word reads as a single blank word that nothing matches.

    Weights are by the table of frequencies; without one, by the table that ships.
    """
    tokens = tokenize(text) or [Token("", 0, 0)]
    keys = [key_of(token.text) for token in tokens]
    table = frequencies or load_frequencies()
    stems = [stem(key) for key in keys]
    places = _sentence_places(tokens, split_sentences(text))
    starts = [i for i in range(len(tokens)) if i == 0 or places[i] != places[i - 1]]
    is_content = np.array([key not in STOP_WORDS for key in keys])
    return Reading(
        spans=tuple((token.start, token.end) for token in tokens),
        stems=np.array([_number(item) for item in stems]),
        weights=np.array([table.rarity(item) for item in stems]),
        is_content=is_content if is_content.any() else ~is_content,
        is_number=np.array([any(map(str.isdigit, key)) for key in keys]),
        is_name=_names(tokens, is_content, set(starts)),
        is_negation=np.array([key in NEGATIONS or key.endswith("n't") for key in keys]),
        starts=np.array(starts),
        sentences=tuple(places[i] for i in starts),
        trigrams=tuple(_trigrams(key) for key in keys),
    )


def _number(item: str) -> int:
    """A number for the stem: the same in every thread and process, and nothing is kept for it."""
    digest = hashlib.blake2b(item.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "big", signed=True)


def _sentence_places(tokens: Sequence[Token], sentences: Sequence[Span]) -> list[int]:
    """The sentence of each word: the last that begins at or before it."""
    begins = np.array([start for start, _ in sentences] or [0])
    found = np.searchsorted(begins, [token.start for token in tokens], side="right") - 1
    return [int(place) for place in np.maximum(found, 0)]


def _names(tokens: Sequence[Token], is_content: Flags, starts: set[int]) -> Flags:
    """Capitalised words that carry content and do not begin a sentence."""
    return np.array(
        [
            bool(is_content[i]) and i not in starts and token.text[:1].isupper()
            for i, token in enumerate(tokens)
        ]
    )


def _trigrams(key: str) -> frozenset[str]:
    framed = f"^{key}$"
    return frozenset(framed[i : i + 3] for i in range(len(key)))
