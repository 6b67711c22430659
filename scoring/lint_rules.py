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
    Rule("empty", "No text", "A unit needs words."),
    Rule(
        "several-facts",
        "Several facts",
        "A unit holds one fact. Two clauses, or two verbs joined by ‘and’, make two units.",
    ),
    Rule(
        "pronoun-start",
        "Opens with a pronoun",
        "Judges see each unit alone, so its subject has to be named.",
    ),
    Rule(
        "breaks-off",
        "Breaks off",
        "A unit is a whole sentence: after ‘than’, ‘and’ or ‘the’ something has to follow.",
    ),
    Rule("no-verb", "No verb", "A unit is a whole sentence: it says who did what, or what is so."),
    Rule("too-long", "Too long", f"Units of more than {MAX_WORDS} words seldom hold one fact."),
    Rule("duplicate", "Duplicate", "The same unit twice counts its fact twice."),
    Rule(
        "near-duplicate",
        "Nearly a duplicate",
        "Two units of the same words in other forms, or in another order, may say the same.",
    ),
    Rule(
        "unknown-number",
        "Number not in the reference",
        "Every number of a unit comes from the sentence it stands on.",
    ),
    Rule("unknown-name", "Name not in the reference", "Every name of a unit is in a reference."),
    Rule(
        "unknown-negation",
        "Negation not in the reference",
        "A ‘not’ that the reference lacks turns a fact into its opposite.",
    ),
    Rule(
        "unsupported-words",
        "Words not in the reference",
        "Words of one’s own may add what the reference does not say.",
    ),
    Rule(
        "too-many-units",
        "Too many units",
        f"A judge is shown at most {MAX_UNITS} units at once.",
    ),
    Rule(
        "uncovered-content",
        "Content without a unit",
        "A stretch of a reference on which no unit stands is lost to the evaluation.",
    ),
)
RULES: dict[str, Rule] = {rule.id: rule for rule in _RULES}
