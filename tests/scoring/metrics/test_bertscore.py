"""BERTScore, against the authors' package and by hand."""

import numpy as np
import pytest

from scoring.metrics import load_metric
from scoring.metrics.greedy import harmonic_mean, match_greedily, match_many, weigh
from tests.scoring.backends.nli_models import make_model

SUMMARIES = [
    "The council lit the lamp.",
    "  A ferry struck the pier at Ammer, twice; two of its crew were hurt. ",
    "Rain",
    "The council lit the lamp.",
]
REFERENCES = [
    ["On Friday the council of Brack lit its harbour lamp."],
    ["A ferry hit the pier.", "Two of the crew of a ferry were hurt at Ammer."],
    ["Nobody came to see it, because of rain."],
    ["The council lit the lamp.", "Rain."],
]


@pytest.fixture(scope="module", params=["bert", "roberta"])
def folder(request, tmp_path_factory):
    return make_model(tmp_path_factory.mktemp("encoder"), request.param)


def ask_the_package(folder, layer, **more):
    import bert_score

    found = bert_score.score(
        SUMMARIES, REFERENCES, model_type=folder, num_layers=layer, device="cpu", **more
    )
    return np.column_stack([column.numpy() for column in found])


@pytest.mark.parametrize("layer", [1, 2])
def test_it_equals_the_package(folder, layer):
    metric = load_metric("bertscore", {"encoder": folder, "layer": layer})
    found = metric.score(SUMMARIES, REFERENCES, [])
    assert found.columns == ("precision", "recall", "f1")
    assert np.abs(found.values - ask_the_package(folder, layer)).max() < 1e-4


def test_it_equals_the_package_with_idf(folder, tmp_path):
    texts = [text for listed in REFERENCES for text in listed]
    path = tmp_path / "texts.txt"
    path.write_text("\n".join(texts) + "\n", encoding="utf-8")
    plain = load_metric("bertscore", {"encoder": folder}).score(SUMMARIES, REFERENCES, [])
    metric = load_metric("bertscore", {"encoder": folder, "idf": str(path)})
    found = metric.score(SUMMARIES, REFERENCES, [])
    assert np.abs(found.values - ask_the_package(folder, 2, idf=True, nthreads=0)).max() < 1e-4
    assert np.abs(found.values - plain.values).max() > 1e-3


def test_it_equals_the_package_with_the_embedded_encoder():
    from scoring.backends.minilm import find_weights

    found = load_metric("bertscore").score(SUMMARIES, REFERENCES, [])
    assert np.abs(found.values - ask_the_package(str(find_weights()), 6)).max() < 1e-4
    assert found.values[3] == pytest.approx([1, 1, 1], abs=1e-5)


def test_it_rescales_by_a_baseline(folder, tmp_path):
    path = tmp_path / "baseline.csv"
    path.write_text("LAYER,P,R,F\n1,0,0,0\n2,0.5,0.25,0.2\n", encoding="utf-8")
    plain = load_metric("bertscore", {"encoder": folder}).score(SUMMARIES, REFERENCES, [])
    metric = load_metric("bertscore", {"encoder": folder, "baseline": str(path)})
    found = metric.score(SUMMARIES, REFERENCES, []).values
    assert found[:, 0] == pytest.approx((plain.values[:, 0] - 0.5) / 0.5)
    assert found[:, 1] == pytest.approx((plain.values[:, 1] - 0.25) / 0.75)
    assert found[:, 2] == pytest.approx((plain.values[:, 2] - 0.2) / 0.8)


def test_it_names_a_layer_that_a_baseline_lacks(folder, tmp_path):
    path = tmp_path / "baseline.csv"
    path.write_text("LAYER,P,R,F\n1,0,0,0\n", encoding="utf-8")
    metric = load_metric("bertscore", {"encoder": folder, "baseline": str(path)})
    with pytest.raises(ValueError, match="no row LAYER,P,R,F for layer 2"):
        metric.score(SUMMARIES, REFERENCES, [])


def test_an_empty_summary_has_nothing(folder):
    metric = load_metric("bertscore", {"encoder": folder})
    found = metric.score(["", "Rain"], [["Rain"], [" "]], []).values
    assert found.tolist() == [[0, 0, 0], [0, 0, 0]]


def test_a_row_depends_on_its_own_texts_alone(folder):
    metric = load_metric("bertscore", {"encoder": folder})
    together = metric.score(SUMMARIES, REFERENCES, []).values
    alone = [
        metric.score([s], [r], []).values[0] for s, r in zip(SUMMARIES, REFERENCES, strict=True)
    ]
    assert np.abs(together - alone).max() < 1e-5


def test_it_signs_with_weights_layer_and_files(folder, tmp_path):
    path = tmp_path / "texts.txt"
    path.write_text("rain\n", encoding="utf-8")
    signatures = {
        load_metric("bertscore", {"encoder": folder, **more}).signature
        for more in ({}, {"layer": 1}, {"idf": str(path)})
    }
    assert len(signatures) == 3
    same = load_metric("bertscore", {"encoder": folder, "layer": 2}).signature
    assert same in signatures


def test_it_says_which_file_is_missing(folder):
    with pytest.raises(ValueError, match="There is no file /nowhere/texts"):
        _ = load_metric("bertscore", {"encoder": folder, "idf": "/nowhere/texts"}).signature


CANDIDATE = np.array([[1, 0], [0, 1]], dtype=np.float32)
REFERENCE = np.array([[0.6, 0.8], [1, 0], [0, -1]], dtype=np.float32)


def test_it_matches_by_hand():
    """Cosines are .6 1 0 over .8 0 -1: the highest of each row, and of each column."""
    precision, recall = match_greedily(CANDIDATE, REFERENCE)
    assert precision == pytest.approx([1, 0.8])
    assert recall == pytest.approx([0.8, 1, 0])
    assert weigh(precision, np.array([1.0, 1.0])) == pytest.approx(0.9)
    assert weigh(recall, np.array([3.0, 1.0, 0.0])) == pytest.approx((3 * 0.8 + 1) / 4)
    assert weigh(recall, np.zeros(3)) == 0


def test_many_at_once_are_matched_like_one():
    other = np.array([[0, -1]], dtype=np.float32)
    found = match_many([CANDIDATE, other], REFERENCE)
    for candidate, (precision, recall) in zip([CANDIDATE, other], found, strict=True):
        expected = match_greedily(candidate, REFERENCE)
        assert precision.tolist() == expected[0].tolist()
        assert recall.tolist() == expected[1].tolist()


@pytest.mark.parametrize("squared, expected", [(1, 0.48), (2, 3 * 0.24 / (0.6 + 0.8))])
def test_it_weighs_recall_by_beta(squared, expected):
    assert harmonic_mean(0.4, 0.6, squared) == pytest.approx(expected)
    assert harmonic_mean(0, 0, squared) == 0
