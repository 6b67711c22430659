"""What a member may not name: files and models of the server."""

from __future__ import annotations

import pytest

from annotation.corpora.accounts.models import User
from annotation.corpora.projects.models import Project
from annotation.errors import Invalid
from annotation.evaluation.metrics.models import ScoreSet
from tests.annotation.evaluation.scored import begin_scores

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    "metric, option, value",
    [
        ("bertscore", "idf", "/etc/passwd"),
        ("bertscore", "encoder", "/srv/models/mine"),
        ("sem_ncg", "encoders", "minilm,owner/model"),
        ("s3", "model", "../s3.json"),
        ("qa_overlap", "asker", "owner/model"),
    ],
)
def test_it_refuses_what_lies_outside(
    corpus: Project, owner: User, metric: str, option: str, value: str
):
    with pytest.raises(Invalid, match=f"options: {option} names a file or a model"):
        begin_scores(corpus, metric, owner, options={option: value})
    assert not ScoreSet.objects.exists()


def test_it_takes_the_encoders_that_have_names(corpus: Project, owner: User):
    made = begin_scores(corpus, "bertscore", owner, options={"encoder": "mpnet"})
    assert made.options["encoder"] == "mpnet"
