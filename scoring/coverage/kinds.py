"""Every kind of interval that a page, report or command prints, and every test: one line each.

A new kind is a line here, and a function in `studies` or `correlations` that makes a study with a
known truth and says which of its intervals hold it; then
`python -m scoring coverage --kind "its name" --save` writes what was found.
"""

from __future__ import annotations

from functools import partial

from scoring.coverage import correlations, planning, studies
from scoring.coverage.held_out import held_out
from scoring.coverage.simulate import Kind
from scoring.measured_coverage import CLOSE_PAIRS, CURVE_GAIN, REJECTED
from scoring.metaeval.draws import BY_BOTH, BY_INPUTS, BY_SYSTEMS
from scoring.metaeval.levels import SUMMARY, SYSTEM

SCORES, REPORT, METAEVAL = "scores, report", "report, metaeval", "metaeval"
TABLE = "report, metaeval, correlations"
GOLD, ESTIMATE, HELD_OUT = "labels, gold", "estimate", "held-out"
CURVES = "curves, planning"

correlate = partial(partial, correlations.correlation)
differ = partial(partial, correlations.difference)
swap = partial(partial, correlations.metric_test)
judged = partial(partial, studies.estimate)

KINDS = (
    Kind("mean score of a system", SCORES, studies.mean_score),
    Kind("difference of two systems", SCORES, studies.score_difference),
    Kind("system level, both resampled", f"{TABLE}, run", correlate(SYSTEM, BY_BOTH)),
    Kind("system level, inputs resampled", METAEVAL, correlate(SYSTEM, BY_INPUTS)),
    Kind("system level, systems resampled", METAEVAL, correlate(SYSTEM, BY_SYSTEMS)),
    Kind("system level, Fisher", METAEVAL, correlations.fisher),
    Kind("summary level, both resampled", TABLE, correlate(SUMMARY, BY_BOTH)),
    Kind("summary level, inputs resampled", f"{METAEVAL}, run", correlate(SUMMARY, BY_INPUTS)),
    Kind("summary level, systems resampled", METAEVAL, correlate(SUMMARY, BY_SYSTEMS)),
    Kind("difference of correlations, system level", REPORT, differ(SYSTEM, BY_BOTH)),
    Kind("difference of correlations, summary level", REPORT, differ(SUMMARY, BY_INPUTS)),
    Kind("meta-metrics of WMT", REPORT, correlations.meta_metrics),
    Kind(CLOSE_PAIRS, REPORT, correlations.close),
    Kind("mean score where annotators differ", "annotators", correlations.annotators),
    Kind("drop of a metric on perturbed texts", "robustness", studies.drop),
    Kind("bias of a judge", "run", studies.judge_bias),
    Kind("accuracy by settled statements", "run", studies.settled),
    Kind("agreement of two authors", "double units", studies.double),
    Kind("held-out, within folds by examples", HELD_OUT, partial(held_out, "examples")),
    Kind("held-out, within folds by systems", HELD_OUT, partial(held_out, "systems")),
    Kind("gain of a curve, 50 documents", CURVES, partial(planning.curve_gain, 50)),
    Kind(CURVE_GAIN, CURVES, partial(planning.curve_gain, 100)),
    Kind("gain of easiness, 50 documents", "easiness", partial(planning.easiness_gain, 50)),
    Kind("gain of easiness, 20 documents", "easiness", partial(planning.easiness_gain, 20)),
    Kind("Krippendorff's alpha", GOLD, studies.alpha),
    Kind("mean alpha of summaries", GOLD, studies.mean_alpha),
    Kind("estimate, 20 of 100 judged", ESTIMATE, judged(20)),
    Kind("estimate, 10 of 100 judged", ESTIMATE, judged(10)),
    Kind("estimate, 5 of 100 judged", ESTIMATE, judged(5)),
    Kind("judge-corrected score, 20 of 100 labelled", ESTIMATE, partial(studies.corrected, 20)),
    Kind("test: rank clusters, one-sided", REPORT, studies.clusters_test, REJECTED),
    Kind("test: difference of two systems", SCORES, studies.score_test, REJECTED),
    Kind("test: difference of two estimates", ESTIMATE, studies.estimate_test, REJECTED),
    Kind("test: two metrics, PERM-BOTH", REPORT, swap(BY_BOTH), REJECTED),
    Kind("test: two metrics, PERM-SYSTEMS", METAEVAL, swap(BY_SYSTEMS), REJECTED),
    Kind("test: two metrics, PERM-INPUTS", METAEVAL, swap(BY_INPUTS), REJECTED),
    Kind("test: two metrics, Williams", REPORT, correlations.williams, REJECTED),
    Kind("test: alternative annotator", ESTIMATE, studies.annotator_test, REJECTED),
)
