"""Double annotation, names, the archive and the linter of unit sets: from the command line."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from annotation.corpora.accounts.models import User
from annotation.corpora.corpus.models import Example
from annotation.corpora.projects.models import Project, Role
from annotation.units.double.models import DoubleAnnotation
from annotation.units.double.queries import compare_example
from annotation.units.sets.models import UnitSet
from tests import factories
from tests.annotation.units.writing import act, create, span

HERE = ("--project", "study")
AUTHORS = ("ada@example.org", "ben@example.org")


def run(*arguments: object) -> str:
    out = StringIO()
    call_command(*map(str, arguments), stdout=out)
    return out.getvalue()


def read(*arguments: object) -> Any:
    return json.loads(run(*arguments, "--json"))


@pytest.fixture
def people(corpus: Project, owner: User) -> list[User]:
    made = [factories.make_user(name) for name in ("Ada", "Ben", "Cleo")]
    for user in made:
        factories.add_member(corpus, user, Role.ANNOTATOR)
    return made


def test_a_double_annotation_from_start_to_merge(
    people: list[User], e1: Example, tmp_path: Path
) -> None:
    authors = [word for mail in AUTHORS for word in ("--author", mail)]
    made = read("create_double", *HERE, "--name", "twice", *authors, "--last", 2)
    double = DoubleAnnotation.objects.get(pk=made["double"])
    assert made["sets"] == ["twice A v1", "twice B v1"]
    for author, user in zip(double.authors.select_related("set__project"), people, strict=False):
        act(author.set, e1, user, create("The dam burst.", spans=[span(e1, 0, 14)]))
    of = (*HERE, "--double", "twice")
    with pytest.raises(CommandError, match="still being written"):
        run("compare_double", *of)
    assert not read("mark_double_done", *of, "--author", AUTHORS[0])["revealed"]
    assert not read("mark_double_done", *of, "--author", AUTHORS[0], "--undo")["revealed"]
    read("mark_double_done", *of, "--author", AUTHORS[0])
    assert read("mark_double_done", *of, "--author", AUTHORS[1])["revealed"]
    assert read("compare_double", *of)["f1"]["value"] == 1
    [pair] = read("compare_double", *of, "--example", e1.key)
    assert "The dam burst." in run("compare_double", *of, "--example", e1.key)
    double.refresh_from_db()
    assert pair["first"]["id"] == compare_example(double, e1)[0].first.pk  # type: ignore[union-attr]
    path = tmp_path / "merged.json"
    sources = [pair["first"]["id"], pair["second"]["id"]]
    path.write_text(json.dumps({e1.key: [{"text": "The dam burst.", "sources": sources}]}))
    with pytest.raises(CommandError, match="own units"):
        run("merge_double", path, *of, "--by", AUTHORS[0])
    merged = read("merge_double", path, *of, "--by", "cleo@example.org")
    assert merged["examples"] == [e1.key]
    assert UnitSet.objects.get(pk=merged["set"]).units.get().text == "The dam burst."


@pytest.mark.parametrize("text", ["[]", '{"e1": [{"text": "x"}]}', "no"])
def test_a_merge_of_another_shape_is_refused(people: list[User], tmp_path: Path, text: str) -> None:
    authors = [word for mail in AUTHORS for word in ("--author", mail)]
    run("create_double", *HERE, "--name", "twice", *authors, "--last", 1)
    (tmp_path / "m.json").write_text(text)
    of = ("--double", "twice", "--by", "cleo@example.org")
    with pytest.raises(CommandError, match=r"m\.json"):
        run("merge_double", tmp_path / "m.json", *HERE, *of)


def test_it_knows_no_such_double_annotation_and_no_such_author(people: list[User]) -> None:
    with pytest.raises(CommandError, match="Known: none"):
        run("compare_double", *HERE, "--double", "twice")
    authors = [word for mail in AUTHORS for word in ("--author", mail)]
    run("create_double", *HERE, "--name", "twice", *authors, "--last", 1)
    with pytest.raises(CommandError, match="Authors: ada@"):
        run("mark_double_done", *HERE, "--double", "twice", "--author", "cleo@example.org")


def test_sets_are_renamed_and_archived(draft: UnitSet, e1: Example, owner: User) -> None:
    with pytest.raises(CommandError, match="not frozen"):
        run("archive_set", *HERE, "--set", "draft")
    assert read("rename_set", *HERE, "--set", "draft", "--name", "SCUs")["name"] == "SCUs"
    act(draft, e1, owner, create("The dam burst."))
    run("freeze_set", *HERE, "--set", "SCUs", "--reason", "A pilot.")
    assert read("archive_set", *HERE, "--set", "SCUs")["archived"]
    draft.refresh_from_db()
    assert draft.archived_at
    assert not read("archive_set", *HERE, "--set", "SCUs", "--undo")["archived"]


def test_the_linter_reads_a_set(draft: UnitSet, e1: Example, owner: User) -> None:
    act(draft, e1, owner, create("It burst and it flooded."))
    totals = read("check_units", *HERE, "--set", "draft")
    draft.refresh_from_db()
    assert totals == draft.lint["rules"] != {}
    assert "1 unit checked" in run("check_units", *HERE, "--set", "draft")
