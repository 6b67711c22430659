"""Published studies from their files to scores and gold datasets, by commands alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from annotation.corpora.models import User
from annotation.evaluation.models import GoldVersion, LabelSet, SummaryLabels
from annotation.units.models import UnitSet
from tests import factories
from tests.annotation.evaluation.commanding import run, run_json


def take_in(folder: Path, slug: str, owner: User) -> None:
    """Texts and frozen SCUs of a study."""
    run_json("import_corpus", folder, "--project", slug, "--owner", owner.email)
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


def test_it_leads_realsumm_from_raw_answers_to_a_gold_dataset(
    realsumm_dir: Path, owner: User, tmp_path: Path
):
    take_in(realsumm_dir, "realsumm", owner)
    files = [realsumm_dir / "raw_crowd", "--systems", realsumm_dir / "systems.csv"]
    run_json("import_judgements", "--project", "realsumm", *files, "--unit-set", "SCUs")
    made = run_json("aggregate_judgements", "--project", "realsumm", "--keep")
    assert (made["counts"]["assignments"], made["counts"]["summaries"]) == (7743, 2500)
    assert made["counts"]["labelled"] == 26_400
    assert made["agreement"]["by_summary"]["alpha"] == pytest.approx(0.6646, abs=0.0005)
    assert kept_labels(LabelSet.objects.get()) == read_labels(realsumm_dir)
    assert score("realsumm", "abs_bart_out") == 0.48349483849483854
    gold = run_json("create_gold", "--project", "realsumm", "--name", "REALSumm")
    path = tmp_path / "gold.zip"
    run("export_gold", "--project", "realsumm", "--output", path)
    again = run_json("import_gold", path, "--project", "again", "--owner", owner.email)
    assert again["hash"] == gold["hash"]
    first, second = (GoldVersion.objects.get(project__slug=slug) for slug in ("realsumm", "again"))
    assert first.path.read_bytes() == second.path.read_bytes()
    assert kept_labels(second.label_set) == read_labels(realsumm_dir)


def test_it_takes_the_labels_that_came_with_pyrxsum(pyrxsum_dir: Path, owner: User):
    take_in(pyrxsum_dir, "pyrxsum", owner)
    made = run_json("import_labels", "--project", "pyrxsum", "--set", "SCUs", "--kept")
    assert kept_labels(LabelSet.objects.get(pk=made["labels"])) == read_labels(pyrxsum_dir)
    assert score("pyrxsum", "t5-large") == 0.29117532467532464
