"""What people fill in about a run of a judge."""

from __future__ import annotations

from typing import Any

from django import forms

from annotation.corpora.models import Project, System
from annotation.crowd.selectors.offline import list_frozen_sets
from annotation.evaluation.judges import PRECISIONS, list_judges
from annotation.evaluation.models import EmptySummaries
from annotation.translation import gettext as _
from annotation.translation import gettext_lazy
from annotation.units.models import UnitSet
from scoring.judge import FUNCTIONS, default_judge

OTHER = "other"
FUNCTION_WORDS = {
    "p3c": gettext_lazy("p3c: probability of entailment, three classes"),
    "l3c": gettext_lazy("l3c: 1 if entailment is the most likely of three classes"),
    "p2c": gettext_lazy("p2c: probability of present, two classes"),
    "l2c": gettext_lazy("l2c: 1 if present is more likely than not"),
}
PRECISION_WORDS = {
    "fp32": gettext_lazy("fp32: full precision"),
    "bf16": gettext_lazy("bf16: half the memory"),
    "int8": gettext_lazy("int8: faster, slightly less accurate"),
}


class RunForm(forms.Form):
    """`judge` is one of those listed, or `other`, and then `model` names it."""

    unit_set = forms.ModelChoiceField(
        UnitSet.objects.none(), label=gettext_lazy("Unit set"), empty_label=None
    )
    judge = forms.ChoiceField(widget=forms.RadioSelect)
    model = forms.CharField(
        required=False,
        max_length=300,
        label=gettext_lazy("Model name"),
        help_text=gettext_lazy("The name on Hugging Face: owner/model."),
    )
    function = forms.ChoiceField(
        required=False,
        choices=[
            ("", gettext_lazy("Judge’s default")),
            *((name, FUNCTION_WORDS[name]) for name in FUNCTIONS),
        ],
    )
    systems = forms.MultipleChoiceField(
        required=False,
        widget=forms.CheckboxSelectMultiple,
        label=gettext_lazy("Only these systems"),
    )
    empty = forms.ChoiceField(
        choices=EmptySummaries.choices,
        initial=EmptySummaries.REFUSE,
        label=gettext_lazy("Empty summaries"),
    )
    precision = forms.ChoiceField(
        choices=[(name, PRECISION_WORDS[name]) for name in PRECISIONS], initial="fp32"
    )
    evidence = forms.BooleanField(
        required=False,
        label=gettext_lazy("Find evidence sentences"),
        help_text=gettext_lazy(
            "An NLI model then also reads each sentence on its own, which takes longer."
        ),
    )
    note = forms.CharField(required=False, max_length=300)

    def __init__(self, project: Project, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["unit_set"]
        assert isinstance(field, forms.ModelChoiceField)
        field.queryset = list_frozen_sets(project).order_by("-frozen_at", "-pk")
        self.judges = list_judges(project)
        names = [(choice.name, choice.what) for choice in self.judges]
        self._offer("judge", [*names, (OTHER, _("Another model"))])
        self.fields["judge"].initial = default_judge()
        systems = System.objects.live().filter(project=project).order_by("name")
        self._offer("systems", [(name, name) for name in systems.values_list("name", flat=True)])

    def _offer(self, name: str, choices: list[tuple[str, str]]) -> None:
        field = self.fields[name]
        assert isinstance(field, forms.ChoiceField)
        field.choices = choices

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        if data.get("judge") == OTHER and not data.get("model", "").strip():
            self.add_error("model", _("Enter the name of the model."))
        return data

    def arguments(self) -> dict[str, Any]:
        """As `start_run` takes them."""
        data = self.cleaned_data
        is_other = data["judge"] == OTHER
        return {
            "unit_set": data["unit_set"],
            "judge": data["model"].strip() if is_other else data["judge"],
            "function": data["function"],
            "systems": data["systems"],
            "empty": data["empty"],
            "options": {"precision": data["precision"], "evidence": data["evidence"]},
            "note": data["note"],
        }
