"""The rules of the linter, as settings and pages show them."""

from __future__ import annotations

from dataclasses import dataclass

MAX_WORDS = 13  # 97 of 100 published SCUs have no more
MAX_UNITS = 16  # the slots of REALSumm's crowd form; no published reference needs more


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule as the settings page shows it."""

    id: str
    title: str
    explanation: str


_RULES = (
    Rule("empty", "No text", "A unit needs text."),
    Rule(
        "several-facts",
        "Several facts",
        "A unit states one fact. Split two clauses, or two verbs joined by ‘and’, into two units.",
    ),
    Rule(
        "pronoun-start",
        "Starts with a pronoun",
        "Judges see each unit on its own, so it must name its subject.",
    ),
    Rule(
        "breaks-off",
        "Incomplete sentence",
        "A unit is a complete sentence: it can’t end with ‘than’, ‘and’ or ‘the’.",
    ),
    Rule(
        "no-verb",
        "No verb",
        "A unit is a complete sentence: it says who did what, or what is the case.",
    ),
    Rule(
        "too-long",
        "Too long",
        f"Units of more than {MAX_WORDS} words usually contain several facts.",
    ),
    Rule("duplicate", "Duplicate", "A duplicate unit counts the same fact twice."),
    Rule(
        "near-duplicate",
        "Near duplicate",
        "Two units with the same words in other forms or order may state the same fact.",
    ),
    Rule(
        "unknown-number",
        "Number not in the reference",
        "Every number in a unit should be in the sentence that the unit covers.",
    ),
    Rule(
        "unknown-name",
        "Name not in the reference",
        "Every name in a unit should be in a reference.",
    ),
    Rule(
        "unknown-negation",
        "Negation not in the reference",
        "A negation that is not in the reference reverses the fact.",
    ),
    Rule(
        "unsupported-words",
        "Words not in the reference",
        "New words may add information that is not in the reference.",
    ),
    Rule(
        "too-many-units",
        "Too many units",
        f"Judges see at most {MAX_UNITS} units at once.",
    ),
    Rule(
        "uncovered-content",
        "Uncovered content",
        "Content of a reference that no unit covers is not evaluated.",
    ),
)
RULES: dict[str, Rule] = {rule.id: rule for rule in _RULES}
