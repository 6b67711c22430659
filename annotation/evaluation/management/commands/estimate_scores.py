"""`manage.py estimate_scores --project SLUG --run N --chosen random [--labels N] [--json]`."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError
from django.utils.translation import gettext as _

from annotation.corpora.management.base import GizaCommand, find_project, run_here
from annotation.corpora.projects.models import Project
from annotation.evaluation.estimates import service as estimates_service
from annotation.evaluation.estimates.models import Chosen, CountBy, ScoreEstimate, Target
from annotation.evaluation.estimates.queries import (
    count_apart,
    list_ready_runs,
    list_rows,
    stream_scores,
)
from annotation.evaluation.management.finding import find_labels, tell_learned
from annotation.evaluation.runs.models import JudgeRun
from annotation.translation import gettext_lazy
from scoring.errors import InputError
from scoring.estimation.corrected import PRICE
from scoring.estimation.replacement import EPSILON
from scoring.io.chances import read_chances, read_document_ids

EPSILON_HELP = gettext_lazy(
    "margin by which the judge may win less often than a person: 0.1 for crowd workers"
)
PRICE_HELP = gettext_lazy("cost of labelling an example, relative to judging it")
ROW = gettext_lazy(
    "{system:<32}{value:>7.3f} ({low:.3f} to {high:.3f})  people {people:.3f} ({people_low:.3f} to "
    "{people_high:.3f})  judge {judge:.3f}  saved {saved:.1f}"
)

CORRECTED = gettext_lazy("{system:<32}{value:>7.3f} ({low:.3f} to {high:.3f})  judge {judge:.3f}")


class Command(GizaCommand):
    help = gettext_lazy(
        "Estimate system scores from human labels of some examples and a judge's run on all."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--project", required=True, help="slug")
        parser.add_argument("--labels", type=int, help=_("version; default: the newest"))
        parser.add_argument("--set", default="", help=_("NAME[@version] of the labels' unit set"))
        parser.add_argument(
            "--run", type=int, help=_("ID; default: the newest on the labels' units")
        )
        parser.add_argument(
            "--chosen", required=True, choices=Chosen.values, help=_("how the examples were chosen")
        )
        parser.add_argument("--probabilities", type=Path, help=_("CSV of doc_id, probability"))
        parser.add_argument(
            "--audit", type=Path, help=_("file with IDs of the random slice, one per line")
        )
        parser.add_argument("--by", choices=CountBy.values, default=CountBy.EXAMPLES)
        parser.add_argument("--target", choices=Target.values, default=Target.DOCUMENTS)
        parser.add_argument("--epsilon", type=float, default=EPSILON, help=EPSILON_HELP)
        parser.add_argument("--price", type=float, default=PRICE, help=PRICE_HELP)
        parser.add_argument("--csv", type=Path, help=_("also write the scores to this file"))
        parser.add_argument("--json", action="store_true", help=_("print the estimate as JSON"))

    def handle(self, *args: Any, **options: Any) -> None:
        project = find_project(options["project"])
        label_set = find_labels(project, options["labels"], options["set"])
        try:
            made = estimates_service.estimate_scores(
                project=project,
                user=None,
                label_set=label_set,
                run=_find_run(project, options["run"], label_set.unit_set_id),
                chosen=options["chosen"],
                probabilities=options["probabilities"] and read_chances(options["probabilities"]),
                audit=options["audit"] and read_document_ids(options["audit"]),
                by=options["by"],
                target=options["target"],
                epsilon=options["epsilon"],
                price=options["price"],
            )
        except (OSError, InputError) as error:
            raise CommandError(str(error)) from None
        run_here(made.job, _("{made} could not be computed").format(made=made))
        made.refresh_from_db()
        if options["csv"]:
            options["csv"].write_text("".join(stream_scores(made)), encoding="utf-8", newline="")
        if options["json"]:
            said = {"id": made.pk, **made.found, "learned": made.sources["learned"]}
            said |= {"signature": made.signature}
            self.stdout.write(json.dumps(said, ensure_ascii=False))
            return
        self.stdout.write("\n".join(describe(made)))
        tell_learned(self.stdout, made.sources["learned"])


def _find_run(project: Project, pk: int | None, unit_set: int) -> JudgeRun:
    rows = list_ready_runs(project)
    found = (rows.filter(pk=pk) if pk else rows.filter(unit_set=unit_set)).first()
    if found is None:
        known = ", ".join(str(row) for row in rows[:10]) or _("none")
        raise CommandError(_("There is no such finished run. Known: {known}.").format(known=known))
    return found


def describe(estimate: ScoreEstimate) -> Iterator[str]:
    found, apart = estimate.found, count_apart(estimate)
    yield _(
        "{estimate}: people judged {judged:,} of {documents:,} examples, chosen by {chosen}"
    ).format(
        estimate=estimate,
        judged=found["judged"],
        documents=found["documents"],
        chosen=estimate.options["chosen"],
    )
    yield found["replacement"]["sentence"]
    yield from (ROW.format(**row) for row in list_rows(estimate))
    yield from _describe_corrected(found["corrected"])
    yield _(
        "{holm:,} of {pairs:,} pairs significantly different (Holm), "
        "{bh:,} (Benjamini–Hochberg); {people:,} with people only (Holm)"
    ).format(holm=apart["holm"], pairs=apart["pairs"], bh=apart["bh"], people=apart["people"])


def _describe_corrected(corrected: dict[str, Any]) -> Iterator[str]:
    if not corrected["is_told"]:
        yield _("Scores were not corrected for the judge's errors: {reason}").format(
            reason=corrected["reason"]
        )
        return
    sensitivity, specificity = corrected["sensitivity"], corrected["specificity"]
    yield _(
        "Corrected for the judge's errors: sensitivity {sensitivity:.3f} "
        "({sensitivity_2:.3f} to {sensitivity_3:.3f}), specificity {specificity:.3f} "
        "({specificity_2:.3f} to {specificity_3:.3f}); optimal labelled slice: "
        "{best_slice:,} examples at a cost ratio of {price:g}"
    ).format(
        sensitivity=sensitivity[0],
        sensitivity_2=sensitivity[1],
        sensitivity_3=sensitivity[2],
        specificity=specificity[0],
        specificity_2=specificity[1],
        specificity_3=specificity[2],
        best_slice=corrected["best_slice"],
        price=corrected["price"],
    )
    yield from (CORRECTED.format(**row) for row in corrected["systems"])
