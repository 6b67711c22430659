"""`manage.py extract_stus --project SLUG [--extractor srl|rich] [--json]`: STUs of a corpus."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from typing import Any

from annotation.corpora.management.base import GizaCommand, run_here
from annotation.corpora.management.finding import find_project
from annotation.units import services
from annotation.units.selectors.quality import StuQuality, get_stu_quality
from annotation.wording import counted
from scoring.stu.extractors import EXTRACTORS


class Command(GizaCommand):
    help = "Extract the STUs of every reference into a frozen set, and predict sentence difficulty."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--project", required=True, help="slug")
        parser.add_argument("--extractor", default="rich", choices=EXTRACTORS)
        parser.add_argument("--coref", action="store_true", help="replace pronouns with names")
        parser.add_argument("--x", type=float, default=1.0, help="for rich: STUs per SCU")
        parser.add_argument(
            "--name", default="", help="name of the set; an existing name gets its next version"
        )
        parser.add_argument(
            "--regressor",
            default="",
            help="regressor for ranking: giza, paper, damage, or one of the project",
        )
        parser.add_argument("--json", action="store_true", help="print the outcome as JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        names = ("extractor", "coref", "x", "name", "regressor")
        made = services.extract_stus(
            project=find_project(options["project"]),
            user=None,
            **{name: options[name] for name in names},
        )
        run_here(made.job, f"{made} was not extracted")
        made.refresh_from_db()
        quality = get_stu_quality(made)
        if options["json"]:
            said = {"set": made.pk, "name": str(made), "units": made.unit_count}
            version = {"extractor": made.extractor, "version": made.extractor_version}
            found = {**said, **version, "hash": made.content_hash, "quality": _figures(quality)}
            self.stdout.write(json.dumps(found, ensure_ascii=False))
            return
        self.stdout.write(
            f"{made}: {counted(made.unit_count, 'STU', 'STUs')}, hash {made.content_hash}."
        )
        if figures := _figures(quality):
            self.stdout.write(
                f"Compared with {figures['scus']}: accuracy {figures['accuracy']:.3f}, "
                f"precision {figures['precision']:.3f}, x {figures['x']:.2f}."
            )
            if figures["learned"]:
                self.stdout.write(
                    f"In-sample: {made.extractor} was trained on references of "
                    f"{figures['learned']:,} of {figures['examples']:,} examples."
                )


def _figures(quality: StuQuality | None) -> dict[str, Any] | None:
    if quality is None or not quality.figures.stus:
        return None
    names = ("accuracy", "precision", "x", "sentences")
    return {
        "scus": str(quality.scus),
        "examples": quality.examples,
        "learned": quality.learned,
        **{name: getattr(quality.figures, name) for name in names},
    }
