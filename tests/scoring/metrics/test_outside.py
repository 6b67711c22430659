"""Options that name files or models outside of the program are known as such."""

import pytest

from scoring.metrics import METRICS, list_options, list_outside


@pytest.mark.parametrize(
    "metric, options, found",
    [
        ("bertscore", {}, []),
        ("bertscore", {"encoder": "roberta-large", "layer": 3}, []),
        ("bertscore", {"encoder": "./mine"}, ["encoder"]),
        ("bertscore", {"encoder": "owner/model", "idf": "/etc/hosts"}, ["encoder", "idf"]),
        ("bertscore", {"baseline": "b.csv"}, ["baseline"]),
        ("sem_ncg", {"encoders": "minilm, mpnet"}, []),
        ("sem_ncg", {"encoders": "minilm,/models/mine"}, ["encoders"]),
        ("s3", {"model": "pyr"}, []),
        ("s3", {"model": "s3.json"}, ["model"]),
        ("qa_overlap", {"asker": "owner/a", "answerer": "owner/b"}, ["asker", "answerer"]),
        ("basic_elements", {"parser": "/models/parser"}, ["parser"]),
        ("rouge", {"stem": False}, []),
    ],
)
def test_it_finds_what_is_outside(metric, options, found):
    assert list_outside(metric, options) == found


def test_every_option_that_speaks_of_files_is_marked():
    spoken = ("folder", "file", "a table")
    for name in METRICS:
        for option in list_options(name):
            if any(word in option.what for word in spoken):
                assert option.is_outside, f"{name}: {option.name}"
