"""A small corpus in English proper, since STUs are found by grammar; and sets of its STUs."""

from __future__ import annotations

from pathlib import Path

from annotation.corpora.accounts.models import User
from annotation.corpora.corpus.models import Sentence
from annotation.corpora.projects.models import Project
from annotation.units.files import service as files_service
from annotation.units.sets.models import UnitSet
from annotation.units.stus import extraction
from tests import factories
from tests.annotation.units.writing import run, unit_line, write_lines

REFERENCES = {
    "bridge": "The old bridge fell into the river on Monday. Nobody was hurt in the accident.",
    "nurse": "Anna Kovacs, a nurse from Pest, has won the national chess title. She is 61.",
    "strike": "Tram drivers went on strike. They want more pay and shorter shifts.",
    "vote": "The council voted for a new school. Parents had asked for it for ten years.",
    "storm": "A storm tore roofs off houses in the north. Police closed two roads.",
    "museum": "The museum reopens in May. Its new wing shows maps of the coast.",
}
SCUS = {
    "bridge": ["The bridge fell into the river.", "The bridge was old.", "Nobody was hurt."],
    "nurse": ["Anna Kovacs is a nurse.", "Kovacs won the chess title.", "Kovacs is 61."],
    "strike": ["Tram drivers went on strike.", "Drivers want more pay."],
    "vote": ["The council voted for a school.", "Parents had asked for a school."],
    "storm": ["A storm tore roofs off houses.", "Police closed two roads."],
    "museum": ["The museum reopens in May.", "A new wing shows maps."],
}


def make_corpus(owner: User, folder: Path, slug: str = "news") -> Project:
    project = factories.make_project(owner, slug)
    lines = [factories.example(key, references=[text]) for key, text in REFERENCES.items()]
    factories.import_corpus(project, factories.write_jsonl(folder / f"{slug}.jsonl", lines))
    return project


def extract(project: Project, user: User | None, extractor: str = "srl") -> UnitSet:
    made = extraction.extract_stus(project=project, user=user, extractor=extractor)
    job = run(made.job)
    assert job.state == "done", job.error
    made.refresh_from_db()
    return made


def write_scus(project: Project, user: User, folder: Path, name: str = "SCUs") -> UnitSet:
    path = write_lines(
        folder / f"{name}.jsonl", *(unit_line(key, *units) for key, units in SCUS.items())
    )
    outcome = files_service.import_unit_file(project=project, user=user, name=name, path=path)
    assert outcome.unit_set is not None, outcome.problems
    assert run(outcome.unit_set.job).state == "done"
    outcome.unit_set.refresh_from_db()
    return outcome.unit_set


def sentence_ids(project: Project) -> list[int]:
    """In the order of the corpus."""
    rows = Sentence.objects.filter(reference__example__project=project)
    return list(
        rows.order_by("reference__example__position", "position").values_list("pk", flat=True)
    )
