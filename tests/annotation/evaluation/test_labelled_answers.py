"""Raw answers behind labels, as reports read them."""

from __future__ import annotations

import numpy as np

from annotation.corpora.accounts.models import User
from annotation.crowd.campaigns.models import Campaign
from annotation.evaluation.labels.answers import get_labelled_answers
from annotation.evaluation.labels.models import LabelSet
from annotation.evaluation.reports.queries import read_report_judgements
from scoring.aggregation import Recipe
from tests.annotation.evaluation.campaigns import make_labels


def test_dropped_work_does_not_count(labelled: LabelSet):
    answers = get_labelled_answers(labelled)
    assert answers is not None
    workers = answers.assignment_workers[answers.assignments]
    assert {answers.worker_keys[code] for code in np.unique(workers)} == {"ANN", "BOB", "CEM"}
    found = read_report_judgements(labelled.project, f"labels:{labelled.pk}")
    assert found is not None
    assert (len(found), found.annotator_count) == (18, 3)


def test_answers_that_came_later_do_not_count(judged: Campaign, owner: User):
    made = make_labels(judged, owner, Recipe())
    last = made.answers_until[str(judged.pk)]
    made.answers_until = {str(judged.pk): last - 1}
    made.save()
    found = read_report_judgements(made.project, f"labels:{made.pk}")
    assert found is not None
    assert len(found) == 23


def test_scores_from_files_have_no_raw_answers(labelled: LabelSet):
    assert read_report_judgements(labelled.project, "scores:1:gold") is None
    labelled.campaigns.clear()
    assert read_report_judgements(labelled.project, f"labels:{labelled.pk}") is None
