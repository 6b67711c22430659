"""`manage.py sample_examples --project P --source KEY …`: examples to annotate, by difficulty."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError
from django.utils.translation import gettext as _

from annotation.corpora.management.base import GizaCommand, find_project
from annotation.corpora.projects.models import Project
from annotation.evaluation.metrics.sources import list_score_sources
from annotation.evaluation.samples import service as samples_service
from annotation.evaluation.samples.models import Sample
from annotation.evaluation.samples.queries import list_rows, read_populations, stream_sample
from annotation.translation import gettext_lazy
from scoring.inclusion import AUTO, METHODS
from scoring.sampling import BINS, DRAWS, PER_BIN


class Command(GizaCommand):
    help = gettext_lazy(
        "Draw a stratified sample of examples, from equal-sized bins of each score."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--project", required=True, help="slug")
        parser.add_argument(
            "--source",
            action="append",
            required=True,
            help=_("key or name of scores; repeatable, in drawing order"),
        )
        parser.add_argument("--bins", type=int, default=BINS)
        parser.add_argument("--per-bin", type=int, default=PER_BIN, help=_("examples per bin"))
        parser.add_argument("--seed", type=int, default=0)
        parser.add_argument("--chances", choices=METHODS, default=AUTO)
        parser.add_argument(
            "--draws",
            type=int,
            default=DRAWS,
            help=_("Monte Carlo draws for inclusion probabilities"),
        )
        parser.add_argument(
            "--csv", type=Path, help=_("also write the whole population to this file")
        )
        parser.add_argument("--json", action="store_true", help=_("print the sample as JSON"))

    def handle(self, *args: Any, **options: Any) -> None:
        project = find_project(options["project"])
        names = ("bins", "per_bin", "seed", "chances", "draws")
        made = samples_service.sample_examples(
            project=project,
            user=None,
            sources=[_find_key(project, said) for said in options["source"]],
            **{name: options[name] for name in names},
        )
        if options["csv"]:
            options["csv"].write_text("".join(stream_sample(made)), encoding="utf-8", newline="")
        if options["json"]:
            keys = [row.example.key for row in list_rows(made, drawn=True)]
            said = {"id": made.pk, "examples": keys, "clashes": made.clashes}
            said |= {"chances": made.chances, "counts": made.counts, "signature": made.signature}
            self.stdout.write(json.dumps(said, ensure_ascii=False))
            return
        self.stdout.write("\n".join(describe(made)))


def _find_key(project: Project, said: str) -> str:
    known = list_score_sources(project)
    found = next((row.key for row in known if said in (row.key, row.name)), None)
    if found is None:
        names = ", ".join(row.name for row in known[:20]) or _("none")
        raise CommandError(
            _("The project has no scores '{said}'. Known: {names}.").format(said=said, names=names)
        )
    return found


def describe(sample: Sample) -> Iterator[str]:
    """The drawn examples, and how far the sample is from its population."""
    for row in list_rows(sample, drawn=True):
        name = sample.sources[row.source or 0]["name"]
        yield _("{example}\t{name}, bin {bin}\tprobability {chance:.4f}").format(
            example=row.example.key, name=name, bin=row.bin, chance=row.chance
        )
    for shown in read_populations(sample):
        said = shown.compared
        yield _(
            "{metric}: mean {sample:.4f} in the sample, {population:.4f} in the "
            "population; largest gap {gap:.3f}"
        ).format(metric=said.metric, sample=said.sample, population=said.population, gap=said.gap)
    counts, told = sample.counts, sample.chances
    yield _(
        "{sample}; {clashes:,} drawn twice and replaced, {left_out:,} "
        "excluded; probabilities {method}, standard error at most {error:.2g}"
    ).format(
        sample=sample,
        clashes=counts["clashes"],
        left_out=counts["left_out"],
        method=told["method"],
        error=told["error"],
    )
    yield sample.signature
