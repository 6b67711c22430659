"""Which model it is, and what can be none: names, folders, labels, devices."""

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import torch
from safetensors.torch import load_file, save_file

from scoring.backends.nli import folder as folders
from scoring.backends.nli.labels import read_columns
from scoring.backends.nli.precision import list_devices
from scoring.judge import PRESETS, JudgeOptions, Question, load_judge
from tests.scoring.backends.nli_models import ENC, SUMMARY, UNITS, make_model

ONE_THREAD = JudgeOptions(threads=1)
QUESTION = Question(SUMMARY, UNITS)


def config(*labels: str, label2id: dict[str, int] | None = None) -> Any:
    return SimpleNamespace(id2label=dict(enumerate(labels)), label2id=label2id)


def write_card(folder: Path, **card: Any) -> None:
    (folder / "judge.json").write_text(json.dumps(card))


@pytest.mark.parametrize(
    "labels, columns",
    [
        (("entailment", "neutral", "contradiction"), (0, 1, 2)),
        (("CONTRADICTION", "NEUTRAL", "ENTAILMENT"), (2, 1, 0)),
        (("Contradiction", "Entailment", "Neutral"), (1, 2, 0)),
        (("entailment", "not_entailment"), (0, 1)),
        (("not-entailment", "Entailment"), (1, 0)),
        (("not present", "present"), (1, 0)),
        (("absent", "present"), (1, 0)),
        (("contradiction", "entailment"), (1, 0)),
    ],
)
def test_it_reads_the_columns_off_the_labels(
    labels: tuple[str, ...], columns: tuple[int, ...]
) -> None:
    assert read_columns(config(*labels), (), "it") == columns


def test_it_reads_the_columns_off_label2id_where_id2label_is_generic() -> None:
    label2id = {"contradiction": 0, "entailment": 1, "neutral": 2}
    assert read_columns(config("LABEL_0", "LABEL_1", "LABEL_2", label2id=label2id), (), "it") == (
        1,
        2,
        0,
    )


@pytest.mark.parametrize(
    "labels, stated, message",
    [
        (
            ("LABEL_0", "LABEL_1", "LABEL_2"),
            (),
            "its labels are LABEL_0, LABEL_1, LABEL_2. Set id2label",
        ),
        (
            ("positive", "negative"),
            (),
            "which class is entailment: its labels are positive, negative",
        ),
        (("entailment", "neutral", "other"), (), "its labels are entailment, neutral, other"),
        (("entailment", "entails"), (), "its labels are entailment, entails"),
        (("score",), (), r"one class \(score\). A judge has two"),
        (("a", "b", "c", "d"), (), r"4 classes \(a, b, c, d\). A judge has two"),
        ((), (), r"0 classes \(none\)"),
        (("L0", "L1"), ENC, r"2 classes \(L0, L1\); these don't match them: entailment, neutral"),
        (("L0", "L1"), ("a", "b"), "these don't match them: a, b"),
        (ENC, ("neutral", "entailment", "contradiction"), "Correct the wrong one"),
    ],
)
def test_it_refuses_labels_without_entailment(
    labels: tuple[str, ...], stated: tuple[str, ...], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        read_columns(config(*labels), stated, "owner/model")


def test_it_refuses_a_model_of_generic_labels_until_a_card_names_them(tmp_path: Path) -> None:
    folder = make_model(tmp_path, "bert", None, num_labels=3)
    with pytest.raises(ValueError, match='LABEL_0, LABEL_1, LABEL_2.*"labels" in a judge.json'):
        load_judge(folder, ONE_THREAD)
    write_card(tmp_path, kind="nli", labels=["neutral", "entailment", "contradiction"])
    judge = load_judge(folder, ONE_THREAD)
    assert judge.classes == 3
    assert judge.default_function == "p2c"  # a card is a trained judge's
    [neutral_first, *_] = next(judge.judge([QUESTION]))
    write_card(tmp_path, kind="nli", labels=ENC)
    other = load_judge(folder, ONE_THREAD)
    [entailment_first, *_] = next(other.judge([QUESTION]))
    assert neutral_first.logits[0, [1, 0, 2]].tolist() == entailment_first.logits[0].tolist()
    assert other.identity.key != judge.identity.key


@pytest.mark.parametrize("labels", ["entailment", [0, 1, 2]])
def test_it_refuses_labels_that_are_no_list_of_names(tmp_path: Path, labels: Any) -> None:
    write_card(tmp_path, labels=labels)
    with pytest.raises(ValueError, match="labels in judge.json must be a list of names"):
        load_judge(make_model(tmp_path), ONE_THREAD)


def test_it_takes_name_and_function_from_the_card(tmp_path: Path) -> None:
    write_card(tmp_path, kind="nli", name="brack-3", function="p3c")
    judge = load_judge(make_model(tmp_path), ONE_THREAD)
    assert judge.identity.name == "brack-3"
    assert judge.default_function == "p3c"


def test_it_refuses_a_function_that_the_classes_do_not_offer(tmp_path: Path) -> None:
    write_card(tmp_path, function="l3c")
    with pytest.raises(ValueError, match="doesn't support l3c"):
        load_judge(make_model(tmp_path, "bert", ("absent", "present")), ONE_THREAD)


@pytest.mark.parametrize(
    "name, message",
    [
        ("anly", "There is no judge 'anly'. Use one of .*anli"),
        ("./nowhere/at/all", "There is no folder ./nowhere/at/all"),
        ("/nowhere", "There is no folder /nowhere"),
    ],
)
def test_it_refuses_a_name_that_leads_nowhere(name: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        load_judge(name)


@pytest.mark.parametrize("name", ["owner/no-such-model", "anli", "tac08"])
def test_it_says_how_to_mend_a_model_that_hugging_face_does_not_give(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(address: str, **_: Any) -> str:
        raise OSError(f"Nothing at {address}\nand more of it")

    monkeypatch.setattr(folders, "snapshot_download", fail)
    address = PRESETS[name].path if name in PRESETS else name
    with pytest.raises(ValueError, match=f"^{address} at v2 .*: Nothing at .* local folder.$"):
        load_judge(name, JudgeOptions(revision="v2"))


def test_it_names_the_commit_of_a_model_of_hugging_face(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The fine-tuned presets name their classes themselves: their models may not."""
    asked: dict[str, Any] = {}

    def fetch(address: str, **options: Any) -> str:
        asked.update(options, address=address)
        return make_model(tmp_path / "5e1fc0de", "roberta", None, num_labels=3)

    monkeypatch.setattr(folders, "snapshot_download", fetch)
    judge = load_judge("pyrxsum", ONE_THREAD)
    assert asked["address"] == "shiyue/roberta-large-pyrxsum"
    assert asked["revision"] is None
    assert "*.safetensors" in asked["allow_patterns"]
    assert not any("bin" in pattern or pattern == "*" for pattern in asked["allow_patterns"])
    assert judge.identity.revision == "5e1fc0de"
    assert judge.default_function == "p2c"
    signature = judge.identity.signature("p2c")
    assert "judge:shiyue/roberta-large-pyrxsum|" in signature
    assert "|revision:5e1fc0de|" in signature


def test_it_refuses_a_folder_without_a_model(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="no config.json"):
        load_judge(str(tmp_path))
    folder = make_model(tmp_path)
    with pytest.raises(ValueError, match="is a folder and has no revision 'main'"):
        load_judge(folder, JudgeOptions(revision="main"))


def test_it_opens_no_pickle(tmp_path: Path) -> None:
    folder = make_model(tmp_path)
    weights = load_file(tmp_path / "model.safetensors")
    torch.save(weights, tmp_path / "pytorch_model.bin")
    (tmp_path / "model.safetensors").unlink()
    with pytest.raises(ValueError, match="no safetensors weights"):
        load_judge(folder)


def test_it_refuses_weights_that_are_broken(tmp_path: Path) -> None:
    folder = make_model(tmp_path)
    (tmp_path / "model.safetensors").write_bytes(b"\x10\0\0\0\0\0\0\0 not a header ...")
    with pytest.raises(ValueError, match="can't be loaded from"):
        load_judge(folder, ONE_THREAD)


def test_it_refuses_a_head_that_was_never_trained(tmp_path: Path) -> None:
    folder = make_model(tmp_path)
    path = tmp_path / "model.safetensors"
    weights = {name: value for name, value in load_file(path).items() if "classifier" not in name}
    save_file(weights, path, metadata={"format": "pt"})
    with pytest.raises(ValueError, match="no weights for classifier.bias, classifier.weight"):
        load_judge(folder, ONE_THREAD)


def test_it_refuses_a_tokenizer_that_can_not_pad(tmp_path: Path) -> None:
    folder = make_model(tmp_path)
    path = tmp_path / "tokenizer_config.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | {"pad_token": None}))
    with pytest.raises(ValueError, match="no padding token. Set pad_token"):
        load_judge(folder, ONE_THREAD)


@pytest.mark.parametrize(
    "options, message",
    [
        (JudgeOptions(precision="fp8"), "There is no precision 'fp8'. Use one of fp32, bf16, int8"),
        (JudgeOptions(device="tpu"), "The device 'tpu' is not available. Available: cpu"),
        (JudgeOptions(device="cuda:9"), "The device 'cuda:9' is not available"),
        (JudgeOptions(window=-1), "window and threads must be at least 0"),
        (JudgeOptions(threads=-1), "window and threads must be at least 0"),
    ],
)
def test_it_refuses_options_that_can_not_be_met(
    tmp_path: Path, options: JudgeOptions, message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        load_judge(make_model(tmp_path), options)


def test_it_lists_the_devices_that_torch_sees(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(torch.cuda, "device_count", lambda: 2)
    monkeypatch.setattr(torch.backends.mps, "is_available", lambda: True)
    assert list_devices() == ["cpu", "cuda", "cuda:0", "cuda:1", "mps"]
    with pytest.raises(ValueError, match="int8 runs only on cpu"):
        load_judge("owner/model", JudgeOptions(precision="int8", device="cuda"))
