"""What people fill in to train a judge.

- Judges: the list of those at hand, a new one trained on labels, and the card of one.
"""

from __future__ import annotations

import json
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from annotation.access import ProjectAccess
from annotation.corpora.jobs.models import JobState
from annotation.corpora.projects.access import project_context, project_view, sent, user_of
from annotation.corpora.projects.models import Project, Role
from annotation.errors import DomainError
from annotation.evaluation.judges import service
from annotation.evaluation.judges.models import FoldsBy, TrainedJudge
from annotation.evaluation.judges.offered import (
    DEVICES,
    LIGHT,
    JudgeChoice,
    list_common_judges,
    list_judges,
)
from annotation.evaluation.judges.queries import (
    get_ready_trained,
    get_trained,
    list_ready_gold,
    list_ready_labels,
    list_trained,
)
from annotation.evaluation.judges.service import FOLDS, MOST, MOST_FOLDS
from annotation.evaluation.runs.charts import SMALL_SQUARE, SQUARE, draw_calibration
from annotation.evaluation.runs.views import OTHER
from annotation.headers import attach_as
from annotation.translation import gettext_lazy
from scoring.finetune import SHARINGS, FineTuneOptions
from scoring.judge import PRESETS, default_judge
from scoring.judge.probes import ProbeReport

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


MOST_ROWS = 200
LEVELS = ("system_level", "summary_level", "system_level_by_fold", "summary_level_by_fold")


@project_view()
@require_safe
def trained_judges(request: HttpRequest, access: ProjectAccess) -> HttpResponse:
    rows = list(list_trained(access.project)[:MOST_ROWS])
    context = project_context(
        access,
        "judges",
        judges=rows,
        common=list_common_judges(),
        has_labels=list_ready_labels(access.project).exists(),
        is_moving=any(row.is_moving for row in rows),
    )
    return render(request, "evaluation/trained_judges.html", context)


@project_view(Role.EDITOR)
@require_http_methods(["GET", "POST"])
def train_judge(request: HttpRequest, access: ProjectAccess) -> HttpResponse:
    project = access.project
    form = TrainForm(project, sent(request), initial=_asked(request))
    if request.method == "POST" and form.is_valid():
        try:
            made = service.train_judge(project=project, user=user_of(request), **form.arguments())
        except DomainError as error:
            form.add_error(None, f"{error.message} {error.hint}".strip())
        else:
            return redirect("evaluation:trained_judge", project.slug, made.pk)
    context = project_context(
        access,
        "judges",
        form=form,
        other=OTHER,
        has_labels=list_ready_labels(project).exists(),
    )
    status = 422 if request.method == "POST" else 200
    return render(request, "evaluation/train_judge.html", context, status=status)


def _asked(request: HttpRequest) -> dict[str, str]:
    """What the address says of the form, such as which labels."""
    names = ("name", "source", "base")
    said = {name: request.GET[name] for name in names if name in request.GET}
    return {"base": default_judge(), **said}


@project_view()
@require_safe
def trained_judge(request: HttpRequest, access: ProjectAccess, pk: int) -> HttpResponse:
    found = get_trained(access.project, pk)
    job = found.job
    is_open = job is not None and not job.is_over and not found.is_ready
    context = project_context(
        access,
        "judges",
        judge=found,
        job=job if is_open else None,
        failed_job=job if job and job.state == JobState.FAILED and not found.is_ready else None,
        can_cancel=is_open and access.can_edit and job and not job.cancel_requested,
        can_delete=access.can_edit and not is_open,
        **(_told(found) if found.is_ready else {}),
    )
    return render(request, "evaluation/trained_judge.html", context)


def _told(judge: TrainedJudge) -> dict[str, Any]:
    """What the card says, in the shapes that the page shows."""
    card = judge.card
    # Of all options the seed alone has to do with trees.
    shown = ("base", "seed") if card["kind"] in LIGHT else card["options"]
    options = [(name, card["options"][name]) for name in sorted(shown)]
    said: dict[str, Any] = {"card": card, "options": options}
    if measured := card.get("probes"):
        said["probes"] = ProbeReport.from_json(measured)
    if held_out := card["held_out"]:
        bins = [row for row in held_out["calibration"] if row["units"]]
        said |= {
            "held_out": held_out,
            "levels": [held_out[name] for name in LEVELS],
            "bins": bins,
            "charts": [draw_calibration(bins, size) for size in (SQUARE, SMALL_SQUARE)],
        }
    return said


@project_view()
@require_safe
def judge_card(request: HttpRequest, access: ProjectAccess, pk: int) -> HttpResponse:
    found = get_ready_trained(access.project, pk)
    text = json.dumps(found.card, ensure_ascii=False, indent=1)
    response = HttpResponse(text, content_type="application/json")
    attach_as(response, f"judge-{pk}.json")
    return response


@project_view(Role.EDITOR)
@require_POST
def delete_judge(request: HttpRequest, access: ProjectAccess, pk: int) -> HttpResponse:
    found = get_trained(access.project, pk)
    words = _("{found} was deleted.").format(found=found)
    service.delete_judge(judge=found, user=user_of(request))
    messages.success(request, words)
    return redirect("evaluation:trained_judges", access.project.slug)
