"""The demo's run of a judge, so that presence, calibration and disagreements can be seen.

Only begun here: a worker computes it in the background, while somebody reads the first page.
"""

from __future__ import annotations

from annotation.corpora.models import Project, User
from annotation.corpora.services.demo import PARTS
from annotation.evaluation.models import LabelSet
from annotation.evaluation.services.runs import start_run

JUDGE = "embedded"


def add_demo_run(project: Project, user: User) -> None:
    labels = LabelSet.objects.filter(project=project, is_ready=True).first()
    if labels is None:
        return
    start_run(project=project, user=user, unit_set=labels.unit_set, judge=JUDGE, note="Example")


PARTS.append(add_demo_run)
