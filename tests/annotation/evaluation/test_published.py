"""REALSumm from its raw crowd answers to labels, scores, a gold version, and back again."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from annotation.corpora.models import JobState, Project, User
from annotation.corpora.services.jobs import run_job
from annotation.crowd.models import Campaign
from annotation.evaluation import services
from annotation.evaluation.models import GoldVersion, LabelSet, SummaryLabels
from annotation.evaluation.selectors.scores import get_scores
from scoring.aggregation import Recipe
from tests.annotation.crowd.offline.test_published import import_raw, make_scus, read_labels

BART = 0.48349483849483854


def finish(job: object) -> None:
    run_job(job_id=job.pk)  # type: ignore[attr-defined]
    job.refresh_from_db()  # type: ignore[attr-defined]
    assert job.state == JobState.DONE, job.error  # type: ignore[attr-defined]


@pytest.fixture
def label_set(realsumm_dir: Path, owner: User) -> LabelSet:
    unit_set = make_scus(realsumm_dir, owner)
    import_raw(unit_set, realsumm_dir)
    made = services.keep_labels(
        project=unit_set.project,
        user=owner,
        campaigns=list(Campaign.objects.all()),
        recipe=Recipe(),
    )
    finish(made.job)
    made.refresh_from_db()
    return made


def test_it_makes_the_published_labels_scores_and_alpha_and_restores_them(
    label_set: LabelSet, realsumm_dir: Path, owner: User, tmp_path: Path
):
    figures = label_set.figures
    assert figures["counts"]["assignments"] == 7743
    assert figures["counts"]["labelled"] == 26_400
    assert figures["agreement"]["by_summary"]["alpha"] == pytest.approx(0.6646, abs=0.0005)
    published = read_labels(realsumm_dir)
    rows = SummaryLabels.objects.filter(label_set=label_set).values_list(
        "summary__system__name", "summary__example__key", "labels"
    )
    made = {
        (system, key, place): label == 1
        for system, key, labels in rows
        for place, label in enumerate(labels)
    }
    assert made == published
    scores = {row.system: row for row in get_scores(label_set).rows}
    assert scores["abs_bart_out"].score == BART
    gold = services.create_gold(
        project=label_set.project, user=owner, label_set=label_set, name="REALSumm"
    )
    finish(gold.job)
    gold.refresh_from_db()
    copy = tmp_path / "gold.jsonl"
    copy.write_bytes(gold.path.read_bytes())
    assert json.loads(copy.read_text().splitlines()[-1])["sha256"] == gold.content_hash
    outcome = services.import_gold(user=owner, name="Copy", slug="copy", path=copy)
    assert outcome.job is not None, outcome.problems
    finish(outcome.job)
    restored = GoldVersion.objects.get(project=Project.objects.get(slug="copy"))
    assert restored.content_hash == gold.content_hash
    assert restored.path.read_bytes() == gold.path.read_bytes()
