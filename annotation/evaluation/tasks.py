"""Celery's door to the help with a run."""

from __future__ import annotations

from celery import shared_task

from annotation.evaluation.runs import judging


@shared_task(name="evaluation.work_on_run", ignore_result=True)
def work_on_run(run_id: int) -> None:
    judging.work_on_run(run_id=run_id)
