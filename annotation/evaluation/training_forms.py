"""What people fill in to train a judge."""

from __future__ import annotations

from typing import Any

from django import forms

from annotation.corpora.models import Project
from annotation.evaluation.judges import DEVICES, LIGHT, JudgeChoice, list_judges
from annotation.evaluation.models import FoldsBy
from annotation.evaluation.run_forms import OTHER
from annotation.evaluation.selectors.trained import list_ready_gold, list_ready_labels
from annotation.evaluation.services.training import FOLDS, MOST, MOST_FOLDS
from annotation.translation import gettext as _
from annotation.translation import gettext_lazy
from scoring.finetune import SHARINGS, FineTuneOptions
from scoring.judge import PRESETS

NOTHING = "nothing"
USUAL = FineTuneOptions("any")
SHARING_WORDS = {
    "pairs": gettext_lazy("Pairs: each unit is read with its summary, as in the papers"),
    "shared": gettext_lazy(
        "Shared: a summary is read once for all its units, which is much faster"
    ),
}
# Fields that are options of the training, by the name that the library gives them.
OPTIONS = (
    "learning_rate",
    "epochs",
    "warm_up",
    "batch_size",
    "seed",
    "sharing",
    "checkpoint_every",
    "device",
)


def list_bases(project: Project) -> list[JudgeChoice]:
    """What training can start from: trees are grown from scratch, so trained ones are no base."""
    found = list_judges(project)
    return [row for row in found if row.kind not in LIGHT or row.name in PRESETS]


class TrainForm(forms.Form):
    """`base` is one of those listed, or `other`, and then `model` names it."""

    name = forms.CharField(
        max_length=80,
        help_text=gettext_lazy(
            "Letters, digits, dots and hyphens. An existing name gets a new version."
        ),
    )
    source = forms.ChoiceField(label=gettext_lazy("Training labels"))
    base = forms.ChoiceField(widget=forms.RadioSelect)
    model = forms.CharField(
        required=False,
        max_length=300,
        label=gettext_lazy("Model name"),
        help_text=gettext_lazy("The name on Hugging Face: owner/model."),
    )
    folds_by = forms.ChoiceField(
        choices=[*FoldsBy.choices, (NOTHING, gettext_lazy("No held-out data"))],
        initial=FoldsBy.EXAMPLES,
        label=gettext_lazy("Held out"),
        help_text=gettext_lazy("Without folds, the judge’s accuracy can’t be estimated."),
    )
    folds = forms.IntegerField(
        min_value=2, max_value=MOST_FOLDS, initial=FOLDS, label=gettext_lazy("Number of folds")
    )
    learning_rate = forms.FloatField(min_value=1e-9, max_value=MOST["learning_rate"])
    epochs = forms.IntegerField(min_value=1, max_value=MOST["epochs"])
    warm_up = forms.FloatField(
        min_value=0,
        max_value=0.99,
        label="Warm-up",
        help_text=gettext_lazy("Share of the training steps."),
    )
    batch_size = forms.IntegerField(
        min_value=1, max_value=MOST["batch_size"], help_text=gettext_lazy("Units per step.")
    )
    seed = forms.IntegerField(min_value=0, max_value=2**32 - 1)
    sharing = forms.ChoiceField(choices=[(name, SHARING_WORDS[name]) for name in SHARINGS])
    checkpoint_every = forms.IntegerField(
        min_value=0,
        max_value=MOST["checkpoint_every"],
        label=gettext_lazy("Checkpoint every"),
        help_text=gettext_lazy(
            "Number of steps. A stopped worker loses at most this many. 0 means never."
        ),
    )
    device = forms.ChoiceField(choices=[(name, name) for name in DEVICES])

    def __init__(self, project: Project, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.gold = {f"gold-{row.pk}": row for row in list_ready_gold(project)}
        self.labels = {f"labels-{row.pk}": row for row in list_ready_labels(project)}
        self._offer(
            "source",
            [
                (title, [(value, str(row)) for value, row in rows.items()])
                for title, rows in ((_("Gold versions"), self.gold), (_("Labels"), self.labels))
                if rows
            ],
        )
        self.bases = list_bases(project)
        names = [(choice.name, choice.what) for choice in self.bases]
        self._offer("base", [*names, (OTHER, _("Another model"))])
        for name in OPTIONS:
            self.fields[name].initial = getattr(USUAL, name)
        # As many as usual, but never more than there are examples to hold out.
        self.fields["folds"].initial = max(2, min(FOLDS, project.example_count))

    def _offer(self, name: str, choices: list[Any]) -> None:
        field = self.fields[name]
        assert isinstance(field, forms.ChoiceField)
        field.choices = choices

    @property
    def options(self) -> list[forms.BoundField]:
        return [self[name] for name in OPTIONS]

    @property
    def has_unusual_options(self) -> bool:
        """Whether what is folded away says something of its own."""
        names = (self[name] for name in OPTIONS)
        return any(field.errors or str(field.value()) != str(field.initial) for field in names)

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        if data.get("base") == OTHER and not data.get("model", "").strip():
            self.add_error("model", _("Enter the name of the model."))
        return data

    def arguments(self) -> dict[str, Any]:
        """As `train_judge` takes them."""
        data = self.cleaned_data
        is_other = data["base"] == OTHER
        holds_out = data["folds_by"] != NOTHING
        return {
            "name": data["name"],
            "base": data["model"].strip() if is_other else data["base"],
            "label_set": self.labels.get(data["source"]),
            "gold": self.gold.get(data["source"]),
            "folds_by": data["folds_by"] if holds_out else FoldsBy.EXAMPLES,
            "folds": data["folds"] if holds_out else 0,
            "options": {name: data[name] for name in OPTIONS},
        }
