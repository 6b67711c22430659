"""The science of Giza: pure functions on texts, units and scores, with no web framework in them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

__version__ = "0.1.0"
__all__ = ["score"]


def score(
    units: str | Path,
    summaries: str | Path,
    labels: str | Path | None = None,
    *,
    judge: str = "",
    function: str = "",
    empty: str = "refuse",
    detail: bool = False,
) -> dict[str, Any]:
    """A system's score by a judge, from files: what `python -m scoring score` prints.

    `judge` is a preset, a Hugging Face name (owner/model) or a folder; the embedded one if empty.
    """
    from scoring.judge.files import score_files

    return score_files(
        Path(units),
        Path(summaries),
        Path(labels) if labels else None,
        judge=judge,
        function=function,
        empty=empty,
        detail=detail,
    )
