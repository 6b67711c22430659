"""Files that say how documents were chosen."""

from __future__ import annotations

import pytest

from scoring.io.chances import read_chances, read_document_ids
from scoring.io.errors import CorpusError


@pytest.fixture
def write(tmp_path):
    def write(text: str):
        path = tmp_path / "chances.csv"
        path.write_text(text, encoding="utf-8")
        return path

    return write


def test_it_reads_a_chance_a_document(write):
    found = read_chances(write("probability,doc_id,note\n0.25,a,x\n1,b,\n"))
    assert found == {"a": 0.25, "b": 1.0}


@pytest.mark.parametrize(
    "text, message",
    [
        ("", "The columns are missing"),
        ("doc_id,chance\na,1\n", "The columns are doc_id, chance"),
        ("doc_id,probability\na,1.5\n", "line 2: The probability is '1.5'"),
        ("doc_id,probability\na,often\n", "The probability is 'often'"),
        ("doc_id,probability\na\n", "The row has 1 cells and the header 2."),
        ("doc_id,probability\na,1\na,1\n", "line 3: 'a' has a second probability"),
    ],
)
def test_it_says_what_is_wrong_and_where(write, text, message):
    with pytest.raises(CorpusError, match=message):
        read_chances(write(text))


def test_it_reads_ids_by_line(write):
    assert read_document_ids(write("a\n\n b \n")) == ["a", "b"]
