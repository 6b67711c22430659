"""Units from files and as files: what comes back is what went out, and problems have names."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from annotation.corpora.accounts.models import User
from annotation.corpora.corpus.models import Example
from annotation.corpora.imports.models import KeptFile
from annotation.corpora.jobs.models import JobState
from annotation.corpora.projects.models import Project
from annotation.errors import DomainError, Forbidden, NotFound
from annotation.units.files import filling
from annotation.units.files import service as files_service
from annotation.units.files.queries import UNIT_FILE_FORMATS, list_kept_files, stream_units
from annotation.units.sets.models import Change, Unit, UnitKind, UnitSet
from annotation.units.studio import progress
from tests import factories
from tests.annotation.corpora.counting import let_lapse
from tests.annotation.units.writing import (
    act,
    add,
    assert_sound,
    create,
    fill,
    freeze,
    live,
    make_two_references,
    on,
    run,
    span,
    unit_line,
    write_lines,
)
from tests.servers import ROOT

SAMPLE = r"^\*\*[^*]+\*\* \(`(\w+)`\)(?:(?!^\*\*).)*?^```\w+\n(.*?)^```"
NAMES = {"lines": "SCUs.txt", "jsonl": "units.jsonl", "csv": "units.csv", "scu_list": "list.csv"}
NAMES["pyramid"] = "pyramids.zip"


# There and back ------------------------------------------------------------------------------


def take_kept(project: Project, owner: User, kept: KeptFile) -> UnitSet:
    outcome = files_service.import_kept_units(project=project, user=owner, kept=kept, anyway=True)
    assert outcome.unit_set is not None, outcome.problems
    run(outcome.unit_set.job)
    return outcome.unit_set


def write_rich(unit_set: UnitSet, owner: User) -> None:
    """Weights, words and extractors, words found by overlap beside chosen ones, and none."""
    e1, e2 = (unit_set.project.examples.get(key=key) for key in ("e1", "e2"))
    both = [span(e1, 0, 7), span(e1, 8, 13), span(e1, 2, 5, reference=1)]
    guessed = {**span(e1, 25, 31), "aligned": True}
    act(
        unit_set,
        e1,
        owner,
        create("The dam burst.", spans=both),
        create("Nobody was hurt.", spans=[guessed]),
        create("On Monday.", spans=[span(e1, 14, 23), guessed]),
        create("=2+2"),
    )
    act(unit_set, e2, owner, create("dam burst", spans=[span(e2, 4, 13)]))
    Unit.objects.filter(text="dam burst").update(
        kind=UnitKind.STU, extractor="srl", extractor_version="1.2"
    )


def unmerge(project: Project) -> None:
    project.studio.delete()
    project.refresh_from_db()


def journey(unit_set: UnitSet, target: Project, folder: Path, format: str) -> UnitSet:
    unit_set.refresh_from_db()
    path = folder / NAMES[format]
    path.write_bytes(b"".join(stream_units(unit_set, format)))
    return fill(target, path, "came")


@pytest.mark.parametrize("format", NAMES)
def test_it_keeps_texts_in_every_format(format: str, owner: User, tmp_path: Path):
    here, there = (make_two_references(owner, tmp_path, slug) for slug in ("here", "there"))
    for project in (here, there):
        unmerge(project)
    unit_set = factories.make_set(here, owner)
    for key, texts in {"e1": ["The dam burst.", "=1+1", "'quoted'"], "e3": ["Müller 🎉"]}.items():
        add(unit_set, here.examples.get(key=key), owner, *texts)
    came = journey(unit_set, there, tmp_path, format)
    assert freeze(came, owner) == freeze(unit_set, owner)
    assert_sound(came)


@pytest.mark.parametrize("format", ["jsonl", "csv"])
def test_it_keeps_everything_in_full_formats(format: str, owner: User, tmp_path: Path):
    here, there = (make_two_references(owner, tmp_path, slug) for slug in ("here", "there"))
    unit_set = factories.make_set(here, owner)
    write_rich(unit_set, owner)
    came = journey(unit_set, there, tmp_path, format)
    assert freeze(came, owner) == freeze(unit_set, owner)
    assert list(Unit.objects.filter(set=came).values_list("weight", flat=True)) == [2, 1, 1, 1, 1]
    stu = Unit.objects.get(set=came, kind="stu")
    assert (stu.extractor, stu.extractor_version) == ("srl", "1.2")


def test_it_keeps_pyramids_with_the_words_they_name(owner: User, tmp_path: Path):
    here, there = (make_two_references(owner, tmp_path, slug) for slug in ("here", "there"))
    unit_set = factories.make_set(here, owner)
    write_rich(unit_set, owner)
    for unit in Unit.objects.filter(contributors__is_aligned=True):
        unit.contributors.filter(is_aligned=True).update(is_aligned=False)
    came = journey(unit_set, there, tmp_path, "pyramid")
    assert freeze(came, owner) == freeze(unit_set, owner)


def test_it_writes_no_deleted_and_no_empty_unit(draft: UnitSet, e1: Example, owner: User):
    units = add(draft, e1, owner, "One.", "Gone.", "")
    act(draft, e1, owner, on(units[1], "delete"))
    assert b"".join(stream_units(draft, "lines")) == b"One.\n\n"
    for unit in (units[0], units[2]):
        act(draft, e1, owner, on(unit, "delete"))
    with pytest.raises(DomainError, match="has no units"):
        stream_units(draft, "lines")


def test_it_says_what_does_not_fit(corpus: Project, owner: User, tmp_path: Path):
    unit_set = factories.make_set(corpus, owner)
    lines = [
        factories.example("a/b", summaries={}),
        factories.example("odd", references=["One.\n-----\nReference 2\n-----\n"], summaries={}),
    ]
    factories.import_corpus(corpus, factories.write_jsonl(tmp_path / "odd.jsonl", lines))
    slash, odd = (corpus.examples.get(key=key) for key in ("a/b", "odd"))
    [unit] = add(unit_set, slash, owner, "BLANK")
    with pytest.raises(DomainError, match="BLANK"):
        stream_units(unit_set, "scu_list")
    with pytest.raises(DomainError, match="'a/b'"):
        stream_units(unit_set, "pyramid")
    act(unit_set, slash, owner, on(unit, "delete"))
    add(unit_set, odd, owner, "One.")
    with pytest.raises(DomainError, match="header of another"):
        stream_units(unit_set, "pyramid")
    with pytest.raises(NotFound, match="Unknown format 'pdf'.*"):
        stream_units(unit_set, "pdf")
    for format in ("lines", "jsonl", "csv", "scu_list"):
        assert b"One." in b"".join(stream_units(unit_set, format))


# Weights and alignment -----------------------------------------------------------------------


@pytest.mark.parametrize(
    "unit, merged, unmerged",
    [
        ({"text": "The dam burst.", "weight": 3}, 3, 3),
        ({"text": "The dam burst."}, 1, 1),
        (
            {
                "text": "The dam burst.",
                "contributors": [{"reference": n, "start": 0, "end": 5} for n in (0, 1, 1)],
            },
            2,
            1,
        ),
    ],
)
def test_it_weighs_as_the_file_says(
    unit: dict[str, Any], merged: int, unmerged: int, owner: User, tmp_path: Path
):
    project = make_two_references(owner, tmp_path)
    path = write_lines(tmp_path / "units.jsonl", unit_line("e1", unit))
    assert Unit.objects.get(set=fill(project, path, "merged")).weight == merged
    unmerge(project)
    assert Unit.objects.get(set=fill(project, path, "unmerged")).weight == unmerged


def test_it_finds_the_words_of_units_without_any(owner: User, tmp_path: Path):
    project = make_two_references(owner, tmp_path)
    path = write_lines(tmp_path / "u.jsonl", unit_line("e1", "Nobody was hurt.", "All are safe."))
    units = list(Unit.objects.filter(set=fill(project, path)))
    words = [
        [part.reference.text[part.start : part.end] for part in unit.contributors.all()]
        for unit in units
    ]
    assert words == [["Nobody was hurt"], ["All are safe"]]
    assert all(part.is_aligned for unit in units for part in unit.contributors.all())


def test_it_goes_on_counting_where_a_table_comes_back(corpus: Project, tmp_path: Path):
    path = tmp_path / "units.csv"
    path.write_text("example_id,text\ne1,One.\ne2,Two.\ne1,Three.\ne2,Four.\n")
    made = fill(corpus, path)
    assert live(made, corpus.examples.get(key="e1")) == ["One.", "Three."]
    assert_sound(made)


# Resuming ------------------------------------------------------------------------------------


class Killed(BaseException):
    """A worker that is gone, without a chance to say so."""


@pytest.mark.parametrize("at", ["_write", "ensure_assignments", "forget_files"])
def test_it_goes_on_where_a_killed_worker_stopped(
    at: str, corpus: Project, owner: User, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(filling, "EXAMPLES_A_STEP", 1)
    outcome = files_service.import_uploaded_units(
        project=corpus,
        user=owner,
        name="sent",
        files=[("units.csv", [b"example_id,text\n", b"e1,One.\ne2,Two.\ne1,Three.\n"])],
        anyway=True,
    )
    made = outcome.unit_set
    assert made is not None
    whole, calls = getattr(filling, at), []

    def die(*args: Any) -> Any:
        calls.append(args)
        result = whole(*args)
        if len(calls) == (2 if at == "_write" else 1):
            raise Killed
        return result

    monkeypatch.setattr(filling, at, die)
    with pytest.raises(Killed):
        run(made.job)
    assert made.job is not None
    let_lapse(made.job)
    assert run(made.job).state == JobState.DONE
    made.refresh_from_db()
    assert list(Unit.objects.values_list("text", flat=True).order_by("text")) == [
        "One.",
        "Three.",
        "Two.",
    ]
    assert_sound(made)


# Files that came along -----------------------------------------------------------------------


def test_it_makes_sets_of_files_that_came_along(corpus: Project, owner: User, tmp_path: Path):
    """Lines go by the import that brought the file, wherever its examples stand."""
    later = [factories.example(f"late{n}", summaries={}) for n in range(2)]
    path = factories.write_jsonl(tmp_path / "later.jsonl", later)
    source = factories.import_corpus(corpus, path)
    files = [
        KeptFile.objects.create(source=source, name=name, data=b"One.\tTwo.\nThree.")
        for name in ("SCUs.txt", "STUs.txt", "STUs_SCUs_percentage50.txt")
    ]
    assert set(list_kept_files(corpus)) == set(files[:2])
    names = []
    for kept in (files[0], files[0], files[1]):
        made = take_kept(corpus, owner, kept)
        names.append(made.name)
        assert live(made, corpus.examples.get(key="late0")) == ["One.", "Two."]
    assert names == ["SCUs", "SCUs 2", "STUs"]
    bad = KeptFile.objects.create(source=source, name="scus.txt", data=b"One.")
    refused = files_service.import_kept_units(project=corpus, user=owner, kept=bad)
    assert (refused.unit_set, refused.doubtful) == (None, False)
    assert refused.problems[0]["message"] == "The file has 1 lines."
    assert not Change.objects.exists()


def test_it_reads_a_file_that_came_alone_by_all_examples(
    corpus: Project, owner: User, tmp_path: Path
):
    """An import that brought summaries or units for known examples has none of its own."""
    lines = [factories.example(f"e{n}", summaries={"new": "Dam."}) for n in (1, 2, 3)]
    path = factories.write_jsonl(tmp_path / "again.jsonl", lines)
    source = factories.import_corpus(corpus, path)
    assert not source.examples.exists()
    kept = KeptFile.objects.create(source=source, name="SCUs.txt", data=b"One.\n\nThree.")
    made = take_kept(corpus, owner, kept)
    assert live(made, corpus.examples.get(key="e3")) == ["Three."]


def test_it_explains_every_format_that_it_writes():
    assert {item.value for item in UNIT_FILE_FORMATS} == {*NAMES, "pan"}


def samples() -> list[tuple[str, str]]:
    """The samples of the section on files of units in docs/formats.md: (format, text)."""
    text = (ROOT / "docs" / "formats.md").read_text()
    section = text.split("\n## Files of units\n")[1].split("\n## ")[0]
    return re.findall(SAMPLE, section, re.DOTALL | re.MULTILINE)


def test_it_reads_the_samples_of_the_documents(owner: User, tmp_path: Path):
    project = factories.make_project(owner, "documented")
    texts = ["The dam burst on Monday.", "A dam burst. All are safe."]
    corpus = [factories.example("a1", references=texts)]
    factories.import_corpus(project, factories.write_jsonl(tmp_path / "c.jsonl", corpus))
    assert [format for format, _ in samples()] == ["jsonl", "csv", "scu_list"]
    for format, sample in samples():
        path = tmp_path / NAMES[format]
        path.write_text(sample)
        made = fill(project, path, format)
        assert list(made.units.values_list("text", flat=True)) == ["The dam burst."]


# What is left to do --------------------------------------------------------------------------


def test_it_takes_what_came_from_a_file_for_written(owner: User, editor: User, tmp_path: Path):
    """By whoever brought it in, so that somebody else has to check it."""
    project = make_two_references(owner, tmp_path)
    path = write_lines(tmp_path / "units.jsonl", unit_line("e1", "The dam burst."))
    outcome = files_service.import_unit_file(project=project, user=owner, name="came", path=path)
    assert outcome.unit_set is not None, outcome.problems
    run(outcome.unit_set.job)
    rows = outcome.unit_set.assignments.order_by("example__key")
    assert [(row.state, row.author, row.written_by) for row in rows] == [
        ("written", owner, owner),
        ("todo", None, None),
        ("todo", None, None),
    ]
    came, example = outcome.unit_set, rows[0].example
    with pytest.raises(Forbidden, match="their own units"):
        progress.sign_off(unit_set=came, example=example, user=owner)
    signed = progress.sign_off(unit_set=came, example=example, user=editor)
    assert signed.state == "signed"
