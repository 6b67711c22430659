"""What the project's overview says of labels, gold and scores, and what is next in them."""

from __future__ import annotations

from django.urls import reverse

from annotation.access import ProjectAccess
from annotation.corpora.models import Project
from annotation.corpora.selectors.projects import NEXT_STEPS, STAGES, NextStep, Stage
from annotation.evaluation.models import GoldVersion, LabelSet
from annotation.evaluation.selectors.answers import list_judged_campaigns

GOLD = "Labels that a paper can stand on"
SCORES = "People and models, per system"


def get_gold_stage(project: Project) -> Stage:
    url = reverse("evaluation:gold", args=[project.slug])
    newest = GoldVersion.objects.filter(project=project, is_ready=True).first()
    if newest is not None:
        return Stage("Gold", f"v{newest.version}", newest.name, "done", url)
    labels = LabelSet.objects.filter(project=project, is_ready=True).count()
    if labels:
        said = f"{labels:,} label set{'' if labels == 1 else 's'}"
        return Stage("Gold", said, "No gold version yet", "current", url)
    is_ready = bool(list_judged_campaigns(project))
    return Stage("Gold", "None yet", GOLD, "current" if is_ready else "later", url)


def get_scores_stage(project: Project) -> Stage:
    newest = LabelSet.objects.filter(project=project, is_ready=True).first()
    if newest is None:
        return Stage("Scores", "—", SCORES, "later")
    url = reverse("evaluation:scores", args=[project.slug, newest.pk])
    systems = len(newest.figures.get("systems", []))
    return Stage("Scores", f"{systems:,} systems", f"By people, {newest}", "done", url)


def find_gold_work(access: ProjectAccess) -> NextStep | None:
    """Answers without labels, or labels without a gold version."""
    if not access.can_edit:
        return None
    project = access.project
    newest = LabelSet.objects.filter(project=project, is_ready=True).first()
    if newest is None:
        return _first(access)
    if GoldVersion.objects.filter(project=project).exists():
        return None
    return NextStep(
        f"Publish {newest}",
        "A gold version holds texts, units and labels under one hash, ready to be shared.",
        "Make a gold version",
        reverse("evaluation:create_gold", args=[project.slug, newest.pk]),
    )


def _first(access: ProjectAccess) -> NextStep | None:
    if not list_judged_campaigns(access.project):
        return None
    return NextStep(
        "Turn judgements into labels",
        "Try rules for noisy work and votes, see what they change, and keep what you choose.",
        "Open what-if",
        reverse("evaluation:whatif", args=[access.project.slug]),
    )


STAGES["Gold"] = get_gold_stage
STAGES["Scores"] = get_scores_stage
NEXT_STEPS.append(find_gold_work)
