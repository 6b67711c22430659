"""The canonical form of a gold dataset: out, in, and the same hash."""

import hashlib
import json
import tempfile
import zipfile
from collections.abc import Callable
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings

from scoring.io import CorpusError, ProblemList
from scoring.io.gold import (
    GoldAnswer,
    GoldExample,
    GoldSystem,
    content_hash,
    pseudonym,
    read_gold,
    write_canonical,
)
from scoring.types import Problem, UnitRecord
from tests.scoring.gold_records import EXAMPLES, FACTS, SYSTEMS, Gold, golds, joined, small_gold


def read_back(path: Path) -> tuple[Gold, str, list[Problem]]:
    problems = ProblemList()
    with read_gold(path, problems=problems) as reader:
        examples = list(reader.examples())
        return (reader.facts, reader.systems, examples), reader.hash, problems.first


def write(path: Path, gold: Gold) -> Path:
    path.write_bytes(joined(write_canonical(*gold)))
    return path


@given(golds())
@settings(max_examples=50, deadline=None)
def test_it_reads_back_what_it_wrote_with_the_same_hash(gold: Gold) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = write(Path(folder) / "gold.jsonl", gold)
        again, digest, problems = read_back(path)
        assert problems == []
        assert again == gold
        assert digest == content_hash(*gold) == content_hash(*again)
        assert joined(write_canonical(*again)) == path.read_bytes()


def test_it_hashes_all_lines_but_the_last(tmp_path: Path) -> None:
    lines = write(tmp_path / "gold.jsonl", small_gold()).read_bytes().splitlines(keepends=True)
    digest = hashlib.sha256(b"".join(lines[:-1])).hexdigest()
    assert digest == content_hash(*small_gold())
    assert json.loads(lines[-1]) == {"type": "end", "examples": 2, "sha256": digest}


def test_it_reads_a_file_from_before_judged_summaries_were_counted(tmp_path: Path) -> None:
    """What came later is not written where it is not known, so such a file keeps its hash."""
    facts, systems, examples = small_gold()
    later = {item.name: 0 for item in fields(facts.counts) if item.metadata.get("later")}
    older = (replace(facts, counts=replace(facts.counts, **later)), systems, examples)
    path = write(tmp_path / "gold.jsonl", older)
    assert b"judged" not in path.read_bytes()
    assert b"unchecked" not in path.read_bytes()
    assert read_back(path) == (older, content_hash(*older), [])


def test_it_refuses_a_false_count_of_judged_summaries(tmp_path: Path) -> None:
    facts, systems, examples = small_gold()
    false = replace(facts, counts=replace(facts.counts, judged_summaries=1000))
    with pytest.raises(CorpusError, match="1,000 judged summaries, but the file has 4"):
        write(tmp_path / "gold.jsonl", (false, systems, examples))


def test_it_hashes_answers_in_any_order_the_same() -> None:
    facts, systems, (first, second) = small_gold()
    turned = replace(first, answers=tuple(reversed(first.answers)))
    assert content_hash(facts, systems, [turned, second]) == content_hash(*small_gold())


@pytest.mark.parametrize(
    "change",
    [
        lambda facts, systems, examples: (replace(facts, licence=""), systems, examples),
        lambda facts, systems, examples: (facts, systems[::-1], examples),
        lambda facts, systems, examples: (facts, systems, examples[::-1]),
        lambda facts, systems, examples: (
            facts,
            systems,
            [replace(examples[0], posteriors={}), examples[1]],
        ),
        lambda facts, systems, examples: (
            facts,
            systems,
            [examples[0], replace(examples[1], summaries={"lead_3": "It rained.", "bart": " "})],
        ),
    ],
)
def test_it_hashes_other_content_otherwise(change: Callable[..., Gold]) -> None:
    assert content_hash(*change(*small_gold())) != content_hash(*small_gold())


def test_it_takes_numbers_of_one_value_for_one(tmp_path: Path) -> None:
    facts, systems, (first, second) = small_gold()
    whole = replace(first, posteriors={"lead_3": (0.875, 0.25), "bart": (1, 0.75)})
    assert content_hash(facts, systems, [whole, second]) == content_hash(*small_gold())


def test_it_reads_a_zip_whatever_else_lies_in_it(tmp_path: Path) -> None:
    path = write(tmp_path / "gold.jsonl", small_gold())
    with zipfile.ZipFile(tmp_path / "gold.zip", "w") as archive:
        archive.write(path, "dams/gold.jsonl")
        archive.writestr("dams/README.md", "card")
        archive.writestr("dams/other.jsonl", "{}")
    gold, _, problems = read_back(tmp_path / "gold.zip")
    assert (gold, problems) == (small_gold(), [])


def test_it_reads_the_file_as_another_program_may_lay_it_out(tmp_path: Path) -> None:
    lines = write(tmp_path / "gold.jsonl", small_gold()).read_text("utf-8").splitlines()
    spaced = [json.dumps(json.loads(line), indent=None) for line in lines]
    (tmp_path / "gold.jsonl").write_text("\n\n".join(spaced), "utf-8")
    assert read_back(tmp_path / "gold.jsonl") == (small_gold(), content_hash(*small_gold()), [])


def changed_line(path: Path, number: int, **changes: Any) -> None:
    lines = path.read_text("utf-8").splitlines()
    data = {**json.loads(lines[number - 1]), **changes}
    kept = {name: value for name, value in data.items() if value is not ...}
    lines[number - 1] = json.dumps(kept)
    path.write_text("\n".join(lines), "utf-8")


ASSIGNMENT = {"system": "bart", "assignment": "s9", "worker": "", "answers": [1]}


@pytest.mark.parametrize(
    "changes, message",
    [
        ({"type": "system"}, "The type is 'system'."),
        ({"id": ...}, "The example has no 'id'."),
        ({"id": "a1"}, "Example 'a1' "),
        ({"scores": 1}, "Unknown key 'scores'."),
        ({"units": {}}, "'units' is not a list."),
        ({"units": [{"text": ""}]}, "In example 'a2', a unit is empty."),
        ({"summaries": {"t5": "x"}}, "In example 'a2', system 't5' is not one of the systems."),
        ({"summaries": {"bart": "\ud800"}}, "In example 'a2', the summary of 'bart' "),
        ({"labels": []}, "'labels' is not an object."),
        ({"labels": {"bart": [2]}}, "The labels of 'bart' are invalid."),
        ({"labels": {"bart": [True]}}, "The labels of 'bart' are invalid."),
        ({"labels": {"bart": [1, 0]}}, "In example 'a2', system 'bart' has 2 labels."),
        ({"labels": {"t5": [1]}}, "In example 'a2', system 't5' has labels but no summary."),
        ({"posteriors": {"bart": [1.5]}}, "The posteriors of 'bart' are invalid."),
        ({"posteriors": {"bart": [float("nan")]}}, "The posteriors of 'bart' are invalid."),
        (
            {"labels": {}, "posteriors": {"bart": [1]}},
            "In example 'a2', system 'bart' has posteriors but no labels.",
        ),
        ({"assignments": [1]}, "An assignment is not an object."),
        ({"assignments": [{**ASSIGNMENT, "answers": []}]}, "An assignment has 0 answers."),
        ({"assignments": [{**ASSIGNMENT, "worker": 7}]}, "'worker' is not a string."),
        ({"assignments": [{**ASSIGNMENT, "seconds": True}]}, "'seconds' is not a number."),
        ({"assignments": [{**ASSIGNMENT, "seconds": 10**400}]}, "'seconds' is not a number."),
        ({"assignments": [{**ASSIGNMENT, "seconds": -1}]}, "In example 'a2', an assignment took"),
        (
            {"assignments": [{**ASSIGNMENT, "assignment": ""}]},
            "In example 'a2', an answer has no assignment",
        ),
        ({"assignments": [{**ASSIGNMENT, "kept": False}]}, "In example 'a2', an excluded answer"),
        ({"assignments": [{**ASSIGNMENT, "gold_right": 1}]}, "In example 'a2', an assignment has"),
        ({"assignments": [{**ASSIGNMENT, "system": "t5"}]}, "In example 'a2', an answer refers to"),
        (
            {"assignments": [{**ASSIGNMENT, "worker": "\n"}]},
            "In example 'a2', the name of an answer",
        ),
        ({"assignments": [ASSIGNMENT] * 2}, "In example 'a2', assignment 's9' has two"),
        ({"adjudications": [{"system": "bart"}]}, "'adjudication' has no 'unit'."),
        (
            {"adjudications": [{"system": "bart", "unit": 1, "present": True}]},
            "In example 'a2', an adjudication refers to unit 1.",
        ),
        (
            {"adjudications": [{"system": "bart", "unit": 0, "present": True}] * 2},
            "In example 'a2', a label is adjudicated twice.",
        ),
        (
            {"adjudications": [{"system": "bart", "unit": 0, "present": True, "expert": "\n"}]},
            "In example 'a2', the name of an expert is invalid.",
        ),
        (
            {"adjudications": [{"system": "bart", "unit": 0, "present": True, "reason": "\x00"}]},
            "In example 'a2', the reason of an adjudication is invalid.",
        ),
        *(
            (
                {"adjudications": [{"system": "bart", "unit": 0, "present": True, **draw}]},
                "In example 'a2', the draw of an adjudication is invalid.",
            )
            for draw in (
                {"before": 1},
                {"chance": 0.5},
                {"before": 2, "chance": 0.5},
                {"before": 1, "chance": 0.0},
                {"before": 1, "chance": 1.5},
            )
        ),
    ],
)
def test_it_says_which_example_is_wrong(
    changes: dict[str, Any], message: str, tmp_path: Path
) -> None:
    path = write(tmp_path / "gold.jsonl", small_gold())
    changed_line(path, 5, **changes)
    _, _, problems = read_back(path)
    assert problems
    assert (problems[0].file, problems[0].line) == ("gold.jsonl", 5)
    assert problems[0].message.startswith(message)
    assert problems[0].expected


@pytest.mark.parametrize(
    "number, changes, message",
    [
        (1, {"type": "example"}, "The first line doesn't contain the facts"),
        (1, {"format": 2}, "The first line doesn't contain the facts"),
        (1, {"name": ...}, "'gold' has no 'name'."),
        (1, {"name": " "}, "The name of the dataset is empty."),
        (1, {"version": 0}, "The version is 0."),
        (1, {"version": "1"}, "'version' is not a whole number."),
        (1, {"extra": 1}, "Unknown key 'extra'."),
        (1, {"counts": []}, "'counts' is not an object."),
        (1, {"drops": {}}, "'drops' is not a list."),
        (1, {"recipe": []}, "'recipe' is not an object."),
        (1, {"recipe": {"seed": float("inf")}}, "The facts contain a number or a character"),
        (1, {"licence": "\ud800"}, "The facts contain a number or a character"),
        (1, {"campaigns": [{"title": "t", "rewards": ["a lot"]}]}, "'a lot' is not an amount"),
        (1, {"campaigns": [{"title": "t", "median_wage": "NaN"}]}, "'NaN' is not an amount"),
        (1, {"recipe": {"a": [{"b": "\x00"}]}}, "The facts contain the character U+0000."),
        (2, {"kind": "robot"}, "System 'lead_3' has the kind 'robot'."),
        (2, {"name": "bart"}, "System 'bart' occurs twice."),
        (2, {"name": 1}, "'name' is not a string."),
        (2, {"rank": 1}, "Unknown key 'rank'."),
    ],
)
def test_it_refuses_a_head_that_is_not_whole(
    number: int, changes: dict[str, Any], message: str, tmp_path: Path
) -> None:
    path = write(tmp_path / "gold.jsonl", small_gold())
    changed_line(path, number, **changes)
    with pytest.raises(CorpusError) as caught:
        read_gold(path)
    assert caught.value.problem.message.startswith(message)
    assert caught.value.problem.line in (number, 3)


def test_it_notices_a_file_cut_short(tmp_path: Path) -> None:
    path = write(tmp_path / "gold.jsonl", small_gold())
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:-1]))
    _, _, (problem,) = read_back(path)
    assert problem.message == "The file is incomplete: its last line is missing."


def test_it_notices_a_label_that_was_turned(tmp_path: Path) -> None:
    path = write(tmp_path / "gold.jsonl", small_gold())
    changed_line(path, 5, labels={"lead_3": [0], "bart": [1]})
    _, _, (problem,) = read_back(path)
    assert problem.message.startswith("The content has the hash")


def test_it_notices_facts_about_another_file(tmp_path: Path) -> None:
    path = write(tmp_path / "gold.jsonl", small_gold())
    changed_line(path, 5, summaries={"lead_3": "It rained."}, labels={"lead_3": [1]})
    _, _, problems = read_back(path)
    assert problems[0].message == "The facts give 4 summaries, but the file has 3."


def test_it_notices_lines_behind_the_last(tmp_path: Path) -> None:
    path = write(tmp_path / "gold.jsonl", small_gold())
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join([*lines, lines[4]]))
    _, _, (problem,) = read_back(path)
    assert (problem.line, problem.message) == (7, "There is a line after the end line.")


@pytest.mark.parametrize("content", [b"", b"\n", b"[]\n", b"\xff\n", b"not json\n"])
def test_it_refuses_what_is_no_gold_dataset(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "gold.jsonl").write_bytes(content)
    with pytest.raises(CorpusError, match="gold.jsonl, line 1"):
        read_gold(tmp_path / "gold.jsonl")


def test_it_refuses_a_zip_without_the_file(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "x.zip", "w") as archive:
        archive.writestr("a.jsonl", "{}")
        archive.writestr("b.jsonl", "{}")
    with pytest.raises(CorpusError, match="Expected exactly one gold.jsonl"):
        read_gold(tmp_path / "x.zip")


def test_it_refuses_a_zip_that_unpacks_to_too_much(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "x.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("gold.jsonl", b"\n" * 2**21)
    with pytest.raises(CorpusError, match="too large when unpacked"):
        read_gold(tmp_path / "x.zip", max_bytes=2**20)


def test_it_refuses_a_file_that_is_too_large(tmp_path: Path) -> None:
    (tmp_path / "gold.jsonl").write_bytes(b"\n" * 2**21)
    with pytest.raises(CorpusError, match="The file is too large. Expected at most 1 MB."):
        read_gold(tmp_path / "gold.jsonl", max_bytes=2**20)


@pytest.mark.parametrize(
    "example, message",
    [
        (replace(EXAMPLES[1], key=""), "The example id is empty."),
        (replace(EXAMPLES[1], units=(UnitRecord("a1", "Rain."),)), "a unit belongs to another"),
        (replace(EXAMPLES[1], labels={"bart": (3,)}), "the labels of system 'bart' are invalid"),
        (replace(EXAMPLES[1], labels={"bart": ()}), "system 'bart' has 0 labels"),
        (
            replace(EXAMPLES[1], posteriors={"bart": (float("nan"),)}),
            "the posteriors of system 'bart' are invalid",
        ),
        (
            replace(EXAMPLES[1], answers=(GoldAnswer("bart", 4, "w", "s", True),)),
            "an answer refers to unit 4",
        ),
    ],
)
def test_it_writes_nothing_that_it_could_not_read(example: GoldExample, message: str) -> None:
    with pytest.raises(CorpusError, match=message):
        content_hash(FACTS, SYSTEMS, [example])


def test_it_writes_no_facts_that_do_not_fit() -> None:
    with pytest.raises(CorpusError, match="The facts give 0 examples, but the file has 2."):
        joined(write_canonical(FACTS, SYSTEMS, EXAMPLES))


def test_it_writes_no_system_twice() -> None:
    with pytest.raises(CorpusError, match="System 'a' occurs twice."):
        content_hash(FACTS, [GoldSystem("a"), GoldSystem("a")], [])


def test_it_names_a_worker_by_key_alone() -> None:
    name = pseudonym(b"key", "A1B2C3")
    assert name == pseudonym(b"key", "A1B2C3")
    assert len({name, pseudonym(b"other", "A1B2C3"), pseudonym(b"key", "A1B2C4")}) == 3
    assert name == "wnfsxqcgtvq7k"


def test_it_leaves_the_unknown_unknown() -> None:
    assert pseudonym(b"key", "") == ""


def test_it_needs_a_key() -> None:
    with pytest.raises(ValueError, match="a key that is not empty"):
        pseudonym(b"", "A1")
