"""`python seed.py WORKERS TASKS PLACES`, in Turkle's own environment: users and a batch."""

from __future__ import annotations

import json
import sys

import django

from tests.crowd_seed import SUMMARY, sign_in, task_html


def seed(workers: int, tasks: int, places: int) -> dict[str, object]:
    from django.contrib.auth.models import User
    from turkle.models import Batch, Project, Task  # type: ignore[import-not-found]

    project = Project(name="Judge a summary", html_template=task_html(is_template=True))
    project.clean()
    project.save()
    batch = Batch.objects.create(
        name="Batch", project=project, assignments_per_task=places, published=True
    )
    Task.objects.bulk_create(
        Task(batch=batch, input_csv_fields={"summary": SUMMARY}) for _ in range(tasks)
    )
    people = [User.objects.create(username=f"w{number}", password="!") for number in range(workers)]
    sessions = [sign_in(user) for user in people]
    return {"start": f"/batch/{batch.pk}/accept_next_task/", "sessions": sessions}


if __name__ == "__main__":
    django.setup()
    print(json.dumps(seed(*map(int, sys.argv[1:]))))
