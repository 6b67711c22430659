"""The addresses of REST for labels, gold versions, scores, judges, plans and reports."""

from __future__ import annotations

from django.urls import path

from annotation.evaluation.estimates import api as estimates
from annotation.evaluation.gold import api as gold
from annotation.evaluation.judges import api as trained
from annotation.evaluation.labels import api as labels
from annotation.evaluation.labels import api_people
from annotation.evaluation.metrics import api as metrics_api
from annotation.evaluation.planning import api as planning
from annotation.evaluation.power import api as power
from annotation.evaluation.reports import api as reports
from annotation.evaluation.robustness import api as robustness
from annotation.evaluation.runs import api as runs
from annotation.evaluation.samples import api as samples

app_name = "evaluation_api"

PROJECT = "projects/<slug:slug>/"
LABELS = f"{PROJECT}labels/"
LABEL_SET = f"{LABELS}<int:pk>/"
GOLD = f"{PROJECT}gold/"
RUNS = f"{PROJECT}runs/"
RUN = f"{RUNS}<int:pk>/"
TRAINED = f"{PROJECT}trained-judges/"
CURVES = f"{PROJECT}curves/"
ESTIMATES = f"{PROJECT}estimates/"
PLANS = f"{PROJECT}plans/"
PLAN = f"{PLANS}<int:pk>/"
SCORES = f"{PROJECT}score-sets/"
SCORE_SET = f"{SCORES}<int:pk>/"
REPORTS = f"{PROJECT}reports/"
REPORT = f"{REPORTS}<int:pk>/"
SAMPLES = f"{PROJECT}samples/"
SAMPLE = f"{SAMPLES}<int:pk>/"
ROBUSTNESS = f"{PROJECT}robustness/"

urlpatterns = [
    path(LABELS, labels.Labels.as_view(), name="labels"),
    path(f"{LABELS}preview/", labels.PreviewLabels.as_view(), name="preview_labels"),
    path(f"{LABELS}import/", labels.ImportLabels.as_view(), name="import_labels"),
    path(LABEL_SET, labels.LabelSetDetail.as_view(), name="label_set"),
    path(f"{LABEL_SET}settle/", labels.SettleLabels.as_view(), name="settle_labels"),
    path(f"{LABEL_SET}scores/", labels.LabelScores.as_view(), name="label_scores"),
    path(f"{LABEL_SET}drops/", labels.LabelDrops.as_view(), name="label_drops"),
    path(f"{LABEL_SET}summaries/", labels.LabelSummaries.as_view(), name="label_summaries"),
    path(f"{PROJECT}contested/", api_people.ContestedStatements.as_view(), name="contested"),
    path(f"{PROJECT}adjudications/", api_people.Adjudications.as_view(), name="adjudications"),
    path(
        f"{PROJECT}adjudications/<int:pk>/",
        api_people.AdjudicationDetail.as_view(),
        name="adjudication",
    ),
    path(f"{PROJECT}decisions/", api_people.Decisions.as_view(), name="decisions"),
    path(f"{PROJECT}decisions/<int:pk>/", api_people.DecisionDetail.as_view(), name="decision"),
    path(f"{PROJECT}workers/", api_people.Workers.as_view(), name="workers"),
    path(f"{PROJECT}crowd-size/", api_people.CrowdSize.as_view(), name="crowd_size"),
    path(GOLD, gold.GoldVersions.as_view(), name="gold_versions"),
    path(f"{GOLD}<int:pk>/", gold.GoldDetail.as_view(), name="gold"),
    path(
        f"{GOLD}<int:pk>/download/<str:format>/", gold.DownloadGold.as_view(), name="download_gold"
    ),
    path(RUNS, runs.Runs.as_view(), name="runs"),
    path(f"{RUNS}judges/", runs.RunJudges.as_view(), name="run_judges"),
    path(RUN, runs.RunDetail.as_view(), name="run"),
    path(f"{RUN}pause/", runs.PauseRun.as_view(), name="pause_run"),
    path(f"{RUN}resume/", runs.ResumeRun.as_view(), name="resume_run"),
    path(f"{RUN}cancel/", runs.CancelRun.as_view(), name="cancel_run"),
    path(f"{RUN}retry/", runs.RetryRun.as_view(), name="retry_run"),
    path(f"{RUN}out-of-fold/", runs.OutOfFoldRun.as_view(), name="out_of_fold_run"),
    path(f"{RUN}scores/", runs.RunScores.as_view(), name="run_scores"),
    path(f"{RUN}review/", api_people.RunReview.as_view(), name="run_review"),
    path(f"{RUN}settled/", api_people.RunSettled.as_view(), name="run_settled"),
    path(f"{RUN}presence/", runs.RunPresence.as_view(), name="run_presence"),
    path(f"{PROJECT}score/", runs.ScoreTexts.as_view(), name="score_texts"),
    path(f"{PROJECT}score/<int:pk>/", runs.TextScores.as_view(), name="text_scores"),
    path(TRAINED, trained.TrainedJudges.as_view(), name="trained_judges"),
    path(f"{TRAINED}<int:pk>/", trained.TrainedJudgeDetail.as_view(), name="trained_judge"),
    path(CURVES, planning.Curves.as_view(), name="curves"),
    path(f"{CURVES}<int:pk>/", planning.CurvesDetail.as_view(), name="curves_detail"),
    path(ESTIMATES, estimates.Estimates.as_view(), name="estimates"),
    path(f"{ESTIMATES}<int:pk>/", estimates.EstimateDetail.as_view(), name="estimate"),
    path(f"{PROJECT}power/", power.StudyPower.as_view(), name="power"),
    path(PLANS, planning.Plans.as_view(), name="plans"),
    path(PLAN, planning.PlanDetail.as_view(), name="plan"),
    path(f"{PLAN}apply/", planning.ApplyPlan.as_view(), name="apply_plan"),
    path(f"{PLAN}undo/", planning.UndoPlan.as_view(), name="undo_plan"),
    path(f"{PLAN}look-back/", planning.PlanLookBack.as_view(), name="look_back"),
    path(
        f"{PROJECT}campaigns/<int:pk>/quote/", planning.QuoteSystem.as_view(), name="quote_system"
    ),
    path(SAMPLES, samples.Samples.as_view(), name="samples"),
    path(SAMPLE, samples.SampleDetail.as_view(), name="sample"),
    path(f"{SAMPLE}examples/", samples.SampleExamples.as_view(), name="sample_examples"),
    path(f"{SAMPLE}campaign/", samples.DraftSample.as_view(), name="draft_sample"),
    path(f"{PROJECT}metrics/", metrics_api.Metrics.as_view(), name="metrics"),
    path(f"{PROJECT}score-sources/", metrics_api.ScoreSources.as_view(), name="score_sources"),
    path(f"{PROJECT}score-sources/name/", metrics_api.NameSource.as_view(), name="name_source"),
    path(SCORES, metrics_api.ScoreSets.as_view(), name="score_sets"),
    path(f"{SCORES}several/", robustness.SeveralMetrics.as_view(), name="score_metrics"),
    path(f"{SCORES}import/", metrics_api.ImportScores.as_view(), name="import_scores"),
    path(SCORE_SET, metrics_api.ScoreSetDetail.as_view(), name="score_set"),
    path(f"{SCORE_SET}systems/", metrics_api.ScoreSetSystems.as_view(), name="system_scores"),
    path(f"{SCORE_SET}download/", metrics_api.DownloadScores.as_view(), name="download_scores"),
    path(REPORTS, reports.Reports.as_view(), name="reports"),
    path(REPORT, reports.ReportDetail.as_view(), name="report"),
    path(f"{REPORT}share/", reports.ShareReport.as_view(), name="share_report"),
    path(
        f"{REPORT}figures/<slug:figure>/<slug:format>/",
        reports.DownloadFigure.as_view(),
        name="report_figure",
    ),
    path(f"{REPORT}html/", reports.DownloadReport.as_view(), name="report_html"),
    path(f"{REPORT}scores/", reports.DownloadScores.as_view(), name="report_scores"),
    path(f"{REPORT}latex/", reports.DownloadLatex.as_view(), name="report_latex"),
    path(
        f"{PROJECT}disagreements/",
        robustness.MetricDisagreements.as_view(),
        name="metric_disagreements",
    ),
    path(ROBUSTNESS, robustness.Studies.as_view(), name="robustness_list"),
    path(f"{ROBUSTNESS}<int:pk>/", robustness.StudyDetail.as_view(), name="robustness"),
    path("gold/import/", gold.ImportGold.as_view(), name="import_gold"),
]
