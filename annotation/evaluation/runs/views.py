"""What people fill in about a run of a judge."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from urllib.parse import urlencode

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from annotation.access import ProjectAccess
from annotation.corpora.corpus.models import System
from annotation.corpora.jobs.models import JobState
from annotation.corpora.projects.access import project_context, project_view, sent, user_of
from annotation.corpora.projects.models import Project, Role
from annotation.crowd.offline.service import list_frozen_sets
from annotation.errors import DomainError
from annotation.evaluation.judges.offered import (
    PRECISIONS,
    list_judges,
    read_options,
    resolve_judge,
)
from annotation.evaluation.judges.queries import count_learned, list_learned
from annotation.evaluation.labels.models import LabelSet
from annotation.evaluation.labels.scores import ScoreRow
from annotation.evaluation.runs import compare, probing, service
from annotation.evaluation.runs.charts import draw_beside
from annotation.evaluation.runs.compare import find_comparison_job
from annotation.evaluation.runs.comparison import get_beside, is_compared, list_labels_beside
from annotation.evaluation.runs.models import EmptySummaries, JudgeRun
from annotation.evaluation.runs.probes import find_probe_job, get_probes, is_unreliable
from annotation.evaluation.runs.queries import (
    find_same_run,
    get_progress,
    get_ready_run,
    get_run,
    list_run_scores,
    list_runs,
    plan_run,
)
from annotation.translation import gettext_lazy
from annotation.units.sets.models import UnitSet
from scoring.figures.scale import NARROW, WIDE
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


LAST_LINES = 12
STEPS: dict[str, tuple[Callable[..., None], str]] = {
    "pause": (service.pause_run, gettext_lazy("The run will pause after the current chunks.")),
    "resume": (service.resume_run, gettext_lazy("The run was resumed.")),
    "cancel": (
        service.cancel_run,
        gettext_lazy("The run is being cancelled. Judged pairs stay in the cache."),
    ),
    "retry": (service.retry_run, gettext_lazy("The run continues with the unfinished chunks.")),
}


@project_view()
@require_safe
def runs(request: HttpRequest, access: ProjectAccess) -> HttpResponse:
    rows = list(list_runs(access.project)[:200])
    context = project_context(
        access,
        "runs",
        runs=rows,
        has_frozen=list_frozen_sets(access.project).exists(),
        is_moving=any(row.is_moving for row in rows),
    )
    return render(request, "evaluation/runs.html", context)


@project_view(Role.EDITOR)
@require_http_methods(["GET", "POST"])
def start_run(request: HttpRequest, access: ProjectAccess) -> HttpResponse:
    """The form, and beside it what the run would compute; a script asks again at each change."""
    project = access.project
    form = RunForm(project, sent(request) or _filled(request.GET, access))
    if request.method == "POST" and form.is_valid():
        try:
            made = service.start_run(project=project, user=user_of(request), **form.arguments())
        except DomainError as error:
            form.add_error(None, f"{error.message} {error.hint}".strip())
        else:
            return redirect("evaluation:run", project.slug, made.pk)
    has_frozen = list_frozen_sets(project).exists()
    context = project_context(access, "runs", form=form, has_frozen=has_frozen, other=OTHER)
    context |= _plan(access, form) if has_frozen else {}
    status = 422 if request.method == "POST" else 200
    return render(request, "evaluation/start_run.html", context, status=status)


def _filled(query: QueryDict, access: ProjectAccess) -> QueryDict:
    """What the address says; the rest as in the run that is done again, or as usual."""
    filled = query.copy()
    newest = list_frozen_sets(access.project).order_by("-frozen_at", "-pk").first()
    usual = {
        "unit_set": str(newest.pk) if newest else "",
        "judge": default_judge(),
        "empty": "refuse",
        "precision": "fp32",
    }
    if (asked := query.get("again", "")).isdecimal() and len(asked) < 19:
        before = list_runs(access.project).filter(pk=int(asked)).first()
        usual |= _said_before(before) if before else {}
        if before and "systems" not in filled:
            filled.setlist("systems", before.systems)
    for name, value in usual.items():
        filled.setdefault(name, value)
    return filled


def _said_before(run: JudgeRun) -> dict[str, str]:
    said = {
        "unit_set": str(run.unit_set_id),
        "judge": run.judge,
        "function": run.function,
        "empty": run.empty,
        "precision": run.options.get("precision", "fp32"),
    }
    return said | ({"evidence": "on"} if run.options.get("evidence") else {})


def _plan(access: ProjectAccess, form: RunForm) -> dict[str, Any]:
    """Nothing is planned by a form that is not in order; why, is said beside it."""
    if not form.is_valid():
        return {}
    said = form.arguments()
    try:
        choice = resolve_judge(access.project, said["judge"])
        plan = plan_run(
            project=access.project,
            unit_set=said["unit_set"],
            systems=said["systems"],
            choice=choice,
            options=read_options(said["options"]),
        )
    except DomainError as error:
        return {"plan_error": error}
    return {"plan": plan, "choice": choice, "function": said["function"] or choice.function}


@project_view()
@require_safe
def run(request: HttpRequest, access: ProjectAccess, pk: int) -> HttpResponse:
    found = get_run(access.project, pk)
    context = run_context(access, found, "scores", **_job_context(access, found))
    if found.is_ready:
        context |= _scores(found, choose_labels(request, found)) | {
            "met": count_learned(found),
            "probe_job": find_probe_job(found),
        }
    return render(request, "evaluation/run.html", context)


def run_context(access: ProjectAccess, run: JudgeRun, here: str, **more: Any) -> dict[str, Any]:
    """What every page of a run shows: whether its figures are in-sample, or another run's too."""
    if run.is_ready:
        probes = get_probes(run)
        more |= {
            "learned": list_learned([run]),
            "same_run": find_same_run(run),
            "probes": probes,
            "is_unreliable": is_unreliable(run, probes),
        }
    return project_context(access, "runs", run=run, here=here, **more)


def choose_labels(request: HttpRequest, run: JudgeRun) -> dict[str, Any]:
    """The labels that the run is shown beside: those asked for, or the newest."""
    listed = list(list_labels_beside(run))
    asked = request.GET.get("labels", "")
    chosen = next((row for row in listed if str(row.pk) == asked), None)
    label_set = chosen or next(iter(listed), None)
    found: dict[str, Any] = {"label_sets": listed, "label_set": label_set}
    if label_set is not None and not is_compared(run, label_set):
        found |= {"uncompared": True, "compare_job": find_comparison_job(run, label_set)}
    return found


@project_view(Role.EDITOR)
@require_POST
def compare_run(request: HttpRequest, access: ProjectAccess, pk: int) -> HttpResponse:
    """Have a job compare the run with labels; its pages show them once it is done."""
    found = get_ready_run(access.project, pk)
    asked = request.POST.get("labels", "")
    rows = list_labels_beside(found)
    label_set = next((row for row in rows if str(row.pk) == asked), None) or rows.first()
    if label_set is None:
        raise DomainError(
            _("There are no human labels of {unit_set} yet.").format(unit_set=found.unit_set),
            _("Create labels first."),
        )
    compare.compare_run(run=found, label_set=label_set, user=user_of(request))
    path = reverse("evaluation:people", args=[access.project.slug, pk])
    query = urlencode({"labels": label_set.pk})
    return redirect(f"{path}?{query}")


@project_view(Role.EDITOR)
@require_POST
def probe_run(request: HttpRequest, access: ProjectAccess, pk: int) -> HttpResponse:
    """Have a job probe the run's judge; its pages show the figures once it is done."""
    probing.probe_run(run=get_ready_run(access.project, pk), user=user_of(request))
    return redirect("evaluation:run", access.project.slug, pk)


def _job_context(access: ProjectAccess, run: JudgeRun) -> dict[str, Any]:
    job = run.job
    if job is None or run.is_ready:
        return {}
    moves = job.state in (JobState.QUEUED, JobState.RUNNING)
    wished = job.cancel_requested or job.pause_requested
    can = access.can_edit
    return {
        "job": job,
        "progress": get_progress(run),
        "lines": list(job.lines.order_by("-pk")[:LAST_LINES])[::-1],
        "can_pause": can and moves and not wished,
        "can_resume": can and (job.state == JobState.PAUSED or (moves and job.pause_requested)),
        "can_cancel": can and not job.is_over and not job.cancel_requested,
        "can_retry": can and job.state == JobState.FAILED,
    }


def _scores(run: JudgeRun, labels: dict[str, Any]) -> dict[str, Any]:
    """Next to people's scores stand the judge's on the same summaries, not on all of them."""
    rows = list_run_scores(run)
    label_set: LabelSet | None = labels["label_set"]
    beside = get_beside(run, label_set) if label_set and "uncompared" not in labels else None
    both = {row.system: row for row in beside.systems} if beside else {}
    shown = [row.judge_row for row in both.values()] or rows
    people = {name: row.people_row for name, row in both.items()}
    return {
        **labels,
        "rows": [(row, both.get(row.system)) for row in rows],
        "charts": [draw_beside(_from_best(shown), people, width) for width in (WIDE, NARROW)],
        "beside": beside,
    }


def _from_best(rows: list[ScoreRow]) -> list[ScoreRow]:
    return sorted(rows, key=lambda row: (row.score is None, row.rank, row.system))


@project_view(Role.EDITOR)
@require_POST
def run_step(request: HttpRequest, access: ProjectAccess, pk: int, step: str) -> HttpResponseBase:
    take, words = STEPS[step]
    take(run=get_run(access.project, pk))
    messages.success(request, words)
    return redirect("evaluation:run", access.project.slug, pk)


@project_view(Role.EDITOR)
@require_POST
def start_out_of_fold_run(request: HttpRequest, access: ProjectAccess, pk: int) -> HttpResponse:
    """To the run, or to the judge whose training starts it."""
    made = service.start_out_of_fold_run(
        run=get_ready_run(access.project, pk), user=user_of(request)
    )
    if isinstance(made, JudgeRun):
        return redirect("evaluation:run", access.project.slug, made.pk)
    messages.success(request, _("The run will start when this judge is trained."))
    return redirect("evaluation:trained_judge", access.project.slug, made.pk)


@project_view(Role.EDITOR)
@require_POST
def delete_run(request: HttpRequest, access: ProjectAccess, pk: int) -> HttpResponse:
    found = get_run(access.project, pk)
    words = _("{found} was deleted.").format(found=found)
    service.delete_run(run=found, user=user_of(request))
    messages.success(request, words)
    return redirect("evaluation:runs", access.project.slug)
