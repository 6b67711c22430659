"""The addresses of REST for campaigns."""

from __future__ import annotations

from django.urls import path

from annotation.crowd.api import campaigns, offline, people, project, review, steps

app_name = "crowd_api"

CAMPAIGNS = "projects/<slug:slug>/campaigns/"
CAMPAIGN = f"{CAMPAIGNS}<int:pk>/"
WORKER = f"{CAMPAIGN}workers/<int:worker>/"
MESSAGE = f"{CAMPAIGN}messages/<int:message>/"

urlpatterns = [
    path("deposits/", project.Deposits.as_view(), name="deposits"),
    path("projects/<slug:slug>/budget/", project.Budget.as_view(), name="budget"),
    path(
        "projects/<slug:slug>/worker-invitations/",
        project.WorkerInvitations.as_view(),
        name="worker_invitations",
    ),
    path(CAMPAIGNS, campaigns.Campaigns.as_view(), name="campaigns"),
    path(f"{CAMPAIGNS}import/", offline.ImportJudgements.as_view(), name="import_judgements"),
    path(f"{CAMPAIGNS}presets/", campaigns.Presets.as_view(), name="presets"),
    path(CAMPAIGN, campaigns.CampaignDetail.as_view(), name="campaign"),
    path(f"{CAMPAIGN}batch/", offline.ExportBatch.as_view(), name="export_batch"),
    path(f"{CAMPAIGN}results/", offline.ExportResults.as_view(), name="export_results"),
    path(f"{CAMPAIGN}duplicate/", campaigns.DuplicateCampaign.as_view(), name="duplicate"),
    path(f"{CAMPAIGN}cleaning/", campaigns.PreviewCleaning.as_view(), name="preview_cleaning"),
    path(f"{CAMPAIGN}test/", campaigns.QualificationTest.as_view(), name="qualification_test"),
    path(f"{CAMPAIGN}cost/", campaigns.CampaignCost.as_view(), name="cost"),
    path(f"{CAMPAIGN}preview/", campaigns.TimedPreview.as_view(), name="record_preview"),
    path(f"{CAMPAIGN}live/", steps.CampaignLive.as_view(), name="live"),
    path(f"{CAMPAIGN}publish/", steps.PublishCampaign.as_view(), name="publish"),
    path(f"{CAMPAIGN}pause/", steps.PauseCampaign.as_view(), name="pause"),
    path(f"{CAMPAIGN}resume/", steps.ResumeCampaign.as_view(), name="resume"),
    path(f"{CAMPAIGN}end/", steps.EndCampaign.as_view(), name="end"),
    path(f"{CAMPAIGN}extend/", steps.ExtendCampaign.as_view(), name="extend"),
    path(f"{CAMPAIGN}recollect/", steps.RecollectPlaces.as_view(), name="recollect"),
    path(f"{CAMPAIGN}collect/", steps.CollectCampaign.as_view(), name="collect"),
    path(f"{CAMPAIGN}hits/", review.Hits.as_view(), name="hits"),
    path(f"{CAMPAIGN}assignments/", review.Assignments.as_view(), name="assignments"),
    path(f"{CAMPAIGN}review/", review.ReviewAssignments.as_view(), name="review"),
    path(f"{CAMPAIGN}ledger/", review.Ledger.as_view(), name="ledger"),
    path(
        f"{CAMPAIGN}ledger/<int:entry>/settle/", review.SettleEntry.as_view(), name="settle_entry"
    ),
    path(f"{CAMPAIGN}workers/", people.Workers.as_view(), name="workers"),
    path(f"{CAMPAIGN}workers/message/", people.MessageWorkers.as_view(), name="message_workers"),
    path(f"{WORKER}exclude/", people.ExcludeWorker.as_view(), name="exclude_worker"),
    path(f"{WORKER}include/", people.IncludeWorker.as_view(), name="include_worker"),
    path(f"{CAMPAIGN}messages/", people.CampaignMessages.as_view(), name="messages"),
    path(f"{MESSAGE}read/", people.ReadMessage.as_view(), name="read_message"),
    path(f"{MESSAGE}answer/", people.AnswerMessage.as_view(), name="answer_message"),
    path(f"{CAMPAIGN}top-up/", people.TopUp.as_view(), name="top_up"),
]
