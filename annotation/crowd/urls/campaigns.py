"""The addresses of campaigns: set-up, steps, review, workers, books."""

from __future__ import annotations

from django.urls import path

from annotation.crowd.views import (
    campaigns,
    cleaning,
    messages,
    people,
    qualification_tests,
    review,
    steps,
)

CROWD = "p/<slug:slug>/crowd/"
CAMPAIGN = f"{CROWD}<int:pk>/"
WORKER = f"{CAMPAIGN}workers/<int:worker>/"

urlpatterns = [
    path(CROWD, campaigns.campaigns, name="campaigns"),
    path(f"{CROWD}new/", campaigns.create_campaign, name="create_campaign"),
    path(CAMPAIGN, campaigns.campaign, name="campaign"),
    path(f"{CAMPAIGN}setup/", campaigns.setup, name="setup"),
    path(f"{CAMPAIGN}setup/cost/", campaigns.preview_cost, name="preview_cost"),
    path(f"{CAMPAIGN}test/", qualification_tests.qualification_test, name="qualification_test"),
    path(f"{CAMPAIGN}cleaning/", cleaning.cleaning, name="cleaning"),
    path(f"{CAMPAIGN}hits/", campaigns.hits, name="hits"),
    path(f"{CAMPAIGN}delete/", campaigns.delete_campaign, name="delete_campaign"),
    path(f"{CAMPAIGN}collected.csv", campaigns.collected_csv, name="collected_csv"),
    path(f"{CAMPAIGN}results.csv", campaigns.results_csv, name="results_csv"),
    path(f"{CAMPAIGN}duplicate/", campaigns.duplicate_campaign, name="duplicate_campaign"),
    path(f"{CAMPAIGN}publish/", steps.publish, name="publish_campaign"),
    path(f"{CAMPAIGN}pause/", steps.pause_campaign, name="pause_campaign"),
    path(f"{CAMPAIGN}resume/", steps.resume_campaign, name="resume_campaign"),
    path(f"{CAMPAIGN}end/", steps.end_campaign, name="end_campaign"),
    path(f"{CAMPAIGN}extend/", steps.extend_campaign, name="extend_campaign"),
    path(f"{CAMPAIGN}recollect/", steps.recollect_places, name="recollect_places"),
    path(f"{CAMPAIGN}collect/", steps.collect_campaign, name="collect_campaign"),
    path(f"{CAMPAIGN}top-up/", steps.top_up, name="top_up"),
    path(f"{CAMPAIGN}settle/<int:intent>/", steps.settle_intent, name="settle_intent"),
    path(f"{CAMPAIGN}review/", review.review, name="review"),
    path(f"{CAMPAIGN}review/decide/", review.decide, name="decide"),
    path(f"{CAMPAIGN}review/<int:assignment>/", review.assignment, name="assignment"),
    path(f"{CAMPAIGN}workers/", people.workers, name="workers"),
    path(f"{CAMPAIGN}workers/message/", people.message_workers, name="message_workers"),
    path(f"{WORKER}exclude/", people.exclude_worker, name="exclude_worker"),
    path(f"{WORKER}include/", people.include_worker, name="include_worker"),
    path(f"{CAMPAIGN}messages/", messages.campaign_messages, name="campaign_messages"),
    path(
        f"{CAMPAIGN}messages/<int:message>/answer/", messages.answer_message, name="answer_message"
    ),
    path(f"{CAMPAIGN}ledger/", people.ledger, name="ledger"),
    path(f"{CAMPAIGN}ledger.csv", people.ledger_csv, name="ledger_csv"),
]
