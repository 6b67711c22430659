"""The judge that reads a summary once for all its units."""

from __future__ import annotations

import json

import numpy as np
import pytest
import torch
from transformers import AutoTokenizer

from scoring.backends.nli.pairs import cut_windows
from scoring.backends.prefix_sharing import make_shared, pack, split_units
from scoring.backends.shared import load, save_shared
from scoring.judge import JudgeOptions, Question, load_judge
from tests.scoring.backends.tiny_models import WORDS, make_config, make_encoder, make_tokenizer

SUMMARY = "the old fox ran over the lane . a grey hen sat near the pond , never under the bird ."
UNITS = ("the fox ran", "a hen sat near the pond", "two birds sang", "the hen was grey", "fox")
BOTH = pytest.mark.parametrize("shape", ["bert", "roberta"])


@pytest.fixture(autouse=True)
def one_thread():
    torch.set_num_threads(1)


@pytest.fixture
def make_judge(tmp_path):
    """A folder with an untrained shared judge of the shape."""

    def make(shape="bert", pooling="mean", seed=0):
        base = make_encoder(tmp_path / f"base-{shape}", shape)
        folder = tmp_path / f"{shape}-{pooling}-{seed}"
        tokenizer = AutoTokenizer.from_pretrained(base)
        torch.manual_seed(seed)
        save_shared(make_shared(str(base), tokenizer, pooling), tokenizer, folder)
        card = {"kind": "shared", "pooling": pooling, "function": "p2c"}
        (folder / "judge.json").write_text(json.dumps(card))
        return folder

    return make


def ask(judge, summary, *units):
    [verdicts] = judge.judge([Question(summary, units)])
    return [verdict.logits for verdict in verdicts]


@BOTH
@pytest.mark.parametrize("pooling", ["first", "mean"])
def test_it_says_of_units_together_what_it_says_of_each_alone(make_judge, shape, pooling):
    judge = load_judge(str(make_judge(shape, pooling)))
    together = ask(judge, SUMMARY, *UNITS)
    alone = [ask(judge, SUMMARY, unit)[0] for unit in UNITS]
    assert np.abs(np.array(together) - np.array(alone)).max() <= 1e-5
    assert np.ptp(np.array(alone)[:, 0, 0]) > 1e-3  # units do differ


@BOTH
def test_it_lays_a_pair_out_as_the_model_knows_pairs(make_judge, shape):
    """Tokens, types and positions are the model's own; only the summary does not see the unit."""
    judge = load(str(make_judge(shape)), None, JudgeOptions())
    model, tokenizer = judge.model, judge.tokenizer
    pair = tokenizer(SUMMARY, UNITS[1], return_tensors="pt")
    start = len(tokenizer(SUMMARY).input_ids)
    mask = torch.zeros(1, 1, pair.input_ids.shape[1], pair.input_ids.shape[1])
    mask[..., :start, start:] = -torch.inf
    with torch.inference_mode():
        hidden = model.encoder(**(dict(pair) | {"attention_mask": mask})).last_hidden_state[0]
        expected = model.out(torch.tanh(model.dense(hidden[start:].mean(dim=0))))
    [found] = ask(judge, SUMMARY, UNITS[1])
    assert found[0] == pytest.approx(expected.numpy(), abs=1e-5)


def test_it_pads_without_a_change(make_judge):
    judge = load(str(make_judge()), None, JudgeOptions())
    texts = [([5, 6, 7, 8], [[5, 6], [9]]), ([10, 11], [[12, 13, 14]])]
    with torch.inference_mode():
        batch = judge.model(pack(judge.model.layout, texts))
        parts = torch.cat([judge.model(pack(judge.model.layout, [text])) for text in texts])
    assert torch.allclose(batch, parts, atol=1e-5)
    assert batch.shape == (3, 2)


def test_it_splits_many_units_without_a_change(make_judge):
    judge = load_judge(str(make_judge()))
    units = [f"{one} {two} {WORDS[5]}" for one in WORDS[:12] for two in WORDS[:8]]
    together = np.array(ask(judge, SUMMARY, *units))
    alone = np.array([ask(judge, SUMMARY, unit)[0] for unit in units])
    assert len(list(split_units(20, [6] * len(units)))) > 1
    assert np.abs(together - alone).max() <= 1e-5


def test_it_judges_a_long_summary_by_windows(make_judge):
    judge = load(str(make_judge()), None, JudgeOptions())
    long = " ".join([SUMMARY] * 6)
    tokens = judge.tokenizer(long, add_special_tokens=False).input_ids
    windows = cut_windows(len(tokens), judge.room - judge.room // 4)
    [short], [found] = ask(judge, SUMMARY, "fox"), ask(judge, long, "fox")
    assert short.shape == (1, 2)
    assert found.shape == (len(windows), 2)
    assert len(windows) > 2
    text = judge.tokenizer.decode(tokens[windows[1]])
    assert found[1] == pytest.approx(ask(judge, text, "fox")[0][0], abs=1e-5)


def test_it_gives_a_long_unit_a_window_of_its_own(make_judge):
    judge = load_judge(str(make_judge()))
    long, summary = "fox " * 40, " ".join([SUMMARY] * 3)
    first, second = ask(judge, summary, "hen", long)
    assert len(second) > len(first) > 1
    assert first == pytest.approx(ask(judge, summary, "hen")[0], abs=1e-5)


def test_it_refuses_a_unit_that_fills_the_window(make_judge):
    with pytest.raises(ValueError, match="has 60 tokens, too many"):
        ask(load_judge(str(make_judge())), SUMMARY, "fox " * 60)


def test_it_finds_the_sentence_that_convinces(make_judge):
    judge = load_judge(str(make_judge()), JudgeOptions(evidence=True))
    summary = "The fox ran. The hen sat. The bird sang."
    [verdicts] = judge.judge([Question(summary, ("fox ran", "bird sang"))])
    for unit, verdict in zip(("fox ran", "bird sang"), verdicts, strict=True):
        parts = ["The fox ran.", "The hen sat.", "The bird sang."]
        margins = [np.subtract(*ask(judge, part, unit)[0][0]) for part in parts]
        assert verdict.sentence == int(np.argmax(margins))


def test_it_says_the_same_whatever_was_asked_before(make_judge):
    judge = load_judge(str(make_judge()))
    questions = [Question(SUMMARY, UNITS), Question("a bird flew .", UNITS[:2])]
    [first, second] = judge.judge(questions)
    [again] = judge.judge(questions[1:])
    assert [v.logits.tobytes() for v in second] == [v.logits.tobytes() for v in again]
    assert len(first) == 5


def test_it_is_known_by_its_weights_and_options(make_judge):
    one, other = make_judge(seed=0), make_judge(seed=1)
    identity = load_judge(str(one)).identity
    assert identity.key != load_judge(str(other)).identity.key
    assert identity.key != load_judge(str(one), JudgeOptions(window=40)).identity.key
    (one / "judge.json").write_text('{"kind": "shared", "pooling": "mean", "name": "other"}')
    assert load_judge(str(one)).identity.name == "other"
    assert load_judge(str(one)).identity.key == identity.key
    (one / "judge.json").write_text('{"kind": "shared", "pooling": "first"}')
    assert load_judge(str(one)).identity.key != identity.key
    assert identity.signature("p2c").endswith("function:p2c|giza:0.1.0")


@pytest.mark.parametrize("precision", ["bf16", "int8"])
def test_it_runs_in_other_precisions(make_judge, precision):
    folder = str(make_judge())
    exact = np.array(ask(load_judge(folder), SUMMARY, *UNITS))
    rough = load_judge(folder, JudgeOptions(precision=precision))
    assert 0 < np.abs(exact - np.array(ask(rough, SUMMARY, *UNITS))).max() < 0.2
    assert rough.identity.options["precision"] == precision


@pytest.mark.parametrize(
    "options, message",
    [
        (JudgeOptions(precision="int2"), "There is no precision 'int2'"),
        (JudgeOptions(window=10), "A window of 10 tokens is too small"),
        (JudgeOptions(device="tape"), "The device 'tape' is not available"),
    ],
)
def test_it_refuses_what_it_can_not_do(make_judge, options, message):
    with pytest.raises(ValueError, match=message):
        load_judge(str(make_judge()), options)


def test_it_refuses_a_folder_without_a_shared_judge(tmp_path):
    base = make_encoder(tmp_path / "base", "bert")
    with pytest.raises(ValueError, match="doesn't contain a shared judge"):
        load(str(base), None, JudgeOptions())


def test_it_refuses_weights_that_do_not_fit(make_judge):
    folder = make_judge()
    make_config("bert", hidden_dropout_prob=0.1).save_pretrained(folder)
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps(config | {"num_hidden_layers": 3}))
    with pytest.raises(ValueError, match="can't be loaded"):
        load_judge(str(folder))
    (folder / "model.safetensors").write_bytes(b"no weights")
    with pytest.raises(ValueError, match="can't be loaded"):
        load_judge(str(folder))


def test_it_refuses_another_shape_of_encoder(tmp_path):
    (tmp_path / "config.json").write_text('{"model_type": "t5"}')
    make_tokenizer("bert").save_pretrained(tmp_path)
    with pytest.raises(ValueError, match="of the type bert, roberta.* not t5"):
        make_shared(str(tmp_path), AutoTokenizer.from_pretrained(tmp_path))
