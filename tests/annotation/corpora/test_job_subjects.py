"""A job's page leads on to what the job is about."""

from __future__ import annotations

import pytest
from django.apps import apps
from django.urls import reverse

from annotation.corpora.accounts.models import User
from annotation.corpora.imports.models import Import
from annotation.corpora.jobs.queries import ABOUT, get_subject, list_outcome
from annotation.corpora.projects.models import Project
from tests import factories
from tests.annotation.corpora.places import make_job


def test_it_leads_to_the_import(corpus: Project):
    found = Import.objects.get(project=corpus)
    job = make_job(corpus, params={"folder": str(found.folder)})
    assert get_subject(job).url == f"/p/study/imports/{found.pk}/"


def test_it_leads_to_what_was_made(corpus: Project, owner: User):
    made = factories.make_set(corpus, owner)
    assert get_subject(make_job(corpus, params={"set": made.pk})).url.endswith(f"units/{made.pk}/")


@pytest.mark.parametrize("params", [{}, {"set": 999}, {"campaign": "x"}, {"path": "gold.jsonl"}])
def test_it_leads_to_the_project_where_there_is_nothing_else(params: dict, corpus: Project):
    assert get_subject(make_job(corpus, params=params)).url == "/p/study/"


@pytest.mark.parametrize("name", sorted(ABOUT))
def test_it_knows_a_page_and_a_model_of_a_project(name: str):
    about = ABOUT[name]
    assert apps.get_model(about.model)._meta.get_field("project")
    assert reverse(about.page, args=["study", 1]).startswith("/p/study/")


def test_it_tells_the_hash_of_what_was_restored(corpus: Project):
    job = make_job(corpus, kind="restore_gold", state="done", result={"hash": "abc123"})
    [words] = list_outcome(job)
    assert "abc123" in words
    assert job.kind_words == "Restore gold"
    assert list_outcome(make_job(corpus, kind="restore_gold", result={"hash": "abc"})) == []


def test_it_leads_on_to_what_came_of_it(corpus: Project, owner: User):
    made = factories.make_set(corpus, owner)
    job = make_job(corpus, state="done", result={"set": made.pk})
    assert get_subject(job).url.endswith(f"units/{made.pk}/")
