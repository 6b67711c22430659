"""How pages about judges say what each of them is."""

from __future__ import annotations

from django import template

from annotation.translation import gettext_lazy

register = template.Library()

KINDS = {
    "embedded": gettext_lazy(
        "Decision trees on word and embedding features, trained on presence labels. "
        "Not an entailment model."
    ),
    "reader": gettext_lazy(
        "Decision trees on word features, embeddings and a network trained on entailment. "
        "Sees many contradictions."
    ),
    "lexical": gettext_lazy(
        "Decision trees on word features, trained on presence labels. Not an entailment model."
    ),
    "shared": gettext_lazy(
        "An encoder trained on presence labels that reads a summary once for all its units. "
        "Not an entailment model."
    ),
    "out_of_fold": gettext_lazy(
        "The models of a judge’s folds: each text is judged by a model that was trained without it."
    ),
    "nli": gettext_lazy(
        "A pair classifier: the summary is the premise and the unit the hypothesis."
    ),
}


@register.filter
def judge_kind(kind: str) -> str:
    return KINDS.get(kind, kind)


@register.filter
def option_name(name: str) -> str:
    return name.replace("_", " ").capitalize()
