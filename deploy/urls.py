"""Every address of the product, by door: pages, REST, its description, health."""

from __future__ import annotations

from django.urls import include, path
from django.views.i18n import JavaScriptCatalog
from drf_spectacular.views import SpectacularSwaggerSplitView

from deploy.api_schema import SchemaView
from deploy.health import healthz, live, ready

# Tried in this order, by each request: what workers ask for all day comes first.
urlpatterns = [
    path("", include("annotation.crowd.urls")),
    path("healthz", healthz, name="healthz"),
    path("healthz/live", live, name="live"),
    path("healthz/ready", ready, name="ready"),
    path("api/v1/", include("annotation.corpora.api_urls")),
    path("api/v1/", include("annotation.units.api_urls")),
    path("api/v1/", include("annotation.crowd.api_urls")),
    path("api/v1/", include("annotation.evaluation.api_urls")),
    # The texts of scripts in other languages than English.
    path("js-messages/", JavaScriptCatalog.as_view(), name="js_messages"),
    path("api/schema/", SchemaView.as_view(), name="api_schema"),
    path(
        "api/docs/",
        SpectacularSwaggerSplitView.as_view(url_name="api_schema"),
        name="api_docs",
    ),
    path("", include("annotation.evaluation.urls")),
    path("", include("annotation.units.urls")),
    path("", include("annotation.corpora.urls")),
]

handler400 = "annotation.errors.bad_request"
handler403 = "annotation.errors.permission_denied"
handler404 = "annotation.errors.page_not_found"
handler500 = "annotation.errors.server_error"
