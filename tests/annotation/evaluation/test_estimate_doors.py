"""Estimates by REST, by a command, and as a plot."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.core.management.base import CommandError

from annotation.corpora.jobs.service import run_job
from annotation.evaluation.estimates.models import ScoreEstimate
from annotation.evaluation.estimates.queries import list_rows
from annotation.evaluation.estimates.views import draw_estimates
from annotation.evaluation.labels.models import LabelSet
from annotation.evaluation.runs.models import JudgeRun
from scoring.figures.scale import NARROW, WIDE
from tests import factories
from tests.annotation.corpora.rest import Rest
from tests.annotation.evaluation.commanding import run as command
from tests.annotation.evaluation.commanding import run_json
from tests.annotation.evaluation.estimating import (
    JUDGED,
    keys_of,
    make_estimate,
    make_partly_judged,
)

HERE = "/projects/study/estimates/"
COMMAND = ("estimate_scores", "--project", "study")
Study = tuple[LabelSet, JudgeRun]


@pytest.fixture(scope="module")
def kept_study(kept_database: None, tmp_path_factory: pytest.TempPathFactory) -> Study:
    return make_partly_judged(factories.make_user("Olive"), tmp_path_factory.mktemp("study"))


@pytest.fixture
def study(db: None, kept_study: Study) -> Study:
    return LabelSet.objects.get(pk=kept_study[0].pk), JudgeRun.objects.get(pk=kept_study[1].pk)


@pytest.fixture
def rest(study: Study) -> Rest:
    assert study[0].created_by is not None
    return Rest(study[0].created_by)


def test_it_is_made_by_a_job(rest: Rest, study: Study) -> None:
    body = {"labels": study[0].pk, "run": study[1].pk, "chosen": "random"}
    made = rest.post(HERE, body)
    assert made.status_code == 202, made.json()
    told = made.json()
    assert (told["is_ready"], told["found"], told["options"]["by"]) == (False, {}, "examples")
    run_job(job_id=told["job"]["id"])
    done = rest.get(f"{HERE}{told['id']}/").json()
    assert (done["is_ready"], done["found"]["judged"]) == (True, JUDGED)
    assert len(done["found"]["systems"]) == 2
    [row] = rest.get(HERE).json()["results"]
    assert ("found" in row, row["sources"]["judge"]) == (False, "toy2")
    assert rest("DELETE", f"{HERE}{told['id']}/").status_code == 204


def test_it_refuses_a_ranker_without_chances(rest: Rest, study: Study) -> None:
    body = {"labels": study[0].pk, "run": study[1].pk, "chosen": "ranker"}
    refused = rest.post(HERE, body)
    assert refused.status_code == 409
    assert "chosen by a ranker" in str(refused.json())
    chances = dict.fromkeys(keys_of(study[0].project)[:JUDGED], 0.5)
    assert rest.post(HERE, body | {"probabilities": chances}).status_code == 202


@pytest.mark.parametrize(
    ("changes", "status"),
    [
        ({"chosen": "luck"}, 400),
        ({"labels": 999_999}, 404),
        ({"run": 999_999}, 404),
        ({"by": "words"}, 400),
        ({"chosen": "ranker", "probabilities": {"e1": 2}}, 400),
        ({"chosen": "ranker", "audit": "e1"}, 400),
        ({"chosen": "ranker", "audit": ["nobody"]}, 409),
        ({"level": 0.9}, 400),
    ],
)
def test_it_refuses_what_it_can_not_use(
    rest: Rest, study: Study, changes: dict[str, Any], status: int
) -> None:
    body = {"labels": study[0].pk, "run": study[1].pk, "chosen": "random", **changes}
    assert rest.post(HERE, body).status_code == status
    assert not ScoreEstimate.objects.exists()


def test_a_command_prints_it(study: Study, tmp_path: Path) -> None:
    path = tmp_path / "scores.csv"
    told = command(*COMMAND, "--chosen", "random", "--csv", path)
    assert "people judged 5 of 9 examples, chosen by random" in told
    assert "of 1 pairs significantly different" in told
    assert path.read_text().startswith("system,value")


def test_a_command_prints_it_as_json(study: Study, tmp_path: Path) -> None:
    audit, chances = tmp_path / "audit.id", tmp_path / "chances.csv"
    keys = keys_of(study[0].project)[:JUDGED]
    audit.write_text("\n".join(keys[1:]))
    chances.write_text("\n".join(["doc_id,probability", *(f"{key},0.5" for key in keys)]))
    said = ("--run", study[1].pk, "--chosen", "ranker", "--target", "population", "--by", "units")
    assert run_json(*COMMAND, *said, "--audit", audit)["sampling"] == "audit"
    found = run_json(*COMMAND, *said, "--probabilities", chances)
    assert (found["sampling"], found["target"]) == ("probabilities", "population")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--chosen", "ranker"), "chosen by a ranker"),
        (("--chosen", "random", "--run", 999_999), "no such finished run"),
        (("--chosen", "random", "--labels", 9), "no such labels"),
        (("--chosen", "ranker", "--audit", "nowhere.id"), "nowhere.id"),
    ],
)
def test_a_command_says_why_not(study: Study, options: tuple[Any, ...], words: str) -> None:
    with pytest.raises(CommandError, match=words):
        command(*COMMAND, *options)


def test_a_plot_has_a_line_for_each_system(study: Study) -> None:
    rows = list_rows(make_estimate(*study))
    for width in (WIDE, NARROW):
        chart = draw_estimates(rows, width)
        assert chart is not None
        assert [line.row["system"] for line in chart.lines] == [row["system"] for row in rows]
        for line in chart.lines:
            assert chart.left <= line.both.x1 <= line.both.x <= line.both.x2 <= chart.right
            assert line.both.y < line.y < line.people.y
    assert draw_estimates([]) is None
