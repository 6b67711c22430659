"""Precision, threads, and the identity that a judge's verdicts are kept under."""

import hashlib
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from scoring.backends.nli import folder as folders
from scoring.backends.nli.precision import Int8Linear
from scoring.judge import JudgeOptions, Question, load_judge, read_presence
from tests.scoring.backends.nli_models import SUMMARY, UNITS, make_model

ONE_THREAD = JudgeOptions(threads=1)
QUESTION = Question(SUMMARY, UNITS)


@pytest.mark.parametrize("shape", ["bert", "roberta"])
@pytest.mark.parametrize("precision", ["bf16", "int8"])
def test_it_judges_much_the_same_in_less_precision(
    tmp_path: Path, shape: str, precision: str
) -> None:
    folder = make_model(tmp_path, shape)
    exact = next(load_judge(folder, ONE_THREAD).judge([QUESTION]))
    judge = load_judge(folder, replace(ONE_THREAD, precision=precision))
    found = next(judge.judge([QUESTION]))
    apart = [
        abs(read_presence("p3c", here.logits) - read_presence("p3c", there.logits))
        for here, there in zip(exact, found, strict=True)
    ]
    assert 0 < max(apart) < 0.2
    assert np.mean(apart) < 0.05
    assert found[0].logits.dtype == np.float32
    again = next(judge.judge([QUESTION]))
    assert [one.logits.tolist() for one in again] == [one.logits.tolist() for one in found]


def test_it_quantises_the_encoder_and_not_the_head(tmp_path: Path) -> None:
    judge: Any = load_judge(make_model(tmp_path), replace(ONE_THREAD, precision="int8"))
    modules = dict(judge._model.named_modules())
    assert type(modules["bert.encoder.layer.0.attention.self.query"]) is Int8Linear
    assert type(modules["bert.encoder.layer.1.output.dense"]) is Int8Linear
    assert type(modules["bert.pooler.dense"]) is torch.nn.Linear
    assert type(modules["classifier"]) is torch.nn.Linear


def test_it_multiplies_in_int8_without_overflow() -> None:
    """The largest values that there can be, whose products would not fit in 16 bits."""
    linear = torch.nn.Linear(64, 3)
    with torch.no_grad():
        linear.weight.copy_(torch.tensor([[1.0], [-0.01], [0.0]]).expand(3, 64))
    values = torch.ones(2, 64)
    with torch.inference_mode():
        assert torch.allclose(Int8Linear(linear)(values), linear(values), atol=1e-2, rtol=1e-3)


def test_it_sets_the_threads_it_is_given(tmp_path: Path) -> None:
    before = torch.get_num_threads()
    folder = make_model(tmp_path)
    try:
        load_judge(folder, JudgeOptions(threads=2))
        assert torch.get_num_threads() == 2
        load_judge(folder, JudgeOptions())
        assert torch.get_num_threads() == 2
        load_judge(folder, JudgeOptions(threads=1))
        assert torch.get_num_threads() == 1
    finally:
        torch.set_num_threads(before)


def test_it_is_the_same_judge_wherever_its_files_lie(tmp_path: Path) -> None:
    first = load_judge(make_model(tmp_path / "a"), ONE_THREAD).identity
    second = load_judge(make_model(tmp_path / "b"), JudgeOptions(evidence=True)).identity
    assert (first.name, second.name) == ("a", "b")
    assert first.kind == "nli"
    assert first.key == second.key
    assert "|precision:fp32|window:256|function:l3c|" in first.signature("l3c")


@pytest.mark.parametrize("option", [{"window": 64}, {"precision": "bf16"}, {"precision": "int8"}])
def test_it_is_another_judge_with_other_options(tmp_path: Path, option: dict[str, Any]) -> None:
    folder = make_model(tmp_path)
    plain = load_judge(folder, ONE_THREAD).identity
    other = load_judge(folder, replace(ONE_THREAD, **option)).identity
    assert other.weights == plain.weights
    assert other.key != plain.key


def test_it_is_another_judge_with_other_files(tmp_path: Path) -> None:
    keys = [load_judge(make_model(tmp_path / "m"), ONE_THREAD).identity.key]
    keys.append(load_judge(make_model(tmp_path / "m", seed=1), ONE_THREAD).identity.key)
    path = tmp_path / "m" / "tokenizer_config.json"
    path.write_text(path.read_text() + "\n")
    keys.append(load_judge(str(tmp_path / "m"), ONE_THREAD).identity.key)
    path = tmp_path / "m" / "config.json"
    path.write_text(path.read_text() + "\n")
    keys.append(load_judge(str(tmp_path / "m"), ONE_THREAD).identity.key)
    assert len(set(keys)) == 4
    (tmp_path / "m" / "judge.json").write_text(json.dumps({"name": "said of it"}))
    assert load_judge(str(tmp_path / "m"), ONE_THREAD).identity.key == keys[-1]


def test_it_hashes_a_file_once_until_it_changes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = folders.ModelFolder("it", Path(make_model(tmp_path)))
    digest = made.digest()
    opened: list[Path] = []
    read = hashlib.file_digest

    def watch(file: Any, kind: str) -> Any:
        opened.append(Path(file.name))
        return read(file, kind)

    monkeypatch.setattr(hashlib, "file_digest", watch)
    assert made.digest() == digest
    assert made.digest("columns") != digest
    assert opened == []
    (tmp_path / "config.json").write_bytes(b"{}")
    assert made.digest() != digest
    assert [path.name for path in opened] == ["config.json"]
