"""`manage.py review_statements --project SLUG --run N [--agreements N] [--seed N] [--json]`."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from collections.abc import Iterator
from typing import Any

from django.core.management.base import CommandError
from django.utils.translation import gettext as _

from annotation.corpora.management.base import GizaCommand, find_project
from annotation.evaluation.management.finding import find_labels
from annotation.evaluation.runs.queries import get_ready_run
from annotation.evaluation.runs.review import (
    AGREEMENTS,
    Disagreement,
    Review,
    get_review,
    list_disagreements,
    measure_review,
)
from annotation.translation import gettext_lazy
from scoring.estimation.settled import SettledAccuracy


class Command(GizaCommand):
    help = gettext_lazy(
        "List statements of a run to review blind, and the accuracy from expert decisions."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--project", required=True, help="slug")
        parser.add_argument("--run", type=int, required=True, help=_("ID of a finished run"))
        parser.add_argument("--labels", type=int, help=_("version of the labels (default: newest)"))
        parser.add_argument("--set", default="", help=_("NAME[@version] of the labels' unit set"))
        parser.add_argument(
            "--agreements",
            type=int,
            default=AGREEMENTS,
            help=_("number of random agreements to mix in"),
        )
        parser.add_argument(
            "--seed", type=int, default=0, help=_("seed of the sample and its order")
        )
        parser.add_argument("--most", type=int, default=20, help=_("number of statements to list"))
        parser.add_argument("--json", action="store_true", help=_("print them as JSON"))

    def handle(self, *args: Any, **options: Any) -> None:
        project = find_project(options["project"])
        labels = find_labels(project, options["labels"], options["set"])
        run = get_ready_run(project, options["run"])
        if run.unit_set_id != labels.unit_set_id:
            raise CommandError(
                _("{labels} and {run} use different units. Choose other labels.").format(
                    labels=labels, run=run
                )
            )
        review = get_review(run, labels, max(options["agreements"], 0), options["seed"])
        accuracy = measure_review(run, labels)
        codes = review.list_codes()[: options["most"]]
        rows = list_disagreements(run, labels, review.pairs, codes)
        if options["json"]:
            self.stdout.write(json.dumps(_as_json(review, rows, accuracy), ensure_ascii=False))
            return
        self.stdout.write("\n".join([*_list(review, rows), *_describe(accuracy)]))


def _as_json(
    review: Review, rows: list[Disagreement], accuracy: SettledAccuracy | None
) -> dict[str, Any]:
    return {
        "population": review.population,
        "drawn": review.drawn,
        "statements": [
            {
                "example": row.summary.example.key,
                "system": row.summary.system.name,
                "unit": row.unit.pk,
                "text": row.unit.text,
            }
            for row in rows
        ],
        "accuracy": accuracy and accuracy.to_json(),
    }


def _list(review: Review, rows: list[Disagreement]) -> Iterator[str]:
    sizes = zip(review.drawn.items(), review.population.values(), strict=True)
    said = ", ".join(
        _("{drawn:,} of {size:,} that {name}").format(drawn=drawn, size=size, name=name)
        for (name, drawn), size in sizes
    )
    yield _("{run}: {said}, in random order, seed {seed}").format(
        run=review.run, said=said, seed=review.seed
    )
    for row in rows:
        yield f"{row.summary.example.key}  {row.summary.system.name}  {row.unit.text}"


def _describe(accuracy: SettledAccuracy | None) -> Iterator[str]:
    if accuracy is None:
        return
    for name, share in (("judge", accuracy.judge), ("people", accuracy.people)):
        if share is None:
            yield _("{name}: unknown until agreements and disagreements have been decided").format(
                name=name
            )
        else:
            yield _("{name}: accuracy {share:.3f} ({low:.3f} to {high:.3f})").format(
                name=name, share=share.value, low=share.low, high=share.high
            )
    yield _("without correction, the judge's accuracy would be {uncorrected:.3f}").format(
        uncorrected=accuracy.uncorrected
    )
