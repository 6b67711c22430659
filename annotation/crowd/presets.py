"""Settings of published studies, to start a campaign from with one click."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from annotation.crowd.models import ProviderName

APPROVAL_RATE = "000000000000000000L0"
HITS_APPROVED = "00000000000000000040"
LOCALE = "00000000000000000071"

INSTRUCTIONS = """\
You will read a short summary of a news article, and then some statements.

For each statement, decide whether the summary says so.

- Present: the summary expresses the statement's fact, in these or in other words.
- Not present: the summary does not say it, says only a part of it, or says something else.

Judge by the summary alone. Whether a statement is true in the world does not matter, and neither \
does what you know of the story. If the summary only hints at it, answer not present."""

WORKED_EXAMPLES = [
    {
        "summary": "The old harbour bridge reopened on Friday after two years of repairs.",
        "statement": "The bridge was under repair for two years.",
        "answer": "present",
        "why": "Said in other words: it reopened after two years of repairs.",
    },
    {
        "summary": "The old harbour bridge reopened on Friday after two years of repairs.",
        "statement": "The repairs cost nine million.",
        "answer": "absent",
        "why": "It may be true, but the summary says nothing of the cost.",
    },
]

PLAIN: dict[str, Any] = {
    "title": "Does the summary say it? Read a short text and judge a few statements",
    "description": "Read a short summary and say for each statement whether it is in there.",
    "keywords": "summary, reading, text, judgement, english",
    "instructions": INSTRUCTIONS,
    "worked_examples": WORKED_EXAMPLES,
}


def compared(qualification: str, comparator: str, **values: Any) -> dict[str, Any]:
    """A requirement as the MTurk API writes it."""
    return {"QualificationTypeId": qualification, "Comparator": comparator, **values}


# What each crowd can ask of workers, of the requirements that presets have. The marketplace counts
# only what was done there, so a number of approved HITs would keep everybody out of a new one.
ASKABLE: dict[str, set[str]] = {
    ProviderName.MARKETPLACE: {LOCALE, APPROVAL_RATE},
    ProviderName.MTURK: {LOCALE, APPROVAL_RATE, HITS_APPROVED},
    ProviderName.PROLIFIC: {APPROVAL_RATE, HITS_APPROVED},
    ProviderName.OFFLINE: set(),
}


@dataclass(frozen=True, slots=True)
class Preset:
    """Settings as a study published them: `fields` are those on MTurk."""

    label: str
    detail: str
    fields: dict[str, Any]

    def fields_at(self, provider: str) -> dict[str, Any]:
        """The settings as another crowd can take them."""
        fields = dict(self.fields)
        rows = fields.get("requirements", [])
        known = ASKABLE.get(provider, set())
        fields["requirements"] = [row for row in rows if row["QualificationTypeId"] in known]
        if provider == ProviderName.PROLIFIC and fields.get("rewards_by_kind"):
            # A study there pays everybody the same: then the highest.
            fields["reward"] = max(fields.pop("rewards_by_kind").values(), key=Decimal)
        return fields

    def left_out(self, provider: str) -> list[dict[str, Any]]:
        """The requirements that this crowd is not asked for."""
        known = ASKABLE.get(provider, set())
        rows = self.fields.get("requirements", [])
        return [row for row in rows if row["QualificationTypeId"] not in known]


PRESETS = {
    "blank": Preset("Plain", "Four workers a summary, 15 cents, no requirements.", PLAIN),
    "realsumm": Preset(
        "REALSumm",
        "Four workers a summary; 20 cents for abstractive and 15 for extractive systems.",
        {
            **PLAIN,
            "reward": "0.15",
            "rewards_by_kind": {"abstractive": "0.20", "extractive": "0.15"},
            "assignments_per_hit": 4,
            "units_per_hit": 16,
        },
    ),
    "pyrxsum": Preset(
        "PyrXSum",
        "Four workers per summary, 15 cents; workers in the US with more than 98 % approved "
        "and at least 10,000 approved HITs, as far as the crowd can be asked for that.",
        {
            **PLAIN,
            "reward": "0.15",
            "assignments_per_hit": 4,
            "units_per_hit": 16,
            "requirements": [
                compared(LOCALE, "EqualTo", LocaleValues=[{"Country": "US"}]),
                compared(APPROVAL_RATE, "GreaterThan", IntegerValues=[98]),
                compared(HITS_APPROVED, "GreaterThanOrEqualTo", IntegerValues=[10_000]),
            ],
        },
    ),
}
