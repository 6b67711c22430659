"""All units of a set as one table, filtered."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any
from urllib.parse import urlencode

from django.db.models import Exists, OuterRef, QuerySet
from django.utils.translation import gettext as _

from annotation.corpora.accounts.models import User
from annotation.corpora.search.queries import holding
from annotation.errors import Invalid
from annotation.translation import gettext_lazy
from annotation.units.sets.models import Unit, UnitSet
from annotation.units.sets.queries import get_settings
from annotation.units.studio.models import Assignment, AssignmentState
from scoring.lint_rules import RULES, Rule

DELETED = "deleted"
STATES = [*AssignmentState.choices, (DELETED, gettext_lazy("Deleted units"))]
NOBODY = "nobody"
ANY, CLEAN, UNCHECKED = "any", "none", "unchecked"
LONGEST = 200
# The id of a user, or nobody; empty is anybody.
AUTHOR = re.compile(f"([0-9]{{1,18}}|{NOBODY})?")


@dataclass(frozen=True, slots=True)
class UnitFilter:
    """Empty fields filter nothing. `state` is that of the example, or `deleted` units.

    `lint` is a rule, `any` for units with a warning, `none` for those without, `unchecked`.
    """

    q: str = ""
    example: str = ""
    author: str = ""
    state: str = ""
    lint: str = ""

    @property
    def query_string(self) -> str:
        return urlencode({name: value for name, value in asdict(self).items() if value})


def read_unit_filter(params: Mapping[str, str]) -> UnitFilter:
    """As an address says it; what it doesn't know is an error that lists what is known."""
    found = UnitFilter(**{name: params.get(name, "") for name in UnitFilter.__slots__})
    if any("\x00" in value or len(value) > LONGEST for value in asdict(found).values()):
        raise Invalid(_("The search text is too long or contains a NUL character."))
    _one_of("state", found.state, [value for value, __ in STATES])
    _one_of("lint", found.lint, [ANY, CLEAN, UNCHECKED, *RULES])
    if not AUTHOR.fullmatch(found.author):
        raise Invalid(
            _("author: '{author}' is not a user ID.").format(author=found.author),
            _("Use an ID or '{nobody}'.").format(nobody=NOBODY),
        )
    return found


def _one_of(name: str, value: str, known: list[str]) -> None:
    if value and value not in known:
        raise Invalid(
            _("{name}: unknown value '{value}'.").format(name=name, value=value),
            _("Use one of {known}.").format(known=", ".join(known)),
        )


def filter_units(unit_set: UnitSet, chosen: UnitFilter) -> QuerySet[Unit]:
    """In the order of the corpus, with example and author at hand."""
    rows = Unit.objects.filter(
        holding(chosen.q.strip(), "text"),
        set=unit_set,
        # Said again, so that the order of the corpus is read off an index.
        example__project=unit_set.project_id,
        is_deleted=chosen.state == DELETED,
    )
    if chosen.example.strip():
        rows = rows.filter(example__key__icontains=chosen.example.strip())
    if chosen.author:
        author = None if chosen.author == NOBODY else int(chosen.author)
        rows = rows.filter(author=author)
    if chosen.state and chosen.state != DELETED:
        rows = rows.filter(_in_state(unit_set, chosen.state))
    rows = _by_lint(rows, chosen.lint)
    return rows.select_related("example", "author").order_by(
        "example__position", "example_id", "position", "pk"
    )


def count_known(unit_set: UnitSet, chosen: UnitFilter) -> int | None:
    """How many units there are where nothing needs to be counted for it."""
    return unit_set.unit_count if unit_set.is_frozen and chosen == UnitFilter() else None


def _in_state(unit_set: UnitSet, state: str) -> Any:
    """An example that nobody has opened has no row, and is still to be written."""
    rows = Assignment.objects.filter(set=unit_set, example=OuterRef("example"))
    if state == AssignmentState.TODO:
        return ~Exists(rows.exclude(state=state))
    return Exists(rows.filter(state=state))


def _by_lint(rows: QuerySet[Unit], lint: str) -> QuerySet[Unit]:
    if lint == UNCHECKED:
        return rows.filter(lint="")
    if lint == CLEAN:
        return rows.filter(lint=",")
    if lint == ANY:
        return rows.exclude(lint__in=["", ","])
    return rows.filter(lint__contains=f",{lint},") if lint else rows


def list_authors(unit_set: UnitSet) -> list[User]:
    """Who has written units of the set: each is looked up, as most units have the same author."""
    theirs = Unit.objects.filter(set=unit_set, author=OuterRef("pk"))
    return list(User.objects.filter(Exists(theirs)).order_by("name", "pk"))


def list_states(unit_set: UnitSet, examples: list[int]) -> dict[int, str]:
    """How far each example is, in words."""
    rows = Assignment.objects.filter(set=unit_set, example__in=examples)
    labels = dict(AssignmentState.choices)
    return {pk: labels[state] for pk, state in rows.values_list("example_id", "state")}


def describe_rules(unit: Unit, disabled: list[str]) -> list[str]:
    """The titles of the active rules that warn of a unit."""
    rules = unit.lint.split(",")
    return [RULES[rule].title for rule in rules if rule in RULES and rule not in disabled]


@dataclass(frozen=True, slots=True)
class LintTotals:
    """Active rules with how many units each had at the last check, the most frequent first."""

    at: datetime | None
    rules: list[tuple[Rule, int]]

    @property
    def warnings(self) -> int:
        return sum(number for __, number in self.rules)


def get_lint_totals(unit_set: UnitSet) -> LintTotals:
    disabled = get_settings(unit_set.project).disabled_rules
    totals: dict[str, int] = unit_set.lint.get("rules", {})
    rules = sorted(totals, key=lambda rule: (-totals[rule], rule))
    active = [(RULES[rule], totals[rule]) for rule in rules if rule in RULES]
    at = unit_set.lint.get("at")
    return LintTotals(
        datetime.fromisoformat(at) if at else None,
        [(rule, number) for rule, number in active if number and rule.id not in disabled],
    )


def list_lint_choices(unit_set: UnitSet) -> list[tuple[str, str]]:
    """What the table can be filtered by."""
    counted = [
        (rule.id, f"{rule.title} ({number:,})") for rule, number in get_lint_totals(unit_set).rules
    ]
    general = [(ANY, _("Any warning")), (CLEAN, _("No warning")), (UNCHECKED, _("Not checked"))]
    return [*general, *counted]
