"""Texts that a judge learned from are recognised by short hashes, and counted where they meet."""

from __future__ import annotations

import json
import random
from pathlib import Path

from scoring.finetune import FineTuneOptions, TrainingRecord, fine_tune, make_folds
from scoring.judge import PRESETS, Question, load_judge, read_presence
from scoring.judge.learned import (
    BYTES,
    Learned,
    LearnedTexts,
    Met,
    count_met,
    hash_text,
    read_learned,
    read_shipped,
)

UNITS = ("The dam burst.", "Nobody died.")
ONE = LearnedTexts.of(["The dam burst at night."], UNITS)
OTHER = LearnedTexts.of(["A ferry sank."], ["A ferry sank."])


def test_a_text_is_known_whatever_its_case_spaces_and_marks() -> None:
    same = ("The dam burst.", "<t> the  dam burst . </t>", "THE DAM\nBURST", "the dam burst")
    assert {hash_text(text) for text in same} == {hash_text(same[0])}
    assert len(hash_text("x")) == BYTES
    assert hash_text("The dam burst.") != hash_text("The dam burst twice.")


def test_hashes_go_through_json_and_say_nothing_of_an_empty_text() -> None:
    texts = LearnedTexts.of(["One.", " ", ""], ["Two.", "Three."], ["Four."])
    assert (len(texts.summaries), len(texts.units), len(texts.references)) == (1, 2, 1)
    assert LearnedTexts.from_json(json.loads(json.dumps(texts.to_json()))) == texts


def test_it_counts_summaries_one_by_one_and_units_by_their_text() -> None:
    asked = [
        ("the dam burst at night", ["The dam burst.", "A dog ran."]),
        ("The dam burst at night.", ["The dam burst."]),
        ("Something else.", ["A dog ran.", "A cat sat."]),
        ("  ", ["A dog ran."]),
    ]
    assert count_met(Learned((ONE,)), asked) == Met(True, 2, 1, 3, 3)
    assert count_met(Learned((ONE,)), asked).is_in_sample
    assert count_met(None, asked) == Met(False, 0, 0, 3, 3)
    assert not count_met(Learned((OTHER,)), asked).is_in_sample


def test_of_several_models_the_one_that_knows_least_is_asked() -> None:
    learned = Learned((ONE | OTHER, OTHER, ONE))
    units = [hash_text(unit) for unit in UNITS]
    assert learned.choose(hash_text("The dam burst at night."), units) == 1
    assert learned.choose(hash_text("A ferry sank."), [hash_text("A ferry sank.")]) == 2
    assert learned.choose(hash_text("New."), [hash_text("New, too.")]) == 0
    assert count_met(learned, [("The dam burst at night.", UNITS)]) == Met(True, 0, 0, 1, 2)


def test_every_builtin_judge_that_was_trained_on_a_study_names_it() -> None:
    known = {name: preset.learned for name, preset in PRESETS.items() if preset.learned}
    assert known == {
        "embedded": "realsumm",
        "reader": "realsumm",
        "lexical": "realsumm",
        "realsumm": "realsumm",
        "pyrxsum": "pyrxsum",
    }
    assert read_learned("anli") is None
    assert read_learned("owner/model") is None


def test_the_file_that_ships_holds_every_text_of_realsumm(realsumm_dir: Path) -> None:
    assert_whole("realsumm", realsumm_dir)


def test_the_file_that_ships_holds_every_text_of_pyrxsum(pyrxsum_dir: Path) -> None:
    assert_whole("pyrxsum", pyrxsum_dir)


def assert_whole(study: str, folder: Path) -> None:
    texts = read_shipped(study)
    lines = (folder / "references.txt").read_text().splitlines()
    assert {hash_text(line) for line in lines} == texts.references
    for path in (folder / "summaries").glob("*.summary"):
        lines = path.read_text().splitlines()
        assert {hash_text(line) for line in lines if line} <= texts.summaries


def records() -> list[TrainingRecord]:
    rng = random.Random(3)
    things = ["dam", "river", "town", "bridge", "tower", "mill", "wall", "road", "gate", "harbour"]
    found = []
    for document in range(6):
        units = tuple(f"The {thing} of place {document} fell." for thing in things[:4])
        for system in range(4):
            labels = tuple(rng.randint(0, 1) for _ in units)
            said = [unit for unit, label in zip(units, labels, strict=True) if label]
            summary = " ".join(said) or f"Nothing of place {document} by {system}."
            found.append(TrainingRecord(f"d{document}", f"s{system}", summary, units, labels))
    return found


def test_an_out_of_fold_judge_asks_the_model_that_did_not_see_the_text(tmp_path: Path) -> None:
    rows = records()
    folds = make_folds(rows, "examples", 3)
    made = fine_tune(rows, FineTuneOptions("lexical"), tmp_path / "judge", folds=folds)
    asked = [(row.summary, row.units) for row in rows]
    own = count_met(read_learned(str(made.folder)), asked)
    assert (own.summaries, own.units) == (24, 24)
    folder = made.folder / "out_of_fold"
    assert count_met(read_learned(str(folder)), asked) == Met(True, 0, 0, 24, 24)
    judge = load_judge(str(folder))
    for fold in folds:
        alone = load_judge(str(folder / fold.name))
        [row, *_] = fold.split(rows)[1]
        question = Question(row.summary, row.units)
        [one], [two] = list(judge.judge([question])), list(alone.judge([question]))
        assert [v.logits.tolist() for v in one] == [v.logits.tolist() for v in two]
    assert judge.identity.key != load_judge(str(made.folder)).identity.key
    new = Question("A bell rang.", ("A bell rang.", "A dog ran."))
    whole = load_judge(str(made.folder))
    values = [
        [read_presence("p2c", v.logits) for v in next(j.judge([new]))] for j in (judge, whole)
    ]
    assert values[0] == values[1]


def test_without_folds_there_is_no_out_of_fold_judge(tmp_path: Path) -> None:
    made = fine_tune(records(), FineTuneOptions("lexical"), tmp_path / "judge")
    assert (made.folder / "learned.json").is_file()
    assert not (made.folder / "out_of_fold").exists()
