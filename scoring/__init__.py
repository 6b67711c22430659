"""The science of Giza: pure functions on texts, units and scores, with no web framework in them."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from scoring.aggregation import aggregate, build_answers
    from scoring.errors import InputError
    from scoring.estimation import estimate_systems
    from scoring.extras import MissingLibrary
    from scoring.io import CorpusError, open_corpus
    from scoring.io.units import open_units
    from scoring.judge import Document, load_judge, score_summaries
    from scoring.metaeval.bootstrap import bootstrap
    from scoring.metaeval.levels import correlate
    from scoring.metaeval.pairs import close_pairs
    from scoring.metaeval.study import Study
    from scoring.metrics import load_metric
    from scoring.pyramid import label_units
    from scoring.significance import compare_systems, mean_intervals

__version__ = "0.1.0"
__all__ = [
    "CorpusError",
    "Document",
    "InputError",
    "MissingLibrary",
    "Study",
    "aggregate",
    "bootstrap",
    "build_answers",
    "close_pairs",
    "compare_systems",
    "correlate",
    "estimate_systems",
    "label_units",
    "load_judge",
    "load_metric",
    "mean_intervals",
    "open_corpus",
    "open_units",
    "score",
    "score_summaries",
]
# Where each is; imported when it is first asked for, so that `import scoring` stays light.
_PLACES = {
    "CorpusError": "scoring.io",
    "Document": "scoring.judge",
    "InputError": "scoring.errors",
    "MissingLibrary": "scoring.extras",
    "Study": "scoring.metaeval.study",
    "aggregate": "scoring.aggregation",
    "bootstrap": "scoring.metaeval.bootstrap",
    "build_answers": "scoring.aggregation",
    "close_pairs": "scoring.metaeval.pairs",
    "compare_systems": "scoring.significance",
    "correlate": "scoring.metaeval.levels",
    "estimate_systems": "scoring.estimation",
    "label_units": "scoring.pyramid",
    "load_judge": "scoring.judge",
    "load_metric": "scoring.metrics",
    "mean_intervals": "scoring.significance",
    "open_corpus": "scoring.io",
    "open_units": "scoring.io.units",
    "score_summaries": "scoring.judge",
}


if not TYPE_CHECKING:  # a checker would take any name for known

    def __getattr__(name: str) -> Any:
        if name not in _PLACES:
            raise AttributeError(f"module 'scoring' has no attribute '{name}'")
        return getattr(import_module(_PLACES[name]), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


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
