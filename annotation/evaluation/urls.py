"""The addresses of labels, gold versions, scores, judges, estimates, plans and reports."""

from __future__ import annotations

from django.urls import path

from annotation.evaluation.estimates import views as estimates
from annotation.evaluation.gold import views as gold
from annotation.evaluation.judges import views as judges_views
from annotation.evaluation.labels import views as labels
from annotation.evaluation.labels import views_people, views_what_if
from annotation.evaluation.labels import views_scores as scores
from annotation.evaluation.metrics import views as metrics_views
from annotation.evaluation.planning import views as planning
from annotation.evaluation.planning import views_curves as curves
from annotation.evaluation.power import views as power
from annotation.evaluation.reports import views as reports
from annotation.evaluation.robustness import views as robustness
from annotation.evaluation.runs import views as runs
from annotation.evaluation.runs import views_results as run_results
from annotation.evaluation.samples import views as samples

app_name = "evaluation"

GOLD = "p/<slug:slug>/gold/"
WHATIF = f"{GOLD}what-if/"
CONTESTED = f"{GOLD}contested/"
WORKER = f"{GOLD}workers/<int:pk>/"
LABELS = f"{GOLD}labels/<int:pk>/"
VERSION = f"{GOLD}versions/<int:pk>/"
RUNS = "p/<slug:slug>/runs/"
RUN = f"{RUNS}<int:pk>/"
JUDGES = "p/<slug:slug>/judges/"
JUDGE = f"{JUDGES}<int:pk>/"
PLANS = "p/<slug:slug>/plans/"
PLAN = f"{PLANS}<int:pk>/"
CURVES = "p/<slug:slug>/curves/"
CURVE = f"{CURVES}<int:pk>/"
ESTIMATES = "p/<slug:slug>/estimates/"
ESTIMATE = f"{ESTIMATES}<int:pk>/"
SCORES = "p/<slug:slug>/metrics/"
SCORE_SET = f"{SCORES}<int:pk>/"
REPORTS = "p/<slug:slug>/reports/"
REPORT = f"{REPORTS}<int:pk>/"
SHARED = "shared/<str:token>/"
FIGURE = "figures/<slug:name>.<slug:format>"
SAMPLES = "p/<slug:slug>/samples/"
SAMPLE = f"{SAMPLES}<int:pk>/"
ROBUSTNESS = f"{SCORES}robustness/"
STUDY = f"{ROBUSTNESS}<int:pk>/"
APART = f"{SCORES}disagreements/"

urlpatterns = [
    path("import-gold/", gold.import_gold, name="import_gold"),
    path(GOLD, gold.gold, name="gold"),
    path(WHATIF, views_what_if.whatif, name="whatif"),
    path(f"{WHATIF}ranking.csv", views_what_if.whatif_csv, name="whatif_csv"),
    path(f"{WHATIF}votes/", views_what_if.votes, name="votes"),
    path(f"{WHATIF}votes/compare/", views_what_if.compare_votes, name="compare_votes"),
    path(f"{WHATIF}keep/", views_what_if.keep_labels, name="keep_labels"),
    path(f"{GOLD}crowd-size/", views_what_if.crowd_size, name="crowd_size"),
    path(CONTESTED, views_people.contested, name="contested"),
    path(f"{CONTESTED}adjudicate/", views_people.adjudicate, name="adjudicate"),
    path(f"{CONTESTED}<int:pk>/undo/", views_people.undo_adjudication, name="undo_adjudication"),
    path(f"{GOLD}workers/", views_people.workers, name="workers"),
    path(WORKER, views_people.worker, name="worker"),
    path(f"{WORKER}decide/", views_people.decide_worker, name="decide_worker"),
    path(
        f"{GOLD}assignments/<int:pk>/decide/",
        views_people.decide_assignment,
        name="decide_assignment",
    ),
    path(f"{GOLD}decisions/<int:pk>/undo/", views_people.undo_decision, name="undo_decision"),
    path(f"{GOLD}labels/import/", labels.import_labels, name="import_labels"),
    path(LABELS, labels.labels, name="labels"),
    path(f"{LABELS}drops.csv", labels.drops_csv, name="drops_csv"),
    path(f"{LABELS}settle/", labels.settle_labels, name="settle_labels"),
    path(f"{LABELS}delete/", labels.delete_labels, name="delete_labels"),
    path(f"{LABELS}scores/", scores.scores, name="scores"),
    path(f"{LABELS}scores/compute/", scores.compute_scores, name="compute_scores"),
    path(f"{LABELS}scores.csv", scores.scores_csv, name="scores_csv"),
    path(f"{LABELS}pairs.csv", scores.pairs_csv, name="pairs_csv"),
    path(f"{LABELS}gold/", gold.create_gold, name="create_gold"),
    path(VERSION, gold.version, name="version"),
    path(f"{VERSION}delete/", gold.delete_gold, name="delete_gold"),
    path(f"{VERSION}<str:format>/", gold.download_gold, name="download_gold"),
    path(RUNS, runs.runs, name="runs"),
    path(f"{RUNS}new/", runs.start_run, name="start_run"),
    path(RUN, runs.run, name="run"),
    *(
        path(f"{RUN}{step}/", runs.run_step, {"step": step}, name=f"{step}_run")
        for step in runs.STEPS
    ),
    path(f"{RUN}out-of-fold/", runs.start_out_of_fold_run, name="out_of_fold_run"),
    path(f"{RUN}delete/", runs.delete_run, name="delete_run"),
    path(f"{RUN}presence/", run_results.presence, name="presence"),
    path(f"{RUN}compare/", runs.compare_run, name="compare_run"),
    path(f"{RUN}probe/", runs.probe_run, name="probe_run"),
    path(f"{RUN}people/", run_results.people, name="people"),
    path(f"{RUN}disagreements/", run_results.disagreements, name="disagreements"),
    path(f"{RUN}verdicts/", run_results.show_verdicts, name="show_verdicts"),
    path(f"{RUN}summaries/", run_results.summaries, name="summaries"),
    path(f"{RUN}scores.csv", run_results.run_scores_csv, name="run_scores_csv"),
    path(f"{RUN}presence.csv", run_results.presence_csv, name="presence_csv"),
    path(f"{RUN}presence.jsonl", run_results.presence_jsonl, name="presence_jsonl"),
    path(JUDGES, judges_views.trained_judges, name="trained_judges"),
    path(f"{JUDGES}new/", judges_views.train_judge, name="train_judge"),
    path(JUDGE, judges_views.trained_judge, name="trained_judge"),
    path(f"{JUDGE}card.json", judges_views.judge_card, name="judge_card"),
    path(f"{JUDGE}delete/", judges_views.delete_judge, name="delete_judge"),
    path(PLANS, planning.plans, name="plans"),
    path(f"{PLANS}new/", planning.plan_budget, name="plan_budget"),
    path(f"{PLANS}quote/", planning.quote, name="quote"),
    path(f"{PLANS}power/", power.power, name="power"),
    path(f"{PLANS}power/compute/", power.compute_power, name="compute_power"),
    path(f"{PLANS}power/<int:pk>.csv", power.power_csv, name="power_csv"),
    path(PLAN, planning.plan, name="plan"),
    path(f"{PLAN}plans.csv", planning.plans_csv, name="plans_csv"),
    path(f"{PLAN}apply/", planning.apply_plan, name="apply_plan"),
    path(f"{PLAN}undo/", planning.undo_plan, name="undo_plan"),
    path(f"{PLAN}delete/", planning.delete_plan, name="delete_plan"),
    path(CURVES, curves.curves_list, name="curves_list"),
    path(f"{CURVES}new/", curves.draw_curves, name="draw_curves"),
    path(CURVE, curves.curves, name="curves"),
    path(f"{CURVE}curves.csv", curves.curves_csv, name="curves_csv"),
    path(f"{CURVE}delete/", curves.delete_curves, name="delete_curves"),
    path(ESTIMATES, estimates.estimates, name="estimates"),
    path(f"{ESTIMATES}new/", estimates.estimate_scores, name="estimate_scores"),
    path(ESTIMATE, estimates.estimate, name="estimate"),
    path(f"{ESTIMATE}scores.csv", estimates.estimate_csv, name="estimate_csv"),
    path(f"{ESTIMATE}pairs.csv", estimates.estimate_pairs_csv, name="estimate_pairs_csv"),
    path(f"{ESTIMATE}delete/", estimates.delete_estimate, name="delete_estimate"),
    path(SAMPLES, samples.samples, name="samples"),
    path(f"{SAMPLES}new/", samples.sample_examples, name="sample_examples"),
    path(SAMPLE, samples.sample, name="sample"),
    path(f"{SAMPLE}sample.csv", samples.sample_csv, name="sample_csv"),
    path(f"{SAMPLE}campaign/", samples.draft_sample, name="draft_sample"),
    path(f"{SAMPLE}delete/", samples.delete_sample, name="delete_sample"),
    path(SCORES, metrics_views.score_sets, name="score_sets"),
    path(f"{SCORES}new/", metrics_views.score_metric, name="score_metric"),
    path(f"{SCORES}several/", metrics_views.score_metrics, name="score_metrics"),
    path(f"{SCORES}import/", metrics_views.import_scores, name="import_scores"),
    path(f"{SCORES}name/", metrics_views.name_source, name="name_source"),
    path(SCORE_SET, metrics_views.score_set, name="score_set"),
    path(f"{SCORE_SET}scores.csv", metrics_views.score_set_csv, name="score_set_csv"),
    path(f"{SCORE_SET}delete/", metrics_views.delete_score_set, name="delete_score_set"),
    path(REPORTS, reports.reports, name="reports"),
    path(f"{REPORTS}new/", reports.build_report, name="build_report"),
    path(REPORT, reports.report, name="report"),
    path(f"{REPORT}print/", reports.print_report, name="print_report"),
    path(f"{REPORT}{FIGURE}", reports.report_figure, name="report_figure"),
    path(f"{REPORT}report.html", reports.report_html, name="report_html"),
    path(f"{REPORT}report.json", reports.report_json, name="report_json"),
    path(f"{REPORT}scores.csv", reports.report_scores, name="report_scores"),
    path(f"{REPORT}correlations.tex", reports.report_latex, name="report_latex"),
    path(f"{REPORT}commentary/", reports.comment_report, name="comment_report"),
    path(f"{REPORT}share/", reports.share_report, name="share_report"),
    path(f"{REPORT}delete/", reports.delete_report, name="delete_report"),
    path(SHARED, reports.shared_report, name="shared_report"),
    path(f"{SHARED}{FIGURE}", reports.shared_figure, name="shared_figure"),
    path(f"{SHARED}scores.csv", reports.shared_scores, name="shared_scores"),
    path(f"{SHARED}correlations.tex", reports.shared_latex, name="shared_latex"),
    path(f"{SHARED}report.html", reports.shared_html, name="shared_html"),
    path(ROBUSTNESS, robustness.studies, name="robustness_list"),
    path(f"{ROBUSTNESS}new/", robustness.study_robustness, name="study_robustness"),
    path(STUDY, robustness.study, name="robustness"),
    path(f"{STUDY}drops.csv", robustness.drops_csv, name="robustness_csv"),
    path(f"{STUDY}delete/", robustness.delete_study, name="delete_study"),
    path(APART, metrics_views.metric_disagreements, name="metric_disagreements"),
    path(
        f"{APART}disagreements.csv",
        metrics_views.disagreements_csv,
        name="metric_disagreements_csv",
    ),
]
