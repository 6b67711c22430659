"""Encoders for metrics: pieces, layers, pooling, and that no text runs twice."""

import json

import numpy as np
import pytest
import torch
from transformers import AutoModel, AutoTokenizer, BertTokenizer

from scoring.backends import encoders
from scoring.backends.encoders import MOST_TOKENS, Kept, cut_batches
from scoring.backends.minilm import find_weights
from scoring.backends.nli.folder import VOCABULARIES
from scoring.errors import InputError
from scoring.judge import load_judge
from scoring.metrics.encoding import (
    PRESETS,
    find_content,
    load_encoder,
    pool_max,
    pool_mean,
    sign_encoder,
    unit_rows,
)
from tests.scoring.backends.nli_models import make_model
from tests.scoring.backends.tiny_models import make_encoder

MARKS = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
TEXTS = ["The council of Brack lit the lamp.", "Rain", "", "A ferry struck the pier at Ammer."]


@pytest.fixture(scope="module", params=["bert", "roberta"])
def folder(request, tmp_path_factory):
    return make_model(tmp_path_factory.mktemp("encoder"), request.param)


@pytest.fixture
def fresh():
    encoders.load_signed.cache_clear()


def run_plainly(folder, text, layer):
    tokenizer = AutoTokenizer.from_pretrained(folder)
    with torch.inference_mode():
        batch = tokenizer(text, return_tensors="pt")
        states = AutoModel.from_pretrained(folder).eval()(**batch, output_hidden_states=True)
    return states.hidden_states[layer][0].numpy()


@pytest.mark.parametrize("layer", [0, 1, 2])
def test_it_gives_the_vectors_of_a_layer(folder, layer):
    for text, found in zip(TEXTS, load_encoder(folder, layer).encode(TEXTS), strict=True):
        assert found.vectors == pytest.approx(run_plainly(folder, text, layer), abs=1e-5)
        assert found.text == text
        assert len(found) == len(found.vectors) == len(found.ids)


def test_it_joins_several_layers_by_mean_highest_and_lowest(folder):
    [found] = load_encoder(folder, 2, 2).encode(TEXTS[:1])
    layers = np.stack([run_plainly(folder, TEXTS[0], layer) for layer in (1, 2)])
    expected = np.concatenate([layers.mean(0), layers.max(0), layers.min(0)], axis=1)
    assert found.vectors == pytest.approx(expected, abs=1e-5)


def test_each_distinct_text_runs_once(folder, fresh):
    encoder = encoders.load(folder, -1, 1)
    first = encoder.encode([*TEXTS, *TEXTS])
    again = encoder.encode(TEXTS[::-1])
    assert encoder.runs == len(TEXTS)
    assert first[0] is first[len(TEXTS)] is again[-1]
    assert load_encoder(folder) is encoder


def test_it_forgets_what_was_used_least_recently():
    kept = Kept(0)
    one, two = (make_encoded(text) for text in ("one", "two"))
    kept.most = one.size + two.size
    kept.put(one)
    kept.put(two)
    assert kept.get("one") is one
    kept.put(make_encoded("six"))
    assert kept.get("two") is None
    assert kept.get("one") is one
    assert kept.bytes <= kept.most


def make_encoded(text):
    [found] = load_encoder("minilm").encode([text])
    return found


def test_it_knows_where_pieces_stand(folder):
    text = "  The lamp, of Brack"
    [found] = load_encoder(folder).encode([text])
    shown = "".join(text[start:end] for start, end in found.spans)
    assert shown.replace(" ", "") == "Thelamp,ofBrack"
    content = {text[start:end].strip() for start, end in found.spans[find_content(found)]}
    assert "".join(content) != ""
    assert not content & {"The", "the", "of", ","}


def test_a_text_longer_than_the_window_is_cut(folder):
    [found] = load_encoder(folder).encode(["lamp " * 2000])
    assert len(found) == 256


def test_stop_words_punctuation_and_marks_are_no_content():
    text = "The unmistakably grey ferry, off Brack."
    found = make_encoded(text)
    words = [text[start:end] for start, end in found.spans[find_content(found)]]
    assert "".join(words) == "unmistakablygreyferryBrack"
    assert [text[a:b] for a, b in found.spans[found.begins]][:3] == ["The", "un", "grey"]


def test_nothing_is_content_in_an_empty_text():
    assert not find_content(make_encoded("")).any()


def test_its_mean_is_what_sentence_transformers_gives():
    from sentence_transformers import SentenceTransformer

    model = SentenceTransformer(str(find_weights()), device="cpu")
    expected = model.encode(TEXTS[:2])
    found = [unit_rows(pool_mean(one)) for one in load_encoder("minilm").encode(TEXTS[:2])]
    assert np.abs(expected - found).max() < 1e-5


def test_it_pools_the_highest_values_between_the_marks():
    found = make_encoded("Rain fell")
    assert pool_max(found).tolist() == found.vectors[1:3].max(axis=0).tolist()
    nothing = make_encoded("")
    assert pool_max(nothing).tolist() == nothing.vectors.max(axis=0).tolist()


def test_words_have_vectors_outside_of_context(folder):
    encoder = load_encoder(folder)
    found = encoder.embed_words(["lamp", "pier", "lamp"])
    assert found.shape == (3, 32)
    assert found[0].tolist() == found[2].tolist() != found[1].tolist()
    assert encoder.embed_words([]).shape == (0, 32)


def test_batches_are_of_like_length():
    half = MOST_TOKENS // 2
    assert cut_batches([half, 3, half, 3, 3, 2000]) == [[1, 3, 4], [0, 2], [5]]


@pytest.mark.parametrize("layer, depth", [(-1, 1), (1, 1), (2, 2)])
def test_its_signature_is_known_without_loading_it(folder, layer, depth):
    assert sign_encoder(folder, layer, depth) == load_encoder(folder, layer, depth).signature


def test_it_lists_the_known_encoders():
    with pytest.raises(ValueError, match=f"'bart'. Known: {', '.join(PRESETS)}"):
        load_encoder("bart")


def test_an_encoder_whose_files_changed_is_loaded_anew(tmp_path):
    name = make_model(tmp_path, "bert", seed=0)
    before = load_encoder(name)
    assert load_encoder(name) is before
    make_model(tmp_path, "bert", seed=1)
    after = load_encoder(name)
    assert after.signature == sign_encoder(name) != before.signature
    first, second = (one.encode(["Rain"])[0].vectors for one in (before, after))
    assert not np.allclose(first, second)


@pytest.mark.parametrize(
    "changed, message",
    [
        ({"pad_token": None}, "has no padding token"),
        ({"post_processor": None}, "adds no special tokens"),
    ],
)
def test_a_tokenizer_that_will_not_do_is_refused(tmp_path, changed, message):
    name = str(make_encoder(tmp_path, "roberta"))
    for file, key in (("tokenizer.json", "post_processor"), ("tokenizer_config.json", "pad_token")):
        path = tmp_path / file
        data = json.loads(path.read_text(encoding="utf-8"))
        path.write_text(json.dumps(data | {key: changed.get(key, data.get(key))}), encoding="utf-8")
    with pytest.raises(ValueError, match=message):
        load_encoder(name)


@pytest.mark.parametrize("shape", ["bert", "roberta"])
def test_a_folder_without_a_tokenizer_is_refused(tmp_path, shape):
    """The library makes up an empty one, in which all texts are alike."""
    name = make_model(tmp_path, shape)
    for pattern in VOCABULARIES:
        for path in tmp_path.glob(pattern):
            path.unlink()
    with pytest.raises(InputError, match="has no tokenizer"):
        load_encoder(name)
    with pytest.raises(InputError, match="has no tokenizer"):
        load_judge(name)


def test_a_tokenizer_that_knows_no_word_is_refused(tmp_path):
    name = make_model(tmp_path, "bert")
    empty = BertTokenizer(vocab={word: place for place, word in enumerate(MARKS)})
    empty.save_pretrained(tmp_path)
    with pytest.raises(InputError, match="has no tokens for the text"):
        load_encoder(name).encode(["The council lit the lamp."])
    with pytest.raises(InputError, match="has no tokens for the text"):
        load_judge(name)


def test_a_text_in_letters_that_a_tokenizer_lacks_is_refused(folder):
    encoder = load_encoder(folder)
    is_unknown = encoder.read(["ሰላም"]) == encoder.read(["ግዕዝ"])
    if is_unknown:
        with pytest.raises(InputError, match="“ሰላም”"):
            encoder.encode(["Rain", "ሰላም"])
    else:
        assert len(encoder.encode(["ሰላም"])[0].ids) > 2, "bytes spell any letter"


def test_a_text_without_letters_may_be_unknown(tmp_path):
    encoder = load_encoder(str(make_encoder(tmp_path, "bert")))
    assert len(encoder.encode(["", "…", "123"])) == 3


def test_it_says_what_is_missing(folder, monkeypatch):
    with pytest.raises(ValueError, match="There is no folder ./nowhere"):
        load_encoder("./nowhere")
    with pytest.raises(ValueError, match="has no layer 7. Use a layer from 0 to 2"):
        load_encoder(folder, 7)
    with pytest.raises(ValueError, match="not 4 layers up to layer 2"):
        load_encoder(folder, 2, 4)
    monkeypatch.setitem(PRESETS, "lost", PRESETS["minilm"].__class__("lost", "", "", "gt_lost"))
    with pytest.raises(ValueError, match="needs the package gt-lost. Install it"):
        sign_encoder("lost")
