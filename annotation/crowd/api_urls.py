"""The addresses of REST for campaigns."""

from __future__ import annotations

from django.urls import path

from annotation.crowd.campaigns import api as campaigns
from annotation.crowd.campaigns import api_steps
from annotation.crowd.offline import api as offline
from annotation.crowd.review import api as review_api

app_name = "crowd_api"

CAMPAIGNS = "projects/<slug:slug>/campaigns/"
CAMPAIGN = f"{CAMPAIGNS}<int:pk>/"
WORKER = f"{CAMPAIGN}workers/<int:worker>/"
MESSAGE = f"{CAMPAIGN}messages/<int:message>/"

urlpatterns = [
    path("deposits/", api_steps.Deposits.as_view(), name="deposits"),
    path("projects/<slug:slug>/budget/", api_steps.Budget.as_view(), name="budget"),
    path(
        "projects/<slug:slug>/worker-invitations/",
        api_steps.WorkerInvitations.as_view(),
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
    path(f"{CAMPAIGN}live/", api_steps.CampaignLive.as_view(), name="live"),
    path(f"{CAMPAIGN}publish/", api_steps.PublishCampaign.as_view(), name="publish"),
    path(f"{CAMPAIGN}pause/", api_steps.PauseCampaign.as_view(), name="pause"),
    path(f"{CAMPAIGN}resume/", api_steps.ResumeCampaign.as_view(), name="resume"),
    path(f"{CAMPAIGN}end/", api_steps.EndCampaign.as_view(), name="end"),
    path(f"{CAMPAIGN}extend/", api_steps.ExtendCampaign.as_view(), name="extend"),
    path(f"{CAMPAIGN}recollect/", api_steps.RecollectPlaces.as_view(), name="recollect"),
    path(f"{CAMPAIGN}collect/", api_steps.CollectCampaign.as_view(), name="collect"),
    path(f"{CAMPAIGN}hits/", review_api.Hits.as_view(), name="hits"),
    path(f"{CAMPAIGN}assignments/", review_api.Assignments.as_view(), name="assignments"),
    path(f"{CAMPAIGN}review/", review_api.ReviewAssignments.as_view(), name="review"),
    path(f"{CAMPAIGN}ledger/", review_api.Ledger.as_view(), name="ledger"),
    path(
        f"{CAMPAIGN}ledger/<int:entry>/settle/",
        review_api.SettleEntry.as_view(),
        name="settle_entry",
    ),
    path(f"{CAMPAIGN}workers/", review_api.Workers.as_view(), name="workers"),
    path(
        f"{CAMPAIGN}workers/message/", review_api.MessageWorkers.as_view(), name="message_workers"
    ),
    path(f"{WORKER}exclude/", review_api.ExcludeWorker.as_view(), name="exclude_worker"),
    path(f"{WORKER}include/", review_api.IncludeWorker.as_view(), name="include_worker"),
    path(f"{CAMPAIGN}messages/", review_api.CampaignMessages.as_view(), name="messages"),
    path(f"{MESSAGE}read/", review_api.ReadMessage.as_view(), name="read_message"),
    path(f"{MESSAGE}answer/", review_api.AnswerMessage.as_view(), name="answer_message"),
    path(f"{CAMPAIGN}top-up/", review_api.TopUp.as_view(), name="top_up"),
]
