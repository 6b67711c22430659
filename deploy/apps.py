"""The deployment as a Django app, so that every entry point makes the Celery app current."""

from __future__ import annotations

from django.apps import AppConfig


class DeployConfig(AppConfig):
    name = "deploy"
    verbose_name = "Deployment"

    def ready(self) -> None:
        """Import the Celery app: tasks declared with `shared_task` then go to its broker."""
        from deploy import celery  # noqa: F401
