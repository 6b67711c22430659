"""What a campaign's settings must be like, said before any money is meant."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from decimal import Decimal, InvalidOperation
from typing import Any

from django.core.exceptions import ValidationError
from django.db.models import F, QuerySet
from django.utils.translation import gettext as _

from annotation.corpora.corpus.models import SystemKind
from annotation.crowd.campaigns.models import Campaign
from annotation.errors import Invalid
from annotation.translation import format_lazy, gettext_lazy
from annotation.units.sets.models import Unit, UnitKind, UnitSet
from annotation.units.studio.models import Assignment, AssignmentState
from annotation.units.stus.models import SentencePlan
from scoring.cleaning import RULES, check_rules
from scoring.errors import InputError
from scoring.overlap import tokenize
from scoring.planning.prices import WORDS_PER_SCU

CENT = Decimal("0.01")
MOST_REWARD = Decimal(100)
RANGES = {
    "units_per_hit": (1, 16),
    "assignments_per_hit": (1, 100),
    "seconds_allotted": (30, 365 * 86_400),
    "lifetime_seconds": (30, 365 * 86_400),
    "auto_approve_seconds": (0, 30 * 86_400),
    "gold_per_hit": (0, 4),
}
MONEY = ("reward", "budget", "bonus_reserve", "wage_floor")
MOST_HITS = 1_000_000
MOST_TEXT = 20_000
MOST_ITEMS = 20
MOST_GOLD = 5000
MOST_REQUIREMENTS = 8
# The words of the MTurk API.
COMPARATORS = [
    *("LessThan", "LessThanOrEqualTo", "GreaterThan", "GreaterThanOrEqualTo"),
    *("EqualTo", "NotEqualTo", "Exists", "DoesNotExist", "In", "NotIn"),
]
GUARDED = ["Accept", "PreviewAndAccept", "DiscoverPreviewAndAccept"]
QUALIFICATION = re.compile("[A-Z0-9]{1,64}")
PLACE = re.compile("[A-Z]{2}")
UNWRITABLE = re.compile("[\x00\ud800-\udfff]")


def check_fields(campaign: Campaign) -> None:
    """Raise `Invalid` that names the first setting which is not as it must be."""
    for name, (least, most) in RANGES.items():
        _check_range(name, getattr(campaign, name), least, most)
    for name in MONEY:
        setattr(campaign, name, _check_money(name, getattr(campaign, name)))
    if campaign.most_per_worker is not None:
        _check_range("most_per_worker", campaign.most_per_worker, 1, MOST_HITS)
    _check_rewards(campaign)
    for name in ("worked_examples", "training"):
        _check_items(name, getattr(campaign, name), ("summary", "statement", "answer"))
    _check_gold(campaign.gold)
    _check_requirements(campaign.requirements)
    _check_scope(campaign.scope)
    campaign.cleaning = _check_cleaning(campaign.cleaning)
    for name in ("worked_examples", "training", "gold", "requirements"):
        _check_writable(name, getattr(campaign, name))
    _check_texts(campaign)


def _check_scope(scope: Any) -> None:
    known = isinstance(scope, dict) and not set(scope) - {"systems", "examples"}
    if not known or not all(_are_ids(rows) for rows in scope.values()):
        raise Invalid(_("scope: expected an object with 'systems' and 'examples', lists of ids."))


def _check_cleaning(rules: Any) -> list[str]:
    if not isinstance(rules, list) or not all(isinstance(rule, str) for rule in rules):
        raise Invalid(
            _("cleaning: expected a list of these rules: {rules}.").format(rules=", ".join(RULES))
        )
    try:
        return list(check_rules(rules))
    except InputError as error:
        raise Invalid(_("cleaning: {error}").format(error=error)) from None


def _are_ids(rows: Any) -> bool:
    return rows is None or (isinstance(rows, list) and all(type(row) is int for row in rows))


def _check_writable(name: str, rows: Any) -> None:
    """Databases can't keep every character, and a page can't show it."""
    if UNWRITABLE.search("".join(_texts(rows))):
        raise Invalid(
            _("{name}: a text contains a NUL character or an unpaired surrogate.").format(name=name)
        )


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        yield from _texts(list(value.items()))
    elif isinstance(value, list | tuple):
        for row in value:
            yield from _texts(row)


def _check_texts(campaign: Campaign) -> None:
    left_out = {"project", "unit_set", "created_by", "job", "budget"}
    try:
        campaign.clean_fields(exclude=left_out)
    except ValidationError as error:
        name, messages = next(iter(error.message_dict.items()))
        raise Invalid(f"{name}: {messages[0]}") from None


def _check_range(name: str, value: Any, least: int, most: int) -> None:
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
        raise Invalid(
            _("{name}: expected a whole number from {least:,} to {most:,}, not {value!r}.").format(
                name=name, least=least, most=most, value=value
            )
        )


def _check_money(name: str, value: Any) -> Decimal:
    try:
        amount = Decimal(str(value))
    except InvalidOperation:
        raise Invalid(
            _("{name}: expected dollars such as 0.15, not {value!r}.").format(
                name=name, value=value
            )
        ) from None
    if not amount.is_finite() or amount < 0 or amount >= Decimal(10) ** 8:
        raise Invalid(
            _("{name}: expected an amount of at least 0 dollars, not {value}.").format(
                name=name, value=value
            )
        )
    if amount != amount.quantize(CENT):
        raise Invalid(
            _("{name}: {value} is not a whole number of cents.").format(name=name, value=value)
        )
    return amount


def _check_rewards(campaign: Campaign) -> None:
    rewards = {"reward": campaign.reward}
    if not isinstance(campaign.rewards_by_kind, dict):
        raise Invalid(_("rewards_by_kind: expected an object such as {'abstractive': '0.20'}."))
    for kind, value in campaign.rewards_by_kind.items():
        if kind not in SystemKind.values:
            raise Invalid(
                _("rewards_by_kind: '{kind}' is not a kind of system.").format(kind=kind),
                _("Use {values}.").format(values=", ".join(SystemKind.values)),
            )
        rewards[f"rewards_by_kind {kind}"] = _check_money(
            _("rewards_by_kind {kind}").format(kind=kind), value
        )
    for name, amount in rewards.items():
        if amount > MOST_REWARD:
            raise Invalid(
                _("{name}: ${amount} per HIT is more than the maximum of ${most_reward}.").format(
                    name=name, amount=amount, most_reward=MOST_REWARD
                )
            )
    campaign.rewards_by_kind = {
        kind: str(value) for kind, value in campaign.rewards_by_kind.items()
    }


def _check_items(name: str, rows: Any, needed: tuple[str, ...]) -> None:
    if not isinstance(rows, list) or len(rows) > MOST_ITEMS:
        raise Invalid(
            _("{name}: expected a list of at most {most_items} items.").format(
                name=name, most_items=MOST_ITEMS
            )
        )
    for number, row in enumerate(rows, 1):
        if not isinstance(row, dict) or not all(_is_said(row.get(key)) for key in needed):
            raise Invalid(
                _("{name} {number}: expected {needed}, each a non-empty string.").format(
                    name=name, number=number, needed=", ".join(needed)
                )
            )
        _check_members(f"{name} {number}", row, {*needed, "why"})
        if row["answer"] not in ("present", "absent"):
            raise Invalid(
                _("{name} {number}: the answer must be 'present' or 'absent'.").format(
                    name=name, number=number
                )
            )
    if len(json.dumps(rows)) > MOST_TEXT:
        raise Invalid(
            _("{name}: together, the items are longer than {most_text:,} characters.").format(
                name=name, most_text=MOST_TEXT
            )
        )


def _is_said(value: Any) -> bool:
    return isinstance(value, str) and bool(value.strip())


def _check_members(where: str, row: dict[Any, Any], known: set[str]) -> None:
    """Texts under names that are known: a misspelt one would be silently without effect."""
    for name, value in row.items():
        if name not in known:
            raise Invalid(
                _("{where}: unknown name '{name}'.").format(where=where, name=name),
                _("Use {known}.").format(known=", ".join(sorted(known))),
            )
        if value is not None and not isinstance(value, str):
            raise Invalid(_("{where}: '{name}' is not a string.").format(where=where, name=name))


def _check_gold(rows: Any) -> None:
    if not isinstance(rows, list) or len(rows) > MOST_GOLD:
        raise Invalid(
            _("gold: expected a list of at most {most_gold:,} items.").format(most_gold=MOST_GOLD)
        )
    for number, row in enumerate(rows, 1):
        if not isinstance(row, dict) or not _is_said(row.get("text")):
            raise Invalid(_("gold {number}: expected a text and an answer.").format(number=number))
        if not isinstance(row.get("answer"), bool):
            raise Invalid(
                _("gold {number}: the answer must be true (present) or false (absent).").format(
                    number=number
                )
            )
        others = {name: value for name, value in row.items() if name != "answer"}
        _check_members(
            _("gold {number}").format(number=number), others, {"text", "example", "system"}
        )
        if len(row["text"]) > 1000:
            raise Invalid(
                _("gold {number}: the text is longer than 1,000 characters.").format(number=number)
            )


def _check_requirements(rows: Any) -> None:
    if not isinstance(rows, list) or len(rows) > MOST_REQUIREMENTS:
        raise Invalid(
            _(
                "requirements: expected a list of at most {most_requirements} "
                "qualification requirements."
            ).format(most_requirements=MOST_REQUIREMENTS)
        )
    for number, row in enumerate(rows, 1):
        if not isinstance(row, dict) or not {"QualificationTypeId", "Comparator"} <= set(row):
            raise Invalid(
                _(
                    "requirements {number}: expected QualificationTypeId, Comparator and a value, "
                    "in the format of the MTurk API."
                ).format(number=number)
            )
        for name, value in row.items():
            expected, is_right = MEMBERS.get(name, (_("no such field"), _never))
            if not is_right(value):
                raise Invalid(
                    _("requirements {number}: {name}: expected {expected}.").format(
                        number=number, name=name, expected=expected
                    )
                )


def _never(value: Any) -> bool:
    return False


def _is_place(value: Any) -> bool:
    return (
        isinstance(value, dict)
        and {"Country"} <= set(value) <= {"Country", "Subdivision"}
        and all(isinstance(code, str) and PLACE.fullmatch(code) for code in value.values())
    )


def _is_integer(value: Any) -> bool:
    return type(value) is int and 0 <= value < 2**31


MEMBERS: dict[str, tuple[str, Callable[[Any], bool]]] = {
    "QualificationTypeId": (
        gettext_lazy("at most 64 capital letters and digits"),
        lambda value: isinstance(value, str) and bool(QUALIFICATION.fullmatch(value)),
    ),
    "Comparator": (
        format_lazy(gettext_lazy("one of {comparators}"), comparators=", ".join(COMPARATORS)),
        lambda value: value in COMPARATORS,
    ),
    "IntegerValues": (
        gettext_lazy("a list of at most 15 whole numbers"),
        lambda value: isinstance(value, list) and len(value) <= 15 and all(map(_is_integer, value)),
    ),
    "LocaleValues": (
        gettext_lazy("a list of at most 30 places such as {'Country': 'US'}"),
        lambda value: isinstance(value, list) and len(value) <= 30 and all(map(_is_place, value)),
    ),
    "RequiredToPreview": (gettext_lazy("true or false"), lambda value: isinstance(value, bool)),
    "ActionsGuarded": (
        format_lazy(gettext_lazy("one of {guarded}"), guarded=", ".join(GUARDED)),
        lambda value: value in GUARDED,
    ),
}


READ_CHUNK = 2000


def list_planned_examples(unit_set: UnitSet) -> QuerySet[Any]:
    """The ids of examples whose sentences are planned."""
    rows = SentencePlan.objects.filter(set=unit_set).order_by()
    return rows.values(example=F("sentence__reference__example"))


def count_expected(unit_set: UnitSet, counts: Mapping[int, int]) -> dict[int, int]:
    """Units of each example once it is written: the STUs there are, and SCUs by words.

    Who has written more than that is believed, and so is who says that an example is done.
    """
    written = _count_scus(unit_set)
    done = set(
        Assignment.objects.filter(set=unit_set)
        .exclude(state=AssignmentState.TODO)
        .values_list("example_id", flat=True)
    )
    found = dict(counts)
    for example, expected in _count_planned(unit_set).items():
        if example not in done:
            has = written.get(example, 0)
            found[example] = counts.get(example, 0) - has + max(has, expected)
    return found


def _count_scus(unit_set: UnitSet) -> dict[int, int]:
    rows = Unit.objects.filter(set=unit_set, is_deleted=False, kind=UnitKind.SCU)
    found: dict[int, int] = {}
    for example in rows.order_by().values_list("example_id", flat=True).iterator(READ_CHUNK):
        found[example] = found.get(example, 0) + 1
    return found


def _count_planned(unit_set: UnitSet) -> dict[int, int]:
    """SCUs that the sentences of each example need, an SCU for every few words."""
    rows = SentencePlan.objects.filter(set=unit_set, is_human=True).order_by()
    fields = ("start", "end", "reference__text", "reference__example_id")
    texts = rows.values_list(*(f"sentence__{name}" for name in fields))
    found: dict[int, int] = {}
    for start, end, text, example in texts.iterator(READ_CHUNK):
        words = len(tokenize(text[start:end]))
        found[example] = found.get(example, 0) + max(1, round(words / WORDS_PER_SCU))
    return found
