"""The commands that make labels, score them, and write and restore gold datasets."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from annotation.corpora.accounts.models import User
from annotation.corpora.imports.models import KeptFile
from annotation.corpora.projects.models import Membership, Project
from annotation.crowd.campaigns.models import Campaign
from annotation.evaluation.gold.models import GoldVersion
from annotation.evaluation.labels.models import LabelSet
from annotation.units.sets.models import UnitSet
from tests import factories
from tests.annotation.evaluation.campaigns import NOISY, make_labels, make_units
from tests.annotation.evaluation.commanding import run, run_json


def test_it_says_what_labels_would_be_and_keeps_none(judged: Campaign):
    said = run_json("aggregate_judgements", "--project", "study", "--filter", "per-summary")
    assert (said["counts"]["kept"], said["counts"]["dropped"]) == (18, 6)
    assert said["labels_changed"] == 1
    words = run("aggregate_judgements", "--project", "study")
    assert "24 assignments included, 0 excluded; 18 labels" in words
    assert "0 labels differ from the majority" in words
    assert not LabelSet.objects.exists()


def test_it_keeps_labels_by_the_rules_it_is_told(judged: Campaign):
    told = ["--filter", "fast:min_seconds=2", "--filter", "gold", "--tie", "random", "--seed", "3"]
    kept = ["--keep", "--note", "By hand", "--campaign", judged.pk]
    said = run_json("aggregate_judgements", "--project", "study", *told, *kept)
    made = LabelSet.objects.get()
    assert (said["labels"], said["version"], made.note) == (made.pk, 1, "By hand")
    assert [step["name"] for step in made.recipe["filters"]] == ["fast", "gold"]
    assert said["drops"] == [{"rule": "fast", "assignments": 6, "answers": 18, "workers": 1}]
    assert "|seed:3|" in said["signature"]
    words = run("aggregate_judgements", "--project", "study", "--save")
    assert "version 2: answers:" in words


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--project", "nowhere"], "no project 'nowhere'"),
        (["--project", "study", "--filter", "per-sumary"], "Use one of per-summary, per-worker"),
        (["--project", "study", "--filter", "fast:seconds=2"], "no option 'seconds'"),
        (["--project", "study", "--filter", "fast:min_seconds"], "'min_seconds' is not option="),
        (["--project", "study", "--filter", "fast:min_seconds=-2"], "at least 0"),
        (["--project", "study", "--vote", "loudest"], "invalid choice"),
        (["--project", "study", "--campaign", "999"], "no campaign 999"),
    ],
)
def test_it_refuses_rules_that_are_not_known(arguments: list[str], told: str, judged: Campaign):
    with pytest.raises(CommandError, match=told):
        run("aggregate_judgements", *arguments)


def test_it_has_nothing_to_aggregate_before_answers_come_in(corpus: Project):
    with pytest.raises(CommandError, match="There are no judgements yet"):
        run("aggregate_judgements", "--project", "study")


def write_labels(folder: Path, **lines: str) -> Path:
    folder.mkdir()
    for system, text in lines.items():
        (folder / f"{system}.label").write_text(text)
    return folder


GOOD = "1\t0\t1\n1\t1\t1\n0\t0\t0\n"


def test_it_takes_labels_from_files(corpus: Project, owner: User, tmp_path: Path):
    make_units(corpus, owner)
    folder = write_labels(tmp_path / "labels", lead=GOOD, soup=GOOD)
    here = ["import_labels", folder, "--project", "study", "--set", "Judged"]
    said = run_json(*here)
    assert (said["version"], said["counts"]["present"], said["problems"]) == (1, 10, [])
    words = run("import_labels", folder, "--project", "study", "--set", "Judged@1")
    assert words == "Labels v2 of Judged v1: 18 labels of 6 summaries.\n"
    assert folder.exists()


def test_it_lists_what_is_wrong_with_labels_and_changes_nothing(
    corpus: Project, owner: User, tmp_path: Path
):
    make_units(corpus, owner)
    folder = write_labels(tmp_path / "labels", lead=GOOD.replace("1\t1\t1", "1\t1"), who=GOOD)
    here = ["import_labels", str(folder), "--project", "study", "--set", "Judged"]
    out, err = io.StringIO(), io.StringIO()
    with pytest.raises(CommandError, match="Nothing was changed"):
        call_command(*here, stdout=out, stderr=err)
    assert "lead.label, line 2:" in err.getvalue()
    assert "who.label: " in err.getvalue()
    out = io.StringIO()
    with pytest.raises(CommandError):
        call_command(*here, "--json", stdout=out)
    assert len(json.loads(out.getvalue())["problems"]) == 2
    assert not LabelSet.objects.exists()


def test_it_takes_the_labels_that_came_with_the_corpus(corpus: Project, owner: User):
    make_units(corpus, owner)
    here = ["import_labels", "--project", "study", "--set", "Judged", "--from-corpus"]
    with pytest.raises(CommandError, match="includes no label files"):
        run(*here)
    source = corpus.imports.get()
    KeptFile.objects.create(source=source, name="labels/lead.label", data=GOOD.encode())
    assert "9 labels of 3 summaries" in run(*here)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--set", "Judged"], "Give a path"),
        (["labels", "--kept", "--set", "Judged"], "Give a path"),
        (["nowhere", "--set", "Judged"], "no such file"),
        (["nowhere", "--set", "Judged@7"], "no unit set 'Judged@7'. Known unit sets: Judged v1"),
        (["nowhere", "--set", "Judged@x"], "no unit set 'Judged@x'"),
    ],
)
def test_it_refuses_labels_it_can_not_find(
    arguments: list[str], told: str, corpus: Project, owner: User
):
    make_units(corpus, owner)
    with pytest.raises(CommandError, match=told):
        run("import_labels", *arguments, "--project", "study")


def test_it_takes_labels_of_a_frozen_set_alone(corpus: Project, owner: User, tmp_path: Path):
    factories.make_set(corpus, owner, "Draft")
    folder = write_labels(tmp_path / "labels", lead=GOOD)
    with pytest.raises(CommandError, match="Draft v1 is not frozen"):
        run("import_labels", folder, "--project", "study", "--set", "Draft")


def test_it_scores_the_newest_labels(labelled: LabelSet):
    said = run_json("score_labels", "--project", "study")
    assert [row["system"] for row in said["rows"]] == ["lead", "soup"]
    assert said["rows"][0]["score"] == pytest.approx(2 / 3)
    assert len(said["pairs"]) == 1
    words = run(
        "score_labels", "--project", "study", "--method", "lite", "--sample", "2", "--seed", "1"
    )
    assert words.splitlines()[0].lstrip().startswith("1  ")
    assert words.splitlines()[0].endswith("lead")
    assert "method:lite|sample:2|seed:1" in words


def test_it_scores_labels_of_a_version(judged: Campaign, owner: User):
    first, second = make_labels(judged, owner), make_labels(judged, owner)
    said = run_json(
        "score_labels", "--project", "study", "--labels", first.version, "--set", "Judged"
    )
    assert said["signature"].startswith(first.signature)
    LabelSet.objects.filter(pk=second.pk).update(is_ready=False)
    with pytest.raises(CommandError, match="is not ready"):
        run("score_labels", "--project", "study", "--labels", second.version)
    with pytest.raises(CommandError, match="no such labels. Known labels: Labels v2 of Judged v1"):
        run("score_labels", "--project", "study", "--labels", "3")
    with pytest.raises(CommandError, match="needs a sample"):
        run("score_labels", "--project", "study", "--method", "lite")


def test_it_asks_which_unit_set_labels_are_of(labelled: LabelSet, owner: User):
    other = factories.make_set(labelled.project, owner, "Others")
    LabelSet.objects.create(project=labelled.project, unit_set=other, version=1, is_ready=True)
    with pytest.raises(CommandError, match="--set NAME"):
        run("score_labels", "--project", "study", "--labels", "1")
    said = run_json("score_labels", "--project", "study", "--labels", "1", "--set", "Judged")
    assert said["rows"]


def test_it_makes_writes_and_restores_a_gold_dataset(labelled: LabelSet, tmp_path: Path):
    about = ["--licence", "CC-BY-4.0", "--citation", "@misc{d}", "--description", "Dams."]
    made = run_json(
        "create_gold", "--project", "study", "--name", "Dams", "--labels", labelled.version, *about
    )
    gold = GoldVersion.objects.get()
    assert (made["hash"], made["version"]) == (gold.content_hash, 1)
    assert "Dams v2: " in run("create_gold", "--project", "study", "--name", "Dams")
    path = tmp_path / "gold.zip"
    chosen = ["--name", "Dams", "--gold-version", "1"]
    words = run("export_gold", "--project", "study", *chosen, "--output", path)
    assert words == f"Dams v1: sha256 {gold.content_hash} in {path}.\n"
    again = run_json("import_gold", path, "--project", "again", "--name", "Once more")
    assert (again["hash"], again["problems"]) == (gold.content_hash, [])
    project = Project.objects.get(slug="again")
    assert (project.name, Membership.objects.get(project=project).role) == ("Once more", "owner")
    run("export_gold", "--project", "again", "--output", tmp_path / "again.zip")
    first, second = (zipfile.ZipFile(tmp_path / name) for name in ("gold.zip", "again.zip"))
    assert first.read("gold.jsonl") == second.read("gold.jsonl")
    assert NOISY.encode() not in first.read("gold.jsonl")
    assert sorted(row.name for row in tmp_path.glob("*.zip*")) == ["again.zip", "gold.zip"]


def test_it_gives_worker_ids_when_told(labelled: LabelSet, tmp_path: Path):
    run("create_gold", "--project", "study", "--name", "Dams", "--worker-names", "id")
    path = tmp_path / "gold.jsonl"
    run("export_gold", "--project", "study", "--format", "jsonl", "--output", path)
    assert NOISY in path.read_text()


def test_it_refuses_a_gold_version_that_is_not_there(labelled: LabelSet, tmp_path: Path):
    with pytest.raises(CommandError, match="no such gold version. Known versions: none"):
        run("export_gold", "--project", "study", "--output", tmp_path / "gold.zip")
    with pytest.raises(CommandError, match="needs a name"):
        run("create_gold", "--project", "study", "--name", " ")


def test_it_leaves_no_project_behind_that_was_not_restored(
    gold: GoldVersion, outsider: User, tmp_path: Path
):
    path = tmp_path / "gold.jsonl"
    here = ["import_gold", str(path), "--project", "again"]
    with pytest.raises(CommandError, match="no such file"):
        run(*here)
    run("export_gold", "--project", "study", "--format", "jsonl", "--output", path)
    with pytest.raises(CommandError, match="--owner E-MAIL"):
        run(*here)
    with pytest.raises(CommandError, match="--owner: no account .* who@example.org"):
        run(*here, "--owner", "who@example.org")
    with pytest.raises(CommandError, match="--project: "):
        run("import_gold", path, "--project", "a b", "--owner", outsider.email)
    with pytest.raises(CommandError, match="'study' is taken"):
        run("import_gold", path, "--project", "study", "--owner", outsider.email)
    path.write_text(path.read_text().replace("The dam burst.", "The dam held."))
    out, err = io.StringIO(), io.StringIO()
    with pytest.raises(CommandError, match="Nothing was changed"):
        call_command(*here, "--owner", outsider.email, stdout=out, stderr=err)
    assert err.getvalue().startswith("gold.jsonl")
    assert list(Project.objects.values_list("slug", flat=True)) == ["study"]


def test_it_takes_a_project_back_that_could_not_be_restored_to_its_end(
    gold: GoldVersion, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    path = tmp_path / "gold.zip"
    run("export_gold", "--project", "study", "--output", path)

    def fail(*_: object, **__: object) -> None:
        raise OSError("The disk is full.")

    monkeypatch.setattr("annotation.evaluation.gold.restoring.show_label_set", fail)
    with pytest.raises(CommandError, match="Nothing was changed: Something went wrong"):
        run("import_gold", path, "--project", "again")
    assert not Project.objects.filter(slug="again").exists()


def begin_run(unit_set: UnitSet, *more: str) -> tuple[str, ...]:
    project = unit_set.project.slug
    return ("judge_summaries", "--project", project, "--unit-set", unit_set.name, *more)


@pytest.mark.usefixtures("toys")
def test_it_judges_summaries(judged_set: UnitSet) -> None:
    begun = run_json(*begin_run(judged_set, "--judge", "toy2"))
    assert (begun["is_ready"], begun["counts"]["pairs"]) == (False, 18)
    done = run_json(*begin_run(judged_set, "--judge", "toy2", "--wait", "--function", "l2c"))
    assert done["is_ready"]
    assert done["counts"]["judged"] == 18 - done["counts"]["stored"]
    assert {row["system"] for row in done["systems"]} == {"lead", "soup"}
    said = run(*begin_run(judged_set, "--judge", "toy2", "--wait", "--systems", "lead"))
    assert "0 pairs judged, 9 from cache." in said
    assert "function:p2c" in said


@pytest.mark.usefixtures("toys")
def test_it_says_why_it_does_not_judge(judged_set: UnitSet) -> None:
    for more, words in (
        (("--judge", "oracle"), "there is no judge 'oracle'"),
        (("--judge", "toy-broken", "--wait"), "The toy is broken. Mend it."),
        (("--judge", "toy2", "--systems", "nobody"), "no system 'nobody'"),
    ):
        with pytest.raises(CommandError, match=words):
            run(*begin_run(judged_set, *more))
    assert "started: 18 pairs" in run(*begin_run(judged_set, "--judge", "toy2"))


def training(*more: str) -> tuple[str, ...]:
    said = ("--project", "study", "--base", "lexical", "--name", "dams")
    return ("train_judge", *said, *more)


def test_it_trains_a_judge(gold: GoldVersion) -> None:
    said = run_json(*training("--labels", "1", "--folds", "by-examples", "--k", "3"))
    assert (said["judge"], said["data"]["labels"], len(said["folds"])) == ("dams@1", 18, 3)
    words = run(*training("--gold", "1", "--seed", "4", "--folds", "by-systems", "--k", "2"))
    assert "dams@2: trained on 18 labels" in words
    assert "system-level: Pearson" in words
    assert "No held-out data" in run(*training("--gold", "1", "--gold-name", "Dams"))


def test_it_trains_on_what_there_is(gold: GoldVersion) -> None:
    for more, words in (
        ((), "Give either --labels or --gold"),
        (("--labels", "1", "--gold", "1"), "Give either --labels or --gold"),
        (("--labels", "7"), "no such labels"),
        (("--gold", "7"), "no such gold version"),
        (("--labels", "1", "--folds", "by-examples"), "5 folds can't be made of 3 examples"),
        (("--labels", "1", "--epochs", "0"), "epochs can't be 0"),
    ):
        with pytest.raises(CommandError, match=words):
            run(*training(*more))
