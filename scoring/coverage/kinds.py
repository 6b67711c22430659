"""Every kind of interval that a page, report or command prints, and every test: one line each.

A new kind is a line here, and a function in `studies` that makes a study with a known truth and
says which of its intervals hold it.
"""

from __future__ import annotations

from functools import partial

from scoring.coverage import studies
from scoring.coverage.simulate import REJECTED, Kind
from scoring.metaeval.draws import BY_BOTH, BY_INPUTS, BY_SYSTEMS
from scoring.metaeval.levels import SUMMARY, SYSTEM

SCORES, REPORT, METAEVAL = "scores, report", "report, metaeval", "metaeval"
GOLD, ESTIMATE = "labels, gold", "estimate"

KINDS = (
    Kind("mean score of a system", SCORES, studies.mean_score),
    Kind("difference of two systems", SCORES, studies.score_difference),
    Kind("system level, both resampled", REPORT, partial(studies.correlation, SYSTEM, BY_BOTH)),
    Kind(
        "system level, inputs resampled", METAEVAL, partial(studies.correlation, SYSTEM, BY_INPUTS)
    ),
    Kind(
        "system level, systems resampled",
        METAEVAL,
        partial(studies.correlation, SYSTEM, BY_SYSTEMS),
    ),
    Kind("system level, Fisher", METAEVAL, studies.fisher),
    Kind("summary level, both resampled", REPORT, partial(studies.correlation, SUMMARY, BY_BOTH)),
    Kind(
        "summary level, inputs resampled",
        METAEVAL,
        partial(studies.correlation, SUMMARY, BY_INPUTS),
    ),
    Kind(
        "summary level, systems resampled",
        METAEVAL,
        partial(studies.correlation, SUMMARY, BY_SYSTEMS),
    ),
    Kind("Krippendorff's alpha", GOLD, studies.alpha),
    Kind("mean alpha of summaries", GOLD, studies.mean_alpha),
    Kind("estimate, 20 of 100 judged", ESTIMATE, partial(studies.estimate, 20)),
    Kind("estimate, 10 of 100 judged", ESTIMATE, partial(studies.estimate, 10)),
    Kind("estimate, 5 of 100 judged", ESTIMATE, partial(studies.estimate, 5)),
    Kind("judge-corrected score, 20 of 100 labelled", ESTIMATE, partial(studies.corrected, 20)),
    Kind("test: difference of two systems", SCORES, studies.score_test, REJECTED),
    Kind(
        "test: difference of two estimates", ESTIMATE, partial(studies.estimate_test, 20), REJECTED
    ),
    Kind("test: two metrics, PERM-BOTH", REPORT, partial(studies.metric_test, BY_BOTH), REJECTED),
    Kind(
        "test: two metrics, PERM-SYSTEMS",
        METAEVAL,
        partial(studies.metric_test, BY_SYSTEMS),
        REJECTED,
    ),
    Kind(
        "test: two metrics, PERM-INPUTS",
        METAEVAL,
        partial(studies.metric_test, BY_INPUTS),
        REJECTED,
    ),
    Kind("test: two metrics, Williams", REPORT, studies.williams, REJECTED),
    Kind("test: alternative annotator", ESTIMATE, studies.annotator_test, REJECTED),
)
