"""Everything that changes labels, gold versions, judges, scores, plans and reports."""

from annotation.evaluation.services import (  # noqa: F401  they register themselves
    demo,
    guards,
    report_demo,
    run_demo,
)
from annotation.evaluation.services.budgets import delete_plan, plan_budget
from annotation.evaluation.services.curves import delete_curves, draw_curves
from annotation.evaluation.services.decisions import (
    ReviewContext,
    adjudicate,
    decide_assignment,
    decide_worker,
    show_verdicts,
    undo_adjudication,
    undo_decision,
)
from annotation.evaluation.services.estimates import delete_estimate, estimate_scores
from annotation.evaluation.services.gold import create_gold, delete_gold
from annotation.evaluation.services.judging import work_on_run
from annotation.evaluation.services.label_files import (
    import_kept_labels,
    import_labels,
    import_uploaded_labels,
)
from annotation.evaluation.services.label_scores import compute_scores
from annotation.evaluation.services.labels import delete_labels, keep_labels
from annotation.evaluation.services.names import name_source
from annotation.evaluation.services.out_of_fold import start_out_of_fold_run
from annotation.evaluation.services.plan_work import apply_plan, undo_plan
from annotation.evaluation.services.power import compute_power
from annotation.evaluation.services.probing import probe_run
from annotation.evaluation.services.reports import (
    build_report,
    comment_report,
    delete_report,
    share_report,
)
from annotation.evaluation.services.restoring import import_gold, import_uploaded_gold
from annotation.evaluation.services.robustness import delete_study, study_robustness
from annotation.evaluation.services.run_comparisons import compare_run
from annotation.evaluation.services.runs import (
    cancel_run,
    delete_run,
    pause_run,
    resume_run,
    retry_run,
    start_run,
)
from annotation.evaluation.services.samples import delete_sample, draft_campaign, sample_examples
from annotation.evaluation.services.score_files import import_scores, import_uploaded_scores
from annotation.evaluation.services.score_many import score_metrics
from annotation.evaluation.services.score_sets import delete_score_set, score_metric
from annotation.evaluation.services.settled_labels import settle_labels
from annotation.evaluation.services.text_scores import begin_text_scores, forget_text_scores
from annotation.evaluation.services.training import delete_judge, train_judge
from annotation.evaluation.services.votes import compare_votes

__all__ = [
    "ReviewContext",
    "adjudicate",
    "apply_plan",
    "begin_text_scores",
    "build_report",
    "cancel_run",
    "comment_report",
    "compare_run",
    "compare_votes",
    "compute_power",
    "compute_scores",
    "create_gold",
    "decide_assignment",
    "decide_worker",
    "delete_curves",
    "delete_estimate",
    "delete_gold",
    "delete_judge",
    "delete_labels",
    "delete_plan",
    "delete_report",
    "delete_run",
    "delete_sample",
    "delete_score_set",
    "delete_study",
    "draft_campaign",
    "draw_curves",
    "estimate_scores",
    "forget_text_scores",
    "import_gold",
    "import_kept_labels",
    "import_labels",
    "import_scores",
    "import_uploaded_gold",
    "import_uploaded_labels",
    "import_uploaded_scores",
    "keep_labels",
    "name_source",
    "pause_run",
    "plan_budget",
    "probe_run",
    "resume_run",
    "retry_run",
    "sample_examples",
    "score_metric",
    "score_metrics",
    "settle_labels",
    "share_report",
    "show_verdicts",
    "start_out_of_fold_run",
    "start_run",
    "study_robustness",
    "train_judge",
    "undo_adjudication",
    "undo_decision",
    "undo_plan",
    "work_on_run",
]
