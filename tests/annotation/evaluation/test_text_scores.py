"""Texts that are sent to be scored: bounded, computed by a worker, kept for a day."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from annotation.corpora.accounts.models import User
from annotation.corpora.jobs.models import Job, JobState
from annotation.corpora.jobs.service import run_job
from annotation.evaluation.judges.offered import LIGHT
from annotation.evaluation.runs import service as runs_service
from annotation.evaluation.runs import text_scores as runs_text_scores
from annotation.units.sets.models import UnitSet
from scoring.judge import Document
from tests.annotation.corpora.rest import Rest, error_of
from tests.annotation.evaluation import toy_judge

pytestmark = pytest.mark.usefixtures("toys", "light_toys", "judged_set")

SCORE = "/projects/study/score/"


@pytest.fixture
def rest(owner: User) -> Rest:
    return Rest(owner)


@pytest.fixture
def light_toys(monkeypatch: pytest.MonkeyPatch) -> None:
    """Toys are as quick as the judges that `score` takes."""
    monkeypatch.setattr("annotation.evaluation.judges.offered.LIGHT", (*LIGHT, "toy_judge"))


def document(**more: Any) -> dict[str, Any]:
    return {"units": ["The dam burst.", "It was Monday."], "summary": "A dam burst.", **more}


def ask(rest: Rest, **body: Any) -> Any:
    return rest.post(SCORE, {"judge": "toy2", "documents": [document()], **body})


def score(rest: Rest, **body: Any) -> dict[str, Any]:
    """Sent, computed by a worker, and asked for again."""
    sent = ask(rest, **body)
    assert sent.status_code == 202, sent.json()
    run_job(job_id=sent.json()["job"]["id"])
    told = rest.get(f"{SCORE}{sent.json()['id']}/").json()
    assert told["is_ready"], told["job"]["error"]
    return dict(told["result"])


def test_it_scores_texts(rest: Rest) -> None:
    rows = [document(labels=[1, 0]), document(name="two", weights=[3, 1], labels=[1, None])]
    told = score(rest, documents=rows)
    assert set(told["scores"]) == {"p2c", "l2c"}
    assert told["human"] == pytest.approx((0.5 + 1) / 2)
    first, second = told["documents"]
    assert (first["name"], second["name"]) == ("Document 1", "two")
    assert first["presence"] == second["presence"]
    values = first["presence"]["p2c"]
    assert second["scores"]["p2c"] == pytest.approx((3 * values[0] + values[1]) / 4)
    assert "|judge:toy2|" in told["signatures"]["p2c"]
    assert set(score(rest, documents=rows, function="l2c")["scores"]) == {"l2c"}


def test_it_leaves_the_judge_to_a_worker(rest: Rest) -> None:
    """However small: the call loads no judge and asks none."""
    told = ask(rest).json()
    assert (toy_judge.LOADED, toy_judge.ASKED) == ([], [])
    assert (told["job"]["state"], told["is_ready"], told["result"]) == ("queued", False, None)
    assert told["url"] == f"http://testserver/api/v1{SCORE}{told['id']}/"
    assert rest.get(f"{SCORE}{told['id']}/").json() == told
    run_job(job_id=told["id"])
    assert toy_judge.LOADED


@pytest.mark.parametrize(
    "body, status, words",
    [
        ({"documents": [document(summary=" ")]}, 409, "Document 1: The summary is empty."),
        ({"documents": [document(weights=[1])]}, 409, "Document 1 has 1 weights and 2 units."),
        ({"documents": [document(labels=[1])]}, 409, "Document 1 has 1 labels and 2 units."),
        ({"documents": [document(units=["x"] * 500)] * 5}, 413, "2,500 pairs"),
        (
            {"documents": [document(units=["x"] * 500, summary="a " * 9_999)]},
            413,
            "more than 200,000 tokens",
        ),
        ({"judge": "lexical", "function": "p3c"}, 409, "lexical offers only p2c and l2c"),
        ({"documents": [document()], "judge": "anli"}, 409, "takes too long"),
        ({"documents": [document()], "judge": "oracle"}, 404, "no judge 'oracle'"),
        ({"documents": []}, 400, "documents"),
        ({"documents": [{"units": []}]}, 400, "documents"),
    ],
)
def test_it_says_why_texts_are_not_scored(
    rest: Rest, body: dict[str, Any], status: int, words: str
) -> None:
    answer = ask(rest, **body)
    assert error_of(answer)[0] == status
    assert words in answer.json()["error"]["message"]
    assert not Job.objects.filter(kind=runs_text_scores.KIND).exists()


def test_it_counts_what_a_judge_reads() -> None:
    """The summary once for each of its two units, and the units."""
    sent = [Document("a", ("One two.", "Three."), "Four five six.")]
    assert runs_text_scores.count_tokens(sent) == 2 * 3 + 2 + 1


def test_it_counts_an_empty_text_as_carrying_nothing(rest: Rest) -> None:
    told = score(rest, documents=[document(summary="")], empty="absent")
    assert told["scores"]["p2c"] == 0
    assert told["documents"][0]["sentences"] == [-1, -1]


def test_it_takes_so_many_of_one_person_at_once(rest: Rest, editor: User) -> None:
    sent = [ask(rest).json() for _ in range(runs_text_scores.MOST_WAITING)]
    refused = ask(rest)
    assert error_of(refused)[0] == 429
    assert refused["Retry-After"] == "10"
    assert ask(Rest(editor)).status_code == 202
    run_job(job_id=sent[0]["id"])
    assert ask(rest).status_code == 202


def test_it_forgets_texts_and_scores_after_a_day(rest: Rest) -> None:
    told = ask(rest).json()
    runs_text_scores.forget_text_scores()
    run_job(job_id=told["id"])
    runs_text_scores.forget_text_scores()
    ready = rest.get(f"{SCORE}{told['id']}/").json()
    job = Job.objects.get(pk=told["id"])
    assert job.finished_at is not None
    assert ready["expires_at"] == (job.finished_at + runs_text_scores.KEPT).isoformat().replace(
        "+00:00", "Z"
    )
    old = timezone.now() - runs_text_scores.KEPT - timedelta(seconds=1)
    Job.objects.filter(pk=told["id"]).update(finished_at=old)
    runs_text_scores.forget_text_scores()
    assert error_of(rest.get(f"{SCORE}{told['id']}/")) == (404, "not_found")
    assert not Job.objects.filter(pk=told["id"]).exists()


def test_it_says_why_a_worker_failed(rest: Rest) -> None:
    told = ask(rest, judge="toy-broken").json()
    run_job(job_id=told["id"])
    failed = rest.get(f"{SCORE}{told['id']}/").json()
    assert (failed["is_ready"], failed["result"]) == (False, None)
    assert failed["job"]["state"] == JobState.FAILED
    assert failed["job"]["error"] == "The toy is broken. Mend it."


def test_it_shows_no_other_jobs(rest: Rest, judged_set: UnitSet) -> None:
    other = runs_service.start_run(
        project=judged_set.project, user=None, unit_set=judged_set, judge="toy2"
    )
    assert other.job is not None
    assert error_of(rest.get(f"{SCORE}{other.job.pk}/")) == (404, "not_found")
