"""How labels are made of answers, written down: which rules, in which order, with which options."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib import metadata
from typing import Any

import numpy as np

from scoring import __version__
from scoring.aggregation.agreement import (
    SAMPLES,
    AgreementReport,
    check_undefined,
    report_counts,
)
from scoring.aggregation.answers import Answers, Counts, Mask
from scoring.aggregation.filters import Drop, complete_options, find_drops
from scoring.aggregation.votes import MAJORITY, Labels, check_vote, is_seeded, majority, vote
from scoring.errors import InputError
from scoring.translation import gettext as _


@dataclass(frozen=True, slots=True)
class FilterStep:
    """A rule by name, with all its options."""

    name: str
    options: Mapping[str, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "options", complete_options(self.name, self.options))

    def __str__(self) -> str:
        listed = ",".join(f"{name}={value:g}" for name, value in sorted(self.options.items()))
        return f"{self.name}({listed})" if listed else self.name


@dataclass(frozen=True, slots=True)
class Recipe:
    """Filters in their order, then a vote. Each filter sees what those before it kept."""

    filters: tuple[FilterStep, ...] = ()
    vote: str = MAJORITY
    tie: str = "absent"
    seed: int = 0
    undefined: str = "one"

    def __post_init__(self) -> None:
        check_vote(self.vote, self.tie)
        check_undefined(self.undefined)

    def to_json(self) -> dict[str, Any]:
        return {
            "filters": [
                {"name": step.name, "options": dict(step.options)} for step in self.filters
            ],
            "vote": self.vote,
            "tie": self.tie,
            "seed": self.seed,
            "undefined": self.undefined,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Recipe:
        known = {"filters", "vote", "tie", "seed", "undefined"}
        if unknown := sorted(set(data) - known):
            listed = ", ".join(sorted(known))
            raise InputError(
                _("A recipe has no field '{unknown}'. Use {listed}.").format(
                    unknown=unknown[0], listed=listed
                )
            )
        steps = tuple(
            FilterStep(row["name"], row.get("options", {})) for row in data.get("filters", ())
        )
        rest = {name: value for name, value in data.items() if name != "filters"}
        return cls(filters=steps, **rest)

    def signature(self, answers_hash: str) -> str:
        """A line that says everything the labels depend on, people's own decisions apart."""
        parts = [
            f"answers:{answers_hash[:16]}",
            f"filters:{'+'.join(map(str, self.filters)) or 'none'}",
            f"vote:{self.vote}",
            f"tie:{self.tie}",
        ]
        if is_seeded(self.vote, self.tie):
            parts.append(f"seed:{self.seed}")
        if self.vote != MAJORITY:
            parts.append(f"crowd-kit:{metadata.version('crowd-kit')}")
        return "|".join([*parts, f"giza:{__version__}"])


@dataclass(frozen=True, slots=True)
class Aggregate:
    """What a recipe made of answers.

    `kept` marks assignments; `drops` say why others are not among them. `overruled` are drops that
    a person's decision to keep the assignment set aside.
    """

    recipe: Recipe
    kept: Mask
    drops: Sequence[Drop]
    overruled: Sequence[Drop]
    labels: Labels
    agreement: AgreementReport


def aggregate(
    answers: Answers,
    recipe: Recipe,
    *,
    also_drop: Mask | None = None,
    also_keep: Mask | None = None,
    samples: int = SAMPLES,
) -> Aggregate:
    """Filter, vote and measure.

    What a person decided goes first: `also_drop` leaves assignments out before any rule sees them,
    `also_keep` keeps them whatever a rule says. `samples=0` gives alpha without intervals.
    """
    kept = answers.everyone() if also_drop is None else ~also_drop
    protected = np.zeros_like(kept) if also_keep is None else also_keep
    drops: list[Drop] = []
    overruled: list[Drop] = []
    for step in recipe.filters:
        for drop in find_drops(answers, step.name, kept, **step.options):
            (overruled if protected[drop.assignment] else drops).append(drop)
        kept = kept.copy()
        kept[[drop.assignment for drop in drops]] = False
    rest = answers.keep(kept)
    counts = rest.counts()
    return Aggregate(
        recipe=recipe,
        kept=kept,
        drops=drops,
        overruled=overruled,
        labels=_label(rest, counts, recipe),
        agreement=report_counts(
            answers, counts, undefined=recipe.undefined, samples=samples, seed=recipe.seed
        ),
    )


def _label(answers: Answers, counts: Counts, recipe: Recipe) -> Labels:
    if recipe.vote == MAJORITY:
        return majority(counts, tie=recipe.tie, seed=recipe.seed)
    return vote(answers, rule=recipe.vote, tie=recipe.tie, seed=recipe.seed)
