"""Where intervals hold the truth, or tests reject a true null, more or less often than they say.

`measured_coverage.json` is what `python -m scoring coverage --save` found. The documents' table is
made of it, and so are the sentences under intervals and tests that depart from what they say.
"""

from __future__ import annotations

import functools
import json
from pathlib import Path
from typing import Any

from scoring.translation import gettext as _

FILE = Path(__file__).with_suffix(".json")
COVERED, REJECTED = (0.93, 0.97), (0.03, 0.07)
YES, NO, PERHAPS = "yes", "no", "perhaps"
# Kinds that are named in more than one place.
CLOSE_PAIRS, CURVE_GAIN = "correlation of close pairs", "gain of a curve, 100 documents"


@functools.cache
def read_measured() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))
    return found


def say_departures(kind: str, variant: str = "") -> str:
    """A sentence on variants of a kind that depart, if any; *variant* is a part of their name."""
    found = read_measured()
    rows = [
        row
        for row in found["rows"]
        if row["kind"] == kind and variant in row["variant"] and row["verdict"] == NO
    ]
    if not rows:
        return ""
    shares = "; ".join(f"{row['variant']}: {100 * row['share']:.1f} %" for row in rows)
    if rows[0]["is_test"]:
        return _(
            "In {studies:,} simulated studies, this test at the 5 % level rejected true "
            "null hypotheses at other rates: {shares}."
        ).format(studies=found["studies"], shares=shares)
    return _(
        "In {studies:,} simulated studies, these 95 % intervals had a different actual "
        "coverage: {shares}."
    ).format(studies=found["studies"], shares=shares)
