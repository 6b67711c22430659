"""Rows of token ids: the tokenizer's own pairs, windows, batches; and evidence by sentence."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from transformers import AutoTokenizer

from scoring.backends.nli.pairs import (
    LEAST_ROOM,
    MOST_TOKENS,
    PairReader,
    Row,
    collate,
    cut_batches,
    cut_windows,
    learn_template,
)
from scoring.judge import Document, JudgeOptions, Question, Verdict, load_judge, score_summaries
from scoring.sentences import split_sentences
from tests.scoring.backends.nli_models import (
    ENC,
    OTHER,
    SUMMARY,
    TWO,
    UNITS,
    ask_plainly,
    make_model,
    read_plainly,
)

LONG = " ".join([SUMMARY, OTHER] * 3)
TEXTS = [
    SUMMARY,
    " leading space",
    "two  spaces",
    "Ünïcode – “quotes”",
    "tail ",
    "\ttab\nline",
    "x",
]


@pytest.fixture(scope="module", params=["bert", "roberta"])
def folder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> str:
    return make_model(tmp_path_factory.mktemp("model"), request.param)


def ask(folder: str, question: Question, **options: Any) -> list[Verdict]:
    [verdicts] = load_judge(folder, JudgeOptions(threads=1, **options)).judge([question])
    return verdicts


def test_it_joins_a_pair_as_the_tokenizer_does(folder: str) -> None:
    tokenizer = AutoTokenizer.from_pretrained(folder)
    found = PairReader(tokenizer, 512, "it").rows(TEXTS, TEXTS)
    for summary, rows in zip(TEXTS, found, strict=True):
        for unit, [row] in zip(TEXTS, rows, strict=True):
            expected = tokenizer(summary, unit)
            assert row.ids == expected["input_ids"], (summary, unit)
            assert row.types == expected.get("token_type_ids", []), (summary, unit)


def test_it_refuses_a_tokenizer_that_does_not_keep_a_pair_whole() -> None:
    class Odd:
        unk_token_id = 0

        def __call__(self, text: Any, pair: str | None = None, **_: Any) -> dict[str, Any]:
            return {"input_ids": [1, 9, 2] if pair else [[5, 6], [7]]}

    with pytest.raises(ValueError, match="owner/odd: its tokenizer doesn't keep the two texts"):
        learn_template(Odd(), "owner/odd")


@pytest.mark.parametrize(
    "length, room, expected",
    [
        (0, 4, [(0, 0)]),
        (4, 4, [(0, 4)]),
        (5, 4, [(0, 4), (1, 5)]),
        (6, 4, [(0, 4), (2, 6)]),
        (9, 4, [(0, 4), (2, 6), (4, 8), (5, 9)]),
        (8, 5, [(0, 5), (3, 8)]),
        (3, 1, [(0, 1), (1, 2), (2, 3)]),
    ],
)
def test_it_cuts_windows_that_overlap_by_half(
    length: int, room: int, expected: list[tuple[int, int]]
) -> None:
    assert [(cut.start, cut.stop) for cut in cut_windows(length, room)] == expected


def test_it_judges_a_long_summary_by_windows(folder: str) -> None:
    """Each window is what the tokenizer makes of it, and the highest value counts."""
    window = 100
    tokenizer = AutoTokenizer.from_pretrained(folder)
    verdicts = ask(folder, Question(LONG, UNITS), window=window)
    for unit, verdict in zip(UNITS, verdicts, strict=True):
        rows = tokenizer(
            LONG, unit, truncation="only_first", max_length=window, return_overflowing_tokens=True
        )["input_ids"]
        assert len(verdict.logits) > len(rows) > 2
    judged = score_summaries(
        [Document("d", UNITS, LONG)], load_judge(folder, JudgeOptions(window=window, threads=1))
    )
    rows = [[read_plainly(row, ENC)["p3c"] for row in verdict.logits] for verdict in verdicts]
    assert judged.presence("p3c")[0] == pytest.approx([max(row) for row in rows])


def test_it_reads_every_window_as_text_of_its_own(tmp_path: Path) -> None:
    """Of a text whose words are tokens, a window is a text that can be asked by itself."""
    folder = make_model(tmp_path, "bert")
    words, unit = [letter for letter in LONG.lower() if letter.isalpha()][:120], "the lamp"
    tokenizer = AutoTokenizer.from_pretrained(folder)
    assert len(tokenizer(" ".join(words), add_special_tokens=False)["input_ids"]) == 120
    window = 40 + len(tokenizer("", unit)["input_ids"])
    [verdict] = ask(folder, Question(" ".join(words), (unit,)), window=window)
    cuts = [words[0:40], words[20:60], words[40:80], words[60:100], words[80:120]]
    expected = [ask_plainly(folder, " ".join(cut), unit) for cut in cuts]
    assert np.abs(verdict.logits - expected).max() < 1e-5


@pytest.mark.parametrize("shape, positions, tokens", [("bert", 64, 64), ("roberta", 66, 64)])
def test_it_reads_the_window_off_the_model(
    tmp_path: Path, shape: str, positions: int, tokens: int
) -> None:
    """RoBERTa's first positions are padding's; a row as long as the window must pass."""
    folder = make_model(tmp_path, shape, max_position_embeddings=positions)
    judge = load_judge(folder, JudgeOptions(threads=1))
    assert judge.identity.options["window"] == tokens
    [[verdict]] = judge.judge([Question(LONG, ("A lamp",))])
    assert len(verdict.logits) > 2
    assert np.isfinite(verdict.logits).all()


@pytest.mark.parametrize("wanted, found", [(0, 256), (100, 100), (9_999, 256)])
def test_it_takes_no_more_than_the_model_does(folder: str, wanted: int, found: int) -> None:
    judge = load_judge(folder, JudgeOptions(window=wanted, threads=1))
    assert judge.identity.options["window"] == found


def test_it_names_a_unit_that_leaves_no_room(folder: str) -> None:
    unit = "The council of Brack paid for the glass of the lamp " * 3
    with pytest.raises(
        ValueError, match="The unit “The council of Brack paid .*…” has .* no space"
    ):
        ask(folder, Question(SUMMARY, ("A lamp", unit)), window=64)


def test_it_lets_a_short_summary_stand_in_little_room(tmp_path: Path) -> None:
    folder = make_model(tmp_path, "bert")
    tokenizer = AutoTokenizer.from_pretrained(folder)
    window = len(tokenizer("the lamp", UNITS[0])["input_ids"])
    assert len(tokenizer("the lamp", add_special_tokens=False)["input_ids"]) < LEAST_ROOM
    [verdict] = ask(folder, Question("the lamp", UNITS[:1]), window=window)
    assert np.abs(verdict.logits[0] - ask_plainly(folder, "the lamp", UNITS[0])).max() < 1e-5


def test_it_cuts_batches_by_length_alone() -> None:
    lengths = [90, 10, 2000, 50, 2048, 2048, 4096, 10]
    batches = cut_batches(lengths)
    assert batches == [[1, 7, 3, 0], [2, 4], [5], [6]]
    assert cut_batches([]) == []
    assert cut_batches([MOST_TOKENS * 2, 1]) == [[1], [0]]


def test_it_gives_the_same_verdicts_in_several_batches(
    folder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = ask(folder, Question(SUMMARY, UNITS))
    monkeypatch.setattr("scoring.backends.nli.pairs.MOST_TOKENS", 128)
    parts = ask(folder, Question(SUMMARY, UNITS))
    for here, there in zip(whole, parts, strict=True):
        assert np.abs(here.logits - there.logits).max() < 1e-5


class Padding:
    """What of a tokenizer tells how to pad."""

    pad_token_id, pad_token_type_id = 7, 3

    def __init__(self, side: str) -> None:
        self.padding_side = side


@pytest.mark.parametrize(
    "side, ids, types", [("right", [4, 7, 7], [1, 3, 3]), ("left", [7, 7, 4], [3, 3, 1])]
)
def test_it_pads_on_the_models_side(side: str, ids: list[int], types: list[int]) -> None:
    found = collate([Row([4], [1]), Row([4, 5, 6], [0, 0, 1])], Padding(side))
    assert found["input_ids"].tolist() == [ids, [4, 5, 6]]
    assert found["token_type_ids"].tolist() == [types, [0, 0, 1]]
    assert found["attention_mask"][0].tolist() == [int(place == 4) for place in ids]


@pytest.mark.parametrize("labels, function", [(ENC, "p3c"), (TWO, "p2c")])
def test_it_finds_the_sentence_that_convinces_most(
    tmp_path: Path, labels: tuple[str, ...], function: str
) -> None:
    folder = make_model(tmp_path, "roberta", labels)
    sentences = [SUMMARY[start:end] for start, end in split_sentences(SUMMARY)]
    assert len(sentences) == 3
    verdicts = ask(folder, Question(SUMMARY, UNITS), evidence=True)
    for unit, verdict in zip(UNITS, verdicts, strict=True):
        values = [
            read_plainly(ask_plainly(folder, sentence, unit), labels)[function]
            for sentence in sentences
        ]
        assert verdict.sentence == int(np.argmax(values))
    assert len({verdict.sentence for verdict in verdicts}) > 1


def test_it_says_the_same_with_evidence_as_without(folder: str) -> None:
    question = Question(SUMMARY, UNITS)
    plain, found = ask(folder, question), ask(folder, question, evidence=True)
    assert {verdict.sentence for verdict in plain} == {-1}
    for here, there in zip(plain, found, strict=True):
        assert here.logits.tobytes() == there.logits.tobytes()


def test_it_needs_no_pass_for_the_only_sentence(
    folder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    judge: Any = load_judge(folder, JudgeOptions(threads=1, evidence=True))
    passes: list[int] = []
    run = judge._run

    def count(rows: list[Row]) -> Any:
        passes.append(len(rows))
        return run(rows)

    monkeypatch.setattr(judge, "_run", count)
    [verdicts] = judge.judge([Question("The council lit the lamp.", UNITS)])
    assert [verdict.sentence for verdict in verdicts] == [0] * len(UNITS)
    assert passes == [len(UNITS)]
