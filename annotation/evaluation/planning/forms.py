"""What people fill in about curves, about a budget and the plan they take."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from django import forms
from django.utils.translation import gettext as _

from annotation.corpora.corpus.models import SystemKind
from annotation.corpora.projects.models import Membership, Project
from annotation.crowd.campaigns.forms import DollarField
from annotation.crowd.campaigns.models import Campaign, ProviderName
from annotation.evaluation.judges.queries import list_ready_gold, list_ready_labels
from annotation.evaluation.planning.asked import MOST_HOURS, MOST_MINUTES, MOST_UNITS, USUAL
from annotation.evaluation.planning.curves import (
    LEAST_SEEDS,
    MOST_BOOTSTRAP,
    MOST_SEED,
    MOST_SEEDS,
    STEP,
    STEPS,
)
from annotation.evaluation.planning.models import BudgetPlan
from annotation.evaluation.planning.queries import Measured, list_frozen_stus, list_writers
from annotation.evaluation.planning.studies import list_study_judges
from annotation.translation import format_lazy, gettext_lazy
from annotation.units.plans.queries import list_scu_sets, list_stu_sets
from annotation.units.sets.models import UnitSet
from scoring.planning.curves import BOOTSTRAP, SEEDS
from scoring.planning.plans import DIFFERENCE, POWER
from scoring.planning.study import HUMAN

PEOPLE = gettext_lazy("Human labels; each STU takes the label of the most similar SCU (ROUGE-1)")
WIDTH = 0.05
GOALS = {
    "correlation": gettext_lazy("The best ranking within the budget"),
    "width": gettext_lazy("Narrow intervals for system scores"),
    "difference": gettext_lazy("Detect a difference between two systems"),
}


class Sources(forms.Form):
    """Labels to learn from may be named by themselves or by the gold version made of them."""

    def offer_labels(self, name: str, project: Project, empty: str = "") -> None:
        gold = {f"gold-{row.pk}": row for row in list_ready_gold(project)}
        labels = {f"labels-{row.pk}": row for row in list_ready_labels(project)}
        self.by_value: dict[str, Any] = {
            **{value: row.label_set for value, row in gold.items()},
            **labels,
        }
        groups = [
            (title, [(value, str(row)) for value, row in rows.items()])
            for title, rows in ((_("Gold versions"), gold), (_("Labels"), labels))
            if rows
        ]
        self.offer(name, [*([("", empty)] if empty else []), *groups])

    def offer(self, name: str, choices: list[Any]) -> None:
        field = self.fields[name]
        assert isinstance(field, forms.ChoiceField)
        field.choices = choices

    def offer_sets(self, name: str, rows: Any) -> None:
        field = self.fields[name]
        assert isinstance(field, forms.ModelChoiceField)
        field.queryset = rows


class CurvesForm(Sources):
    source = forms.ChoiceField(
        label=gettext_lazy("Human labels"),
        help_text=gettext_lazy("Labels of SCUs that people wrote."),
    )
    stus = forms.ModelChoiceField(
        UnitSet.objects.none(),
        label="STUs",
        empty_label=None,
        help_text=gettext_lazy("A frozen set of the same references."),
    )
    judge = forms.ChoiceField(
        required=False, help_text=gettext_lazy("A judge with runs on both the SCUs and the STUs.")
    )
    step = forms.TypedChoiceField(
        coerce=int,
        choices=[(step, format_lazy(gettext_lazy("every {step} %"), step=step)) for step in STEPS],
        initial=STEP,
        label=gettext_lazy("Points"),
    )
    seeds = forms.IntegerField(
        min_value=LEAST_SEEDS,
        max_value=MOST_SEEDS,
        initial=SEEDS,
        label=gettext_lazy("Random orders"),
    )
    bootstrap = forms.IntegerField(
        min_value=1,
        max_value=MOST_BOOTSTRAP,
        initial=BOOTSTRAP,
        label=gettext_lazy("Resamples of examples"),
    )
    seed = forms.IntegerField(min_value=0, max_value=MOST_SEED, initial=0)

    def __init__(self, project: Project, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.offer_labels("source", project)
        self.offer_sets("stus", list_frozen_stus(project))
        names = list(list_study_judges(project).items())
        self.offer("judge", [(HUMAN, PEOPLE), *names])

    @property
    def options(self) -> list[forms.BoundField]:
        return [self[name] for name in ("step", "seeds", "bootstrap", "seed")]

    def arguments(self) -> dict[str, Any]:
        """As `draw_curves` takes them."""
        data = dict(self.cleaned_data)
        return {"label_set": self.by_value[data.pop("source")], **data}


class PlanForm(Sources):
    """A budget, a goal, and what the study is like."""

    money = DollarField(
        required=False,
        label=gettext_lazy("Money ($)"),
        help_text=gettext_lazy("For HITs, including fees. Leave empty for no limit."),
    )
    hours = forms.FloatField(
        required=False,
        min_value=0,
        max_value=MOST_HOURS,
        label=gettext_lazy("Hours of writing"),
        help_text=gettext_lazy("Authors’ time to write SCUs. Leave empty for no limit."),
    )
    goal = forms.ChoiceField(choices=list(GOALS.items()), widget=forms.RadioSelect)
    goal_width = forms.FloatField(
        required=False, min_value=0.001, max_value=0.999, label=gettext_lazy("Interval width")
    )
    goal_difference = forms.FloatField(
        required=False, min_value=0.001, max_value=0.999, label=gettext_lazy("Difference to detect")
    )
    power = forms.FloatField(
        required=False,
        min_value=0.01,
        max_value=0.99,
        label=gettext_lazy("Power"),
        help_text=gettext_lazy("Probability of detecting it, from 0 to 1."),
    )
    examples = forms.IntegerField(
        min_value=1, help_text=gettext_lazy("Maximum number of examples.")
    )
    systems = forms.IntegerField(min_value=2, max_value=1000)
    minutes_per_scu = forms.FloatField(
        min_value=0, max_value=MOST_MINUTES, label=gettext_lazy("Minutes per SCU")
    )
    provider = forms.ChoiceField(choices=ProviderName.choices, label=gettext_lazy("Provider"))
    reward = DollarField(label=gettext_lazy("Reward per assignment ($)"))
    units_per_hit = forms.IntegerField(
        min_value=1, max_value=MOST_UNITS, label=gettext_lazy("Maximum statements per HIT")
    )
    stus = forms.ModelChoiceField(
        UnitSet.objects.none(),
        required=False,
        label="STUs",
        empty_label=gettext_lazy("None yet"),
        help_text=gettext_lazy("Used for sentences that nobody writes, as ranked by difficulty."),
    )
    scus = forms.ModelChoiceField(
        UnitSet.objects.none(),
        required=False,
        label=gettext_lazy("Existing SCUs"),
        empty_label=gettext_lazy("None: write all SCUs"),
        help_text=gettext_lazy("Copied into the plan’s unit set, at no cost in hours."),
    )
    pilot = forms.ChoiceField(
        required=False, help_text=gettext_lazy("Labels in this project to base the simulation on.")
    )
    judge = forms.ChoiceField(
        required=False, help_text=gettext_lazy("A judge with runs on the pilot’s SCUs and STUs.")
    )
    seed = forms.IntegerField(min_value=0, max_value=MOST_SEED)

    def __init__(self, project: Project, known: Measured, *args: Any, **kwargs: Any) -> None:
        usual = usual_plan(known)
        kwargs["initial"] = {**usual, **(kwargs.get("initial") or {})}
        super().__init__(*args, **kwargs)
        self.offer_labels("pilot", project, _("None: use published studies"))
        self.offer_sets("stus", list_stu_sets(project))
        self.offer_sets("scus", list_scu_sets(project))
        names = list(list_study_judges(project).items())
        self.offer("judge", [("", _("None")), *names])

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        needed = {"width": "goal_width", "difference": "goal_difference"}.get(data.get("goal", ""))
        if needed and needed not in self.errors and data.get(needed) is None:
            self.add_error(needed, _("Enter a value."))
        return data

    def arguments(self) -> dict[str, Any]:
        """As `plan_budget` takes them; of the goals only the chosen one counts."""
        data = dict(self.cleaned_data)
        goal = data.pop("goal")
        if goal != "width":
            data["goal_width"] = None
        if goal != "difference":
            data["goal_difference"] = None
        data["power"] = data["power"] or POWER
        data["pilot"] = self.by_value.get(data["pilot"])
        return data


def usual_plan(known: Measured) -> dict[str, Any]:
    """What the form says at first: the project as it is."""
    return {
        "money": Decimal(150),
        "hours": 6,
        "goal": "correlation",
        "goal_width": WIDTH,
        "goal_difference": DIFFERENCE,
        "power": POWER,
        "examples": known.examples,
        "systems": max(known.systems, 2),
        "minutes_per_scu": round(known.minutes_per_scu, 2),
        "provider": ProviderName.MARKETPLACE,
        "reward": USUAL.reward,
        "units_per_hit": USUAL.units_per_hit,
        "seed": 0,
    }


class WriterField(forms.ModelChoiceField):
    def label_from_instance(self, obj: Any) -> str:
        return str(obj.user)


class ApplyForm(forms.Form):
    """Who writes, and what the set and the campaign are called."""

    key = forms.CharField(widget=forms.HiddenInput)
    name = forms.CharField(
        max_length=80,
        label=gettext_lazy("Name"),
        help_text=gettext_lazy("Name of the draft unit set and the draft campaign."),
    )
    author = WriterField(
        Membership.objects.none(),
        required=False,
        label=gettext_lazy("Author"),
        empty_label=gettext_lazy("Anyone (first come, first served)"),
    )
    stus = forms.ModelChoiceField(
        UnitSet.objects.none(), label=gettext_lazy("STUs to use"), empty_label=None
    )

    def __init__(self, plan: BudgetPlan, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        author, stus = self.fields["author"], self.fields["stus"]
        assert isinstance(author, forms.ModelChoiceField)
        assert isinstance(stus, forms.ModelChoiceField)
        author.queryset = list_writers(plan.project)
        stus.queryset = list_stu_sets(plan.project)
        if plan.stus_id is not None:
            del self.fields["stus"]

    def arguments(self) -> dict[str, Any]:
        """As `apply_plan` takes them."""
        data = self.cleaned_data
        writer = data["author"]
        return {
            "key": data["key"],
            "name": data["name"],
            "author": writer.user if writer else None,
            "stus": data.get("stus"),
        }


class QuoteForm(forms.Form):
    """Which campaign's units are judged again, and for how many systems."""

    campaign = forms.ModelChoiceField(
        Campaign.objects.none(),
        empty_label=None,
        help_text=gettext_lazy("Its units, reward and number of judges are used."),
    )
    systems = forms.IntegerField(
        min_value=1, max_value=1000, label=gettext_lazy("Additional systems")
    )
    kind = forms.ChoiceField(
        required=False,
        choices=[("", gettext_lazy("Any")), *SystemKind.choices],
        label=gettext_lazy("Kind of system"),
        help_text=gettext_lazy("Only matters if rewards differ by kind."),
    )

    def __init__(self, project: Project, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["campaign"]
        assert isinstance(field, forms.ModelChoiceField)
        rows = Campaign.objects.filter(project=project).select_related("unit_set", "project")
        field.queryset = rows.order_by("-created_at", "-pk")
