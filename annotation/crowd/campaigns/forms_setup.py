"""Rows of a campaign's setup: worked examples, practice and attention items."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.forms import BaseFormSet, formset_factory
from django.utils.translation import gettext as _

from annotation.corpora.corpus.models import Example, SystemKind
from annotation.crowd.campaigns.forms import CountryField, DollarField, KeysField, SpanField
from annotation.crowd.campaigns.live import list_examples_with_units, list_project_systems
from annotation.crowd.campaigns.models import (
    ApproveRule,
    Campaign,
    CampaignState,
    Delivery,
    ProviderName,
)
from annotation.crowd.campaigns.presets import read_requirements, write_requirements
from annotation.errors import Invalid
from annotation.translation import gettext_lazy
from scoring.cleaning import CASE, TOKENS

ANSWERS = [("present", gettext_lazy("Present")), ("absent", gettext_lazy("Not present"))]
# More attention items than this are a file's business: they are shown as a number and stay.
MOST_ROWS = 100


def area(rows: int) -> forms.Textarea:
    return forms.Textarea(attrs={"rows": rows})


class WorkedForm(forms.Form):
    """A worked example, or a practice item that says at once what is right."""

    summary = forms.CharField(widget=area(2))
    statement = forms.CharField()
    # An empty row sends the first answer all the same; as the initial one it counts as empty.
    answer = forms.ChoiceField(choices=ANSWERS, initial="present")
    why = forms.CharField(required=False, label=gettext_lazy("Explanation"))


class GoldForm(forms.Form):
    """A statement whose answer is known; of one example or system only, if it names them."""

    text = forms.CharField(max_length=1000, label=gettext_lazy("Statement"))
    answer = forms.ChoiceField(
        choices=ANSWERS, initial="present", label=gettext_lazy("Correct answer")
    )
    example = forms.CharField(required=False, label=gettext_lazy("Only for example"))
    system = forms.CharField(required=False, label=gettext_lazy("Only for system"))


def read_rows(rows: BaseFormSet[Any]) -> list[dict[str, Any]]:
    """What was filled in; empty rows are left out, ticked ones go."""
    return [
        {name: value for name, value in form.cleaned_data.items() if name != "DELETE"}
        for form in rows.forms
        if form.cleaned_data and not form.cleaned_data.get("DELETE")
    ]


WorkedRows = formset_factory(WorkedForm, extra=1, can_delete=True, absolute_max=40, max_num=20)
GoldRows = formset_factory(
    GoldForm, extra=1, can_delete=True, absolute_max=200, max_num=MOST_ROWS + 1
)


CLEANING = [
    (TOKENS, gettext_lazy("Unknown tokens, brackets, word pieces and spaces")),
    (CASE, gettext_lazy("Capitals, where a summary has none")),
]
ALL, FIRST, LISTED = "all", "first", "listed"
EXAMPLES = {
    ALL: gettext_lazy("All examples with units"),
    FIRST: gettext_lazy("The first examples"),
    LISTED: gettext_lazy("Specific examples"),
}
# Settings that the form has under the same name.
SAME = (
    "name",
    "title",
    "description",
    "keywords",
    "instructions",
    "gold_per_hit",
    "units_per_hit",
    "reward",
    "assignments_per_hit",
    "seconds_allotted",
    "lifetime_seconds",
    "auto_approve_seconds",
    "exclude_earlier_workers",
    "most_per_worker",
    "budget",
    "bonus_reserve",
    "wage_floor",
    "approve_rule",
    "provider",
    "delivery",
    "cleaning",
)


class NameForm(forms.Form):
    """What an editor may still change when HITs are out."""

    name = forms.CharField(max_length=120, label=gettext_lazy("Campaign name"))


class LaterForm(NameForm):
    """What an owner may still change then: also what decides on payments."""

    budget = DollarField(
        label=gettext_lazy("Budget cap ($)"),
        help_text=gettext_lazy("The campaign never spends more than this, fees included."),
    )
    bonus_reserve = DollarField(
        label=gettext_lazy("Bonus reserve ($)"), help_text=gettext_lazy("Set aside within the cap.")
    )
    wage_floor = DollarField(
        label=gettext_lazy("Wage floor ($ per hour)"),
        help_text=gettext_lazy("You’re warned about lower wages and can top them up."),
    )
    approve_rule = forms.ChoiceField(choices=ApproveRule.choices, label="Auto-approval")


class SetupForm(LaterForm):
    """Every setting of a draft, but for rows of examples and attention items."""

    budget = DollarField(
        required=False,
        label=gettext_lazy("Budget cap ($)"),
        help_text=gettext_lazy(
            "The campaign never spends more than this, fees included. Empty: the cost of the "
            "draft. Enter more to leave room for extensions and top-ups."
        ),
    )

    all_systems = forms.BooleanField(
        required=False,
        label=gettext_lazy("All systems in the project"),
        help_text=gettext_lazy("Includes systems imported before the campaign is published."),
    )
    systems = forms.MultipleChoiceField(
        required=False, label=gettext_lazy("Specific systems"), widget=forms.CheckboxSelectMultiple
    )
    example_choice = forms.ChoiceField(
        label=gettext_lazy("Examples"),
        choices=list(EXAMPLES.items()),
        widget=forms.RadioSelect,
    )
    first_examples = forms.IntegerField(
        required=False, min_value=1, label=gettext_lazy("Number of examples")
    )
    listed_examples = KeysField(
        required=False,
        label=gettext_lazy("Example IDs"),
        widget=area(3),
        help_text=gettext_lazy("One per line."),
    )
    units_per_hit = forms.IntegerField(
        min_value=1,
        max_value=16,
        label=gettext_lazy("Maximum statements per HIT"),
        help_text=gettext_lazy("Examples with more units are split evenly over several HITs."),
    )

    title = forms.CharField(max_length=128, help_text=gettext_lazy("Shown in the list of HITs."))
    description = forms.CharField(max_length=2000, widget=area(2))
    keywords = forms.CharField(max_length=1000, required=False)
    instructions = forms.CharField(max_length=10_000, widget=area(10))
    cleaning = forms.MultipleChoiceField(
        required=False,
        choices=CLEANING,
        label=gettext_lazy("Clean summaries before showing them"),
        widget=forms.CheckboxSelectMultiple,
        help_text=gettext_lazy(
            "The stored summaries don’t change. If off, workers see them as stored."
        ),
    )
    gold_per_hit = forms.IntegerField(
        min_value=0,
        max_value=4,
        label=gettext_lazy("Attention items per HIT"),
        help_text=gettext_lazy("Ignored if there are none."),
    )

    reward = DollarField(label=gettext_lazy("Reward per assignment ($)"), max_value=100)
    assignments_per_hit = forms.IntegerField(
        min_value=1,
        max_value=100,
        label=gettext_lazy("Assignments per HIT"),
        help_text=gettext_lazy("Number of workers."),
    )
    seconds_allotted = SpanField(label=gettext_lazy("Time allotted"))
    lifetime_seconds = SpanField(label=gettext_lazy("HITs stay open for"))
    auto_approve_seconds = SpanField(
        label=gettext_lazy("Auto-approval by the provider after"),
        help_text=gettext_lazy("If nobody has decided by then."),
    )

    countries = CountryField(
        required=False,
        label=gettext_lazy("Countries"),
        help_text=gettext_lazy("Two-letter codes, such as US, GB."),
    )
    approval_rate = forms.IntegerField(
        required=False, min_value=0, max_value=100, label=gettext_lazy("Approval rate above (%)")
    )
    hits_approved = forms.IntegerField(
        required=False, min_value=0, label=gettext_lazy("Minimum approved HITs")
    )
    other_requirements = forms.JSONField(
        required=False,
        label=gettext_lazy("Other requirements"),
        widget=area(3),
        help_text=gettext_lazy(
            "A list of QualificationRequirement objects in the format of the MTurk API."
        ),
    )
    exclude_earlier_workers = forms.BooleanField(
        required=False, label=gettext_lazy("Exclude workers from earlier campaigns of this project")
    )
    most_per_worker = forms.IntegerField(
        required=False,
        min_value=1,
        max_value=1_000_000,
        label=gettext_lazy("Maximum HITs per worker"),
        help_text=gettext_lazy("Empty: no limit."),
    )

    provider = forms.ChoiceField(choices=ProviderName.choices, label=gettext_lazy("Provider"))
    delivery = forms.ChoiceField(choices=Delivery.choices, label=gettext_lazy("Task page delivery"))

    def __init__(self, campaign: Campaign, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **{"initial": read_settings(campaign), **kwargs})
        self.campaign = campaign
        for kind in SystemKind:
            self.fields[f"reward_{kind}"] = DollarField(
                required=False, max_value=100, label=_("{kind} systems ($)").format(kind=kind.label)
            )
        systems = self.fields["systems"]
        assert isinstance(systems, forms.MultipleChoiceField)
        systems.choices = [
            (str(row.pk), row.name) for row in list_project_systems(campaign.project)
        ]

    @property
    def kind_fields(self) -> list[forms.BoundField]:
        return [self[f"reward_{kind}"] for kind in SystemKind]

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        if not data.get("all_systems") and not data.get("systems"):
            self.add_error("systems", _("Choose at least one system, or all systems."))
        if data.get("example_choice") == FIRST and not data.get("first_examples"):
            self.add_error("first_examples", _("Enter the number of examples."))
        self._refuse_contradictions(data)
        return data

    def _refuse_contradictions(self, data: dict[str, Any]) -> None:
        """What was just chosen must not be dropped because another choice goes before it."""
        changed = {name for name in self.changed_data if self[name].data}
        if data.get("all_systems") and "systems" in changed:
            self.add_error(
                "all_systems",
                _("You also chose specific systems. Clear this box or clear those."),
            )
        for name, wanted in (("first_examples", FIRST), ("listed_examples", LISTED)):
            if name in changed and data.get("example_choice") != wanted:
                self.add_error(
                    name,
                    _("Also choose “{examples}”, or clear this field.").format(
                        examples=EXAMPLES[wanted]
                    ),
                )

    def clean_listed_examples(self) -> list[int]:
        """Their ids; a key that the project doesn't have is an error."""
        keys: list[str] = self.cleaned_data["listed_examples"]
        if self.cleaned_data.get("example_choice") != LISTED:
            return []
        rows = Example.objects.live().filter(project=self.campaign.project, key__in=keys)
        ids = dict(rows.values_list("key", "pk"))
        if missing := [key for key in keys if key not in ids]:
            raise ValidationError(
                _("The project has no example '{missing}'.").format(missing=missing[0])
            )
        if not keys:
            raise ValidationError(_("List at least one example."))
        return [ids[key] for key in keys]

    def clean_other_requirements(self) -> list[Any]:
        rows = self.cleaned_data["other_requirements"] or []
        if not isinstance(rows, list):
            raise ValidationError(_("Enter a JSON list: [ … ]."))
        return rows

    def settings(self) -> dict[str, Any]:
        """As the services take them."""
        data = self.cleaned_data
        return {
            **{name: data[name] for name in SAME},
            "scope": self._scope(),
            "rewards_by_kind": {
                kind.value: str(data[f"reward_{kind}"])
                for kind in SystemKind
                if data[f"reward_{kind}"] is not None
            },
            "requirements": write_requirements(data),
        }

    def _scope(self) -> dict[str, list[int]]:
        data, scope = self.cleaned_data, {}
        if not data["all_systems"]:
            scope["systems"] = [int(pk) for pk in data["systems"]]
        if data["example_choice"] == FIRST:
            rows = list_examples_with_units(self.campaign)[: data["first_examples"]]
            scope["examples"] = [pk for pk, __ in rows]
        elif data["example_choice"] == LISTED:
            scope["examples"] = data["listed_examples"]
        return scope


def read_settings(campaign: Campaign) -> dict[str, Any]:
    """The campaign as the form shows it."""
    kinds = campaign.rewards_by_kind
    follows = campaign.state == CampaignState.DRAFT and campaign.cap_follows
    return {
        **{name: getattr(campaign, name) for name in SAME},
        **({"budget": None} if follows else {}),
        **_read_scope(campaign),
        **read_requirements(campaign.requirements),
        **{f"reward_{kind}": Decimal(value) for kind, value in kinds.items()},
    }


def _read_scope(campaign: Campaign) -> dict[str, Any]:
    systems = campaign.scope.get("systems") or []
    chosen = set(campaign.scope.get("examples") or [])
    shown = {"all_systems": not systems, "systems": [str(pk) for pk in systems]}
    if not chosen:
        return {**shown, "example_choice": ALL}
    first = list_examples_with_units(campaign)[: len(chosen)]
    if chosen == {pk for pk, __ in first}:
        return {**shown, "example_choice": FIRST, "first_examples": len(chosen)}
    names = Example.objects.filter(pk__in=chosen).values_list("key", flat=True)
    return {**shown, "example_choice": LISTED, "listed_examples": list(names)}


class Setup:
    """The form and its rows, as one."""

    def __init__(self, campaign: Campaign, sent: Any = None) -> None:
        self.campaign = campaign
        self.form = SetupForm(campaign, sent)
        self.worked = WorkedRows(sent, prefix="worked", initial=campaign.worked_examples)
        self.training = WorkedRows(sent, prefix="training", initial=campaign.training)
        self.has_gold_rows = len(campaign.gold) <= MOST_ROWS
        shown = [_show_gold(row) for row in campaign.gold] if self.has_gold_rows else []
        self.gold = GoldRows(sent, prefix="gold", initial=shown)

    def is_valid(self) -> bool:
        parts: list[Any] = [self.form, self.worked, self.training]
        parts += [self.gold] if self.has_gold_rows else []
        # Each is asked, so that all faults show at once.
        faults = [part for part in parts if not part.is_valid()]
        return not faults

    def settings(self) -> dict[str, Any]:
        found = self.form.settings()
        found["worked_examples"] = read_rows(self.worked)
        found["training"] = read_rows(self.training)
        if self.has_gold_rows:
            found["gold"] = [_read_gold(row) for row in read_rows(self.gold)]
        return found

    def refuse(self, error: Invalid) -> None:
        """Show the service's error at the field that it names."""
        name, __, rest = error.message.partition(":")
        first = name.split(" ")[0]
        field = ELSEWHERE.get(first, first)
        is_ours = bool(rest) and field in self.form.fields
        said = rest.strip() if name in self.form.fields else error.message
        self.form.add_error(field if is_ours else None, f"{said} {error.hint}".strip())


# Settings whose field has another name.
ELSEWHERE = {"requirements": "other_requirements", "rewards_by_kind": "reward"}


def _show_gold(row: dict[str, Any]) -> dict[str, Any]:
    return {**row, "answer": "present" if row.get("answer") else "absent"}


def _read_gold(row: dict[str, Any]) -> dict[str, Any]:
    where = {name: row[name] for name in ("example", "system") if row.get(name)}
    return {"text": row["text"], "answer": row["answer"] == "present", **where}
