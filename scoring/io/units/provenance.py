"""Who made the units of a file, told by whoever sends it rather than by the file."""

from __future__ import annotations

from dataclasses import dataclass, replace

from scoring.errors import InputError
from scoring.io.units.checks import UNFIT
from scoring.translation import gettext as _
from scoring.types import UNIT_KINDS, UnitRecord

STU = "stu"


@dataclass(frozen=True, slots=True)
class Provenance:
    """What holds for the units of a file that do not say it themselves.

    `kind` is for units without one. The extractor and its version are for STUs: SCUs are
    written by people.
    """

    kind: str = ""
    extractor: str = ""
    extractor_version: str = ""

    def __post_init__(self) -> None:
        if self.kind not in ("", *UNIT_KINDS):
            raise InputError(
                _("Unknown kind '{kind}'. Known: {unit_kinds}.").format(
                    kind=self.kind, unit_kinds=", ".join(UNIT_KINDS)
                )
            )
        if self.extractor_version and not self.extractor:
            raise InputError(_("A version needs the name of its extractor."))
        if found := UNFIT.search(self.extractor + self.extractor_version):
            raise InputError(
                _("The extractor's name or version contains U+{ord:04X}.").format(
                    ord=ord(found.group())
                )
            )

    def fill(self, unit: UnitRecord) -> UnitRecord:
        """The unit with what it did not say. Of another extractor's unit nothing is known."""
        is_known = unit.extractor not in ("", self.extractor) or unit.extractor_version
        if unit.kind != STU or is_known:
            return unit
        return replace(unit, extractor=self.extractor, extractor_version=self.extractor_version)
