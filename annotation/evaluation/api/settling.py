"""REST: statements that people disagree about, and what experts settle."""

from __future__ import annotations

from typing import Any

import numpy as np
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.corpora.api.base import ProjectView, page_of
from annotation.corpora.api.parameters import PAGED
from annotation.corpora.models import Project, Role
from annotation.errors import NotFound
from annotation.evaluation import services
from annotation.evaluation.api.names import get_names
from annotation.evaluation.api.parameters import (
    LONGEST_NAME,
    read_choice,
    read_name,
    read_whole,
    whole,
)
from annotation.evaluation.api.requests import NewAdjudicationSerializer
from annotation.evaluation.api.settling_serializers import (
    AdjudicationSerializer,
    ContestedSerializer,
    ReviewStatementSerializer,
    SettledAccuracySerializer,
)
from annotation.evaluation.models import JudgeRun, LabelSet
from annotation.evaluation.selectors.contested import SHOWN, list_contested, rank_contested
from annotation.evaluation.selectors.labels import (
    get_summary,
    get_unit,
    list_settled,
)
from annotation.evaluation.selectors.pages_contested import get_ground, get_ground_of
from annotation.evaluation.selectors.pages_gold import get_label_set
from annotation.evaluation.selectors.run_disagreements import list_disagreements
from annotation.evaluation.selectors.run_people import list_labels_beside
from annotation.evaluation.selectors.run_review import (
    AGREEMENTS,
    MOST_DRAWN,
    MOST_SEED,
    get_review,
    measure_review,
)
from annotation.evaluation.selectors.runs import get_ready_run
from annotation.evaluation.selectors.whatif import Outcome
from annotation.translation import format_lazy, gettext_lazy
from annotation.translation import gettext as _
from annotation.units.models import UnitSet
from scoring.estimation.settled import measure_settled


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
        made = services.adjudicate(
            project=self.project,
            user=self.user,
            summary=get_summary(self.project, data["summary"]),
            unit=get_unit(self.project, data["unit"]),
            present=data["present"],
            reason=data.get("reason", ""),
            beside=self._beside(data),
        )
        return Response(AdjudicationSerializer(made).data, status=201)

    def _beside(self, data: dict[str, Any]) -> services.ReviewContext | None:
        if "run" not in data:
            return None
        run, labels = _find_both(self.project, data["run"], data.get("labels"))
        said = {name: data[name] for name in ("agreements", "seed", "saw_verdicts") if name in data}
        return services.ReviewContext(run, labels, **said)


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
        services.undo_adjudication(adjudication=found, user=self.user)
        return Response(status=204)
