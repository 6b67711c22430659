"""The addresses of REST, version 1."""

from __future__ import annotations

from django.urls import path

from annotation.corpora.activity import api as activity
from annotation.corpora.corpus import api as corpus
from annotation.corpora.imports import api as imports
from annotation.corpora.projects import api as projects
from annotation.corpora.search import api as search

app_name = "api"

PROJECT = "projects/<slug:slug>/"

urlpatterns = [
    path("me/", projects.Me.as_view(), name="me"),
    path("tokens/", projects.Tokens.as_view(), name="tokens"),
    path("tokens/<int:pk>/", projects.TokenDetail.as_view(), name="token"),
    path("notifications/", activity.Notifications.as_view(), name="notifications"),
    path("notifications/read/", activity.ReadNotifications.as_view(), name="mark_all_read"),
    path("notifications/<int:pk>/read/", activity.ReadNotification.as_view(), name="mark_read"),
    path("projects/", projects.Projects.as_view(), name="projects"),
    path(PROJECT, projects.ProjectDetail.as_view(), name="project"),
    path(f"{PROJECT}members/", projects.Members.as_view(), name="members"),
    path(f"{PROJECT}members/<int:pk>/", projects.MemberDetail.as_view(), name="member"),
    path(f"{PROJECT}invitations/", projects.Invitations.as_view(), name="invitations"),
    path(f"{PROJECT}invitations/<int:pk>/", projects.InvitationDetail.as_view(), name="invitation"),
    path(
        "invitations/<str:token>/accept/",
        projects.AcceptInvitation.as_view(),
        name="accept_invitation",
    ),
    path(f"{PROJECT}search/", search.Search.as_view(), name="search"),
    path(f"{PROJECT}examples/", corpus.Examples.as_view(), name="examples"),
    path(f"{PROJECT}examples/<int:pk>/", corpus.ExampleDetail.as_view(), name="example"),
    path(f"{PROJECT}systems/", corpus.Systems.as_view(), name="systems"),
    path(f"{PROJECT}systems/<int:pk>/", corpus.SystemDetail.as_view(), name="system"),
    path(
        f"{PROJECT}systems/<int:pk>/summaries/",
        corpus.SystemSummaries.as_view(),
        name="system_summaries",
    ),
    path(f"{PROJECT}export/<str:format>/", corpus.Export.as_view(), name="export"),
    path(f"{PROJECT}imports/", imports.Imports.as_view(), name="imports"),
    path(f"{PROJECT}imports/<int:pk>/", imports.ImportDetail.as_view(), name="import"),
    path(f"{PROJECT}imports/<int:pk>/write/", imports.WriteImport.as_view(), name="write_import"),
    path(
        f"{PROJECT}imports/<int:pk>/columns/",
        imports.ChooseColumns.as_view(),
        name="choose_columns",
    ),
    path(f"{PROJECT}imports/<int:pk>/undo/", imports.UndoImport.as_view(), name="undo_import"),
    path(f"{PROJECT}activity/", activity.ProjectActivity.as_view(), name="activity"),
    path(
        f"{PROJECT}activity/<str:format>/",
        activity.ActivityExport.as_view(),
        name="export_activity",
    ),
    path(f"{PROJECT}jobs/", imports.Jobs.as_view(), name="jobs"),
    path(f"{PROJECT}jobs/<int:pk>/", imports.JobDetail.as_view(), name="job"),
    path(f"{PROJECT}jobs/<int:pk>/cancel/", imports.CancelJob.as_view(), name="cancel_job"),
    path(f"{PROJECT}jobs/<int:pk>/retry/", imports.RetryJob.as_view(), name="retry_job"),
]
