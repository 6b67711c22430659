"""Units of a file that share no word with the reference that they were put to."""

from __future__ import annotations

from annotation.corpora.models import Reference
from annotation.translation import gettext as _
from annotation.translation import gettext_lazy, ngettext
from annotation.units.services.reading import Group
from annotation.wording import counted
from scoring.io import ProblemList
from scoring.io.errors import shown
from scoring.stemming import content_stems, stem_set
from scoring.types import Problem, UnitRecord

# Letters by which forms of a word meet that stemming keeps apart.
PREFIX = 5
EXPECTED = gettext_lazy("units of this example's references, in the order of the examples.")


class Strays:
    """Collected while a file is checked, some examples at a time."""

    def __init__(self) -> None:
        self.units = 0
        self.found: list[UnitRecord] = []

    def add(self, groups: list[Group], examples: dict[str, int]) -> None:
        ids = {examples[group.key] for group in groups if group.key in examples}
        texts: dict[int, list[str]] = {}
        rows = Reference.objects.filter(example__in=ids)
        for example, text in rows.values_list("example_id", "text"):
            texts.setdefault(example, []).append(text)
        for group in groups:
            if references := texts.get(examples.get(group.key, 0)):
                self._compare(group.records, references)

    def _compare(self, records: list[UnitRecord], references: list[str]) -> None:
        known = stem_set(references)
        known |= {stem[:PREFIX] for stem in known}
        for record in records:
            stems = content_stems(record.text)
            self.units += 1
            if stems and not any(stem in known or stem[:PREFIX] in known for stem in stems):
                self.found.append(record)

    def describe(self, file: str, doubts: ProblemList) -> None:
        """Even one is named: REALSumm, PyrXSum and units that models wrote of them have none."""
        count = len(self.found)
        if not count:
            return
        message = ngettext(
            "{count:,} of {units} shares no content word with its reference.",
            "{count:,} of {units} share no content word with their reference.",
            count,
        ).format(count=count, units=counted(self.units, "unit", "units"))
        doubts.take(Problem(shown(file), None, message, str(EXPECTED)))
        for record in self.found:
            message = _("“{record}” shares no content word with “{record_2}”.").format(
                record=record.text, record_2=record.key
            )
            doubts.add(record.file, record.line, message, str(EXPECTED))
