"""Roles by a transformers model: what it is asked, and how its answers are read."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from transformers import AutoModelForTokenClassification, AutoTokenizer

from scoring.backends import srl_model
from scoring.backends.srl_model import allowed_moves, best_path, first_pieces, list_verbs
from scoring.parses import load_parser
from scoring.stu.extractors import load_extractor
from scoring.stu.types import Frame
from tests.scoring.backends.srl_models import ROLES, make_labeller

SENTENCES = ["The old fox swam under the red pond.", "A hen sat and sang near two birds."]


@pytest.fixture(params=["bert", "roberta"])
def shape(request: Any) -> str:
    return str(request.param)


def ask_plainly(folder: Path, shape: str, words: list[str], verb: int) -> list[list[float]]:
    """Logits of each word (one piece each), for one verb alone."""
    model = AutoModelForTokenClassification.from_pretrained(folder).eval()
    tokenizer = AutoTokenizer.from_pretrained(folder)
    pair = [] if shape == "bert" else [[words[verb]]]
    encoded = tokenizer(words, *pair, is_split_into_words=True, return_tensors="pt")
    if shape == "bert":
        encoded["token_type_ids"] = torch.zeros_like(encoded["input_ids"])
        encoded["token_type_ids"][0, verb + 1] = 1
    with torch.no_grad():
        found: list[list[float]] = model(**encoded).logits[0, 1 : len(words) + 1].tolist()
    return found


def by_hand(folder: Path, shape: str, words: list[str], verb: int) -> list[str]:
    """The best of all allowed ways to label a short sentence, tried one by one."""
    logits = ask_plainly(folder, shape, words, verb)
    paths: list[tuple[float, list[str]]] = [(0.0, [])]
    for row in logits:
        paths = sorted(
            (
                (total + value, [*path, label])
                for total, path in paths
                for label, value in zip(ROLES, row, strict=True)
                if not label.startswith("I-") or (path and path[-1][2:] == label[2:])
            ),
            key=lambda pair: -pair[0],
        )[: len(ROLES) ** 3]
    return ["O" if tag[2:] == "V" else tag for tag in paths[0][1]]


def test_it_asks_a_model_about_each_verb(tmp_path: Path, shape: str) -> None:
    folder = make_labeller(tmp_path / shape, shape)
    parsed = list(load_parser().parse(SENTENCES))
    labelled = srl_model.load(str(folder)).label(parsed)
    assert [sentence.text for sentence in labelled] == SENTENCES
    for sentence, parse in zip(labelled, parsed, strict=True):
        verbs = list_verbs(parse)
        assert [frame.verb[-1] for frame in sentence.frames] == verbs
        for frame, verb in zip(sentence.frames, verbs, strict=True):
            tags = by_hand(folder, shape, list(parse.words), verb)
            assert roles(frame, len(parse)) == [
                "" if place == verb or tag == "O" else tag[2:] for place, tag in enumerate(tags)
            ]


def roles(frame: Frame, length: int) -> list[str]:
    found = [""] * length
    for argument in (*frame.before, *frame.after):
        for word in argument.words:
            found[word] = argument.role
    return found


def test_it_sees_which_verb_is_meant(tmp_path: Path, shape: str) -> None:
    folder = make_labeller(tmp_path / shape, shape)
    words = ["hen", "sat", "and", "sang", "near", "birds"]
    assert ask_plainly(folder, shape, words, 1) != ask_plainly(folder, shape, words, 3)


def test_it_is_an_extractor_by_folder(tmp_path: Path, shape: str) -> None:
    folder = make_labeller(tmp_path / shape, shape)
    extractor = load_extractor(srl_model=str(folder))
    (units,) = extractor.extract([SENTENCES])
    assert {unit.sentence for unit in units} == {0, 1}
    other = make_labeller(tmp_path / "other", shape, seed=1)
    assert load_extractor(srl_model=str(other)).version != extractor.version


def test_it_reads_a_sentence_longer_than_the_window(tmp_path: Path) -> None:
    folder = make_labeller(tmp_path / "bert", "bert")
    long = "The hen " + "and the fox " * 60 + "sat near the pond."
    (sentence,) = srl_model.load(str(folder)).label(list(load_parser().parse([long])))
    assert sentence.text == long


@pytest.mark.parametrize("labels", [("LABEL_0", "LABEL_1"), ("O", "B-PER", "I-PER"), ROLES[1:]])
def test_it_refuses_a_model_without_roles(tmp_path: Path, labels: tuple[str, ...]) -> None:
    folder = make_labeller(tmp_path / "model", "bert", labels)
    with pytest.raises(ValueError, match=f"its labels are {labels[0]}"):
        srl_model.load(str(folder))


def test_it_refuses_a_model_that_was_not_trained_for_it(tmp_path: Path) -> None:
    folder = make_labeller(tmp_path / "model", "bert")
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps(config | {"num_hidden_layers": 3}))
    with pytest.raises(ValueError, match="has no weights for"):
        srl_model.load(str(folder))


def test_it_names_a_folder_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="There is no folder"):
        load_extractor(srl_model=str(tmp_path / "none"))


def test_it_never_goes_on_from_another_role() -> None:
    labels = ("O", "B-A", "I-A", "B-B", "I-B")
    moves = allowed_moves(labels)
    greedy = np.array([[0, 1, 0, 0, 3], [0, 0, 0, 0, 5], [0, 0, 9, 0, 8]], dtype=np.float32)
    assert [labels[place] for place in best_path(greedy, moves)] == ["B-B", "I-B", "I-B"]
    assert best_path(np.empty((0, 5), dtype=np.float32), moves) == []


def test_it_takes_the_first_piece_of_each_word() -> None:
    words = [None, 0, 0, 1, None, 0, None]
    segments = [None, 0, 0, 0, None, 1, None]
    assert first_pieces(words, segments) == {0: 1, 1: 3}
