"""How rare a word piece is: inverse document frequency over some texts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import log

import numpy as np

from scoring.metrics.centrality import Places
from scoring.metrics.protocol import Floats


@dataclass(frozen=True, slots=True)
class Rarity:
    """log((N + 1) / (texts that have the piece + 1)), N texts in all, as bert-score has it."""

    texts: int
    counts: Mapping[int, int]

    @classmethod
    def of_pieces(cls, texts: Sequence[Iterable[int]]) -> Rarity:
        counts = Counter(int(piece) for ids in texts for piece in set(ids))
        return cls(len(texts), counts)

    def weigh(self, ids: Sequence[int] | Places) -> Floats:
        found = (self.counts.get(int(piece), 0) for piece in ids)
        return np.array([log((self.texts + 1) / (count + 1)) for count in found])
