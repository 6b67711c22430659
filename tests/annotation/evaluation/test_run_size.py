"""Pages of runs ask the database no more for a large study, and escape whatever texts hold."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from annotation.corpora.accounts.models import User
from annotation.corpora.corpus.models import Summary
from annotation.corpora.projects.models import Project
from annotation.evaluation.labels.models import LabelOrigin, LabelSet, SummaryLabels
from annotation.evaluation.labels.service import create_label_set, measure_label_set, show_label_set
from annotation.evaluation.runs.models import JudgeRun
from annotation.units.sets.models import UnitSet
from tests import factories
from tests.annotation.corpora.pages import HOSTILE, page_of
from tests.annotation.corpora.rest import Rest
from tests.annotation.evaluation.campaigns import make_units
from tests.annotation.evaluation.running import finish

pytestmark = pytest.mark.usefixtures("toys")

# For each page, the most queries that it may ask: sign-in, membership and the bell included.
PAGES = {
    "": 6,
    "new/": 21,
    "{run}/": 16,
    "{run}/presence/": 17,
    "{run}/people/": 15,
    "{run}/disagreements/": 24,
    "{run}/summaries/": 15,
    "{run}/scores.csv": 7,
    "{run}/presence.csv": 7,
}
CALLS = {"": 6, "{run}/": 10, "{run}/scores/": 11, "{run}/presence/": 7}


def make_study(owner: User, slug: str, folder: Path, examples: int, systems: int) -> JudgeRun:
    """A run over so many summaries, of units that are labelled as nobody would."""
    project = factories.make_project(owner, slug)
    names = [f"s{number}" for number in range(systems)]
    lines = [
        factories.example(f"{slug}{number}", summaries=dict.fromkeys(names, f"The dam {number}."))
        for number in range(examples)
    ]
    factories.import_corpus(project, factories.write_jsonl(folder / f"{slug}.jsonl", lines))
    unit_set = make_units(project, owner)
    make_labels(project, unit_set)
    return finish(unit_set)


def make_labels(project: Project, unit_set: UnitSet) -> LabelSet:
    made = create_label_set(project, None, unit_set, LabelOrigin.FILES, "")
    summaries = Summary.objects.filter(example__units__set=unit_set).distinct()
    SummaryLabels.objects.bulk_create(
        SummaryLabels(label_set=made, summary=row, labels=[0, 1, 1]) for row in summaries
    )
    measure_label_set(made, figures={}, answers_hash="", signature="none")
    show_label_set(made)
    return made


def count(client: Client, path: str) -> int:
    cache.clear()
    with CaptureQueriesContext(connection) as queries:
        response = client.get(path)
        b"".join(response)
    assert response.status_code == 200
    return len(queries)


def test_it_asks_the_same_for_a_large_study(owner: User, as_owner: Client, tmp_path: Path) -> None:
    runs = [
        make_study(owner, slug, tmp_path, examples, systems)
        for slug, examples, systems in (("few", 2, 2), ("many", 5, 4))
    ]
    rest = Rest(owner).client
    for client, start, most in (
        (as_owner, "/p/{slug}/runs/", PAGES),
        (rest, "/api/v1/projects/{slug}/runs/", CALLS),
    ):
        # The first request of a session does more than the others.
        count(client, start.format(slug="few"))
        few, many = (
            {
                path: count(client, f"{start}{path}".format(slug=run.project.slug, run=run.pk))
                for path in most
            }
            for run in runs
        )
        print(many)
        assert many == few
        assert {path: number for path, number in many.items() if number > most[path]} == {}


def test_it_escapes_what_texts_hold(owner: User, as_owner: Client, tmp_path: Path) -> None:
    project = factories.make_project(owner, "hostile", HOSTILE)
    summaries = {HOSTILE: f"The dam burst. {HOSTILE}", "plain": "dam"}
    lines = [factories.example(HOSTILE, summaries=summaries)]
    factories.import_corpus(project, factories.write_jsonl(tmp_path / "hostile.jsonl", lines))
    unit_set = make_units(project, owner)
    unit_set.units.filter(text="It was Monday.").update(text=HOSTILE)
    make_labels(project, unit_set)
    run = finish(unit_set, note=HOSTILE)
    unit = unit_set.units.get(text=HOSTILE)
    example = project.examples.get()
    for path in [path for path in PAGES if not path.endswith("csv")]:
        is_asked = "presence" in path or "disagree" in path
        ids = {"example": str(example.pk), "unit": str(unit.pk)}
        query = {**ids, "system": HOSTILE, "show": "all"} if is_asked else {}
        answer = as_owner.get(f"/p/hostile/runs/{path.format(run=run.pk)}", query)
        assert HOSTILE in page_of(answer).text, path
