"""References that a ranker of STUs or a regressor was trained on: it does better on them."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import reduce
from operator import or_

from annotation.corpora.models import Reference
from annotation.units.models import EasinessModel, SentencePlan, Unit, UnitKind, UnitSet
from annotation.units.selectors.plans import get_plan_counts
from scoring.easiness.regressors import MODELS
from scoring.judge.learned import LearnedTexts, hash_text, read_shipped
from scoring.stu.extractors import TRAINED, TRAINED_ON


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
    name, _, version = label.rpartition("@")
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
