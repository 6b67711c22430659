"""The addresses of workers, of the frames they work in, and of those who pay them.

- Addresses of the requester's side: the endpoint, and requesters on the account page.
- The addresses of judging pages that we serve ourselves.
- Addresses for Prolific and its participants.
- Pages about files of judgements.
- The addresses of campaigns: set-up, steps, review, workers, books.
"""

from __future__ import annotations

from django.urls import path

from annotation.crowd.campaigns import views as campaigns
from annotation.crowd.campaigns import views_qualification_tests, views_steps
from annotation.crowd.judging_page import views as judge
from annotation.crowd.offline import views as offline
from annotation.crowd.prolific import views as prolific
from annotation.crowd.requesters import views as requesters
from annotation.crowd.requesters import views_layouts
from annotation.crowd.requesters import views_payments as payments
from annotation.crowd.requesters.views_layouts import mturk_endpoint
from annotation.crowd.review import views as review_views
from annotation.crowd.work import views as work
from annotation.crowd.work import views_frame, views_workers

app_name = "crowd"

TYPE = "work/types/<str:hit_type_id>/"
HIT = "work/hits/<str:hit_id>/"
ASSIGNMENT = "work/assignments/<str:assignment_id>/"

WORK = [
    path("mturk/externalSubmit", views_frame.external_submit, name="external_submit"),
    path("mturk/preview", work.work_group, name="work_group"),
    path("work/", work.work_home, name="work_home"),
    path("work/join/", views_workers.work_join, name="work_join"),
    path("work/join/<str:token>/", views_workers.work_join, name="work_join_invited"),
    path("work/history/", views_workers.work_history, name="work_history"),
    path("work/earnings/", views_workers.work_earnings, name="work_earnings"),
    path("work/messages/", views_workers.work_messages, name="work_messages"),
    path("work/settings/", views_workers.work_settings, name="work_settings"),
    path("work/payments/", payments.work_payments, name="work_payments"),
    path("work/payments/csv/", payments.work_payments_csv, name="work_payments_csv"),
    path("work/payments/country/", payments.work_place, name="work_place"),
    path("work/payments/<str:worker_id>/", payments.work_payout, name="work_payout"),
    path("work/invitations/", payments.work_invite, name="work_invite"),
    path("work/invitations/<int:pk>/withdraw/", payments.work_withdraw, name="work_withdraw"),
    path(
        "p/<slug:slug>/members/workers/",
        payments.invite_project_workers,
        name="invite_project_workers",
    ),
    path(TYPE, work.work_type, name="work_type"),
    path(f"{TYPE}next/", work.work_accept_next, name="work_accept_next"),
    path(HIT, work.work_hit, name="work_hit"),
    path(f"{HIT}accept/", work.work_accept, name="work_accept"),
    path(f"{HIT}contact/", views_workers.work_contact, name="work_contact"),
    path(ASSIGNMENT, work.work_assignment, name="work_assignment"),
    path(f"{ASSIGNMENT}time/", work.work_time, name="work_time"),
    path(f"{ASSIGNMENT}return/", work.work_return, name="work_return"),
    path(f"{ASSIGNMENT}go-on/", work.work_go_on, name="work_go_on"),
    path("work/frame/<str:assignment_id>/", views_frame.task_frame, name="work_frame"),
    path("work/preview/<str:hit_id>/", views_frame.preview_frame, name="work_preview_frame"),
    path(
        "work/qualifications/<str:type_id>/",
        views_workers.work_qualification,
        name="work_qualification",
    ),
]


REQUESTER = "account/requesters/<int:pk>/"
LAYOUT = f"{REQUESTER}layouts/<str:layout_id>/"

MARKET = [
    path("mturk", mturk_endpoint, name="mturk_plain"),
    path("mturk/", mturk_endpoint, name="mturk"),
    path("account/requesters/", requesters.create_requester, name="create_requester"),
    path(REQUESTER, requesters.requester, name="requester"),
    path(f"{REQUESTER}statement.csv", requesters.requester_statement, name="requester_statement"),
    path(f"{REQUESTER}deposit/", requesters.deposit, name="deposit"),
    path(f"{REQUESTER}keys/", requesters.create_requester_key, name="create_requester_key"),
    path(
        f"{REQUESTER}keys/<int:key>/revoke/",
        requesters.revoke_requester_key,
        name="revoke_requester_key",
    ),
    path(
        f"{REQUESTER}messages/<int:message>/answer/",
        review_views.answer_requester_message,
        name="answer_requester_message",
    ),
    path(f"{REQUESTER}layouts/", views_layouts.layouts, name="layouts"),
    path(LAYOUT, views_layouts.layout, name="layout"),
    path(f"{LAYOUT}preview/", views_layouts.layout_preview, name="layout_preview"),
    path(f"{LAYOUT}hits/", views_layouts.layout_hits, name="layout_hits"),
    path(f"{LAYOUT}delete/", views_layouts.delete_layout, name="delete_layout"),
    path(f"{REQUESTER}webhooks/", requesters.webhooks, name="webhooks"),
    path(
        f"{REQUESTER}webhooks/<int:webhook>/retry/", requesters.retry_webhook, name="retry_webhook"
    ),
    path(
        f"{REQUESTER}webhooks/<int:webhook>/disable/",
        requesters.disable_webhook,
        name="disable_webhook",
    ),
]


PREVIEW = "p/<slug:slug>/crowd/<int:pk>/preview/"
SUMMARY = f"{PREVIEW}<int:summary>/"

JUDGE = [
    path("judge/<str:token>/", judge.judge, name="judge"),
    path(PREVIEW, judge.preview, name="preview"),
    path(SUMMARY, judge.preview_summary, name="preview_summary"),
    path(f"{SUMMARY}page/", judge.preview_page, name="preview_page"),
    path(f"{SUMMARY}timed/", judge.timed_preview, name="timed_preview"),
]


PROLIFIC = [
    path("prolific/webhook/", prolific.webhook, name="prolific_webhook"),
    path("prolific/<uuid:token>/", prolific.arrive, name="prolific"),
    path("prolific/<uuid:token>/submit", prolific.submit, name="prolific_submit"),
]


CROWD = "p/<slug:slug>/crowd/"

OFFLINE = [
    path(f"{CROWD}import/", offline.import_judgements, name="import_judgements"),
    path(f"{CROWD}<int:pk>/batch.csv", offline.export_batch, name="export_batch"),
]


CAMPAIGN = f"{CROWD}<int:pk>/"
WORKER = f"{CAMPAIGN}workers/<int:worker>/"

CAMPAIGNS = [
    path(CROWD, campaigns.campaigns, name="campaigns"),
    path(f"{CROWD}new/", campaigns.create_campaign, name="create_campaign"),
    path(CAMPAIGN, campaigns.campaign, name="campaign"),
    path(f"{CAMPAIGN}setup/", campaigns.setup, name="setup"),
    path(f"{CAMPAIGN}setup/cost/", campaigns.preview_cost, name="preview_cost"),
    path(
        f"{CAMPAIGN}test/", views_qualification_tests.qualification_test, name="qualification_test"
    ),
    path(f"{CAMPAIGN}cleaning/", views_steps.cleaning, name="cleaning"),
    path(f"{CAMPAIGN}hits/", campaigns.hits, name="hits"),
    path(f"{CAMPAIGN}delete/", campaigns.delete_campaign, name="delete_campaign"),
    path(f"{CAMPAIGN}collected.csv", campaigns.collected_csv, name="collected_csv"),
    path(f"{CAMPAIGN}results.csv", campaigns.results_csv, name="results_csv"),
    path(f"{CAMPAIGN}duplicate/", campaigns.duplicate_campaign, name="duplicate_campaign"),
    path(f"{CAMPAIGN}publish/", views_steps.publish, name="publish_campaign"),
    path(f"{CAMPAIGN}pause/", views_steps.pause_campaign, name="pause_campaign"),
    path(f"{CAMPAIGN}resume/", views_steps.resume_campaign, name="resume_campaign"),
    path(f"{CAMPAIGN}end/", views_steps.end_campaign, name="end_campaign"),
    path(f"{CAMPAIGN}extend/", views_steps.extend_campaign, name="extend_campaign"),
    path(f"{CAMPAIGN}recollect/", views_steps.recollect_places, name="recollect_places"),
    path(f"{CAMPAIGN}collect/", views_steps.collect_campaign, name="collect_campaign"),
    path(f"{CAMPAIGN}top-up/", views_steps.top_up, name="top_up"),
    path(f"{CAMPAIGN}settle/<int:intent>/", views_steps.settle_intent, name="settle_intent"),
    path(f"{CAMPAIGN}review/", review_views.review, name="review"),
    path(f"{CAMPAIGN}review/decide/", review_views.decide, name="decide"),
    path(f"{CAMPAIGN}review/<int:assignment>/", review_views.assignment, name="assignment"),
    path(f"{CAMPAIGN}workers/", review_views.workers, name="workers"),
    path(f"{CAMPAIGN}workers/message/", review_views.message_workers, name="message_workers"),
    path(f"{WORKER}exclude/", review_views.exclude_worker, name="exclude_worker"),
    path(f"{WORKER}include/", review_views.include_worker, name="include_worker"),
    path(f"{CAMPAIGN}messages/", review_views.campaign_messages, name="campaign_messages"),
    path(
        f"{CAMPAIGN}messages/<int:message>/answer/",
        review_views.answer_message,
        name="answer_message",
    ),
    path(f"{CAMPAIGN}ledger/", review_views.ledger, name="ledger"),
    path(f"{CAMPAIGN}ledger.csv", review_views.ledger_csv, name="ledger_csv"),
]

urlpatterns = [*WORK, *MARKET, *JUDGE, *PROLIFIC, *OFFLINE, *CAMPAIGNS]
