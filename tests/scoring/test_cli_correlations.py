"""`python -m scoring correlations`: every metric of a labelled study in one table."""

import json

import pytest

from scoring.cli import correlations, main
from scoring.metrics import METRICS


def run(capsys, *arguments):
    code = main(["correlations", *map(str, arguments), "--json"])
    said = capsys.readouterr()
    assert code == 0, said.err
    return json.loads(said.out)


def test_it_gives_the_published_correlations(capsys, realsumm_dir):
    asked = ("--metrics", "rouge", "js", "rouge:several=mean", "--resamples", 20)
    found = run(capsys, "--data", realsumm_dir, *asked)
    assert (found["systems"], found["documents"]) == (25, 100)
    rows = {row["metric"]: row for row in found["metrics"]}
    one = rows["rouge rouge1_recall"]
    assert one["system"]["value"] == pytest.approx(0.911132, abs=5e-4)
    assert one["summary"]["value"] == pytest.approx(0.529275, abs=5e-4)
    assert one["system"]["low"] < one["system"]["high"]
    assert rows["rouge:several=mean rouge1_recall"] == one | {
        "metric": "rouge:several=mean rouge1_recall"
    }
    assert rows["js js1"]["summary"]["value"] > 0, "less is better, so it is turned"
    assert set(found["signatures"]) == {"rouge", "js", "rouge:several=mean"}


def test_it_takes_every_metric_and_says_which_it_can_not():
    chosen, left_out = correlations.choose_metrics([])
    assert {*chosen, *left_out} == set(METRICS)
    assert set(left_out) == {"qa_overlap"}


@pytest.mark.parametrize(
    "metric, words",
    [("rogue", "'rogue'"), ("rouge:stem", "'stem' is not an option")],
)
def test_it_refuses_what_it_does_not_know(capsys, tmp_path, metric, words):
    assert main(["correlations", "--data", str(tmp_path), "--metrics", metric]) == 2
    assert words in capsys.readouterr().err


def test_it_prints_a_row_for_each_column():
    told = {"value": 0.5, "low": 0.25, "high": 0.75}
    found = {
        "data": "dams",
        "measure": "pearson",
        "systems": 3,
        "documents": 2,
        "metrics": [{"metric": "length words", "system": told, "summary": told}],
        "left_out": {"qa_overlap": "It needs models."},
        "learned": {"s3": {"summaries": 4, "words": "4 of 6 summaries"}},
    }
    lines = correlations.show(found).splitlines()
    assert lines[0].startswith("dams: 3 systems, 2 documents; pearson")
    assert lines[2].split()[:3] == ["length", "words", "+0.500"]
    assert lines[3].startswith("in-sample: s3 was trained on 4 of 6 summaries")
    assert lines[4] == "qa_overlap was left out: It needs models."
    by_kendall = correlations.show(found | {"measure": "kendall"})
    assert "different actual coverage: kendall, percentile: 98." in by_kendall
