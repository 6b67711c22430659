"""Where two sources of scores prefer different systems: counts, page, CSV and REST."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.test import Client

from annotation.corpora.accounts.models import User
from annotation.corpora.projects.models import Project
from annotation.errors import Invalid, NotFound
from annotation.evaluation.labels.models import LabelSet
from annotation.evaluation.metrics.models import ScoreSet
from annotation.evaluation.metrics.sources import choose_pair, count_source_disagreements
from tests import factories
from tests.annotation.corpora.pages import page_of
from tests.annotation.corpora.rest import Rest
from tests.annotation.evaluation.scored import bring_whole, make_scores, write_csv

HERE = "/p/study/metrics/disagreements/"
# By example, what lead and soup have of two metrics; less is better in the second.
SCORES = {"e1": ((2, 1), (1, 2)), "e2": ((2, 1), (2, 1)), "e3": ((1, 1), (1, 2))}


@pytest.fixture
def brought(corpus: Project, tmp_path: Path) -> ScoreSet:
    rows = [
        (example, system, metric, values[place][at])
        for example, values in SCORES.items()
        for place, metric in enumerate(("good", "bad"))
        for at, system in enumerate(("lead", "soup"))
    ]
    return bring_whole(corpus, write_csv(tmp_path / "a.csv", rows), lower=["bad"])


def keys(made: ScoreSet) -> tuple[str, str]:
    return f"scores:{made.pk}:good", f"scores:{made.pk}:bad"


def test_it_counts_where_less_is_better_too(corpus: Project, brought: ScoreSet):
    found = count_source_disagreements(corpus, *keys(brought))
    [pair] = found.pairs
    assert (pair.first, pair.second) == ("lead", "soup")
    assert (pair.agree, pair.disagree, pair.tied, pair.examples) == (1, 1, 1, 3)
    assert found.share == pair.share == pytest.approx(1 / 3)


def test_it_compares_a_metric_with_people(labelled: LabelSet):
    made = make_scores(labelled.project, "rouge")
    key = f"scores:{made.pk}:rouge1_recall"
    found = count_source_disagreements(labelled.project, key, f"labels:{labelled.pk}")
    assert found.total("examples") == 3
    assert (found.first.kind, found.second.kind) == ("metric", "people")
    _, first, second = choose_pair(labelled.project, "", "")
    assert first.startswith(f"scores:{made.pk}:")
    assert second == f"labels:{labelled.pk}"


def test_only_what_both_have_counts(corpus: Project, brought: ScoreSet, tmp_path: Path):
    path = write_csv(tmp_path / "b.csv", [("e1", "lead", "m", 1), ("e2", "soup", "m", 1)])
    other = bring_whole(corpus, path)
    found = count_source_disagreements(corpus, keys(brought)[0], f"scores:{other.pk}:m")
    assert (found.pairs, found.share) == ([], None)


def test_pairs_come_by_share_or_by_name(owner: User, tmp_path: Path):
    project = factories.make_project(owner, "three")
    lines = [factories.example(key, summaries=dict.fromkeys("abc", "A.")) for key in ("e1", "e2")]
    factories.import_corpus(project, factories.write_jsonl(tmp_path / "c.jsonl", lines))
    rows = [
        (example, system, metric, value)
        for example in ("e1", "e2")
        for metric, own in (("x", (3, 2, 1)), ("y", (3, 1, 2)))
        for system, value in zip(("a", "b", "c"), own, strict=True)
    ]
    made = bring_whole(project, write_csv(tmp_path / "c.csv", rows))
    told = {
        sort: [
            (pair.first, pair.second)
            for pair in count_source_disagreements(
                project, f"scores:{made.pk}:x", f"scores:{made.pk}:y", sort
            ).pairs
        ]
        for sort in ("share", "name")
    }
    assert told["share"] == [("b", "c"), ("a", "b"), ("a", "c")]
    assert told["name"] == [("a", "b"), ("a", "c"), ("b", "c")]


def test_it_refuses_what_can_not_be_compared(corpus: Project, brought: ScoreSet):
    with pytest.raises(Invalid, match="second: expected"):
        count_source_disagreements(corpus, keys(brought)[0], keys(brought)[0])
    with pytest.raises(NotFound, match="no scores 'scores:9:x'"):
        count_source_disagreements(corpus, keys(brought)[0], "scores:9:x")


def test_the_page_shows_counts(corpus: Project, brought: ScoreSet, as_viewer: Client):
    first, second = keys(brought)
    page = page_of(as_viewer.get(HERE, {"first": first, "second": second, "sort": "name"}))
    assert "33.3 %" in page.text
    assert "1 of 3 comparisons" in page.text
    assert "lead and soup" in page.text
    assert "1–1 of 1 pair" in page.text
    page = page_of(as_viewer.get(f"/p/study/metrics/{brought.pk}/", {"column": "bad"}))
    [link] = [href for href in page.links if "disagreements" in href and "first=" in href]
    page = page_of(as_viewer.get(link))
    assert "bad and good" in page.text


def test_the_page_says_what_is_missing(corpus: Project, as_owner: Client, as_viewer: Client):
    assert "Not enough scores to compare" in page_of(as_owner.get(HERE)).text
    assert "Only owners and editors" in page_of(as_viewer.get(HERE)).text


def test_the_page_asks_for_two(corpus: Project, brought: ScoreSet, as_viewer: Client):
    first, _ = keys(brought)
    page = page_of(as_viewer.get(HERE, {"first": first, "second": first}))
    assert "Choose two different ones." in page.text
    assert as_viewer.get(HERE, {"first": "scores:1:x"}).status_code == 404


def test_it_downloads(corpus: Project, brought: ScoreSet, as_viewer: Client):
    first, second = keys(brought)
    response = as_viewer.get(f"{HERE}disagreements.csv", {"first": first, "second": second})
    lines = b"".join(response.streaming_content).decode().splitlines()  # type: ignore[attr-defined]
    assert lines == ["first_system,second_system,examples,agree,disagree,tied", "lead,soup,3,1,1,1"]


def test_rest_tells_counts(corpus: Project, brought: ScoreSet, owner: User):
    there = "/projects/study/disagreements/"
    first, second = keys(brought)
    told = Rest(owner).get(f"{there}?first={first}&second={second}&sort=name").json()
    assert told["first"]["key"] == first
    assert told["second"]["is_lower_better"]
    [pair] = told["pairs"]
    assert pair["disagree"] == 1
    assert told["share"] == pytest.approx(1 / 3)
    assert Rest(owner).get(there).status_code == 400
    assert Rest(owner).get(f"{there}?first={first}&second=scores:9:x").status_code == 404
    assert Rest(owner).get(f"{there}?first={first}&second={second}&sort=x").status_code == 400
