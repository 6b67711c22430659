"""Forms about STUs: extracting them, training regressors, ranking sentences."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django import forms

from annotation.corpora.models import Project
from annotation.translation import gettext as _
from annotation.translation import gettext_lazy
from annotation.units.models import UnitSet
from annotation.units.regressors import list_regressors
from annotation.units.selectors.plans import list_scu_sets, list_stu_sets
from annotation.units.services.easiness import FOLDS, MOST_FOLDS
from annotation.units.services.extraction import MOST_X

EXTRACTORS = (
    (
        "rich",
        gettext_lazy("Rich"),
        gettext_lazy(
            "Verbs with their arguments, plus facts from modifiers, appositions and titles."
        ),
    ),
    (
        "srl",
        "SRL",
        gettext_lazy("Only verbs with their arguments, as published (Zhang & Bansal 2021, §3.2)."),
    ),
)
REGRESSORS = (
    ("giza", "Giza: the sentence’s parse tree and its STUs"),
    ("paper", gettext_lazy("Paper: the 69 published features of the parse tree")),
)


def _offer(form: forms.Form, name: str, choices: Iterable[tuple[str, str]]) -> None:
    field = form.fields[name]
    assert isinstance(field, forms.ChoiceField)
    field.choices = list(choices)


def _offer_sets(form: forms.Form, name: str, sets: Iterable[UnitSet]) -> dict[str, UnitSet]:
    known = {str(row.pk): row for row in sets}
    _offer(form, name, [(pk, str(row)) for pk, row in known.items()])
    return known


class ExtractForm(forms.Form):
    extractor = forms.ChoiceField(
        choices=[(value, title) for value, title, __ in EXTRACTORS],
        initial="rich",
        widget=forms.RadioSelect,
    )
    x = forms.FloatField(
        min_value=0.1,
        max_value=MOST_X,
        initial=1,
        label=gettext_lazy("STUs per SCU (x)"),
        help_text=gettext_lazy("Only for Rich. 1 gives about as many units as people would write."),
    )
    coref = forms.BooleanField(
        required=False, label=gettext_lazy("Replace pronouns with names (coreference)")
    )
    name = forms.CharField(
        max_length=80,
        required=False,
        help_text=gettext_lazy(
            "If empty, named after the extractor. An existing name gets its next version."
        ),
    )
    regressor = forms.ChoiceField(
        label=gettext_lazy("Regressor for ranking"),
        help_text=gettext_lazy("Predicts which sentences most need a person."),
    )

    def __init__(self, project: Project, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        known = list_regressors(project)
        _offer(self, "regressor", [(row.name, f"{row.name}: {row.what}") for row in known])

    @property
    def extractors(self) -> tuple[tuple[str, str, str], ...]:
        return EXTRACTORS


class TrainEasinessForm(forms.Form):
    name = forms.CharField(
        max_length=80,
        help_text=gettext_lazy(
            "Letters, digits, dots and hyphens. An existing name gets its next version."
        ),
    )
    scus = forms.ChoiceField(label=gettext_lazy("Set of SCUs"))
    stus = forms.ChoiceField(label=gettext_lazy("Set of STUs"))
    regressor = forms.ChoiceField(
        choices=REGRESSORS, initial="giza", label=gettext_lazy("Features")
    )
    folds = forms.IntegerField(
        min_value=2,
        max_value=MOST_FOLDS,
        initial=FOLDS,
        label=gettext_lazy("Cross-validation folds"),
        help_text=gettext_lazy("Each fold is predicted by a regressor that was not trained on it."),
    )

    def __init__(self, project: Project, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.scu_sets = _offer_sets(self, "scus", list_scu_sets(project))
        self.stu_sets = _offer_sets(self, "stus", list_stu_sets(project))

    def arguments(self) -> dict[str, Any]:
        """As `train_easiness` takes them."""
        data = self.cleaned_data
        sets = {"scus": self.scu_sets[data["scus"]], "stus": self.stu_sets[data["stus"]]}
        return {**data, **sets}


class RankForm(forms.Form):
    stus = forms.ChoiceField(label="STUs")
    regressor = forms.ChoiceField(required=False, label=gettext_lazy("Regressor"))

    def __init__(self, project: Project, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.stu_sets = _offer_sets(self, "stus", list_stu_sets(project))
        known = [(row.name, row.name) for row in list_regressors(project)]
        _offer(self, "regressor", [("", _("predictions stored with the STUs")), *known])

    def arguments(self) -> dict[str, Any]:
        """As `start_ranking` takes them."""
        data = self.cleaned_data
        return {"stus": self.stu_sets[data["stus"]], "regressor": data["regressor"]}
