"""The linter: gentle, concrete, and quiet on what trained writers do."""

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.linting import RULES, LintWarning, lint_example, lint_unit
from scoring.sentences import split_sentences

REFERENCE = [
    "Seven students from the University of Surrey discovered 1,200 colonies on old coins.",
    "They submerged coins and notes in agar, but Anna Wood did not touch the 40ft tank.",
]


def rules(text: str, **options: object) -> list[str]:
    found = lint_unit(text, reference_sentences=REFERENCE, **options)  # type: ignore[arg-type]
    return [warning.rule for warning in found]


@pytest.mark.parametrize(
    "text",
    [
        "Students discovered colonies.",
        "The students were from the University of Surrey.",
        "7 students submerged coins.",
        "1200 colonies were on the coins",
        "Students submerged coins and notes in agar.",
        "Anna Wood and students discovered colonies.",
        "The tank was 40 ft.",
        "It is said that Anna Wood did not touch the tank.",
        "These coins were old.",
        "Those coins were old.",
        "Old coins are what students put notes in.",
        "According to the news, the student's discovery happened there.",
        "The report said coins and notes were old.",
        "Students discovered that coins and notes were old.",
        "Anna Wood did not touch the tank and agar.",
    ],
)
def test_it_is_quiet_where_all_is_well(text: str) -> None:
    assert rules(text) == []


@pytest.mark.parametrize(
    "text, expected, part",
    [
        ("", "empty", ""),
        ("  ...", "empty", "  ..."),
        (
            "Students submerged coins and discovered the colonies.",
            "several-facts",
            "and discovered",
        ),
        ("Anna Wood discovered coins and was old.", "several-facts", "and was"),
        ("Students discovered colonies and they submerged notes.", "several-facts", "and they"),
        ("Coins were old; notes were old.", "several-facts", "; notes"),
        ("Students submerged coins, but notes were old.", "several-facts", ", but"),
        ("Anna Wood, who discovered coins, did not touch agar.", "several-facts", ", who"),
        ("Coins were old. Notes were old.", "several-facts", "Notes were old."),
        ("Students discovered coins and notes were old.", "several-facts", "and notes"),
        ("Coins were old and the notes were in agar.", "several-facts", "and the"),
        ("Colonies were discovered and submerged.", "several-facts", "and submerged"),
        ("Tank in the University of Surrey.", "no-verb", "Tank in the University of Surrey"),
        ("Students did not discover colonies.", "unknown-negation", "not"),
        ("Colonies were not on old coins.", "unknown-negation", "not"),
        ("They discovered colonies.", "pronoun-start", "They"),
        ("It's on old coins.", "pronoun-start", "It's"),
        ("This was in agar.", "pronoun-start", "This"),
        ("Those did not touch the tank.", "pronoun-start", "Those"),
        ("The coins were more than.", "breaks-off", "than"),
        ("Anna Wood did not touch the", "breaks-off", "the"),
        ("Students discovered 1,300 colonies.", "unknown-number", "1,300"),
        ("Eight students discovered colonies.", "unknown-number", "Eight"),
        ("Students were from the University of Kent.", "unknown-name", "Kent"),
        ("Emma Wood did not touch the tank.", "unknown-name", "Emma"),
        ("Students destroyed colonies.", "unsupported-words", "destroyed"),
    ],
)
def test_it_says_what_and_where(text: str, expected: str, part: str) -> None:
    (warning,) = lint_unit(text, reference_sentences=REFERENCE)
    assert (warning.rule, text[warning.start : warning.end]) == (expected, part)
    assert warning.message.endswith(".")


def test_it_speaks_in_plain_words() -> None:
    (warning,) = lint_unit("They discovered colonies.", reference_sentences=REFERENCE)
    assert warning == LintWarning(
        "pronoun-start", "‘They’ doesn’t say who or what is meant. Use a name or noun.", 0, 4
    )


def test_it_counts_words() -> None:
    text = " ".join(["coins"] * 13)
    assert rules(text) == []
    (warning,) = lint_unit(f"{text} notes coins.", reference_sentences=REFERENCE)
    assert warning == LintWarning("too-long", "15 words. Use at most 13 for one fact.", 78, 89)


@pytest.mark.parametrize(
    "other, expected",
    [
        ("students Discovered colonies", ["duplicate"]),
        ("The colonies were discovered by students.", ["near-duplicate"]),
        ("Students discovered old colonies.", []),
        ("Students did not discover colonies.", []),
        ("7 students discovered colonies.", []),
        ("Students submerged coins.", []),
        ("", []),
    ],
)
def test_it_compares_with_the_other_units(other: str, expected: list[str]) -> None:
    text = "Students discovered colonies."
    assert rules(text, others=["Notes were in agar.", other]) == expected


def test_it_names_the_unit_that_is_nearly_the_same() -> None:
    other = "The colonies were discovered by   students" + " " * 60 + "."
    (warning,) = lint_unit(
        "Students discovered colonies.", reference_sentences=REFERENCE, others=[other]
    )
    assert "‘The colonies were discovered by students .’" in warning.message


def test_it_looks_for_numbers_where_the_unit_stands() -> None:
    text = "Seven students submerged coins."
    assert rules(text) == []
    (warning,) = lint_unit(text, reference_sentences=REFERENCE, own_sentences=[REFERENCE[1]])
    assert warning.message == "‘Seven’ is not in the sentence it covers."


def test_it_mentions_a_repeated_number_once() -> None:
    assert rules("Students discovered 0-0 colonies.") == ["unknown-number"]


@pytest.mark.parametrize("rule", sorted(set(RULES) - {"too-many-units", "uncovered-content"}))
def test_it_keeps_quiet_about_rules_that_are_off(rule: str) -> None:
    bad = "They destroyed 99 coins in Kent and were old; notes were old and so were colonies of."
    others = ["Colonies"] if rule == "duplicate" else ["students colonies"]
    texts = {
        "empty": "",
        "duplicate": "colonies",
        "near-duplicate": "Colonies of students.",
        "no-verb": "Agar in the tank.",
        "unknown-negation": "Students did not discover colonies.",
    }
    text = texts.get(rule, bad)
    assert rule in rules(text, others=others)
    assert rule not in rules(text, others=others, disabled=[rule])


def test_it_knows_its_rules() -> None:
    assert all(key == rule.id and rule.title and rule.explanation for key, rule in RULES.items())
    with pytest.raises(ValueError, match="unknown rule 'no-full-stop'; the rules are empty,"):
        rules("Coins.", disabled=["no-full-stop"])


@given(st.text(max_size=60), st.lists(st.text(max_size=30), max_size=3))
def test_it_stays_inside_the_text(text: str, others: list[str]) -> None:
    for warning in lint_unit(text, reference_sentences=REFERENCE, others=others):
        assert 0 <= warning.start <= warning.end <= len(text)
        assert warning.rule in RULES


def test_it_counts_units() -> None:
    options = {"reference_sentences": ["Rain fell."], "spans_by_sentence": [[(0, 9)]]}
    assert lint_example(["a"] * 16 + [" "], **options) == []  # type: ignore[arg-type]
    (warning,) = lint_example(["a"] * 17, **options)  # type: ignore[arg-type]
    assert (warning.rule, warning.sentence) == ("too-many-units", None)
    assert warning.message.startswith("17 units.")
    off = lint_example(["a"] * 17, **options, disabled=["too-many-units"])  # type: ignore[arg-type]
    assert off == []


def test_it_points_at_content_without_a_unit() -> None:
    sentences = ["Rain fell.", "Seven students discovered colonies in Surrey."]
    found = lint_example(
        ["Rain fell.", "x"], reference_sentences=sentences, spans_by_sentence=[[(0, 9)], [(0, 5)]]
    )
    assert found == [
        LintWarning(
            "uncovered-content",
            "No unit covers ‘students discovered colonies in Surrey’.",
            6,
            44,
            1,
        )
    ]
    covered = [[(0, 9)], [(0, 25)]]
    assert lint_example([], reference_sentences=sentences, spans_by_sentence=covered) == []


def test_it_wants_the_spans_of_every_sentence() -> None:
    with pytest.raises(ValueError, match="1 sentences, but spans of 0"):
        lint_example([], reference_sentences=["Rain fell."], spans_by_sentence=[])


QUIETEST = ("several-facts", "no-verb", "unknown-negation")


def flag_rates(folder: Path) -> dict[str, float]:
    """Share of the published units that each rule flags."""
    references = (folder / "references.txt").read_text("utf-8").split("\n")
    counts: Counter[str] = Counter()
    total = 0
    for reference, line in zip(
        references, (folder / "SCUs.txt").read_text("utf-8").split("\n"), strict=True
    ):
        sentences = [reference[start:end] for start, end in split_sentences(reference)]
        units = line.split("\t")
        total += len(units)
        for i, unit in enumerate(units):
            others = units[:i] + units[i + 1 :]
            counts.update(
                {
                    found.rule
                    for found in lint_unit(unit, reference_sentences=sentences, others=others)
                }
            )
    return {rule: count / total for rule, count in counts.items()}


def test_it_flags_few_units_of_realsumm(realsumm_dir: Path) -> None:
    rates = flag_rates(realsumm_dir)
    assert "breaks-off" not in rates
    assert max(rates.get(rule, 0) for rule in QUIETEST) < 0.015
    assert max(rates.values()) < 0.06
    assert 0.02 < rates["too-long"] < 0.04


def test_it_flags_few_units_of_pyrxsum(pyrxsum_dir: Path) -> None:
    rates = flag_rates(pyrxsum_dir)
    assert "breaks-off" not in rates
    assert max(rates.get(rule, 0) for rule in QUIETEST) < 0.015
    assert max(rates.values()) < 0.085
    assert rates["pronoun-start"] < 0.02
