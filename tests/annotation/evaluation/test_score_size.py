"""Scoring and its pages ask the database no more for a large study than for a small one."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from annotation.corpora.accounts.models import User
from annotation.evaluation.metrics import service as metrics_service
from annotation.evaluation.metrics.models import ScoreSet
from tests import factories
from tests.annotation.corpora.rest import Rest
from tests.annotation.evaluation.scored import begin_scores, lead_scores

# For each address, the most queries that it may ask: sign-in, membership and the bell included.
PAGES = {"": 6, "new/": 9, "import/": 5, "{scores}/": 10, "{scores}/scores.csv": 6}
CALLS = {"": 6, "{scores}/": 6, "{scores}/systems/": 8, "{scores}/download/": 7}


def make_study(owner: User, slug: str, folder: Path, examples: int, systems: int) -> ScoreSet:
    project = factories.make_project(owner, slug)
    names = [f"s{number}" for number in range(systems)]
    lines = [
        factories.example(f"{slug}{number}", summaries=dict.fromkeys(names, f"The dam {number}."))
        for number in range(examples)
    ]
    factories.import_corpus(project, factories.write_jsonl(folder / f"{slug}.jsonl", lines))
    return begin_scores(project, "length")


def count(client: Client, path: str) -> int:
    cache.clear()
    with CaptureQueriesContext(connection) as queries:
        response = client.get(path)
        b"".join(response)
    assert response.status_code == 200
    return len(queries)


def test_it_asks_no_more_of_a_large_study(owner: User, as_owner: Client, tmp_path: Path) -> None:
    small, large = (
        lead_scores(make_study(owner, *size))
        for size in (("small", tmp_path, 2, 2), ("large", tmp_path, 9, 5))
    )
    rest = Rest(owner).client
    for addresses, client, root in (
        (PAGES, as_owner, "/p/{slug}/metrics/"),
        (CALLS, rest, "/api/v1/projects/{slug}/score-sets/"),
    ):
        for path, most in addresses.items():
            found = [
                count(client, f"{root}{path}".format(slug=made.project.slug, scores=made.pk))
                for made in (small, large)
            ]
            assert max(found) <= most, (root, path, found)
            assert found[1] <= found[0], (root, path, found)


def test_a_block_costs_the_same_however_many_summaries_it_has(
    owner: User, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []
    for size, slug, examples in ((12, "few", 3), (36, "many", 9)):
        monkeypatch.setattr(metrics_service, "SUMMARIES_A_STEP", size)
        made = make_study(owner, slug, tmp_path, examples, 12)
        with CaptureQueriesContext(connection) as queries:
            lead_scores(made)
        sent = [query["sql"] for query in queries]
        updates = [sql for sql in sent if sql.startswith('UPDATE "evaluation_examplescores"')]
        assert len(updates) == 3
        asked.append(len(sent))
    assert asked[1] <= asked[0]
