"""The addresses of the pages."""

from __future__ import annotations

from django.urls import path

from annotation.corpora.accounts import views as accounts
from annotation.corpora.accounts import views_second_factor as second_factor
from annotation.corpora.activity import views as activity
from annotation.corpora.corpus import views as corpus
from annotation.corpora.imports import views as imports
from annotation.corpora.jobs import views as jobs
from annotation.corpora.notifications import views as notifications
from annotation.corpora.projects import views as projects_views
from annotation.corpora.search import views as search

app_name = "corpora"

urlpatterns = [
    path("", projects_views.projects, name="projects"),
    path("sign-in/", accounts.sign_in, name="sign_in"),
    path("sign-in/code/", second_factor.sign_in_code, name="sign_in_code"),
    path("account/second-factor/", second_factor.second_factor_page, name="second_factor"),
    path(
        "account/second-factor/disable/",
        second_factor.disable_second_factor,
        name="disable_second_factor",
    ),
    path(
        "account/second-factor/codes/",
        second_factor.renew_recovery_codes,
        name="renew_recovery_codes",
    ),
    path("sign-out/", accounts.sign_out, name="sign_out"),
    path("invitations/<str:token>/", accounts.invitation, name="invitation"),
    path("account/", accounts.account, name="account"),
    path("account/password/", accounts.change_password, name="change_password"),
    path("account/reset-links/", accounts.reset_links, name="reset_links"),
    path("password/", accounts.forgot_password, name="forgot_password"),
    path("password/sent/", accounts.reset_sent, name="reset_sent"),
    path("password/<str:uidb64>/<str:token>/", accounts.NewPassword.as_view(), name="new_password"),
    path("account/tokens/", accounts.create_token, name="create_token"),
    path("account/tokens/<int:pk>/revoke/", accounts.revoke_token, name="revoke_token"),
    path("account/mail/", notifications.choose_mail, name="choose_mail"),
    path("notifications/", notifications.notifications, name="notifications"),
    path("notifications/bell/", notifications.bell, name="bell"),
    path("notifications/read/", notifications.mark_all_read, name="mark_all_read"),
    path("notifications/<int:pk>/", notifications.notification, name="notification"),
    path("notifications/<int:pk>/read/", notifications.mark_read, name="mark_read"),
    path("glossary/", projects_views.glossary, name="glossary"),
    path("projects/new/", projects_views.create_project, name="create_project"),
    path("p/<slug:slug>/", projects_views.project, name="project"),
    path("p/<slug:slug>/settings/", projects_views.project_settings, name="project_settings"),
    path("p/<slug:slug>/delete/", projects_views.delete_project, name="delete_project"),
    path("p/<slug:slug>/members/", projects_views.members, name="members"),
    path("p/<slug:slug>/invitations/", projects_views.create_invitation, name="create_invitation"),
    path(
        "p/<slug:slug>/invitations/<int:pk>/revoke/",
        projects_views.revoke_invitation,
        name="revoke_invitation",
    ),
    path("p/<slug:slug>/members/<int:pk>/role/", projects_views.change_role, name="change_role"),
    path(
        "p/<slug:slug>/members/<int:pk>/remove/", projects_views.remove_member, name="remove_member"
    ),
    path("p/<slug:slug>/search/", search.search, name="search"),
    path("p/<slug:slug>/examples/", corpus.examples, name="examples"),
    path("p/<slug:slug>/examples/<int:pk>/", corpus.example, name="example"),
    path("p/<slug:slug>/systems/", corpus.systems, name="systems"),
    path("p/<slug:slug>/systems/<int:pk>/", corpus.system, name="system"),
    path("p/<slug:slug>/imports/", imports.imports, name="imports"),
    path("p/<slug:slug>/imports/new/", imports.create_import, name="create_import"),
    path("p/<slug:slug>/imports/<int:pk>/", imports.import_page, name="import"),
    path("p/<slug:slug>/imports/<int:pk>/write/", imports.write_import, name="write_import"),
    path("p/<slug:slug>/imports/<int:pk>/columns/", imports.choose_columns, name="choose_columns"),
    path("p/<slug:slug>/imports/<int:pk>/undo/", imports.undo_import, name="undo_import"),
    path("p/<slug:slug>/imports/<int:pk>/drop/", imports.drop_import, name="drop_import"),
    path("p/<slug:slug>/export/", corpus.export, name="export"),
    path("p/<slug:slug>/export/<str:format>/", corpus.download, name="download"),
    path("p/<slug:slug>/activity/", activity.activity, name="activity"),
    path(
        "p/<slug:slug>/activity/activity.<slug:format>",
        activity.download_activity,
        name="download_activity",
    ),
    path("p/<slug:slug>/jobs/", jobs.jobs, name="jobs"),
    path("p/<slug:slug>/jobs/<int:pk>/", jobs.job, name="job"),
    path("p/<slug:slug>/jobs/<int:pk>/cancel/", jobs.cancel_job, name="cancel_job"),
    path("p/<slug:slug>/jobs/<int:pk>/retry/", jobs.retry_job, name="retry_job"),
]
