"""Under a figure: a caption, what may be concluded, what may not, how it was computed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from scoring.measured_coverage import say_departures
from scoring.metaeval.report.saying import counted
from scoring.translation import gettext as _

Record = Mapping[str, Any]
Section = dict[str, Any]


def make_section(
    title: str, caption: str, *, may: Sequence[str], may_not: Sequence[str], how: str
) -> Section:
    """Sentences that have nothing to say are left out."""
    kept = {"may": [each for each in may if each], "may_not": [each for each in may_not if each]}
    return {"title": title, "caption": caption, **kept, "how": how}


def say_resampling(record: Record, levels: Sequence[str] = ("system",)) -> str:
    """How intervals were made, and how often they hold where that isn't as often as they say."""
    options = record["options"]
    measured = [say_departures(f"{level} level, both resampled", "percentile") for level in levels]
    return " ".join([_say_resampling(options), *[each for each in measured if each]])


def _say_resampling(options: Mapping[str, Any]) -> str:
    return _(
        "Intervals are the middle {value:g} % of {resamples:,} "
        "resamples of both systems and examples (BOOT-BOTH, Deutsch et al. 2021), seed "
        "{seed}."
    ).format(value=100 * options["coverage"], resamples=options["resamples"], seed=options["seed"])


def say_means(record: Record) -> str:
    if record["judged"] == record["documents"]:
        return _("Means over {examples}.").format(
            examples=counted(record["documents"], "example", "examples")
        )
    if record["options"]["inputs"] == "judged":
        return _("Means over the {judged:,} examples that people judged.").format(
            judged=record["judged"]
        )
    return _(
        "Human means are over the {judged:,} examples that people judged, a metric’s "
        "over all {documents:,} (Deutsch et al. 2022, section 3)."
    ).format(judged=record["judged"], documents=record["documents"])
