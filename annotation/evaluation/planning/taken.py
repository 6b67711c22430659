"""A plan made so: a draft set with its sentences assigned, and a draft campaign; or taken back."""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from decimal import ROUND_UP, Decimal
from typing import Any

import numpy as np
from django.db import transaction
from django.utils.translation import gettext as _

from annotation import clock
from annotation.corpora.accounts.models import User
from annotation.corpora.activity.models import Verb
from annotation.corpora.activity.service import record_activity
from annotation.corpora.corpus.models import Example
from annotation.corpora.projects.models import Project, Role
from annotation.crowd.campaigns.models import Campaign, CampaignState
from annotation.crowd.campaigns.planning import estimate_cost
from annotation.crowd.campaigns.service import create_campaign, delete_campaign, update_campaign
from annotation.errors import DomainError, Invalid, NotFound
from annotation.evaluation.planning.models import BudgetPlan
from annotation.evaluation.planning.queries import list_writers
from annotation.evaluation.planning.studies import read_sentences
from annotation.units.plans.queries import get_difficulties, get_plan_counts
from annotation.units.plans.service import plan_sentences
from annotation.units.plans.stand_ins import (
    carry_work,
    copy_scus,
    has_own_scus,
    list_written_sentences,
)
from annotation.units.sets.models import UnitSet
from annotation.units.sets.service import create_set, delete_set
from scoring.planning.orders import random_order
from scoring.planning.plans import Plan
from scoring.planning.study import SentenceUnits
from scoring.planning.work import Work, choose_work

CENT = Decimal("0.01")
LONGEST_NAME = 80
# A sentence that nothing is predicted of is harder than every other.
UNKNOWN_DIFFICULTY = 2.0


def apply_plan(
    *,
    plan: BudgetPlan,
    user: User | None,
    key: str,
    name: str = "",
    author: User | None = None,
    stus: UnitSet | None = None,
) -> BudgetPlan:
    """Make a plan's draft set, its assignments and its draft campaign; nothing is spent by that."""
    chosen = _find_plan(plan, key)
    source = _check_stus(plan.stus or stus)
    _check_author(plan.project, author)
    if plan.asked.get("scus") and plan.scus is None:
        raise DomainError(
            _("The SCUs that the plan starts from have been deleted."), _("Edit the budget.")
        )
    wanted = _check_name(name or _("Budget {plan}").format(plan=plan.pk))
    with transaction.atomic():
        held = BudgetPlan.objects.select_for_update().get(pk=plan.pk)
        if held.chosen:
            raise DomainError(
                _("{plan} already has a plan in use.").format(plan=plan), _("Undo it first.")
            )
        written = list_written_sentences(plan.scus) if plan.scus else set()
        work, ids = choose_sentences(plan.project, chosen, source, plan.asked["seed"], written)
        held.unit_set = create_set(project=plan.project, user=user, name=wanted)
        copied = _fill(held.unit_set, plan.scus, ids)
        _assign(held.unit_set, user, source, ids, author)
        if plan.scus:
            carry_work(unit_set=held.unit_set, scus=plan.scus)
        held.stus, held.chosen, held.work = source, key, _by_id(plan.project, work)
        held.work["copied"] = copied
        held.campaign = _draft(held, chosen, user, wanted) if chosen.people else None
        held.chosen_by, held.chosen_at = user, clock.now()
        held.save()
        text = _("applied a plan of {plan}: {unit_set}").format(plan=plan, unit_set=held.unit_set)[
            :300
        ]
        record_activity(project=plan.project, actor=user, verb=Verb.PLAN, target=plan, text=text)
    plan.refresh_from_db()
    return plan


def _fill(unit_set: UnitSet, scus: UnitSet | None, sentences: set[int]) -> int:
    """Start from the SCUs that are there; how many were copied."""
    return copy_scus(unit_set=unit_set, scus=scus, sentences=sentences) if scus else 0


def _assign(
    unit_set: UnitSet, user: User | None, stus: UnitSet, sentences: set[int], author: User | None
) -> None:
    """The sentences are somebody's to write, and STUs replace the others."""
    plan_sentences(
        unit_set=unit_set,
        user=user,
        stus=stus,
        human=sentences,
        difficulty=get_difficulties(stus),
        author=author,
        model=get_plan_counts(stus)["model"],
    )


def _find_plan(plan: BudgetPlan, key: str) -> Plan:
    if not plan.is_ready:
        raise DomainError(
            _("{plan} is still being calculated.").format(plan=plan),
            _("Wait for its job to finish."),
            fix=plan,
        )
    found = next((row for row in plan.plans if row["key"] == key), None)
    if found is None:
        known = ", ".join(row["key"] for row in plan.plans)
        raise NotFound(
            _("No plan is called '{key}'.").format(key=key[:40]),
            _("Known: {known}.").format(known=known),
        )
    return Plan.from_json(found)


def _check_stus(stus: UnitSet | None) -> UnitSet:
    if stus is None:
        raise DomainError(
            _("This plan uses STUs for sentences that nobody writes, but no STUs are chosen."),
            _("Extract STUs from the references first, then choose them."),
        )
    return stus


def _check_name(name: str) -> str:
    name = name.strip()
    if not name or len(name) > LONGEST_NAME:
        raise Invalid(
            _("name: expected 1 to {longest_name} characters.").format(longest_name=LONGEST_NAME)
        )
    return name


def _check_author(project: Project, author: User | None) -> None:
    if author is not None and not list_writers(project).filter(user=author).exists():
        raise DomainError(
            _("{author} isn’t allowed to write units in this project.").format(author=author),
            _("Choose a member with the role {annotator} or higher.").format(
                annotator=Role.ANNOTATOR.label.lower()
            ),
        )


def choose_sentences(
    project: Project, plan: Plan, stus: UnitSet, seed: int, written: AbstractSet[int] = frozenset()
) -> tuple[Work, set[int]]:
    """Examples drawn at random, and the hardest of their sentences, by id.

    Sentences that are *written* already come first. Where nothing is predicted of the others,
    those to be written are drawn at random too.
    """
    texts = read_sentences(project)
    documents = [text.key for text in texts.values()]
    sentences = [
        SentenceUnits(text.key, place, row.text, (), ())
        for text in texts.values()
        for place, row in enumerate(text.sentences)
    ]
    ids = [row.pk for text in texts.values() for row in text.sentences]
    difficulty = get_difficulties(stus)
    order = (
        np.array([-difficulty.get(pk, UNKNOWN_DIFFICULTY) for pk in ids])
        if difficulty
        else random_order(len(ids), seed)
    )
    # The hardest of all, so that STUs replace them last.
    order[[pk in written for pk in ids]] = -np.inf
    work = choose_work(plan, documents, sentences, order, seed=seed)
    places = {(row.document, row.place): pk for row, pk in zip(sentences, ids, strict=True)}
    return work, {places[place] for place in work.written}


def _by_id(project: Project, work: Work) -> dict[str, Any]:
    rows = Example.objects.live().filter(project=project, key__in=work.examples)
    ids = dict(rows.values_list("key", "pk"))
    return {
        "examples": [ids[key] for key in work.examples],
        "people": [ids[key] for key in work.people],
    }


def _draft(held: BudgetPlan, chosen: Plan, user: User | None, name: str) -> Campaign:
    """With the plan's price as its budget; more only as far as the user's own money goes."""
    asked = held.asked
    assert held.unit_set is not None
    campaign = create_campaign(
        project=held.project,
        user=user,
        unit_set=held.unit_set,
        name=name,
        provider=asked["provider"],
        reward=Decimal(asked["reward"]),
        units_per_hit=asked["units_per_hit"],
        assignments_per_hit=chosen.judges,
        scope={"examples": held.work["people"]},
        budget=_to_cent(chosen.money),
    )
    wanted = _to_cent(estimate_cost(campaign).total)
    limit = asked["money"]
    if wanted > campaign.budget and (limit is None or wanted <= Decimal(limit)):
        campaign = update_campaign(campaign=campaign, user=user, budget=wanted)
    return campaign


def _to_cent(amount: Decimal) -> Decimal:
    return amount.quantize(CENT, rounding=ROUND_UP)


def undo_plan(*, plan: BudgetPlan, user: User | None) -> BudgetPlan:
    """Take the draft set and the draft campaign back, while nobody has written or published."""
    with transaction.atomic():
        held = BudgetPlan.objects.select_for_update(of=("self",)).get(pk=plan.pk)
        if not held.chosen:
            raise DomainError(
                _("{plan} has no plan in use.").format(plan=plan), _("There is nothing to undo.")
            )
        _refuse_if_begun(held)
        campaign, unit_set = held.campaign, held.unit_set
        held.chosen, held.work, held.unit_set, held.campaign = "", {}, None, None
        held.chosen_by = held.chosen_at = None
        held.save()
        if campaign is not None:
            delete_campaign(campaign=campaign, user=user)
        if unit_set is not None:
            delete_set(unit_set=unit_set, user=user)  # type: ignore[arg-type]
        text = _("undid the plan of {plan}").format(plan=plan)
        record_activity(project=plan.project, actor=user, verb=Verb.UNDO, target=plan, text=text)
    plan.refresh_from_db()
    return plan


def _refuse_if_begun(held: BudgetPlan) -> None:
    if held.campaign is not None and held.campaign.state != CampaignState.DRAFT:
        raise DomainError(
            _("The campaign {campaign} is published.").format(campaign=held.campaign),
            _("A plan can’t be undone once its campaign is published."),
        )
    if held.unit_set is not None and has_own_scus(held.unit_set, held.work.get("copied", 0)):
        raise DomainError(
            _("Units of {unit_set} have already been written.").format(unit_set=held.unit_set),
            _("To discard them, delete the unit set."),
            fix=held.unit_set,
        )


def forget_set(unit_set: UnitSet) -> None:
    """A set that somebody deletes is no longer any plan's."""
    BudgetPlan.objects.filter(scus=unit_set).update(scus=None)
    rows = BudgetPlan.objects.filter(unit_set=unit_set)
    rows.update(unit_set=None, campaign=None, chosen="", work={}, chosen_by=None, chosen_at=None)
