"""What is examined: scores of systems on inputs by several metrics, and people's beside them."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from scoring import __version__
from scoring.errors import InputError
from scoring.translation import gettext as _

Floats = NDArray[np.float64]
ALL = "all"
# Which inputs a metric's system scores are taken over (Deutsch et al. 2022, §2 and §3).
JUDGED, EVERY = "judged", "every"
INPUTS = (JUDGED, EVERY)


@dataclass(frozen=True, slots=True)
class Study:
    """Scores by metric, each systems × documents, nan where a cell has none.

    `human` names the scores that people gave. `kinds` says of what kind a system is, where that
    is known: extractive, abstractive, human or other.
    """

    systems: tuple[str, ...]
    documents: tuple[str, ...]
    kinds: Mapping[str, str]
    human: str
    scores: Mapping[str, Floats]

    def __post_init__(self) -> None:
        if self.human not in self.scores:
            known = ", ".join(self.scores) or "none"
            raise InputError(
                _("There are no scores '{human}'. Known: {known}.").format(
                    human=self.human, known=known
                )
            )
        shape = (len(self.systems), len(self.documents))
        for name, table in self.scores.items():
            if table.shape != shape:
                raise InputError(
                    _("Scores of '{name}' are {times}; the study has {times_2}.").format(
                        name=name, times=_times(table.shape), times_2=_times(shape)
                    )
                )

    @property
    def metrics(self) -> tuple[str, ...]:
        """All but the people's scores."""
        return tuple(name for name in self.scores if name != self.human)

    @property
    def people(self) -> Floats:
        """People's scores."""
        return self.scores[self.human]

    @property
    def judged(self) -> NDArray[np.bool_]:
        """Of each document, whether people scored any summary of it: the M_a among the M_t."""
        return np.asarray((~np.isnan(self.people)).any(axis=0))

    def content_hash(self) -> str:
        digest = hashlib.sha256()
        for keys in (self.systems, self.documents, tuple(self.scores), (self.human,)):
            digest.update("".join(f"{len(key)}:{key}" for key in keys).encode() + b"\0")
        for table in self.scores.values():
            digest.update(np.ascontiguousarray(table).tobytes())
        return digest.hexdigest()

    def sign(self, **options: object) -> str:
        """What reproduces a figure of this study: data, options, the program's version."""
        said = [("data", self.content_hash()[:16]), ("human", self.human), *options.items()]
        return "|".join(f"{key}:{value}" for key, value in [*said, ("giza", __version__)])


def list_kinds(study: Study) -> list[str]:
    """The kinds that systems of the study have, in the order in which they are met."""
    return list(dict.fromkeys(study.kinds[name] for name in study.systems if name in study.kinds))


def choose_systems(study: Study, systems: Sequence[str]) -> Study:
    """The same study with these systems only, in the order in which they are given."""
    if unknown := sorted(set(systems) - set(study.systems)):
        raise InputError(
            _("There is no system '{unknown}'. Known: {systems}.").format(
                unknown=unknown[0], systems=", ".join(study.systems)
            )
        )
    places = {name: place for place, name in enumerate(study.systems)}
    kept = [places[name] for name in dict.fromkeys(systems)]
    if not kept:
        raise InputError(_("No systems are left. Choose at least one."))
    return replace(
        study,
        systems=tuple(study.systems[place] for place in kept),
        scores={name: table[kept] for name, table in study.scores.items()},
    )


def choose_kind(study: Study, kind: str) -> Study:
    """The systems of one kind; `all` keeps every one, those of unknown kind too."""
    if kind == ALL:
        return study
    found = [name for name in study.systems if study.kinds.get(name) == kind]
    if not found:
        known = ", ".join([ALL, *list_kinds(study)])
        raise InputError(
            _("No system is of the kind '{kind}'. Known: {known}.").format(kind=kind, known=known)
        )
    return choose_systems(study, found)


def choose_top(study: Study, k: int) -> Study:
    """The k systems that people scored highest (Bhandari et al. 2020, §4.2, equation 3)."""
    top = sorted(rank_by_people(study)[:k])
    return choose_systems(study, [study.systems[place] for place in top])


def leave_out(study: Study, systems: Collection[str]) -> Study:
    """The study without these systems."""
    if unknown := sorted(set(systems) - set(study.systems)):
        raise InputError(
            _("There is no system '{unknown}'. Known: {systems}.").format(
                unknown=unknown[0], systems=", ".join(study.systems)
            )
        )
    return choose_systems(study, [name for name in study.systems if name not in set(systems)])


def choose_documents(study: Study, documents: Collection[str]) -> Study:
    """The same study on these documents only, in its own order."""
    if unknown := sorted(set(documents) - set(study.documents)):
        raise InputError(
            _("There is no document '{unknown}' in the study.").format(unknown=unknown[0])
        )
    kept = [place for place, name in enumerate(study.documents) if name in set(documents)]
    return replace(
        study,
        documents=tuple(study.documents[place] for place in kept),
        scores={name: table[:, kept] for name, table in study.scores.items()},
    )


def choose_metrics(study: Study, metrics: Sequence[str]) -> Study:
    """The same study with these metrics only, and people's scores."""
    if unknown := sorted(set(metrics) - set(study.metrics)):
        raise InputError(
            _("There is no metric '{unknown}'. Known: {metrics}.").format(
                unknown=unknown[0], metrics=", ".join(study.metrics)
            )
        )
    return replace(study, scores={name: study.scores[name] for name in [*metrics, study.human]})


def merge_equal(study: Study) -> tuple[Study, dict[str, str]]:
    """Metrics with the same scores, to the bit, are one: the first stays.

    Also says, of each that was left out, which one stands for it.
    """
    first: dict[bytes, str] = {}
    same: dict[str, str] = {}
    for name in study.metrics:
        table = study.scores[name] + 0.0  # -0.0 is 0.0, too
        key = np.where(np.isnan(table), np.nan, table).tobytes()
        if first.setdefault(key, name) != name:
            same[name] = first[key]
    return (choose_metrics(study, list(first.values())) if same else study), same


def rank_by_people(study: Study) -> list[int]:
    """Places of systems, the highest mean human score first; equals by their place.

    A system that people gave no score is not ranked.
    """
    means = mean_scores(study.people)
    known = [place for place in range(len(means)) if not np.isnan(means[place])]
    return sorted(known, key=lambda place: (-round(float(means[place]), 12), place))


def mean_scores(scores: Floats) -> Floats:
    """Means along the last axis over the cells that have a score; nan where there is none."""
    known = ~np.isnan(scores)
    counts = known.sum(axis=-1)
    sums = np.where(known, scores, 0.0).sum(axis=-1)
    return np.divide(sums, counts, out=np.full(sums.shape, np.nan), where=counts > 0)


def pair_scores(study: Study, metric: str, *, inputs: str = JUDGED) -> tuple[Floats, Floats]:
    """A metric's scores and people's, with nan where a cell is not to be counted.

    `judged` counts a cell where both have a score (Deutsch et al. 2022, §2). `every` counts all
    that the metric scored and all that people did, each on their own (§3).
    """
    if metric not in study.scores:
        raise InputError(
            _("There is no metric '{metric}'. Known: {metrics}.").format(
                metric=metric, metrics=", ".join(study.metrics)
            )
        )
    check_inputs(inputs)
    first, second = study.scores[metric], study.people
    if inputs == EVERY:
        return first, second
    missing = np.isnan(first) | np.isnan(second)
    return np.where(missing, np.nan, first), np.where(missing, np.nan, second)


def check_inputs(inputs: str) -> None:
    if inputs not in INPUTS:
        raise InputError(
            _("Inputs can't be '{inputs}'. Known: {inputs_2}.").format(
                inputs=inputs, inputs_2=", ".join(INPUTS)
            )
        )


def _times(shape: tuple[int, ...]) -> str:
    return " × ".join(map(str, shape))
