"""The facts of a gold version, read off the study itself.

- What the gold page lists: versions, label sets, and the one thing to do next.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from decimal import Decimal
from typing import Any

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from annotation.corpora.corpus.exports import iter_records
from annotation.corpora.projects.models import Project
from annotation.crowd.campaigns.models import Campaign, ProviderName
from annotation.crowd.campaigns.presets import read_requirements
from annotation.crowd.campaigns.queries import get_wage
from annotation.errors import NotFound
from annotation.evaluation.gold.models import GoldVersion, WorkerNames
from annotation.evaluation.gold.records import get_names, list_worker_decisions
from annotation.evaluation.labels.answers import list_labelled_assignments
from annotation.evaluation.labels.models import Drop, LabelOrigin, LabelSet
from annotation.evaluation.labels.scores import list_score_rows
from scoring import __version__
from scoring.io.gold import (
    AgreementFacts,
    CampaignFacts,
    DropFacts,
    GoldCounts,
    GoldFacts,
    ScoreFacts,
    UnitSetFacts,
)

LEVELS = (("by_summary", "summary"), ("by_document", "document"), ("by_system", "system"))


def get_facts(gold: GoldVersion, counts: GoldCounts, corpus_hash: str) -> GoldFacts:
    """Everything that the card, the methods paragraph and the tables are written from."""
    label_set = gold.label_set
    unit_set = label_set.unit_set
    return GoldFacts(
        name=gold.name,
        version=gold.version,
        created=gold.created_at.isoformat(timespec="seconds"),
        description=gold.description,
        licence=gold.licence,
        citation=gold.citation,
        corpus_hash=corpus_hash,
        unit_set=UnitSetFacts(
            unit_set.name, unit_set.version, unit_set.content_hash, unit_set.freeze_reason
        ),
        campaigns=tuple(_campaign(row, label_set) for row in label_set.campaigns.order_by("pk")),
        recipe=label_set.recipe,
        drops=tuple(DropFacts(**row) for row in label_set.figures.get("drops", [])),
        agreement=tuple(_agreement(label_set.figures.get("agreement", {}))),
        scores=tuple(_scores(label_set)),
        counts=counts,
        signature=label_set.signature,
        program=f"giza {__version__}",
        pseudonymous=gold.worker_names == WorkerNames.PSEUDONYM,
        decisions=tuple(
            list_worker_decisions(label_set, get_names(gold.project, gold.worker_names))
        ),
    )


def hash_corpus(project: Project) -> str:
    """SHA-256 over all texts of the project, in their order."""
    digest = hashlib.sha256()
    for record in iter_records(project):
        references = [[item.name, item.text, item.sentences] for item in record.references]
        line = [record.key, record.documents, references, sorted(record.summaries.items())]
        digest.update(json.dumps(line, ensure_ascii=False, separators=(",", ":")).encode())
        digest.update(b"\n")
    return digest.hexdigest()


def _campaign(campaign: Campaign, label_set: LabelSet) -> CampaignFacts:
    wage = get_wage(campaign).median
    read = list_labelled_assignments(label_set).filter(campaign=campaign)
    is_offline = campaign.provider == ProviderName.OFFLINE
    return CampaignFacts(
        title=campaign.title,
        instructions=campaign.instructions,
        # Files say nothing about where the workers were found.
        marketplace="" if is_offline else campaign.get_provider_display(),
        judges=campaign.assignments_per_hit,
        hits=campaign.hits.count(),
        assignments=read.count(),
        rewards=_rewards(campaign),
        median_wage=None if wage is None else f"{wage:.2f}",
        qualifications=tuple(describe_requirements(campaign)),
        started=_day(campaign.published_at),
        ended=_day(campaign.ended_at),
        settings={
            "units_per_hit": campaign.units_per_hit,
            "seconds_allotted": campaign.seconds_allotted,
            "gold_per_hit": campaign.gold_per_hit if campaign.gold else 0,
            "wage_floor": f"{campaign.wage_floor:.2f}",
        },
    )


def _day(moment: Any) -> str:
    return "" if moment is None else moment.date().isoformat()


def _rewards(campaign: Campaign) -> tuple[str, ...]:
    """The rewards of its HITs, each once, the lowest first."""
    paid = set(campaign.hits.values_list("reward", flat=True)) - {Decimal(0)}
    return tuple(f"{reward:.2f}" for reward in sorted(paid))


def describe_requirements(campaign: Campaign) -> list[str]:
    """Who could work, in words."""
    read = read_requirements(campaign.requirements)
    told = []
    if read.get("countries"):
        told.append(f"located in {', '.join(read['countries'])}")
    if read.get("approval_rate") is not None:
        told.append(f"approval rate above {read['approval_rate']} %")
    if read.get("hits_approved") is not None:
        told.append(f"at least {read['hits_approved']:,} HITs approved")
    if others := len(read["other_requirements"]):
        told.append(f"{others} further qualification{'' if others == 1 else 's'}")
    if campaign.exclude_earlier_workers:
        told.append("no participation in an earlier campaign")
    return told


def _agreement(figures: dict[str, Any]) -> list[AgreementFacts]:
    if not figures:
        return []
    pooled = figures["pooled"]
    found = [_level("alpha", "pooled", pooled, pooled["statements"], figures)]
    for name, level in LEVELS:
        row = figures[name]
        found.append(_level("alpha", level, row, row["groups"], figures))
    percent, kappa = figures["percent"], figures["fleiss_kappa"]
    statements = pooled["statements"]
    found.append(AgreementFacts("percent", "pooled", percent, items=statements))
    found.append(AgreementFacts("fleiss-kappa", "pooled", kappa, items=statements))
    return found


def _level(
    measure: str, level: str, row: dict[str, Any], items: int, figures: dict[str, Any]
) -> AgreementFacts:
    return AgreementFacts(
        measure, level, row["alpha"], row["low"], row["high"], items, figures["undefined"]
    )


def _scores(label_set: LabelSet) -> list[ScoreFacts]:
    return [
        ScoreFacts(row.system, row.score, row.low, row.high, row.documents)
        for row in list_score_rows(label_set)
    ]


MAX_GOLD_NAME = 80


def list_versions(project: Project) -> QuerySet[GoldVersion]:
    return GoldVersion.objects.filter(project=project).select_related(
        "label_set__unit_set", "job", "created_by"
    )


def list_label_sets(project: Project) -> QuerySet[LabelSet]:
    return (
        LabelSet.objects.filter(project=project)
        .select_related("unit_set", "job__project", "created_by")
        .prefetch_related("campaigns", "gold_versions")
    )


def get_label_set(project: Project, pk: int) -> LabelSet:
    found = list_label_sets(project).filter(pk=pk).first()
    if found is None:
        raise NotFound(_("The project has no label set {pk}.").format(pk=pk))
    return found


def get_version(project: Project, pk: int) -> GoldVersion:
    rows = list_versions(project).select_related("project", "job__project")
    found = rows.filter(pk=pk).first()
    if found is None:
        raise NotFound(_("The project has no gold version {pk}.").format(pk=pk))
    return found


def name_gold(label_set: LabelSet, versions: Sequence[GoldVersion]) -> str:
    """The name of the newest version of labels from the same place, or one that says the place.

    Two things from different places are no versions of one another.
    """
    place = _place_of(label_set)
    for gold in versions:
        if _place_of(gold.label_set) == place:
            return gold.name
    source = place[-1] or _("imported labels")
    return f"{label_set.project.name[: MAX_GOLD_NAME // 2]}: {source}"[:MAX_GOLD_NAME].strip()


def _place_of(label_set: LabelSet) -> tuple[str, str, str]:
    """Where labels came from: the units' name, the kind of place, and its name."""
    if label_set.origin == LabelOrigin.FILES:
        source = label_set.recipe.get("source", "")
        told = _("labels from {source}").format(source=source) if source else ""
    else:
        names = label_set.campaigns.order_by("pk").values_list("name", flat=True)
        told = ", ".join(names)
    return label_set.unit_set.name, label_set.origin, told


def list_label_drops(label_set: LabelSet, rule: str = "") -> QuerySet[Drop]:
    rows = Drop.objects.filter(label_set=label_set).select_related(
        "assignment__worker",
        "assignment__hit__summary__example",
        "assignment__hit__summary__system",
    )
    return rows.filter(rule=rule) if rule else rows
