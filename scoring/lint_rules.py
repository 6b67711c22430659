"""The rules of the linter, as settings and pages show them."""

from __future__ import annotations

from dataclasses import dataclass

from scoring.translation import gettext_lazy

MAX_WORDS = 13  # 97 of 100 published SCUs have no more
MAX_UNITS = 16  # the slots of REALSumm's crowd form; no published reference needs more


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule as the settings page shows it."""

    id: str
    title: str
    explanation: str


_RULES = (
    Rule("empty", gettext_lazy("No text"), gettext_lazy("A unit needs text.")),
    Rule(
        "several-facts",
        gettext_lazy("Several facts"),
        gettext_lazy(
            "A unit states one fact. Split two clauses, or two verbs joined by ‘and’, into two "
            "units."
        ),
    ),
    Rule(
        "pronoun-start",
        gettext_lazy("Starts with a pronoun"),
        gettext_lazy("Judges see each unit on its own, so it must name its subject."),
    ),
    Rule(
        "breaks-off",
        gettext_lazy("Incomplete sentence"),
        gettext_lazy("A unit is a complete sentence: it can’t end with ‘than’, ‘and’ or ‘the’."),
    ),
    Rule(
        "no-verb",
        gettext_lazy("No verb"),
        gettext_lazy("A unit is a complete sentence: it says who did what, or what is the case."),
    ),
    Rule(
        "too-long",
        gettext_lazy("Too long"),
        gettext_lazy(
            "Units of more than {most} words usually contain several facts.", most=MAX_WORDS
        ),
    ),
    Rule(
        "duplicate",
        gettext_lazy("Duplicate"),
        gettext_lazy("A duplicate unit counts the same fact twice."),
    ),
    Rule(
        "near-duplicate",
        gettext_lazy("Near duplicate"),
        gettext_lazy(
            "Two units with the same words in other forms or order may state the same fact."
        ),
    ),
    Rule(
        "unknown-number",
        gettext_lazy("Number not in the reference"),
        gettext_lazy("Every number in a unit should be in the sentence that the unit covers."),
    ),
    Rule(
        "unknown-name",
        gettext_lazy("Name not in the reference"),
        gettext_lazy("Every name in a unit should be in a reference."),
    ),
    Rule(
        "unknown-negation",
        gettext_lazy("Negation not in the reference"),
        gettext_lazy("A negation that is not in the reference reverses the fact."),
    ),
    Rule(
        "unsupported-words",
        gettext_lazy("Words not in the reference"),
        gettext_lazy("New words may add information that is not in the reference."),
    ),
    Rule(
        "too-many-units",
        gettext_lazy("Too many units"),
        gettext_lazy("Judges see at most {most} units at once.", most=MAX_UNITS),
    ),
    Rule(
        "uncovered-content",
        gettext_lazy("Uncovered content"),
        gettext_lazy("Content of a reference that no unit covers is not evaluated."),
    ),
)
RULES: dict[str, Rule] = {rule.id: rule for rule in _RULES}
