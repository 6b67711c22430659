"""Published studies from their files to scores and gold datasets, by commands alone."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.db.models import Count

from annotation.corpora.accounts.models import User
from annotation.corpora.projects.models import Project
from annotation.crowd.campaigns.models import Assignment, Hit
from annotation.evaluation.gold.models import GoldVersion
from annotation.evaluation.labels.models import LabelSet, SummaryLabels
from annotation.evaluation.labels.queries import list_kept_labels
from annotation.units.sets.models import UnitSet
from tests import factories
from tests.annotation.evaluation.commanding import run, run_json

TEXTS = {
    "realsumm": {"examples": 100, "systems": 25, "summaries": 2500},
    "pyrxsum": {"examples": 100, "systems": 10, "summaries": 1000},
}


def take_in(folder: Path, slug: str, owner: User) -> None:
    """Texts and frozen SCUs of a study."""
    expected = TEXTS[slug]
    said = run_json("import_corpus", folder, "--project", slug, "--owner", owner.email)
    assert {part: said[part] for part in expected} == expected
    assert {part: said["new"][part] for part in expected} == expected
    assert (said["state"], said["format"], said["problems"]) == ("done", "folder", [])
    assert {"SCUs.txt", "STUs.txt"} < set(said["kept"])
    run_json("import_units", folder / "SCUs.txt", "--project", slug, "--set", "SCUs")
    factories.freeze(UnitSet.objects.get(project__slug=slug), owner)


def read_labels(folder: Path) -> dict[tuple[str, str], list[int]]:
    """Published labels by system and example."""
    ids = (folder / "ids.txt").read_text().split("\n")
    return {
        (path.stem, key): [int(label) for label in line.split("\t")]
        for path in (folder / "labels").glob("*.label")
        for key, line in zip(ids, path.read_text().split("\n"), strict=True)
    }


def kept_labels(label_set: LabelSet) -> dict[tuple[str, str], list[int]]:
    rows = SummaryLabels.objects.filter(label_set=label_set)
    fields = ("summary__system__name", "summary__example__key", "labels")
    return {(system, key): labels for system, key, labels in rows.values_list(*fields)}


def score(slug: str, system: str) -> float:
    said = run_json("score_labels", "--project", slug)
    found: float = next(row["score"] for row in said["rows"] if row["system"] == system)
    return found


def test_it_leads_realsumm_from_raw_answers_to_a_gold_dataset(realsumm_dir: Path, owner: User):
    take_in(realsumm_dir, "realsumm", owner)
    files = [realsumm_dir / "raw_crowd", "--systems", realsumm_dir / "systems.csv"]
    run_json("import_judgements", "--project", "realsumm", *files, "--unit-set", "SCUs")
    assert not Assignment.objects.exclude(problem="").exists()
    collected = Hit.objects.values_list("collected").annotate(count=Count("pk"))
    assert dict(collected) == {3: 2257, 4: 243}
    made = run_json("aggregate_judgements", "--project", "realsumm", "--save")
    assert (made["counts"]["assignments"], made["counts"]["summaries"]) == (7743, 2500)
    assert made["counts"]["labelled"] == 26_400
    assert made["agreement"]["by_summary"]["alpha"] == pytest.approx(0.6646, abs=0.0005)
    assert kept_labels(LabelSet.objects.get()) == read_labels(realsumm_dir)
    assert score("realsumm", "abs_bart_out") == 0.48349483849483854
    gold = run_json("create_gold", "--project", "realsumm", "--name", "REALSumm")
    assert gold["hash"] == GoldVersion.objects.get().content_hash


def test_it_takes_the_labels_that_came_with_pyrxsum(pyrxsum_dir: Path, owner: User, tmp_path: Path):
    """And leads them on to a gold dataset, which makes the same study elsewhere."""
    take_in(pyrxsum_dir, "pyrxsum", owner)
    [(source, number)] = list_kept_labels(Project.objects.get(slug="pyrxsum"))
    assert number == 10
    made = run_json("import_labels", "--project", "pyrxsum", "--set", "SCUs", "--from-corpus")
    labels = LabelSet.objects.get(pk=made["labels"])
    assert kept_labels(labels) == read_labels(pyrxsum_dir)
    assert labels.note == f"Labels from {source.name}"
    assert labels.figures["counts"] == {"summaries": 1000, "labelled": 4780, "present": 859}
    assert score("pyrxsum", "t5-large") == 0.29117532467532464
    gold = run_json("create_gold", "--project", "pyrxsum", "--name", "PyrXSum")
    path = tmp_path / "gold.zip"
    run("export_gold", "--project", "pyrxsum", "--output", path)
    again = run_json("import_gold", path, "--project", "again", "--owner", owner.email)
    assert again["hash"] == gold["hash"]
    first, second = (GoldVersion.objects.get(project__slug=slug) for slug in ("pyrxsum", "again"))
    assert first.path.read_bytes() == second.path.read_bytes()
    assert kept_labels(second.label_set) == read_labels(pyrxsum_dir)
