"""A gold file on a full disk: the job waits, leaves no half, and writes it once there is room."""

from __future__ import annotations

from typing import Any

import pytest

from annotation.corpora.accounts.models import User
from annotation.corpora.jobs import work
from annotation.corpora.jobs.models import JobState
from annotation.corpora.jobs.service import run_job
from annotation.evaluation.gold import service as gold_service
from annotation.evaluation.labels.models import LabelSet
from tests.disks import Disk


def test_it_waits_for_room_and_then_writes_the_same_file(
    labelled: LabelSet, owner: User, settings: Any, disk: Disk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(work, "WAIT_SECONDS", -1)
    settings.GOLD_DIR = disk.folder / "gold"
    gold = gold_service.create_gold(
        project=labelled.project, user=owner, label_set=labelled, name="Dams"
    )
    job = gold.job
    assert job is not None
    gold.path.parent.mkdir(parents=True)
    disk.fill()
    for _ in range(3):
        assert run_job(job_id=job.pk)
        job.refresh_from_db()
        assert (job.state, job.waiting) == (JobState.QUEUED, "Waiting for disk space")
        assert list(gold.path.parent.iterdir()) == [], "a half would take room"
    disk.free()
    assert run_job(job_id=job.pk)
    gold.refresh_from_db()
    assert gold.is_ready
    job.refresh_from_db()
    assert job.state == JobState.DONE
    assert gold.path.stat().st_size == gold.size
