"""Presence summed by sentence, so that the score of any mixture is a masked sum."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scoring.errors import InputError
from scoring.planning.study import UnitStudy
from scoring.translation import gettext as _

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class SentenceTables:
    """Sums of presence are sentences × systems; `owners` is each sentence's document, from 0."""

    documents: tuple[str, ...]
    systems: tuple[str, ...]
    owners: NDArray[np.int64]
    scu_sums: Floats
    scu_counts: Floats
    stu_sums: Floats
    stu_counts: Floats
    gold: Floats

    @classmethod
    def of(cls, study: UnitStudy) -> SentenceTables:
        places = {document: place for place, document in enumerate(study.documents)}
        owners = np.array([places[row.document] for row in study.sentences], dtype=np.int64)
        scus, stus = [row.scus for row in study.sentences], [row.stus for row in study.sentences]
        found = cls(
            study.documents,
            study.systems,
            owners,
            _sums(study.scu_presence, owners, scus, len(study.systems)),
            np.array([len(row) for row in scus], dtype=np.float64),
            _sums(study.stu_presence, owners, stus, len(study.systems)),
            np.array([len(row) for row in stus], dtype=np.float64),
            study.gold,
        )
        bare = np.bincount(owners, found.scu_counts + found.stu_counts, len(study.documents)) == 0
        if bare.any():
            name = study.documents[int(np.flatnonzero(bare)[0])]
            raise InputError(
                _(
                    "'{name}' has neither SCUs nor STUs. Leave it out, or write units for it."
                ).format(name=name)
            )
        return found

    def score(self, gives_way: Mask) -> Floats:
        """Mixtures × documents × systems; *gives_way* is mixtures × sentences."""
        member = (np.arange(len(self.documents))[:, None] == self.owners).astype(np.float64)
        way = gives_way.astype(np.float64)
        sums = self._join(member, way, self.stu_sums) + self._join(member, 1 - way, self.scu_sums)
        counts = (way * self.stu_counts + (1 - way) * self.scu_counts) @ member.T
        spare_sums, spare_counts = self._spare(member)
        # A document that the choice leaves without a unit falls back on all it has of one kind.
        sums = np.where(counts[..., None] > 0, sums, spare_sums)
        return sums / np.where(counts > 0, counts, spare_counts)[..., None]

    def score_document(self, document: int, gives_way: Mask) -> Floats:
        """One document's scores by system, where few sentences change."""
        own = self.owners == document
        part = SentenceTables(
            (self.documents[document],),
            self.systems,
            np.zeros(int(own.sum()), dtype=np.int64),
            self.scu_sums[own],
            self.scu_counts[own],
            self.stu_sums[own],
            self.stu_counts[own],
            self.gold[document : document + 1],
        )
        return part.score(gives_way[own][None])[0, 0]

    def _join(self, member: Floats, weights: Floats, sums: Floats) -> Floats:
        return np.array([(member * row) @ sums for row in weights])

    def _spare(self, member: Floats) -> tuple[Floats, Floats]:
        counts = member @ self.stu_counts
        has = counts > 0
        sums = np.where(has[:, None], member @ self.stu_sums, member @ self.scu_sums)
        return sums, np.where(has, counts, member @ self.scu_counts)


def _sums(
    presence: list[Floats],
    owners: NDArray[np.int64],
    units: list[tuple[int, ...]],
    systems: int,
) -> Floats:
    found = np.zeros((len(owners), systems))
    for row, owner, own in zip(found, owners, units, strict=True):
        row[:] = presence[owner][:, list(own)].sum(axis=1)
    return found
