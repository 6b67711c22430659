"""What people fill in about the power of a study."""

from __future__ import annotations

from typing import Any

from django import forms

from annotation.evaluation.services.power import (
    MOST_ANNOTATORS,
    MOST_COMPARISONS,
    MOST_EXAMPLES,
    MOST_SEED,
)
from annotation.translation import gettext as _
from annotation.translation import gettext_lazy

LONGEST = 200


class NumbersField(forms.CharField):
    """Several numbers in one line, apart by spaces or commas."""

    def __init__(self, *, whole: bool, least: float, most: float, **kwargs: Any) -> None:
        super().__init__(max_length=LONGEST, **kwargs)
        self.whole, self.least, self.most = whole, least, most

    def clean(self, value: Any) -> list[Any]:
        read = int if self.whole else float
        words = super().clean(value).replace(",", " ").split()
        try:
            found = [read(word) for word in words]
        except ValueError:
            raise forms.ValidationError(
                _("Enter whole numbers separated by spaces.")
                if self.whole
                else _("Enter numbers separated by spaces.")
            ) from None
        if not found or not all(self.least <= number <= self.most for number in found):
            raise forms.ValidationError(
                _("Enter numbers from {least:g} to {most:,g}.").format(
                    least=self.least, most=self.most
                )
            )
        return found


class PowerForm(forms.Form):
    differences = NumbersField(
        whole=False,
        least=0.001,
        most=1,
        label=gettext_lazy("Differences to detect"),
        help_text=gettext_lazy("Between two systems’ scores, for example 0.05 0.1."),
    )
    examples = NumbersField(
        whole=True,
        least=2,
        most=MOST_EXAMPLES,
        label=gettext_lazy("Examples"),
        help_text=gettext_lazy("For example 50 100 200."),
    )
    annotators = NumbersField(
        whole=True,
        least=1,
        most=MOST_ANNOTATORS,
        label=gettext_lazy("Annotators per summary"),
        help_text=gettext_lazy("For example 1 3."),
    )
    comparisons = forms.IntegerField(
        min_value=1,
        max_value=MOST_COMPARISONS,
        label=gettext_lazy("Comparisons"),
        help_text=gettext_lazy(
            "Number of pairs of systems tested together. The level .05 is divided by it, as in "
            "the first step of Holm’s correction."
        ),
    )
    seed = forms.IntegerField(min_value=0, max_value=MOST_SEED)


def fill_from(params: dict[str, Any]) -> dict[str, Any]:
    """The form as somebody filled it in before."""
    lists = {
        name: " ".join(f"{value:g}" for value in params[name])
        for name in ("differences", "examples", "annotators")
    }
    return {**lists, "comparisons": params["comparisons"], "seed": params["seed"]}
