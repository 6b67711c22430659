"""`python -m scoring score`, with judges that need no download."""

import json

import pytest

from scoring.cli import main

UNITS = "The ferry sank.\tNobody was hurt.\nThe lamp was lit."
SUMMARIES = "The ferry sank on Monday.\nBrack lit its lamp."
LABELS = "1\t0\n1"


@pytest.fixture
def study(tmp_path):
    for name, text in {"SCUs.txt": UNITS, "s.summary": SUMMARIES, "s.label": LABELS}.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def score(study, *more, judge="lexical"):
    files = ["--units", str(study / "SCUs.txt"), "--summaries", str(study / "s.summary")]
    return main(["score", *files, "--judge", judge, *more])


def test_it_prints_every_function_that_the_judge_offers(study, capsys):
    assert score(study, "--labels", str(study / "s.label"), "--json") == 0
    found = json.loads(capsys.readouterr().out)
    assert 0 < found["p2c"] < 1
    assert found["score"] == found["p2c"]
    assert "p3c" not in found
    assert found["human"] == 0.75
    assert found["judge"] == "lexical"
    assert found["signature"].startswith("data:")
    assert (found["summaries"], found["units"]) == (2, 3)


def test_it_tells_each_unit_when_asked(study, capsys):
    assert score(study, "--detail", "--json", "--function", "l2c") == 0
    first, second = json.loads(capsys.readouterr().out)["detail"]
    assert first["units"] == ["The ferry sank.", "Nobody was hurt."]
    assert first["presence"] == [1.0, 0.0]
    assert second["document"] == "2"
    assert first["sentences"][0] == 0


def test_it_speaks_to_people_too(study, capsys):
    assert score(study, "--detail", "--labels", str(study / "s.label")) == 0
    told = capsys.readouterr().out
    assert "human  0.7500" in told
    assert "Nobody was hurt." in told


@pytest.mark.parametrize(
    ("files", "more", "message"),
    [
        (
            {},
            ("--judge", "lexicel"),
            "There is no judge 'lexicel'. Use one of embedded, reader, lexical",
        ),
        ({}, ("--judge", "./nowhere"), "There is no folder ./nowhere"),
        ({}, ("--function", "p3c"), "doesn't support p3c"),
        ({}, ("--function", "p9c"), "There is no function 'p9c'"),
        ({"s.summary": "The ferry sank.\n"}, (), "2: The summary is empty"),
        ({"s.summary": "The ferry sank."}, (), "s.summary: The file has 1 lines"),
        ({"SCUs.txt": "The ferry sank.\t \nThe lamp."}, (), "SCUs.txt, line 1"),
        ({"s.label": "1\n1"}, ("--labels",), "1 has 1 labels and 2 units"),
        ({"s.label": "1\t0"}, ("--labels",), "s.label: The file has 1 lines"),
        ({"s.label": "1\tx\n1"}, ("--labels",), "s.label, line 1: A label is 'x'"),
    ],
)
def test_it_names_what_is_wrong(study, files, more, message, capsys):
    for name, text in files.items():
        (study / name).write_text(text, encoding="utf-8")
    told = (*more, str(study / "s.label")) if more == ("--labels",) else more
    assert score(study, *told) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert message in printed.err


def test_empty_summaries_may_carry_nothing(study, capsys):
    (study / "s.summary").write_text("The ferry sank.\n")
    assert score(study, "--empty", "absent", "--detail", "--json") == 0
    assert json.loads(capsys.readouterr().out)["detail"][1]["presence"] == [0.0]


def test_it_gives_the_published_human_score(realsumm_dir, capsys):
    files = {
        "units": "SCUs.txt",
        "summaries": "summaries/abs_bart_out.summary",
        "labels": "labels/abs_bart_out.label",
    }
    given = [part for name, path in files.items() for part in (f"--{name}", realsumm_dir / path)]
    assert main(["score", *map(str, given), "--judge", "lexical", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["human"] == 0.48349483849483854
    assert abs(found["p2c"] - found["human"]) < 0.1
