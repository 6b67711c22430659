"""Settings of published studies, to start a campaign from with one click.

- Qualification requirements: as a form has them, and as the MTurk API writes them.
- Countries and their parts by the codes of ISO 3166, as qualification requirements name them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from typing import Any

import pycountry
from django.utils.translation import gettext as _

from annotation.crowd.campaigns.models import ProviderName
from annotation.translation import gettext_lazy

APPROVAL_RATE = "000000000000000000L0"
HITS_APPROVED = "00000000000000000040"
LOCALE = "00000000000000000071"

INSTRUCTIONS = """\
Please read a short summary of a news article, and then some statements.

For each statement, decide whether the summary says it.

- Present: the summary states the same fact, in the same or in other words.
- Not present: the summary does not say it, says only part of it, or says something different.

Judge only by the summary. It does not matter whether a statement is true in the real world, or \
what else you know about the story. If the summary only hints at something, answer "Not present".

Take the time you need: you can go back and change any answer before you submit. If something is \
unclear, please leave a comment or write to us. Thank you for your help."""

WORKED_EXAMPLES = [
    {
        "summary": "The old harbour bridge reopened on Friday after two years of repairs.",
        "statement": "The bridge was under repair for two years.",
        "answer": "present",
        "why": "The summary says it in other words: it reopened after two years of repairs.",
    },
    {
        "summary": "The old harbour bridge reopened on Friday after two years of repairs.",
        "statement": "The repairs cost nine million.",
        "answer": "absent",
        "why": "It may be true, but the summary doesn't mention the cost.",
    },
]

PLAIN: dict[str, Any] = {
    "title": "Does the summary say it? Read a short text and judge a few statements",
    "description": "Read a short summary and decide which statements it expresses.",
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
    "blank": Preset(
        gettext_lazy("Plain"),
        gettext_lazy("Four workers per summary, 15 cents per HIT, no worker requirements."),
        PLAIN,
    ),
    "realsumm": Preset(
        "REALSumm",
        gettext_lazy(
            "Four workers per summary; 20 cents per HIT for abstractive systems, 15 for extractive."
        ),
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
        gettext_lazy(
            "Four workers per summary, 15 cents per HIT; US workers with an approval rate above "
            "98 % and at least 10,000 approved HITs, where the provider supports these "
            "requirements."
        ),
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


def write_requirements(data: dict[str, Any]) -> list[dict[str, Any]]:
    """Qualification requirements as the MTurk API writes them."""
    found: list[dict[str, Any]] = []
    if countries := data["countries"]:
        places = [{"Country": code} for code in countries]
        comparator = "EqualTo" if len(places) == 1 else "In"
        found.append(compared(LOCALE, comparator, LocaleValues=places))
    if data["approval_rate"] is not None:
        rate = data["approval_rate"]
        found.append(compared(APPROVAL_RATE, "GreaterThan", IntegerValues=[rate]))
    if data["hits_approved"] is not None:
        count = data["hits_approved"]
        found.append(compared(HITS_APPROVED, "GreaterThanOrEqualTo", IntegerValues=[count]))
    return found + data["other_requirements"]


def read_requirements(rows: list[dict[str, Any]]) -> dict[str, Any]:
    """The ones that the form has a field for; the last takes everything else as it is."""
    shown: dict[str, Any] = {"other_requirements": []}
    for row in rows:
        name, value = _plain(row)
        if name and name not in shown:
            shown[name] = value
        else:
            shown["other_requirements"].append(row)
    return shown


def describe_requirement(row: dict[str, Any], names: Mapping[str, str] | None = None) -> str:
    """A requirement in words, as requesters read it; *names* are those of qualifications."""
    name, value = _plain(row)
    if name == "countries":
        return _("located in {value}").format(value=", ".join(value))
    if name == "approval_rate":
        return _("approval rate above {value} %").format(value=value)
    if name == "hits_approved":
        return _("at least {value:,} HITs approved").format(value=value)
    values = row.get("IntegerValues") or row.get("LocaleValues") or []
    called = (names or {}).get(row["QualificationTypeId"])
    if called and row["Comparator"] == "GreaterThanOrEqualTo":
        return _("“{called}”, at least {values}").format(called=called, values=values[0])
    words = [called or row["QualificationTypeId"], row["Comparator"], *map(str, values)]
    return " ".join(words)


def _plain(row: dict[str, Any]) -> tuple[str, Any]:
    """The form's field and value for a requirement that it would write in the same way."""
    numbers, places = row.get("IntegerValues") or [None], row.get("LocaleValues") or []
    codes = [place.get("Country", "") for place in places if set(place) == {"Country"}]
    for name, value in (
        ("countries", codes),
        ("approval_rate", numbers[0]),
        ("hits_approved", numbers[0]),
    ):
        data: dict[str, Any] = {"countries": [], "approval_rate": None, "hits_approved": None}
        if write_requirements({**data, "other_requirements": [], name: value}) == [row]:
            return name, value
    return "", None


@cache
def list_countries() -> list[tuple[str, str]]:
    """Code and name, by name."""
    named = ((row.alpha_2, getattr(row, "common_name", row.name)) for row in pycountry.countries)
    return sorted(named, key=lambda row: row[1])


@cache
def country_codes() -> frozenset[str]:
    return frozenset(code for code, __ in list_countries())


def name_country(code: str) -> str:
    """The name; a code that the list lacks stands for itself."""
    return dict(list_countries()).get(code, code)


def has_subdivision(country: str, code: str) -> bool:
    """Whether a state or province with this code, such as CA of US, is in the list."""
    return pycountry.subdivisions.get(code=f"{country}-{code}") is not None
