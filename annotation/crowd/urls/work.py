"""The addresses of workers, of the frames they work in, and of those who pay them."""

from __future__ import annotations

from django.urls import path

from annotation.crowd.views import frame, payments, qualifications, work, workers

TYPE = "work/types/<str:hit_type_id>/"
HIT = "work/hits/<str:hit_id>/"
ASSIGNMENT = "work/assignments/<str:assignment_id>/"

urlpatterns = [
    path("mturk/externalSubmit", frame.external_submit, name="external_submit"),
    path("mturk/preview", work.work_group, name="work_group"),
    path("work/", work.work_home, name="work_home"),
    path("work/join/", workers.work_join, name="work_join"),
    path("work/join/<str:token>/", workers.work_join, name="work_join_invited"),
    path("work/history/", workers.work_history, name="work_history"),
    path("work/earnings/", workers.work_earnings, name="work_earnings"),
    path("work/messages/", workers.work_messages, name="work_messages"),
    path("work/settings/", workers.work_settings, name="work_settings"),
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
    path(f"{HIT}contact/", workers.work_contact, name="work_contact"),
    path(ASSIGNMENT, work.work_assignment, name="work_assignment"),
    path(f"{ASSIGNMENT}time/", work.work_time, name="work_time"),
    path(f"{ASSIGNMENT}return/", work.work_return, name="work_return"),
    path(f"{ASSIGNMENT}go-on/", work.work_go_on, name="work_go_on"),
    path("work/frame/<str:assignment_id>/", frame.task_frame, name="work_frame"),
    path("work/preview/<str:hit_id>/", frame.preview_frame, name="work_preview_frame"),
    path(
        "work/qualifications/<str:type_id>/",
        qualifications.work_qualification,
        name="work_qualification",
    ),
]
