"""The trainer, on small models."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import torch
from safetensors.torch import load_file
from transformers import AutoModelForSequenceClassification, AutoTokenizer

from scoring.backends.checkpoints import find_checkpoints, save_checkpoint
from scoring.backends.finetuning import describe_base, plan_batches, schedule, train
from scoring.backends.learners import make_learner
from scoring.finetune import FineTuneOptions, TrainingRecord
from tests.scoring.backends.tiny_models import THREE, make_classifier, make_encoder
from tests.scoring.finetune.toy import make_records

RECORDS = make_records(documents=5, systems=2)
FAST: dict[str, Any] = {
    "learning_rate": 3e-3,
    "epochs": 2,
    "batch_size": 8,
    "threads": 1,
    "checkpoint_every": 3,
}


class Killed(Exception):
    pass


@pytest.fixture(autouse=True)
def one_thread():
    torch.set_num_threads(1)


@pytest.fixture
def options(tmp_path):
    def make(sharing="shared", shape="bert", **more):
        if sharing == "shared":
            base = make_encoder(tmp_path / f"encoder-{shape}", shape)
        else:
            base = make_classifier(tmp_path / f"classifier-{shape}", shape)
        return FineTuneOptions(str(base), sharing=sharing, **(FAST | more))

    return make


def run(options, folder, tell=None, records=RECORDS):
    facts = train(records, options, work=folder / "work", result=folder / "model", tell=tell)
    return facts, load_file(folder / "model" / "model.safetensors")


def same(one, other):
    return one.keys() == other.keys() and all(torch.equal(one[key], other[key]) for key in one)


def kill_at(step):
    def tell(progress):
        if progress.step == step:
            raise Killed

    return tell


@pytest.mark.parametrize("sharing", ["shared", "pairs"])
def test_it_gives_the_same_weights_after_kills(options, tmp_path, sharing):
    wanted = options(sharing)
    facts, whole = run(wanted, tmp_path / "whole")
    broken = tmp_path / "broken"
    for step in (2, 5, 8):  # before the first checkpoint, between two, after another
        with pytest.raises(Killed):
            run(wanted, broken, kill_at(step))
        assert not (broken / "model").exists()
    steps: list[int] = []
    again, weights = run(wanted, broken, lambda progress: steps.append(progress.step))
    assert steps[0] == 7  # the checkpoint of step 6 was taken up
    assert same(whole, weights)
    assert again == facts


def test_it_trains_the_same_for_the_same_seed(options, tmp_path):
    wanted = options()
    _, one = run(wanted, tmp_path / "one")
    torch.manual_seed(99)  # the state of the world around does not matter
    state = torch.get_rng_state()
    _, two = run(wanted, tmp_path / "two")
    assert torch.equal(state, torch.get_rng_state())
    assert same(one, two)
    _, other = run(replace(wanted, seed=1), tmp_path / "other")
    assert not same(one, other)


def test_it_forgets_a_checkpoint_that_was_not_finished(options, tmp_path):
    wanted = options()
    _, whole = run(wanted, tmp_path / "whole")
    part = tmp_path / "broken" / "work" / ".checkpoint-1"
    part.mkdir(parents=True)
    (part / "model.safetensors").write_bytes(b"half")
    assert find_checkpoints(part.parent) == []
    assert same(whole, run(wanted, tmp_path / "broken")[1])


def test_it_keeps_the_last_checkpoint_alone(tmp_path):
    model = torch.nn.Linear(2, 2)
    optimiser = torch.optim.AdamW(model.parameters())
    for step in (9, 10, 200):
        save_checkpoint(tmp_path, step, model, optimiser, {})
    assert [path.name for path in tmp_path.iterdir()] == ["checkpoint-00000200"]


@pytest.mark.parametrize("sharing, shape", [("shared", "roberta"), ("pairs", "bert")])
def test_it_learns(options, tmp_path, sharing, shape):
    wanted = options(sharing, shape, epochs=12, batch_size=16)
    facts, _ = run(wanted, tmp_path)
    losses = facts["training"]["losses"]
    assert len(losses) == 12
    assert losses[-1] < 0.7 * losses[0]
    assert facts["training"]["units"] == 40


def test_it_tells_how_far_it_is(options, tmp_path):
    told: list[Any] = []
    facts, _ = run(options(), tmp_path, told.append)
    steps = facts["training"]["steps"]
    assert [progress.step for progress in told] == list(range(1, steps + 1))
    assert {progress.steps for progress in told} == {steps}
    assert all(progress.loss > 0 and progress.pairs_per_second > 0 for progress in told)


@pytest.mark.parametrize(
    "labels, present",
    [
        (THREE, lambda z: [z[0], z[1] + z[2]]),
        (("contradiction", "neutral", "ENTAILMENT"), lambda z: [z[2], z[0] + z[1]]),
        (("neutral", "entailment", "contradiction"), lambda z: [z[1], z[0] + z[2]]),
        (("not_entailment", "entailment"), lambda z: [z[1], z[0]]),
        (("entailment", "not_entailment"), lambda z: [z[0], z[1]]),
    ],
)
def test_it_reads_entailment_from_the_models_own_labels(tmp_path, labels, present):
    base = make_classifier(tmp_path / "base", "roberta", labels)
    learner = make_learner(FineTuneOptions(str(base)))
    learner.module.eval()
    items = learner.prepare(RECORDS[:1])
    with torch.no_grad():
        found = learner.logits(items)
    model = AutoModelForSequenceClassification.from_pretrained(base).eval()
    tokenizer = AutoTokenizer.from_pretrained(base)
    for unit, logits in zip(RECORDS[0].units, found, strict=True):
        pair = tokenizer(RECORDS[0].summary, unit, return_tensors="pt")
        with torch.no_grad():
            plain = model(**pair).logits[0]
        assert torch.allclose(logits, torch.stack(present(plain)), atol=1e-5)
    assert learner.card()["labels"] == list(labels)


def test_it_puts_a_new_head_on_a_plain_encoder(tmp_path):
    base = make_encoder(tmp_path / "base", "bert")
    wanted = FineTuneOptions(str(base), **FAST)
    facts, _ = run(wanted, tmp_path)
    assert (facts["kind"], facts["classes"]) == ("nli", 2)
    config = json.loads((tmp_path / "model" / "config.json").read_text())
    assert config["id2label"] == {"0": "entailment", "1": "not_entailment"}


@pytest.mark.parametrize(
    "labels, message",
    [
        (("LABEL_0", "LABEL_1", "LABEL_2"), "doesn't say which class is entailment"),
        (("one", "two", "three", "four"), "has 4 classes"),
    ],
)
def test_it_refuses_a_model_without_entailment(tmp_path, labels, message):
    base = make_classifier(tmp_path / "base", "bert", labels)
    with pytest.raises(ValueError, match=message):
        make_learner(FineTuneOptions(str(base)))


@pytest.mark.parametrize("sharing", ["pairs", "shared"])
def test_it_refuses_a_base_that_is_none(tmp_path, sharing):
    with pytest.raises(ValueError, match=r"has no config.json"):
        make_learner(FineTuneOptions(str(tmp_path), sharing=sharing))
    with pytest.raises(ValueError, match="'lexical' can't be fine-tuned"):
        make_learner(FineTuneOptions("lexical", sharing=sharing))


@pytest.mark.parametrize("sharing", ["pairs", "shared"])
def test_it_counts_summaries_that_it_cut(options, tmp_path, sharing):
    long = replace(RECORDS[0], document="long", summary="the fox ran . " * 40)
    facts, _ = run(options(sharing, epochs=1), tmp_path, records=[*RECORDS, long])
    assert facts["training"]["summaries_cut"] == 1


def test_it_learns_from_what_has_text_and_label(options):
    learner = make_learner(options())
    gaps = TrainingRecord("d", "s", "the fox ran .", ("fox ran", "fox sat"), (None, 1))
    empty = TrainingRecord("e", "s", " ", ("fox ran",), (0,))
    [item] = learner.prepare([gaps, empty])
    assert (item.places, item.labels) == ((1,), [1])


def test_it_refuses_to_train_on_nothing(options, tmp_path):
    empty = TrainingRecord("e", "s", " ", ("fox ran",), (0,))
    with pytest.raises(ValueError, match="no training data"):
        run(options(), tmp_path, records=[empty])


def test_it_plans_every_item_once_an_epoch():
    wanted = FineTuneOptions("x", epochs=3, batch_size=10)
    sizes = [4, 12, 5, 3, 1, 9]
    plan = plan_batches(sizes, wanted)
    for epoch in range(3):
        batches = [batch for number, batch in plan if number == epoch]
        assert sorted(place for batch in batches for place in batch) == list(range(6))
        assert all(len(batch) == 1 or sum(sizes[p] for p in batch) <= 10 for batch in batches)
    assert plan == plan_batches(sizes, wanted)
    assert plan != plan_batches(sizes, replace(wanted, seed=1))


def test_it_warms_up_and_cools_down():
    rates = [schedule(step, 20, 0.2) for step in range(20)]
    assert rates[:4] == [0.25, 0.5, 0.75, 1.0]
    assert rates[4] == 1.0
    assert np.diff(rates[4:]) == pytest.approx(-1 / 16)
    assert rates[-1] == pytest.approx(1 / 16)
    assert schedule(0, 5, 0) == 1.0


def test_it_knows_the_base_to_the_byte(tmp_path):
    base = make_encoder(tmp_path / "base", "bert")
    wanted = FineTuneOptions(str(base), sharing="shared")
    before = describe_base(wanted)
    assert before == describe_base(wanted)
    (base / "extra.txt").write_text("x")
    assert describe_base(wanted) != before
