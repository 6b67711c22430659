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
from scoring.finetune import SHARINGS, FineTuneOptions
from scoring.judge import PRESETS

NOTHING = "nothing"
USUAL = FineTuneOptions("any")
SHARING_WORDS = {
    "pairs": "Pairs: each unit is read with its summary, as in the papers",
    "shared": "Shared: a summary is read once for all its units, which is much faster",
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
        help_text="Letters, digits, dots and hyphens. An existing name gets a new version.",
    )
    source = forms.ChoiceField(label="Training labels")
    base = forms.ChoiceField(widget=forms.RadioSelect)
    model = forms.CharField(
        required=False,
        max_length=300,
        label="Model name",
        help_text="The name on Hugging Face: owner/model.",
    )
    folds_by = forms.ChoiceField(
        choices=[*FoldsBy.choices, (NOTHING, "No held-out data")],
        initial=FoldsBy.EXAMPLES,
        label="Held out",
        help_text="Without folds, the judge’s accuracy can’t be estimated.",
    )
    folds = forms.IntegerField(
        min_value=2, max_value=MOST_FOLDS, initial=FOLDS, label="Number of folds"
    )
    learning_rate = forms.FloatField(min_value=1e-9, max_value=MOST["learning_rate"])
    epochs = forms.IntegerField(min_value=1, max_value=MOST["epochs"])
    warm_up = forms.FloatField(
        min_value=0, max_value=0.99, label="Warm-up", help_text="Share of the training steps."
    )
    batch_size = forms.IntegerField(
        min_value=1, max_value=MOST["batch_size"], help_text="Units per step."
    )
    seed = forms.IntegerField(min_value=0, max_value=2**32 - 1)
    sharing = forms.ChoiceField(choices=[(name, SHARING_WORDS[name]) for name in SHARINGS])
    checkpoint_every = forms.IntegerField(
        min_value=0,
        max_value=MOST["checkpoint_every"],
        label="Checkpoint every",
        help_text="Number of steps. A stopped worker loses at most this many. 0 means never.",
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
                for title, rows in (("Gold versions", self.gold), ("Labels", self.labels))
                if rows
            ],
        )
        self.bases = list_bases(project)
        names = [(choice.name, choice.what) for choice in self.bases]
        self._offer("base", [*names, (OTHER, "Another model")])
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
            self.add_error("model", "Enter the name of the model.")
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
