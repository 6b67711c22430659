"""Celery's door to the help with a run."""

from __future__ import annotations

from celery import shared_task

from annotation.evaluation import services


@shared_task(name="evaluation.work_on_run", ignore_result=True)
def work_on_run(run_id: int) -> None:
    services.work_on_run(run_id=run_id)
