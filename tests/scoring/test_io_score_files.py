"""Scores of any metric from CSV, JSONL and SacreROUGE's JSONL."""

from __future__ import annotations

import json

import numpy as np
import pytest

from scoring.io.errors import CorpusError
from scoring.io.score_files import kinds_by_prefix, load_study, read_kinds

ROWS = """doc_id,system,metric,score,flag
a1,bart,human,0.5,
a1,bart,rouge,0.25,
a1,lead,human,0.75,
a1,lead,rouge,,
a2,lead,rouge,1e-3,copied
"""


@pytest.fixture
def write(tmp_path):
    def written(name, text):
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return path

    return written


def test_it_reads_tables_of_systems_and_documents(write):
    study = load_study([write("s.csv", ROWS)], human="human", kinds={"lead": "extractive"})
    assert study.systems == ("bart", "lead")
    assert study.documents == ("a1", "a2")
    assert study.metrics == ("rouge",)
    assert study.kinds == {"lead": "extractive"}
    assert study.people[:, 0].tolist() == [0.5, 0.75]
    assert np.isnan(study.people[:, 1]).all()
    assert np.isnan(study.scores["rouge"]).tolist() == [[False, True], [True, False]]


def test_flagged_rows_can_be_left_out(write):
    study = load_study([write("s.csv", ROWS)], human="human", flagged=False)
    assert study.documents == ("a1",)


def test_scores_can_be_rounded(write):
    study = load_study([write("s.csv", ROWS)], human="human", digits=1)
    assert study.scores["rouge"][0, 0] == 0.2
    assert np.isnan(study.scores["rouge"][1, 0])


def test_lines_of_json_say_the_same(write):
    header, *rows = [line.split(",") for line in ROWS.splitlines()]
    objects = [dict(zip(header, row, strict=True)) for row in rows]
    scored = [
        {**item, "score": float(item["score"]) if item["score"] else None} for item in objects
    ]
    text = "\n".join(map(json.dumps, scored))
    table = load_study([write("s.csv", ROWS)], human="human")
    lines = load_study([write("s.jsonl", text)], human="human")
    assert lines.content_hash() == table.content_hash()


def test_sacrerouge_names_are_joined(write):
    lines = [
        {
            "instance_id": "a1",
            "summarizer_id": 3,
            "summarizer_type": "peer",
            "metrics": {"human": 2, "rouge-1": {"recall": 35.5, "f1": 30}},
        },
        {"instance_id": "a1", "summarizer_id": "4", "metrics": {"human": 1}},
    ]
    study = load_study([write("s.jsonl", "\n".join(map(json.dumps, lines)))], human="human")
    assert study.systems == ("3", "4")
    assert study.metrics == ("rouge-1_recall", "rouge-1_f1")
    assert study.scores["rouge-1_recall"][0, 0] == 35.5


def test_several_files_make_one_study(write):
    more = "doc_id,system,metric,score\na1,bart,bleu,0.1\na1,t5,bleu,0.2\n"
    study = load_study([write("s.csv", ROWS), write("more.csv", more)], human="human")
    assert study.metrics == ("rouge", "bleu")
    assert study.systems == ("bart", "lead", "t5")


@pytest.mark.parametrize(
    "name, text, told",
    [
        ("s.csv", "doc,system,metric,score\n", "s.csv, line 1: The columns are doc"),
        ("s.csv", "", "line 1: The columns are missing"),
        ("s.csv", "doc_id,system,metric,score\na,b,m,high\n", 'line 2: The score is "high"'),
        ("s.csv", "doc_id,system,metric,score\na,b,m,inf\n", "line 2: The score is"),
        ("s.csv", "doc_id,system,metric,score\na,,m,1\n", "line 2: The system is empty"),
        (
            "s.csv",
            "doc_id,system,metric,score\na,b,m\n",
            "line 2: The row has 3 cells and the header 4.",
        ),
        ("s.csv", "doc_id,system,metric,score\na,b,m,1\na,b,m,2\n", "line 3: 'b' has a second 'm'"),
        ("s.csv", 'doc_id,system,metric,score\na,"b"x,m,1\n', "The row is not CSV"),
        ("s.txt", "a", "The file type is not recognised"),
        ("s.jsonl", "[1]", "line 1: The line is not a JSON object"),
        ("s.jsonl", '{"doc_id": "a", "system": "b", "metric": "m"}', "no 'score'"),
        ("s.jsonl", '{"doc_id": "a", "metric": "m", "score": 1}', "no 'system'"),
        ("s.jsonl", '{"doc_id":"a","system":"b","metric":"m","score":true}', "The score is true"),
        ("s.jsonl", '{"instance_id": "a", "summarizer_id": "b"}', "no 'metrics'"),
        (
            "s.jsonl",
            '{"instance_id": "a", "summarizer_id": "b", "metrics": {"m": "x"}}',
            'The score is "x"',
        ),
    ],
)
def test_it_says_which_line_is_wrong(write, name, text, told):
    with pytest.raises(CorpusError) as caught:
        load_study([write(name, text)], human="m")
    assert told in str(caught.value)
    assert name in str(caught.value)


def test_it_says_when_people_are_not_there(write):
    with pytest.raises(ValueError, match="'pyramid'. Known: human, rouge"):
        load_study([write("s.csv", ROWS)], human="pyramid")


def test_kinds_come_from_a_table(write):
    assert read_kinds(write("k.csv", "system,kind\nlead,extractive\n")) == {"lead": "extractive"}
    assert read_kinds(write("k.csv", "system,type\nt5,abstractive\n")) == {"t5": "abstractive"}
    with pytest.raises(CorpusError, match="line 2: The kind is 'neural'"):
        read_kinds(write("k.csv", "system,kind\nlead,neural\n"))


def test_kinds_come_from_names_only_when_asked(write):
    assert kinds_by_prefix(["ext_a", "abs_b", "c"]) == {
        "ext_a": "extractive",
        "abs_b": "abstractive",
    }
    path = write("s.csv", ROWS.replace("lead", "ext_lead"))
    assert load_study([path], human="human").kinds == {}
    assert load_study([path], human="human", by_prefix=True).kinds == {"ext_lead": "extractive"}
    known = load_study([path], human="human", kinds={"ext_lead": "other"}, by_prefix=True)
    assert known.kinds == {"ext_lead": "other"}
