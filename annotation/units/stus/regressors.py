"""Which regressors foretell easiness for a project: those of Giza, and its own by name.

- References that a ranker of STUs or a regressor was trained on: it does better on them.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import cache, reduce
from importlib.resources import files
from operator import or_
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from django.utils.translation import gettext as _

from annotation.corpora.corpus.models import Reference
from annotation.corpora.projects.models import Project
from annotation.errors import DomainError
from annotation.translation import gettext_lazy
from annotation.units.plans.queries import get_plan_counts
from annotation.units.sets.models import Unit, UnitKind, UnitSet
from annotation.units.stus.models import EasinessModel, EasinessTarget, SentencePlan
from scoring.easiness.regressors import DEFAULT, MODELS, Regressor, SentenceCase, load_regressor
from scoring.judge.learned import LearnedTexts, hash_text, read_shipped
from scoring.stu.extractors import TRAINED, TRAINED_ON

WHAT = {
    "giza": gettext_lazy("Easiness, from the sentence’s parse tree and its STUs"),
    "paper": gettext_lazy("Easiness, from the 69 published features of the parse tree"),
    "damage": gettext_lazy(
        "Damage to system scores when STUs replace SCUs, by labels of the most similar SCUs"
    ),
}


@dataclass(frozen=True, slots=True)
class RegressorChoice:
    """A regressor to choose, by the `name` that pages, REST and commands use."""

    name: str
    what: str
    model: EasinessModel | None = None

    @property
    def card(self) -> dict[str, Any]:
        return self.model.card if self.model else read_shipped_card(self.name)


def list_regressors(project: Project) -> list[RegressorChoice]:
    """The default first, then those of Giza, then the project's own, the newest first."""
    names = sorted(MODELS, key=lambda name: (name != DEFAULT, MODELS.index(name)))
    own = EasinessModel.objects.filter(project=project, is_ready=True).defer("file")
    return [
        *(RegressorChoice(name, WHAT.get(name, name)) for name in names),
        *(
            RegressorChoice(
                str(row), _("Trained on {learned_from}").format(learned_from=row.learned_from), row
            )
            for row in own
        ),
    ]


@cache
def read_shipped_card(name: str) -> dict[str, Any]:
    """How good a regressor of Giza is held out, read from its file without loading its trees."""
    text = files("scoring.backends.models").joinpath(f"easiness_{name}.json").read_text("utf-8")
    card: dict[str, Any] = json.loads(text)["card"]
    return card


def resolve_regressor(project: Project, name: str = "") -> RegressorChoice:
    """By name; an empty one is the default. One's own without a version is its newest."""
    known = list_regressors(project)
    wanted = name.strip() or DEFAULT
    for choice in known:
        is_newest = choice.model is not None and choice.model.name == wanted
        if choice.name == wanted or is_newest:
            return choice
    names = ", ".join(choice.name for choice in known)
    raise DomainError(
        _("There is no regressor '{wanted}'.").format(wanted=wanted[:80]),
        _("Known: {names}.").format(names=names),
    )


class Foreteller:
    """A loaded regressor, and what its predictions are called by."""

    def __init__(self, choice: RegressorChoice) -> None:
        self.regressor = _load(choice)
        version = f" {self.regressor.version}" if choice.model is None else ""
        self.label = f"{choice.name}{version}"[:200]

    def difficulties(self, cases: Sequence[SentenceCase]) -> list[float]:
        """The higher, the more is lost without a person; nothing where no word is said."""
        values = zip(cases, self.regressor.predict(cases), strict=True)
        is_damage = self.regressor.target == EasinessTarget.DAMAGE
        return [
            (float(value) if is_damage else 1.0 - float(value)) if _says(case) else 0.0
            for case, value in values
        ]


def _says(case: SentenceCase) -> bool:
    return any(letter.isalnum() for letter in case.parse.text)


def _load(choice: RegressorChoice) -> Regressor:
    if choice.model is None:
        return load_regressor(choice.name)
    with TemporaryDirectory() as folder:
        path = Path(folder) / "regressor.json"
        path.write_text(json.dumps(choice.model.file), encoding="utf-8")
        return load_regressor(str(path))


@dataclass(frozen=True, slots=True)
class SharedReferences:
    """Of so many examples, those with a reference that the model was trained on."""

    model: str
    met: int
    examples: int


def count_extracted(unit_set: UnitSet, examples: Collection[int]) -> int:
    """Examples whose references the extractor's ranker was trained on."""
    if unit_set.extractor.partition(" ")[0] not in TRAINED:
        return 0
    return _count(_read_shipped(), examples)


def count_ranked(unit_set: UnitSet) -> SharedReferences | None:
    """Of a set's ranked examples; None where nothing was ranked."""
    model = get_plan_counts(unit_set)["model"]
    if not model:
        return None
    plans = SentencePlan.objects.filter(set=unit_set).order_by()
    examples = set(plans.values_list("sentence__reference__example", flat=True))
    learned = _read_regressor(unit_set, model)
    return SharedReferences(model, _count(learned, examples) if learned else 0, len(examples))


def hash_references(examples: Iterable[int]) -> LearnedTexts:
    """What is stored with a regressor that learned from these examples."""
    rows = Reference.objects.filter(example__in=examples).order_by()
    return LearnedTexts.of((), (), rows.values_list("text", flat=True))


def list_written(scus: UnitSet) -> list[int]:
    """Examples that have SCUs."""
    rows = Unit.objects.filter(set=scus, kind=UnitKind.SCU, is_deleted=False).exclude(text="")
    return sorted(set(rows.order_by().values_list("example_id", flat=True)))


def _read_regressor(unit_set: UnitSet, label: str) -> LearnedTexts | None:
    """A regressor that ships is called by name and version, the project's own name@version."""
    if label.partition(" ")[0] in MODELS:
        return _read_shipped()
    name, __, version = label.rpartition("@")
    rows = EasinessModel.objects.filter(project=unit_set.project_id, name=name).defer("file")
    model = rows.filter(version=int(version)).first() if version.isdecimal() else None
    if model is None:
        return None
    if "learned" in model.card:
        return LearnedTexts.from_json(model.card["learned"])
    return hash_references(list_written(model.scus)) if model.scus else None


def _read_shipped() -> LearnedTexts:
    """What the ranker of `rich` and the regressors that ship were trained on."""
    return reduce(or_, map(read_shipped, TRAINED_ON))


def _count(learned: LearnedTexts, examples: Collection[int]) -> int:
    rows = Reference.objects.filter(example__in=examples).order_by()
    texts = rows.values_list("example_id", "text")
    return len({example for example, text in texts if hash_text(text) in learned.references})
