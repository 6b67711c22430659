"""How pages about judges say what each of them is."""

from __future__ import annotations

from django import template

register = template.Library()

KINDS = {
    "embedded": "Trees on words and contextual vectors, trained on presence labels: it has learnt "
    "which units people call present, and is no entailment model.",
    "lexical": "Trees on words alone, trained on presence labels: it has learnt which units people "
    "call present, and is no entailment model.",
    "shared": "An encoder trained on presence labels that reads a summary once for all its units; "
    "no entailment model.",
    "out_of_fold": "The models of a judge's folds: each text is judged by one that was trained "
    "without it.",
    "nli": "A classifier of pairs: the summary is the premise, the unit the hypothesis.",
}


@register.filter
def judge_kind(kind: str) -> str:
    return KINDS.get(kind, kind)


@register.filter
def option_name(name: str) -> str:
    return name.replace("_", " ").capitalize()
