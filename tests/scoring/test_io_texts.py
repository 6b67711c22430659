"""Texts of a study, a row for each summary."""

import shutil

import pytest

from scoring.io.errors import CorpusError
from scoring.io.marks import without_marks
from scoring.io.texts import read_text_files, read_texts


@pytest.fixture
def study(tmp_path):
    folder = tmp_path / "study"
    (folder / "summaries").mkdir(parents=True)
    files = {
        "ids.txt": ["d1", "d2"],
        "references.txt": ["<t> One . </t> <t> Two . </t>", "Three."],
        "summaries/b.summary": ["b1", "b2"],
        "summaries/a.summary": ["a1", ""],
    }
    for name, lines in files.items():
        (folder / name).write_text("\n".join(lines))
    return folder


def test_rows_lie_by_document_then_by_system(study):
    found = read_texts(study)
    assert found.documents == ("d1", "d1", "d2", "d2")
    assert found.systems == ("a", "b", "a", "b")
    assert found.summaries == ("a1", "b1", "", "b2")
    assert found.references == (("One . Two .",), ("One . Two .",), ("Three.",), ("Three.",))
    assert found.sources == ((), (), (), ())


def test_a_zip_is_read_the_same(study, tmp_path):
    packed = shutil.make_archive(str(tmp_path / "packed"), "zip", study)
    assert read_texts(tmp_path / "packed.zip") == read_texts(study), packed


def test_it_names_a_file_that_is_too_short(study):
    (study / "summaries" / "a.summary").write_text("a1")
    (study / "references.txt").write_text("One.")
    with pytest.raises(CorpusError, match="references.txt"):
        read_texts(study)


def test_one_system_is_named_by_its_file(study):
    found = read_text_files(study / "summaries" / "b.summary", [study / "references.txt"], [], None)
    assert (found.documents, found.systems) == (("1", "2"), ("b", "b"))
    named = read_text_files(study / "summaries" / "b.summary", [], [], study / "ids.txt")
    assert (named.documents, named.references) == (("d1", "d2"), ((), ()))


def test_marks_are_no_words():
    assert without_marks("<t> a b </t> <t> c </t>") == "a b c"
    assert without_marks("a < t > b") == "a < t > b"
