"""What people fill in about an estimate, and above all how the judged examples were chosen."""

from __future__ import annotations

from typing import Any

from django import forms

from annotation.corpora.models import Project
from annotation.evaluation.models import Chosen, CountBy, JudgeRun, Target
from annotation.evaluation.plan_forms import Sources
from annotation.evaluation.selectors.estimates import list_ready_runs
from annotation.translation import gettext as _
from annotation.translation import gettext_lazy
from scoring.estimation.corrected import PRICE
from scoring.estimation.replacement import EPSILON

LINES = forms.Textarea(attrs={"rows": 4, "spellcheck": "false"})


class EstimateForm(Sources):
    source = forms.ChoiceField(
        label=gettext_lazy("People’s labels"),
        help_text=gettext_lazy("Of some examples; at least 3 for each system."),
    )
    run = forms.ModelChoiceField(
        JudgeRun.objects.none(),
        label=gettext_lazy("Judge run"),
        empty_label=None,
        help_text=gettext_lazy("A run over the same units and all examples."),
    )
    chosen = forms.ChoiceField(
        choices=Chosen.choices,
        widget=forms.RadioSelect,
        label=gettext_lazy("How were the human-judged examples chosen?"),
    )
    probabilities = forms.CharField(
        required=False,
        widget=LINES,
        label=gettext_lazy("Ranker’s probabilities"),
        help_text=gettext_lazy(
            "One line per judged example: ID, comma, inclusion probability (0 to 1)."
        ),
    )
    audit = forms.CharField(
        required=False,
        widget=LINES,
        label=gettext_lazy("Or audit slice"),
        help_text=gettext_lazy(
            "IDs of judged examples that were drawn at random from those that the ranker didn’t "
            "choose."
        ),
    )
    by = forms.ChoiceField(
        choices=CountBy.choices, initial=CountBy.EXAMPLES, label=gettext_lazy("Weighting")
    )
    target = forms.ChoiceField(
        choices=Target.choices, initial=Target.DOCUMENTS, label=gettext_lazy("Target")
    )

    epsilon = forms.FloatField(
        min_value=0,
        max_value=0.99,
        required=False,
        initial=EPSILON,
        label=gettext_lazy("Margin ε"),
        help_text=gettext_lazy(
            "How much less often than a person the judge may win: 0.1 for crowd workers, 0.15 for "
            "trained annotators, 0.2 for experts."
        ),
    )
    price = forms.FloatField(
        min_value=0.001,
        required=False,
        initial=PRICE,
        label=gettext_lazy("Cost ratio"),
        help_text=gettext_lazy(
            "Cost of labelling an example by people, relative to judging it with the judge (model)."
        ),
    )

    def __init__(self, project: Project, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.offer_labels("source", project)
        self.offer_sets("run", list_ready_runs(project))

    def clean_probabilities(self) -> dict[str, float]:
        found: dict[str, float] = {}
        for number, line in enumerate(self.cleaned_data["probabilities"].splitlines(), 1):
            if line.strip():
                example, comma, said = line.rpartition(",")
                found[example.strip()] = self._chance(said, number, comma)
        return found

    def _chance(self, said: str, number: int, comma: str) -> float:
        try:
            value = float(said) if comma else -1.0
        except ValueError:
            value = -1.0
        if not 0 <= value <= 1:
            raise forms.ValidationError(
                _(
                    "Line {number}: expected an example ID, a comma and a number from 0 to 1."
                ).format(number=number)
            )
        return value

    def clean_audit(self) -> list[str]:
        lines = (line.strip() for line in self.cleaned_data["audit"].splitlines())
        return [line for line in lines if line]

    def arguments(self) -> dict[str, Any]:
        """As `estimate_scores` takes them; what a ranker alone needs is left out for others."""
        data = dict(self.cleaned_data)
        if data["chosen"] != Chosen.RANKER:
            data["probabilities"], data["audit"] = {}, []
        given = {name: value for name, value in data.items() if value is not None}
        return {"label_set": self.by_value[given.pop("source")], **given}
