"""`python -m scoring held-out`, on a study of our own in the published layout."""

import json

import pytest

from scoring.cli import main
from tests.scoring.finetune.toy import make_records, write_study


@pytest.fixture
def data(tmp_path):
    learned = make_records(documents=6, systems=4)
    realsumm = write_study(tmp_path / "realsumm", learned)
    write_study(tmp_path / "pyrxsum", make_records(documents=3, systems=3))
    for by, key, ending in (("by_examples", "document", "id"), ("by_systems", "system", "sys")):
        names = sorted({getattr(record, key) for record in learned})
        (realsumm / by).mkdir()
        for place in (0, 1):
            (realsumm / by / f"fold{place + 1}.{ending}").write_text("\n".join(names[place::2]))
    return tmp_path


def test_it_prints_three_settings_beside_the_papers(data, capsys):
    assert main(["held-out", "--data", str(data), "--judge", "lexical", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    settings = [row["setting"] for row in found["rows"]]
    assert settings == [
        "REALSumm, 5 folds by examples",
        "REALSumm, 5 folds by systems",
        "PyrXSum, out of the box",
    ]
    assert all(0 <= row["accuracy"] <= 1 for row in found["rows"])
    assert [row["summary_level"] for row in found["paper"]] == [".56", ".64", ".48", ".56", ".70"]


def test_it_is_a_table(data, capsys):
    assert main(["held-out", "--data", str(data), "--judge", "lexical"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert "summary" in lines[0]
    assert sum("lexical" in line for line in lines) == 3
    assert sum("paper" in line for line in lines) == 5
