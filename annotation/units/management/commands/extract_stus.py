"""`manage.py extract_stus --project SLUG [--extractor srl|rich] [--json]`: STUs of a corpus."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from typing import Any

from django.utils.translation import gettext as _

from annotation.corpora.management.base import GizaCommand, find_project, run_here
from annotation.translation import gettext_lazy
from annotation.units.sets.comparison import StuQuality, get_stu_quality
from annotation.units.stus import extraction
from annotation.wording import counted
from scoring.stu.extractors import EXTRACTORS


class Command(GizaCommand):
    help = gettext_lazy(
        "Extract the STUs of every reference into a frozen set, and predict sentence difficulty."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--project", required=True, help="slug")
        parser.add_argument("--extractor", default="rich", choices=EXTRACTORS)
        parser.add_argument("--coref", action="store_true", help=_("replace pronouns with names"))
        parser.add_argument("--x", type=float, default=1.0, help=_("for rich: STUs per SCU"))
        parser.add_argument(
            "--name", default="", help=_("name of the set; an existing name gets its next version")
        )
        parser.add_argument(
            "--regressor",
            default="",
            help=_("regressor for ranking: giza, paper, damage, or one of the project"),
        )
        parser.add_argument("--json", action="store_true", help=_("print the outcome as JSON"))

    def handle(self, *args: Any, **options: Any) -> None:
        names = ("extractor", "coref", "x", "name", "regressor")
        made = extraction.extract_stus(
            project=find_project(options["project"]),
            user=None,
            **{name: options[name] for name in names},
        )
        run_here(made.job, _("{made} was not extracted").format(made=made))
        made.refresh_from_db()
        quality = get_stu_quality(made)
        if options["json"]:
            said = {"set": made.pk, "name": str(made), "units": made.unit_count}
            version = {"extractor": made.extractor, "version": made.extractor_version}
            found = {**said, **version, "hash": made.content_hash, "quality": _figures(quality)}
            self.stdout.write(json.dumps(found, ensure_ascii=False))
            return
        self.stdout.write(
            _("{made}: {STUs}, hash {content_hash}.").format(
                made=made,
                STUs=counted(made.unit_count, "STU", "STUs"),
                content_hash=made.content_hash,
            )
        )
        if figures := _figures(quality):
            self.stdout.write(
                _(
                    "Compared with {scus}: accuracy {accuracy:.3f}, "
                    "precision {precision:.3f}, x {x:.2f}."
                ).format(
                    scus=figures["scus"],
                    accuracy=figures["accuracy"],
                    precision=figures["precision"],
                    x=figures["x"],
                )
            )
            if figures["learned"]:
                self.stdout.write(
                    _(
                        "In-sample: {extractor} was trained on references of "
                        "{learned:,} of {examples:,} examples."
                    ).format(
                        extractor=made.extractor,
                        learned=figures["learned"],
                        examples=figures["examples"],
                    )
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
