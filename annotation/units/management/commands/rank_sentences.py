"""`manage.py rank_sentences --project SLUG --set NAME --stus NAME [--json]`: the hardest first."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from typing import Any

from django.utils.translation import gettext as _

from annotation.corpora.management.base import GizaCommand, find_project, run_here
from annotation.translation import gettext_lazy
from annotation.units.management.finding import find_set
from annotation.units.plans.queries import get_plan_counts, list_sentence_plans
from annotation.units.sets.models import UnitSet
from annotation.units.stus import ranking
from annotation.units.stus.models import SentencePlan
from annotation.wording import counted


class Command(GizaCommand):
    help = gettext_lazy("Rank the sentences of a draft by predicted difficulty, hardest first.")

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--project", required=True, help="slug")
        parser.add_argument("--set", required=True, help=_("NAME[@version] of the draft"))
        parser.add_argument("--stus", required=True, help=_("NAME[@version] of the set of STUs"))
        parser.add_argument(
            "--regressor", default="", help=_("default: the predictions stored with the STUs")
        )
        parser.add_argument("--top", type=int, default=10, help=_("number of sentences to print"))
        parser.add_argument("--json", action="store_true", help=_("print the sentences as JSON"))

    def handle(self, *args: Any, **options: Any) -> None:
        project = find_project(options["project"])
        unit_set = find_set(project, options["set"])
        job = ranking.start_ranking(
            unit_set=unit_set,
            user=None,
            stus=find_set(project, options["stus"]),
            regressor=options["regressor"],
        )
        run_here(job, _("{unit_set} was not ranked").format(unit_set=unit_set))
        self._tell(unit_set, options["top"], as_json=options["json"])

    def _tell(self, unit_set: UnitSet, top: int, *, as_json: bool) -> None:
        counts = get_plan_counts(unit_set)
        rows = list_sentence_plans(unit_set)[: max(top, 0)]
        if as_json:
            told = {**counts, "hardest_sentences": [_row(row) for row in rows]}
            self.stdout.write(json.dumps(told, ensure_ascii=False))
            return
        words = counted(counts["sentences"], "sentence", "sentences")
        self.stdout.write(
            _("{unit_set}: {words} ranked by {model}.").format(
                unit_set=unit_set, words=words, model=counts["model"]
            )
        )
        for row in rows:
            key = row.sentence.reference.example.key
            self.stdout.write(f"{row.difficulty:.3f}  {key}: {row.sentence.text}")


def _row(row: SentencePlan) -> dict[str, Any]:
    return {
        "sentence": row.sentence_id,
        "example": row.sentence.reference.example.key,
        "difficulty": row.difficulty,
        "text": row.sentence.text,
    }
