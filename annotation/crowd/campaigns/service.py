"""Setting a campaign up."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from typing import Any

from django.db import IntegrityError, transaction
from django.urls import reverse
from django.utils.translation import gettext as _

from annotation.access import owns_project
from annotation.corpora.accounts.models import User
from annotation.corpora.activity.models import Verb
from annotation.corpora.activity.service import record_activity
from annotation.corpora.corpus.models import Example, System
from annotation.corpora.imports.models import Import
from annotation.corpora.imports.writing import REFUSALS
from annotation.corpora.projects.models import Project
from annotation.corpora.projects.service import REMOVE_FIRST
from annotation.crowd.campaigns.checks import check_fields, list_planned_examples
from annotation.crowd.campaigns.ledger import get_books
from annotation.crowd.campaigns.models import Campaign, CampaignState, Hit, ProviderName, Worker
from annotation.crowd.campaigns.planning import estimate_cost, find_cap
from annotation.crowd.campaigns.presets import PRESETS
from annotation.crowd.market.requesters import get_project_requester, let_go
from annotation.crowd.requesters.payments import list_undecided, sum_owed
from annotation.errors import DomainError, Forbidden, Invalid, NotFound
from annotation.removal import remove_rows
from annotation.units.sets.models import UnitSet
from annotation.units.sets.service import SET_REFUSALS
from annotation.wording import counted

# What may still be changed when HITs are out: nothing that a worker has seen.
CHANGEABLE = frozenset({"name", "budget", "bonus_reserve", "wage_floor", "approve_rule"})
# Of these, what decides on payments as soon as work comes in.
MONEY = CHANGEABLE - {"name"}
FIELDS = CHANGEABLE | {
    "provider",
    "delivery",
    "title",
    "description",
    "keywords",
    "instructions",
    "worked_examples",
    "training",
    "gold",
    "gold_per_hit",
    "units_per_hit",
    "reward",
    "rewards_by_kind",
    "assignments_per_hit",
    "seconds_allotted",
    "lifetime_seconds",
    "auto_approve_seconds",
    "requirements",
    "exclude_earlier_workers",
    "most_per_worker",
    "scope",
    "cleaning",
}


def create_campaign(
    *,
    project: Project,
    user: User | None,
    unit_set: UnitSet,
    name: str,
    preset: str = "",
    **fields: Any,
) -> Campaign:
    """A draft with the preset's settings, over which the given ones go.

    Without a budget, its cap follows what it costs.
    Units that are planned may still be written: what they cost is then estimated, and nothing is
    published before their set is frozen.
    """
    is_known = unit_set.is_frozen or list_planned_examples(unit_set).exists()
    if not is_known or unit_set.project_id != project.pk:
        raise DomainError(
            _("{unit_set} is not frozen, so its units may still change.").format(unit_set=unit_set),
            _("Freeze the set first. A campaign needs units that no longer change."),
            fix=unit_set,
        )
    if preset and preset not in PRESETS:
        raise Invalid(
            _("There is no preset '{preset}'.").format(preset=preset),
            _("Known: {presets}.").format(presets=", ".join(PRESETS)),
        )
    provider = str(fields.get("provider", ProviderName.MARKETPLACE))
    values = {**PRESETS[preset or "blank"].fields_at(provider), "budget": None, **fields}
    _refuse_unknown(values)
    campaign = Campaign(
        project=project, unit_set=unit_set, created_by=user, name=name.strip(), budget=Decimal(0)
    )
    _apply(campaign, values)
    _follow_cost(campaign)
    _save(
        campaign,
        user,
        Verb.CREATE,
        _("created the draft campaign {campaign}").format(campaign=campaign.name),
    )
    ensure_payer(campaign, user)
    return campaign


def ensure_payer(campaign: Campaign, user: User | None) -> None:
    """So that staff can add money to its budget before anything is published."""
    if campaign.provider == ProviderName.MARKETPLACE:
        get_project_requester(project=campaign.project, user=user)


def update_campaign(
    *, campaign: Campaign, user: User | None, may_pay: bool = True, **fields: Any
) -> Campaign:
    """Change a draft; of a published campaign, only what no worker has seen.

    Once it is published, what decides on payments is an owner's, and a key's that `may_pay`.
    """
    _refuse_unknown(fields)
    with transaction.atomic():
        locked = Campaign.objects.select_for_update().get(pk=campaign.pk)
        fixed = set(fields) - CHANGEABLE
        if locked.state != CampaignState.DRAFT and fixed:
            raise DomainError(
                _("{fixed} can't be changed after publishing.").format(
                    fixed=", ".join(sorted(fixed))
                ),
                _("Create a new campaign with the new settings."),
            )
        if locked.state != CampaignState.DRAFT:
            _check_may_pay(locked, user, may_pay, fields)
        if locked.state != CampaignState.DRAFT and fields.get("budget", 0) is None:
            raise Invalid(
                _("budget: a published campaign needs an amount."), _("Enter the new cap.")
            )
        _apply(locked, fields)
        if locked.state == CampaignState.DRAFT:
            _follow_cost(locked)
        books = get_books(locked)
        if locked.budget < books.committed:
            raise DomainError(
                _("${committed:,.2f} is already committed.").format(committed=books.committed),
                _("Set a budget of at least that; it was ${budget:,.2f}.").format(
                    budget=books.budget
                ),
            )
        _save(
            locked,
            user,
            Verb.CHANGE,
            _("changed the campaign {locked}").format(locked=locked.name),
            sorted(fields),
        )
    ensure_payer(locked, user)
    return locked


def preview_settings(*, campaign: Campaign, **fields: Any) -> Campaign:
    """The draft as it would be with these settings. Nothing is saved."""
    _refuse_unknown(fields)
    draft = copy.copy(campaign)
    _apply(draft, fields)
    return draft


def _check_may_pay(
    campaign: Campaign, user: User | None, may_pay: bool, fields: Mapping[str, Any]
) -> None:
    named = ", ".join(sorted(MONEY & set(fields)))
    if not named or user is None:  # a command is nobody
        return
    if not owns_project(user, campaign.project):
        raise Forbidden(
            _("{named}: only owners can change this after publishing.").format(named=named),
            _("Ask an owner of the project."),
        )
    if not may_pay:
        raise Forbidden(
            _("{named}: changing this after publishing needs a key with the scope 'pay'.").format(
                named=named
            ),
            _("Create a key with that scope on your account page."),
            fix=reverse("corpora:account"),
        )


def _refuse_unknown(fields: Mapping[str, Any]) -> None:
    if unknown := set(fields) - FIELDS:
        raise Invalid(
            _("A campaign has no setting '{unknown}'.").format(unknown=sorted(unknown)[0]),
            _("Known: {fields}.").format(fields=", ".join(sorted(FIELDS))),
        )


def _apply(campaign: Campaign, values: Mapping[str, Any]) -> None:
    """Set and check; a budget of None is one that follows the cost."""
    for name, value in values.items():
        if name == "budget":
            campaign.cap_follows = value is None
        if name != "budget" or value is not None:
            setattr(campaign, name, value)
    check_fields(campaign)
    _check_scope(campaign)


def _follow_cost(campaign: Campaign) -> None:
    if campaign.cap_follows:
        campaign.budget = find_cap(campaign, estimate_cost(campaign))


def _check_scope(campaign: Campaign) -> None:
    """Every system and example that is named must be one of the project's."""
    for name in ("systems", "examples"):
        refuse_strangers(campaign.project, name, campaign.scope.get(name) or [])


def refuse_strangers(project: Project, name: str, ids: Sequence[int]) -> None:
    rows = System.objects.live() if name == "systems" else Example.objects.live()
    mine = rows.filter(project=project, pk__in=set(ids))
    if missing := set(ids) - set(mine.values_list("pk", flat=True)):
        raise NotFound(
            _("{name}: the project has no {name_2} {missing}.").format(
                name=name, name_2=name[:-1], missing=min(missing)
            )
        )


def _save(
    campaign: Campaign, user: User | None, verb: Verb, text: str, fields: Sequence[str] = ()
) -> None:
    try:
        with transaction.atomic():
            campaign.save()
            record_activity(
                project=campaign.project,
                actor=user,
                verb=verb,
                target=campaign,
                text=text,
                details={"fields": list(fields)} if fields else None,
            )
    except IntegrityError:
        raise DomainError(
            _("A campaign called '{campaign}' already exists.").format(campaign=campaign.name),
            _("Choose another name."),
        ) from None


def delete_campaign(*, campaign: Campaign, user: User | None) -> None:
    """A draft, or one made of files that nothing refers to: what went out stays on record."""
    with transaction.atomic():
        locked = Campaign.objects.select_for_update().filter(pk=campaign.pk).first()
        if locked is None:
            raise NotFound(_("This campaign was deleted."))
        if locked.state != CampaignState.DRAFT or locked.intents.exists():
            _refuse_to_delete(locked)
        text = (
            _("deleted the draft {campaign}").format(campaign=campaign.name)
            if locked.state == CampaignState.DRAFT
            else _("deleted the campaign {campaign}").format(campaign=campaign.name)
        )
        number = locked.assignments.count()
        remove_rows(Campaign.objects.filter(pk=locked.pk))
        record_activity(
            project=campaign.project,
            actor=user,
            verb=Verb.DELETE,
            target=campaign,
            text=text,
            details={"assignments": number} if number else None,
        )


def _refuse_to_delete(campaign: Campaign) -> None:
    if not is_imported(campaign) or campaign.intents.exists():
        raise DomainError(
            _("A published campaign can't be deleted: its ledger and answers are kept."),
            _("End it instead."),
            fix=reverse("crowd:end_campaign", args=[campaign.project.slug, campaign.pk]),
        )
    for refuse in CAMPAIGN_REFUSALS:
        refuse(campaign)


def is_imported(campaign: Campaign) -> bool:
    """Whether it was made of results files: nothing was published or paid from here."""
    return bool(campaign.provider_state.get("imported"))


# Other apps' reasons against deleting a campaign.
CAMPAIGN_REFUSALS: list[Callable[[Campaign], None]] = []


def record_preview(
    *, campaign: Campaign, user: User | None, seconds: float, statements: int
) -> None:
    """Store how long a team member took, to estimate the hourly wage."""
    if not 0 < seconds < 86_400 or statements < 1:
        raise Invalid(_("A preview takes up to a day and has at least one statement."))
    Campaign.objects.filter(pk=campaign.pk).update(seconds_per_statement=seconds / statements)


LONGEST_NAME = 120


def duplicate_campaign(*, campaign: Campaign, user: User | None, name: str = "") -> Campaign:
    """Everything that workers see and are paid; answers, HITs and books stay where they are."""
    if is_imported(campaign):
        raise DomainError(
            _("{campaign} was created from files and has no settings.").format(campaign=campaign),
            _("Create a new campaign."),
        )
    fields: dict[str, Any] = {key: getattr(campaign, key) for key in FIELDS - {"name", "budget"}}
    fields["scope"] = _list_what_is_there(campaign)
    made = create_campaign(
        project=campaign.project,
        user=user,
        unit_set=campaign.unit_set,
        name=name.strip() or find_free_name(campaign),
        **fields,
    )
    if campaign.seconds_per_statement:
        made.seconds_per_statement = campaign.seconds_per_statement
        made.save(update_fields=["seconds_per_statement"])
    return made


def _list_what_is_there(campaign: Campaign) -> dict[str, list[int]]:
    """The scope without systems and examples that were removed since."""
    found = {}
    if systems := campaign.scope.get("systems"):
        there = System.objects.live().filter(project=campaign.project_id, pk__in=systems)
        found["systems"] = sorted(there.values_list("pk", flat=True))
    if examples := campaign.scope.get("examples"):
        read = Example.objects.live().filter(project=campaign.project_id, pk__in=examples)
        found["examples"] = sorted(read.values_list("pk", flat=True))
    return found


def find_free_name(campaign: Campaign) -> str:
    taken = set(Campaign.objects.filter(project=campaign.project_id).values_list("name", flat=True))
    stem = campaign.name[: LONGEST_NAME - 10]
    names = [
        _("{stem} (copy)").format(stem=stem),
        *(
            _("{stem} (copy {number})").format(stem=stem, number=number)
            for number in range(2, len(taken) + 2)
        ),
    ]
    return next(name for name in names if name not in taken)


OUT = [CampaignState.PUBLISHING, CampaignState.LIVE, CampaignState.PAUSED]


def refuse_if_judged(import_: Import) -> None:
    hit = Hit.objects.filter(summary__source=import_).select_related("campaign").first()
    if hit is not None:
        raise DomainError(
            _("Summaries of this import are part of the campaign {campaign}.").format(
                campaign=hit.campaign
            ),
            _("Published summaries can't be removed."),
            fix=hit.campaign,
        )


def refuse_if_drafted(unit_set: UnitSet) -> None:
    """A draft campaign may be about units that are still being written."""
    draft = Campaign.objects.filter(unit_set=unit_set).first()
    if draft is not None:
        message = _("The draft campaign {draft} uses {unit_set}.").format(
            draft=draft, unit_set=unit_set
        )
        raise DomainError(message, _("Delete the draft campaign first."), fix=draft)


def remove_campaigns(project: Project) -> None:
    """Nothing that costs may go on after its project is gone."""
    running = Campaign.objects.filter(project=project, state__in=OUT).first()
    if running is not None:
        raise DomainError(
            _("The campaign {running} is {state}.").format(
                running=running, state=running.get_state_display().lower()
            ),
            _("End it first. Otherwise its HITs would stay open with nobody to pay for them."),
            fix=running,
        )
    owed = sum_owed(project)
    if owed > 0:
        raise DomainError(
            _("Workers are still owed ${owed:,.2f} for the work of this project.").format(
                owed=owed
            ),
            _("Ask staff to pay the workers and record the payment. Then delete the project."),
        )
    # Its HITs are closed first, so that nobody accepts one while we look.
    let_go(project)
    if undecided := list_undecided(project).count():
        raise DomainError(
            _(
                "Workers have {assignments} of this project in progress or waiting for a decision."
            ).format(assignments=counted(undecided, "assignment", "assignments")),
            _(
                "Approve or reject what was submitted, and wait for the rest: it will be "
                "submitted, returned or abandoned."
            ),
        )
    remove_rows(Campaign.objects.filter(project=project))
    remove_rows(Worker.objects.filter(project=project))


REFUSALS.append(refuse_if_judged)
SET_REFUSALS.append(refuse_if_drafted)
# Before units, which judgements refer to.
REMOVE_FIRST.insert(0, remove_campaigns)
