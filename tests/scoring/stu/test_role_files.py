"""Role labels and clusters from files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from scoring.io.errors import CorpusError
from scoring.stu.extractors import load_extractor
from scoring.stu.role_files import ClusterFile, FrameFile, place_words, squeeze

WORDS = {
    "words": ["Ann", "won", "gold", "in", "Rome", "."],
    "verbs": [
        {"verb": "won", "tags": ["B-ARG0", "B-V", "B-ARG1", "B-ARGM-LOC", "I-ARGM-LOC", "O"]}
    ],
}
SPANS = {
    "text": "She was jailed for life in 2000.",
    "frames": [
        {"verb": [8, 14], "arguments": [["ARGM-TMP", 24, 31], ["ARG1", 0, 3], ["ARG2", 15, 23]]}
    ],
}
TOKENISED = "Ann won gold in Rome . She was jailed for life in 2000 ."
DOCUMENT = TOKENISED.split()
CLUSTERS = {"document": DOCUMENT, "clusters": [[[0, 0], [6, 6]]]}
REFERENCE = ["Ann won gold in Rome.", "She was jailed for life in 2000."]


def write(path: Path, *records: Any) -> Path:
    path.write_text("\n".join(map(json.dumps, records)), encoding="utf-8")
    return path


def test_it_reads_both_forms_of_role_labels(tmp_path: Path) -> None:
    path = write(tmp_path / "frames.jsonl", SPANS, WORDS)
    (units,) = load_extractor(frames=path).extract([REFERENCE])
    assert [unit.text for unit in units] == [
        "Ann won gold",
        "Ann won in Rome",
        "She was jailed for life",
        "She was jailed in 2000",
    ]
    assert [unit.sentence for unit in units] == [0, 0, 1, 1]


@pytest.mark.parametrize(
    "clusters",
    [
        pytest.param(CLUSTERS, id="words of the document"),
        pytest.param(
            {"sentences": REFERENCE, "clusters": [[[0, 0, 3], [1, 0, 3]]]}, id="characters"
        ),
    ],
)
def test_it_reads_both_forms_of_clusters(tmp_path: Path, clusters: dict[str, Any]) -> None:
    frames = write(tmp_path / "frames.jsonl", WORDS, SPANS)
    path = write(tmp_path / "clusters.jsonl", clusters)
    extractor = load_extractor(frames=frames, clusters=path)
    (units,) = extractor.extract([REFERENCE])
    assert [unit.text for unit in units][2:] == [
        "Ann was jailed for life",
        "Ann was jailed in 2000",
    ]


def test_it_needs_no_parser_for_files_and_names_their_content(tmp_path: Path) -> None:
    first = load_extractor(frames=write(tmp_path / "a.jsonl", WORDS)).version
    again = load_extractor(frames=write(tmp_path / "b.jsonl", WORDS)).version
    other = load_extractor(frames=write(tmp_path / "c.jsonl", SPANS)).version
    assert first == again != other
    assert "en_core" not in first


def test_it_finds_a_sentence_whatever_its_spaces(tmp_path: Path) -> None:
    source = FrameFile(write(tmp_path / "frames.jsonl", WORDS))
    extractor = load_extractor(frames=source.path)
    (units,) = extractor.extract([["Ann\u00a0won  gold in Rome ."]])
    assert [unit.text for unit in units] == ["Ann won gold", "Ann won in Rome"]


def test_it_names_a_sentence_without_labels(tmp_path: Path) -> None:
    path = write(tmp_path / "frames.jsonl", WORDS)
    with pytest.raises(ValueError, match="frames.jsonl has no role labels for the sentence 'Ben"):
        list(load_extractor(frames=path).extract([["Ben lost."]]))


def test_it_names_a_reference_without_clusters(tmp_path: Path) -> None:
    frames = write(tmp_path / "frames.jsonl", WORDS)
    clusters = write(tmp_path / "clusters.jsonl", CLUSTERS)
    with pytest.raises(ValueError, match="clusters.jsonl has no clusters .* begins 'Ann won"):
        list(load_extractor(frames=frames, clusters=clusters).extract([REFERENCE[:1]]))


@pytest.mark.parametrize(
    "record, message",
    [
        (WORDS | {"words": "Ann won"}, "'words' is not a list of strings"),
        ({"words": ["Ann"]}, "'verbs' is missing"),
        (WORDS | {"verbs": [{"tags": ["O"]}]}, "1 tags for 6 words"),
        (WORDS | {"verbs": ["won"]}, "no tags for 6 words"),
        (WORDS | {"verbs": [{"tags": ["ARG0"] * 6}]}, "'ARG0' is not a valid tag"),
        ({"verbs": []}, "neither 'words' nor 'text'"),
        ({"text": "Ann won."}, "'frames' is missing"),
        ({"text": "Ann won.", "frames": [{}]}, "has no 'verb'"),
        ({"text": "Ann won.", "frames": [{"verb": [4, 40]}]}, "not a range of the text"),
        ({"text": "Ann won.", "frames": [{"verb": [4, 7], "arguments": [3]}]}, "not an argument"),
        ({"text": "Ann won.", "frames": [{"verb": [3, 4]}]}, "There is no word at 3 to 4"),
        ([], "not a JSON object"),
    ],
)
def test_it_names_the_line_of_bad_role_labels(tmp_path: Path, record: Any, message: str) -> None:
    path = write(tmp_path / "frames.jsonl", WORDS, record)
    with pytest.raises(CorpusError, match=message) as caught:
        FrameFile(path)
    assert (caught.value.problem.file, caught.value.problem.line) == ("frames.jsonl", 2)


@pytest.mark.parametrize(
    "record, message",
    [
        ({"document": DOCUMENT}, "'clusters' is missing"),
        ({"clusters": []}, "'sentences' is not a list"),
        ({"document": DOCUMENT, "clusters": [3]}, "not a list"),
        ({"document": DOCUMENT, "clusters": [[[0, "1"]]]}, "not a mention"),
        ({"document": DOCUMENT, "clusters": [[[0, 99]]]}, "not in the document"),
        ({"sentences": REFERENCE, "clusters": [[[2, 0, 1]]]}, "does not exist"),
        ({"sentences": REFERENCE, "clusters": [[[0, 5, 2]]]}, "does not exist"),
    ],
)
def test_it_names_the_line_of_bad_clusters(
    tmp_path: Path, record: dict[str, Any], message: str
) -> None:
    path = write(tmp_path / "clusters.jsonl", CLUSTERS, record)
    with pytest.raises(CorpusError, match=message) as caught:
        ClusterFile(path)
    assert caught.value.problem.line == 2


def test_it_names_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="There is no file"):
        FrameFile(tmp_path / "none.jsonl")


def test_it_places_words_in_a_text() -> None:
    text = "He didn't\u00a0 go."
    words = ["He", "did", "n't", "\u00a0", "go", "."]
    spans = place_words(text, words)
    assert [text[start:end] for start, end in spans] == ["He", "did", "n't", "", "go", "."]
    assert squeeze(text) == "Hedidn'tgo."


def test_it_cuts_a_mention_that_leaves_its_sentence(tmp_path: Path) -> None:
    record = {"document": DOCUMENT, "clusters": [[[4, 6], [0, 0]]]}
    frames = write(tmp_path / "frames.jsonl", WORDS, SPANS)
    extractor = load_extractor(frames=frames, clusters=write(tmp_path / "clusters.jsonl", record))
    (units,) = extractor.extract([REFERENCE])
    assert units[-1].text == "Ann is Rome."
