"""The rules of labels that were kept, as the address of the page where rules are tried."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import urlencode

from django.urls import reverse

from annotation.evaluation.models import LabelSet
from scoring.aggregation import Recipe

# A rule by its name in a recipe: its switch on the page, and its thresholds with their scale there.
SWITCHES: Mapping[str, tuple[str, Mapping[str, float]]] = {
    "gold": ("gold", {"min_right": 100}),
    "fast": ("fast", {"min_seconds": 1}),
    "straight-lining": ("straight", {"min_statements": 1}),
    "per-worker": ("worker", {"min_hits": 1, "max_disagreement": 100}),
    "per-summary": ("summary", {}),
}


def ask_again(label_set: LabelSet) -> str:
    """Where the same rules are tried on today's answers; empty for labels without answers."""
    campaigns = list(label_set.campaigns.order_by("pk").values_list("pk", flat=True))
    if not campaigns:
        return ""
    query = [
        *_switches(Recipe.from_json(label_set.recipe)),
        *(("campaign", pk) for pk in campaigns),
    ]
    return f"{reverse('evaluation:whatif', args=[label_set.project.slug])}?{urlencode(query)}"


def _switches(recipe: Recipe) -> list[tuple[str, object]]:
    query: list[tuple[str, object]] = []
    for step in recipe.filters:
        switch, scales = SWITCHES[step.name]
        query.append((switch, "on"))
        query += [
            (name, f"{scale * step.options[name]:g}")
            for name, scale in scales.items()
            if name in step.options
        ]
    return [*query, ("vote", recipe.vote), ("tie", recipe.tie), ("seed", recipe.seed)]
