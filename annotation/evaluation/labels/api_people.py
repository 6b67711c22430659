"""How workers are called in answers: by their ids to editors, by numbers to others."""

from __future__ import annotations

from typing import Any

import numpy as np
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.access import ProjectAccess
from annotation.corpora.projects.models import Project, Role
from annotation.corpora.rest import PAGED, ProjectView, page_of
from annotation.crowd.campaigns.api import BodySchema
from annotation.errors import NotFound
from annotation.evaluation.gold.queries import get_label_set
from annotation.evaluation.labels import settling
from annotation.evaluation.labels.answers import get_judged_campaigns, list_decisions
from annotation.evaluation.labels.contested import (
    SHOWN,
    get_ground,
    get_ground_of,
    list_contested,
    rank_contested,
)
from annotation.evaluation.labels.models import Decision, LabelSet
from annotation.evaluation.labels.outcome import Outcome
from annotation.evaluation.labels.people import (
    PeopleNames,
    get_assignment,
    get_people_names,
    get_worker,
    list_worker_rows,
)
from annotation.evaluation.labels.queries import get_summary, get_unit, list_settled
from annotation.evaluation.labels.requests import (
    DECISION,
    AdjudicationSerializer,
    AssignmentDecisionSerializer,
    ContestedSerializer,
    NewAdjudicationSerializer,
    ReviewStatementSerializer,
    SettledAccuracySerializer,
    WorkerDecisionSerializer,
)
from annotation.evaluation.labels.serializers import (
    LARGEST_SEED,
    LONGEST_NAME,
    CrowdSizesSerializer,
    DecisionSerializer,
    WorkerFiguresSerializer,
    read_choice,
    read_name,
    read_whole,
    whole,
)
from annotation.evaluation.labels.votes import ROUNDS, get_crowd_sizes
from annotation.evaluation.runs.comparison import list_labels_beside
from annotation.evaluation.runs.models import JudgeRun
from annotation.evaluation.runs.queries import get_ready_run
from annotation.evaluation.runs.review import (
    AGREEMENTS,
    MOST_DRAWN,
    MOST_SEED,
    get_review,
    list_disagreements,
    measure_review,
)
from annotation.translation import format_lazy, gettext_lazy
from annotation.units.sets.models import UnitSet
from scoring.estimation.settled import measure_settled


def get_names(access: ProjectAccess) -> PeopleNames:
    return get_people_names(access.project, can_see_ids=access.can_edit)


class Decisions(ProjectView):
    schema = BodySchema()
    roles = {"POST": Role.EDITOR}

    @extend_schema(
        operation_id="list_decisions",
        parameters=PAGED,
        responses={200: page_of(DecisionSerializer)},
    )
    def get(self, request: Request, slug: str) -> Response:
        """List decisions on workers and assignments, newest first."""
        names = get_names(self.access)
        return self.paged(list_decisions(self.project), DecisionSerializer, names=names)

    @extend_schema(operation_id="decide", request=DECISION, responses={201: DecisionSerializer})
    def post(self, request: Request, slug: str) -> Response:
        """Exclude a worker or an assignment from future labels, or always include it."""
        made = self._decide(request.data)
        context = {"names": get_names(self.access)}
        return Response(DecisionSerializer(made, context=context).data, status=201)

    def _decide(self, data: Any) -> Decision:
        is_about_work = isinstance(data, dict) and "assignment" in data
        kind = AssignmentDecisionSerializer if is_about_work else WorkerDecisionSerializer
        form = kind(data=data)
        form.is_valid(raise_exception=True)
        values = dict(form.validated_data) | {"project": self.project, "user": self.user}
        if is_about_work:
            values["assignment"] = get_assignment(self.project, values["assignment"])
            return settling.decide_assignment(**values)
        values["worker"] = get_worker(self.project, values["worker"])
        return settling.decide_worker(**values)


class DecisionDetail(ProjectView):
    roles = {"DELETE": Role.EDITOR}

    @extend_schema(operation_id="undo_decision", responses={204: None})
    def delete(self, request: Request, slug: str, pk: int) -> Response:
        """Undo a decision. In future labels, only the rules apply."""
        found = get_object_or_404(list_decisions(self.project), pk=pk)
        settling.undo_decision(decision=found, user=self.user)
        return Response(status=204)


class Workers(ProjectView):
    roles = {"GET": Role.EDITOR}

    @extend_schema(
        operation_id="list_workers",
        parameters=[
            whole(
                "campaign",
                gettext_lazy(
                    "Only this campaign. Default: all campaigns with the newest campaign's unit "
                    "set."
                ),
            ),
            *PAGED,
        ],
        responses={200: page_of(WorkerFiguresSerializer)},
    )
    def get(self, request: Request, slug: str) -> Response:
        """List workers with volume, speed and agreement, most assignments first."""
        chosen = read_whole(request, "campaign")
        campaigns = get_judged_campaigns(self.project, () if chosen is None else (chosen,))
        return self.paged(list_worker_rows(self.project, campaigns).rows, WorkerFiguresSerializer)


class CrowdSize(ProjectView):
    @extend_schema(
        operation_id="get_crowd_size",
        parameters=[whole("seed", gettext_lazy("Default: 0."), least=0, most=LARGEST_SEED)],
        responses={200: CrowdSizesSerializer},
    )
    def get(self, request: Request, slug: str) -> Response:
        """Simulate other numbers of workers per HIT from the collected answers."""
        seed = read_whole(request, "seed", least=0, most=LARGEST_SEED) or 0
        outcome = get_ground(self.project).get_outcome(self.project)
        table = get_crowd_sizes(outcome, seed)
        said = {
            "judges": table.usual,
            "most": table.most,
            "rounds": ROUNDS,
            "seed": seed,
            "rows": table.rows,
        }
        return Response(CrowdSizesSerializer(said).data)


class ContestedStatements(ProjectView):
    @extend_schema(
        operation_id="list_contested",
        parameters=[
            whole(
                "labels",
                gettext_lazy("Count votes by the rules of these labels. Default: the newest."),
            ),
            OpenApiParameter(
                "show",
                str,
                enum=SHOWN,
                description=gettext_lazy("Default: open (not decided yet)."),
            ),
            OpenApiParameter(
                "system",
                {"type": "string", "maxLength": LONGEST_NAME},
                description=gettext_lazy("Only summaries of this system."),
            ),
            *PAGED,
        ],
        responses={200: page_of(ContestedSerializer)},
    )
    def get(self, request: Request, slug: str) -> Response:
        """List contested statements with their answers, the most evenly split first."""
        show = read_choice(request, "show", SHOWN, "open")
        system = read_name(request, "system")
        unit_set, outcome = self._outcome(read_whole(request, "labels"))
        return self.paged(
            rank_contested(outcome, show, system).tolist(),
            ContestedSerializer,
            load=lambda codes: list_contested(unit_set, outcome, np.array(codes, dtype=np.int64)),
            names=get_names(self.access),
        )

    def _outcome(self, labels: int | None) -> tuple[UnitSet, Outcome]:
        """By the rules of the labels named, or by those that the page uses."""
        if labels is None:
            ground = get_ground(self.project)
        else:
            ground = get_ground_of(get_label_set(self.project, labels))
        return ground.campaigns[0].unit_set, ground.get_outcome(self.project)


class Adjudications(ProjectView):
    roles = {"POST": Role.EDITOR}

    @extend_schema(
        operation_id="list_adjudications",
        parameters=PAGED,
        responses={200: page_of(AdjudicationSerializer)},
    )
    def get(self, request: Request, slug: str) -> Response:
        """List expert decisions, newest first."""
        return self.paged(list_settled(self.project), AdjudicationSerializer)

    @extend_schema(
        operation_id="adjudicate",
        request=NewAdjudicationSerializer,
        responses={201: AdjudicationSerializer},
    )
    def post(self, request: Request, slug: str) -> Response:
        """Decide a statement as an expert. The decision overrides the vote in future labels."""
        form = NewAdjudicationSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        data = form.validated_data
        made = settling.adjudicate(
            project=self.project,
            user=self.user,
            summary=get_summary(self.project, data["summary"]),
            unit=get_unit(self.project, data["unit"]),
            present=data["present"],
            reason=data.get("reason", ""),
            beside=self._beside(data),
        )
        return Response(AdjudicationSerializer(made).data, status=201)

    def _beside(self, data: dict[str, Any]) -> settling.ReviewContext | None:
        if "run" not in data:
            return None
        run, labels = _find_both(self.project, data["run"], data.get("labels"))
        said = {name: data[name] for name in ("agreements", "seed", "saw_verdicts") if name in data}
        return settling.ReviewContext(run, labels, **said)


def _find_both(project: Project, run: int, labels: int | None) -> tuple[JudgeRun, LabelSet]:
    """A run and labels of the same units, the newest if none are named."""
    found = get_ready_run(project, run)
    rows = list_labels_beside(found)
    label_set = rows.first() if labels is None else rows.filter(pk=labels).first()
    if label_set is None:
        raise NotFound(
            _("There are no such labels for {unit_set}.").format(unit_set=found.unit_set),
            _("Choose other labels."),
        )
    return found, label_set


LABELS = whole(
    "labels", gettext_lazy("Compare with these labels. Default: the newest that are ready.")
)


class RunReview(ProjectView):
    @extend_schema(
        operation_id="list_run_review",
        parameters=[
            LABELS,
            whole(
                "agreements",
                format_lazy(
                    gettext_lazy("Number of agreements to mix in. Default: {agreements}."),
                    agreements=AGREEMENTS,
                ),
                least=0,
                most=MOST_DRAWN,
            ),
            whole(
                "seed",
                gettext_lazy("Seed of the sample and its order. Default: 0."),
                least=0,
                most=MOST_SEED,
            ),
            OpenApiParameter(
                "show",
                str,
                enum=SHOWN,
                description=gettext_lazy("Default: open (not decided yet)."),
            ),
            *PAGED,
        ],
        responses={200: page_of(ReviewStatementSerializer)},
    )
    def get(self, request: Request, slug: str, pk: int) -> Response:
        """List statements to review, in random order, with verdicts hidden."""
        run, labels = _find_both(self.project, pk, read_whole(request, "labels"))
        show = read_choice(request, "show", SHOWN, "open")
        agreements = read_whole(request, "agreements", least=0, most=MOST_DRAWN)
        seed = read_whole(request, "seed", least=0, most=MOST_SEED) or 0
        size = AGREEMENTS if agreements is None else agreements
        review = get_review(run, labels, size, seed)
        return self.paged(
            review.list_codes(show).tolist(),
            ReviewStatementSerializer,
            load=lambda codes: list_disagreements(
                run, labels, review.pairs, np.array(codes, dtype=np.int64)
            ),
        )


class RunSettled(ProjectView):
    @extend_schema(
        operation_id="get_run_settled",
        parameters=[LABELS],
        responses={200: SettledAccuracySerializer},
    )
    def get(self, request: Request, slug: str, pk: int) -> Response:
        """Estimate the accuracy of judge and human labels from expert decisions."""
        run, labels = _find_both(self.project, pk, read_whole(request, "labels"))
        population = get_review(run, labels, AGREEMENTS, 0).population
        if not any(population.values()):
            raise NotFound(
                _("{run} and {labels} have no statements in common.").format(
                    run=run, labels=labels
                ),
                _("Choose other labels."),
            )
        found = measure_review(run, labels) or measure_settled((), population)
        return Response(SettledAccuracySerializer(found).data)


class AdjudicationDetail(ProjectView):
    roles = {"DELETE": Role.EDITOR}

    @extend_schema(operation_id="undo_adjudication", responses={204: None})
    def delete(self, request: Request, slug: str, pk: int) -> Response:
        """Undo an expert decision. In future labels, the vote applies again."""
        found = get_object_or_404(list_settled(self.project), pk=pk)
        settling.undo_adjudication(adjudication=found, user=self.user)
        return Response(status=204)
