"""Figures of texts are computed once, and again after each import."""

from __future__ import annotations

from pathlib import Path

from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.corpora.corpus.exports import why_not
from annotation.corpora.corpus.models import Summary, System
from annotation.corpora.corpus.queries import get_system_stats
from annotation.corpora.projects.models import Project
from tests import factories


def bring(project: Project, folder: Path, key: str, summary: str) -> None:
    line = factories.example(key, summaries={"lead": summary})
    factories.import_corpus(project, factories.write_jsonl(folder / f"{key}.jsonl", [line]))


def test_a_systems_figures_follow_imports(project: Project, tmp_path: Path):
    bring(project, tmp_path, "e1", "Four")
    lead = System.objects.select_related("project").get(project=project)
    assert get_system_stats(lead) == {
        "summaries": 1,
        "empty": 0,
        "mean_characters": 4,
        "missing": 0,
    }
    bring(project, tmp_path, "e2", "")
    lead = System.objects.select_related("project").get(project=project)
    assert get_system_stats(lead) == {
        "summaries": 2,
        "empty": 1,
        "mean_characters": 2,
        "missing": 0,
    }
    with CaptureQueriesContext(connection) as queries:
        get_system_stats(lead)
    assert not any(Summary._meta.db_table in query["sql"] for query in queries)


def test_what_a_format_lacks_follows_imports(project: Project, tmp_path: Path):
    bring(project, tmp_path, "e1", "One line.")
    project.refresh_from_db()
    assert why_not(project, "folder") is None
    with CaptureQueriesContext(connection) as queries:
        assert why_not(project, "folder") is None
    assert not any(Summary._meta.db_table in query["sql"] for query in queries)
    bring(project, tmp_path, "e2", "Two\nlines.")
    project.refresh_from_db()
    assert "line break" in (why_not(project, "folder") or "")


def test_a_systems_name_is_looked_up_each_time(project: Project, tmp_path: Path):
    bring(project, tmp_path, "e1", "One line.")
    project.refresh_from_db()
    assert why_not(project, "folder") is None
    System.objects.filter(project=project).update(name="a/b")
    assert "a/b" in (why_not(project, "folder") or "")
