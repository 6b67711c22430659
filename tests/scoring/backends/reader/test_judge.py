"""The judge that reads, as it comes with Giza."""

from __future__ import annotations

from importlib.resources import files

import numpy as np
import pytest

from scoring.backends.reader.contrast import change_units, list_contrasts
from scoring.backends.reader.reading import cut, load_reader, odds, split
from scoring.finetune import FineTuneOptions, fine_tune
from scoring.judge import Question, load_judge, read_presence
from scoring.judge.catalogue import PRESETS
from scoring.judge.probes import read_shipped
from scoring.judge.protocol import contradicted_by
from tests.scoring.finetune.toy import make_records

SUMMARY = "The ferry to Brack sank on Monday. Nobody was hurt. Its 40 passengers swam to Lund."
UNITS = ("The ferry sank on Monday.", "Its passengers swam to Lund.", "The captain was arrested.")
MOST_BYTES = 10_000_000


@pytest.fixture(scope="module")
def judge():
    return load_judge("reader")


def presence(judge, summary: str, *units: str) -> list[float]:
    [verdicts] = judge.judge([Question(summary, units)])
    return [read_presence("p2c", verdict.logits) for verdict in verdicts]


def test_it_tells_what_is_there_from_what_is_not(judge) -> None:
    first, second, third = presence(judge, SUMMARY, *UNITS)
    assert min(first, second) > 0.5 > third
    assert judge.identity.reads_context
    assert {"encoder", "network", "frequencies"} <= set(judge.identity.options)


@pytest.mark.parametrize(
    ("unit", "twin"),
    [
        ("The ferry sank on Monday.", "The ferry did not sink on Monday."),
        ("The ferry sank on Monday.", "The ferry sank on Friday."),
        ("Its 40 passengers swam to Lund.", "Its 70 passengers swam to Lund."),
    ],
)
def test_a_false_twin_has_less_presence(judge, unit: str, twin: str) -> None:
    [true], [false] = presence(judge, SUMMARY, unit), presence(judge, SUMMARY, twin)
    assert true > 0.5 > false


def test_a_verdict_names_what_contradicts(judge) -> None:
    [[verdict]] = judge.judge([Question(SUMMARY, ("The ferry to Brack did not sink on Monday.",))])
    assert verdict.sentence == contradicted_by(0)
    assert contradicted_by(verdict.sentence) == 0


def test_a_summary_has_the_same_bits_in_any_company(judge) -> None:
    questions = [Question(SUMMARY, UNITS), Question("A long walk home.", UNITS[:1])]
    together = [verdict.logits for row in judge.judge(questions) for verdict in row]
    apart = [v.logits for each in questions[::-1] for row in judge.judge([each]) for v in row]
    assert all(np.array_equal(a, b) for a, b in zip(together, apart[1:] + apart[:1], strict=True))


def test_long_texts_are_read_in_windows() -> None:
    reader = load_reader()
    long = " ".join(["It rained for a while in the valley."] * 90) + " " + SUMMARY
    assert len(cut(list(range(600)))) == 4
    assert odds(reader.compare(long, UNITS[:1]))[0, 0] == pytest.approx(
        odds(reader.compare(long, UNITS))[0, 0], abs=1e-3
    )
    assert split(400, [30, 30, 30]) == [(0, 1), (1, 2), (2, 3)]


def test_what_ships_is_small_and_has_figures() -> None:
    models = files("scoring.backends.models")
    sizes = [len(models.joinpath(f"reader.{end}").read_bytes()) for end in ("safetensors", "json")]
    assert sum(sizes) < MOST_BYTES
    shipped = {report.judge: key for key, report in read_shipped().items()}
    for name in ("embedded", "lexical", "reader"):
        assert name in PRESETS
        assert shipped[name] == load_judge(name).identity.key


def test_contrasts_change_present_units_only() -> None:
    for record in make_records():
        found = change_units(record)
        if found is None:
            continue
        for unit, old, label, asked in zip(
            found.question.units, record.units, record.labels, found.labels, strict=True
        ):
            assert (unit == old) == (asked < 0)
            assert asked < 0 or label == 1
    assert list_contrasts(make_records()) == list_contrasts(make_records())


def test_it_is_trained_on_labels_of_ones_own(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr("scoring.backends.reader.contrast.SCENES", 12)
    made = fine_tune(make_records(), FineTuneOptions("reader"), tmp_path / "mine")
    assert made.card["kind"] == "reader"
    found = load_judge(str(tmp_path / "mine"))
    assert len(presence(found, SUMMARY, *UNITS)) == len(UNITS)
