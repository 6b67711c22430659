"""Which HITs a campaign consists of, and what they will cost."""

from __future__ import annotations

import json
import math
import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import ROUND_UP, Decimal
from itertools import groupby
from typing import Any, TypeVar

from django.db.models import Count, QuerySet, Sum
from django.db.models.functions import Length

from annotation.computed import Computed
from annotation.corpora.corpus.models import Example, Summary
from annotation.corpora.corpus.queries import KEPT_SECONDS, list_sources
from annotation.crowd.campaigns.checks import count_expected, list_planned_examples
from annotation.crowd.campaigns.cleaning import clean_summaries
from annotation.crowd.campaigns.models import Campaign, CampaignState, Hit
from annotation.crowd.providers import get_provider
from annotation.memory import Memory
from annotation.units.sets.models import Unit, UnitKind
from annotation.units.stus.models import SentencePlan

CENT = Decimal("0.01")
T = TypeVar("T")
LONGEST = Computed("longest-summaries", list[int], KEPT_SECONDS)


def list_judged_units(campaign: Campaign) -> QuerySet[Unit]:
    """The set's SCUs; in a set that has none, or where a plan lets them stand in, its STUs too."""
    units = Unit.objects.filter(set=campaign.unit_set, is_deleted=False)
    scus = units.filter(kind=UnitKind.SCU)
    stand_ins = SentencePlan.objects.filter(set=campaign.unit_set, is_human=False)
    return scus if scus.exists() and not stand_ins.exists() else units


def list_judged_examples(campaign: Campaign) -> QuerySet[Any]:
    """The ids of examples that have units, or will have them as planned."""
    units = list_judged_units(campaign).order_by().values("example")
    if campaign.unit_set.is_frozen:
        return units
    return units.union(list_planned_examples(campaign.unit_set))


def list_left_out(campaign: Campaign) -> QuerySet[Example]:
    """Examples that are chosen or planned, and that have no unit: nothing of them is judged."""
    chosen = campaign.scope.get("examples")
    rows: QuerySet[Example] = Example.objects.live().filter(
        project=campaign.project_id,
        pk__in=chosen or list_planned_examples(campaign.unit_set),
    )
    units = list_judged_units(campaign).order_by().values("example")
    return rows.exclude(pk__in=units).order_by("position", "pk")


# Units by example, of the frozen sets that were asked about last.
_counts: Memory[Mapping[int, int]] = Memory(4)


def count_judged_units(campaign: Campaign) -> Mapping[int, int]:
    """Units of each example; of a set that is still being written, as many as are expected."""
    unit_set = campaign.unit_set
    if not unit_set.is_frozen:
        return count_expected(unit_set, _count_units(campaign))
    key = (unit_set.pk, unit_set.created_at, unit_set.content_hash)
    return _counts.get(key, lambda: _count_units(campaign))


def _count_units(campaign: Campaign) -> dict[int, int]:
    rows = list_judged_units(campaign).order_by().values_list("example")
    return dict(rows.annotate(count=Count("pk")))


def list_scope(campaign: Campaign) -> QuerySet[Summary]:
    """The summaries that are judged: of the chosen systems and examples, where there are units."""
    return list_chosen(campaign).filter(example__in=list_judged_examples(campaign))


def list_chosen(campaign: Campaign) -> QuerySet[Summary]:
    """The summaries of the chosen systems and examples, be there units or not."""
    found: QuerySet[Summary] = Summary.objects.live()
    if systems := campaign.scope.get("systems"):
        found = found.filter(system__in=systems)
    if chosen := campaign.scope.get("examples"):
        found = found.filter(example__in=chosen)
    return found


def find_judged_example(campaign: Campaign, than: int, side: str) -> int | None:
    """The id of the next example that has units, on one side of another: `lt` or `gt`."""
    rows = list_judged_units(campaign).filter(**{f"example__{side}": than})
    if chosen := campaign.scope.get("examples"):
        rows = rows.filter(example__in=chosen)
    found = rows.order_by("-example" if side == "lt" else "example").values_list("example")
    return next((example for (example,) in found[:1]), None)


def list_longest(campaign: Campaign, number: int) -> list[Summary]:
    """The longest summaries, and the longest of the examples that have most to judge."""
    found = recall(LONGEST, campaign, lambda: _find_longest(campaign, number), number)
    rows = Summary.objects.select_related("example", "system").in_bulk(found)
    return [rows[pk] for pk in found]


def _find_longest(campaign: Campaign, number: int) -> list[int]:
    by_length = list_scope(campaign).order_by(Length("text").desc(), "pk")
    units = list_judged_units(campaign).order_by().values("example")
    wordy = units.annotate(size=Sum(Length("text"))).order_by("-size").values_list("example")
    found = list(by_length.values_list("pk", flat=True)[:number])
    for (example,) in wordy[:number]:
        found += by_length.filter(example=example).values_list("pk", flat=True)[:1]
    return list(dict.fromkeys(found))


def recall(values: Computed[T], campaign: Campaign, make: Callable[[], T], *parts: object) -> T:
    """What is read off frozen units and the scope's texts holds until texts come or go."""
    unit_set = campaign.unit_set
    if not unit_set.is_frozen:
        return make()
    scope = json.dumps(campaign.scope, sort_keys=True)
    about = (unit_set.pk, unit_set.content_hash, scope, list_sources(campaign.project))
    return values.get((*about, *parts), make)


def split_evenly(count: int, most: int) -> list[int]:
    """Sizes of the fewest parts of at most `most`, none larger than another by more than one."""
    parts = math.ceil(count / most)
    return [count // parts + (index < count % parts) for index in range(parts)]


def reward_of(campaign: Campaign, kind: str) -> Decimal:
    return Decimal(campaign.rewards_by_kind.get(kind) or campaign.reward)


@dataclass(frozen=True, slots=True)
class Cost:
    """What publishing will cost at most, to the cent."""

    summaries: int
    hits: int
    assignments: int
    statements: int
    rewards: Decimal
    fees: Decimal
    bonus_reserve: Decimal

    @property
    def total(self) -> Decimal:
        return self.rewards + self.fees + self.bonus_reserve

    @property
    def statements_per_hit(self) -> float:
        return self.statements / self.hits if self.hits else 0.0


def estimate_cost(campaign: Campaign, summaries: QuerySet[Summary] | None = None) -> Cost:
    """Count HITs without making them: as many parts as an example's units need, by system kind."""
    sized = _count_scope(campaign) if summaries is None else _count_sizes(campaign, summaries)
    provider = get_provider(campaign)
    hits: Counter[str] = Counter()
    statements = summary_count = 0
    for row in sized:
        hits[row.kind] += row.count * len(split_evenly(row.size, campaign.units_per_hit))
        statements += row.count * row.size
        summary_count += row.count
    places = campaign.assignments_per_hit
    rewards = fees = Decimal(0)
    for kind, number in hits.items():
        reward = reward_of(campaign, kind)
        rewards += reward * number * places
        fees += provider.fee(reward, places) * number * places
    return Cost(
        summaries=summary_count,
        hits=hits.total(),
        assignments=hits.total() * places,
        statements=statements,
        rewards=rewards,
        fees=fees,
        bonus_reserve=campaign.bonus_reserve,
    )


@dataclass(frozen=True, slots=True)
class Sized:
    """How many summaries of a kind of system have so many units to judge."""

    kind: str
    size: int
    count: int


SIZES = Computed("summary-sizes", list[Sized], KEPT_SECONDS)


def count_scope(campaign: Campaign) -> int:
    """How many summaries are judged."""
    return sum(row.count for row in _count_scope(campaign))


def _count_scope(campaign: Campaign) -> list[Sized]:
    kinds = list(campaign.project.systems.order_by("pk").values_list("pk", "kind"))
    return recall(SIZES, campaign, lambda: _count_sizes(campaign, list_scope(campaign)), kinds)


def _count_sizes(campaign: Campaign, summaries: QuerySet[Summary]) -> list[Sized]:
    units = count_judged_units(campaign)
    found: Counter[tuple[str, int]] = Counter()
    rows = summaries.order_by().values_list("example", "system__kind")
    for example, kind, count in rows.annotate(count=Count("pk")):
        found[kind, units[example]] += count
    return [Sized(kind, size, count) for (kind, size), count in found.items()]


@dataclass(frozen=True, slots=True)
class Price:
    """What a step costs: what workers get, what the provider takes, and both."""

    number: int
    amount: Decimal
    fees: Decimal

    @property
    def total(self) -> Decimal:
        return self.amount + self.fees


def price_extension(
    campaign: Campaign, additional: int, systems: Sequence[int] = (), examples: Sequence[int] = ()
) -> Price:
    """More places of every HIT that is out, and HITs of summaries that come in."""
    wanted = campaign.assignments_per_hit + additional
    rows = campaign.hits.order_by().values_list("reward", "wanted", "again").annotate(Count("pk"))
    out = _price_growth(
        campaign, [(reward, has, wanted + again, count) for reward, has, again, count in rows]
    )
    wider = Campaign.objects.select_related("project", "unit_set").get(pk=campaign.pk)
    wider.assignments_per_hit, wider.bonus_reserve = wanted, Decimal(0)
    wider.scope = widened(campaign, systems, examples)
    planned = campaign.hits.order_by().values("summary")
    more = list_scope(wider).exclude(pk__in=planned) if planned.exists() else None
    new = estimate_cost(wider, more)
    return Price(out.number + new.assignments, out.amount + new.rewards, out.fees + new.fees)


def price_places(campaign: Campaign, again: Mapping[int, int]) -> Price:
    """So many places of some HITs, by id, beyond what the campaign wants of every HIT."""
    rows = campaign.hits.filter(pk__in=again).values_list("pk", "reward", "wanted")
    wanted = campaign.assignments_per_hit
    return _price_growth(
        campaign, [(reward, has, wanted + again[pk], 1) for pk, reward, has in rows]
    )


def _price_growth(campaign: Campaign, rows: Iterable[tuple[Decimal, int, int, int]]) -> Price:
    """Of HITs that are out: (reward, places now, places wanted, how many such HITs)."""
    provider = get_provider(campaign)
    number, amount, fees = 0, Decimal(0), Decimal(0)
    for reward, has, wanted, count in rows:
        then = max(wanted, has)
        growth = provider.fee(reward, then) * then - provider.fee(reward, has) * has
        number += (then - has) * count
        amount += reward * (then - has) * count
        fees += max(growth, Decimal(0)) * count
    return Price(number, amount, fees)


@dataclass(frozen=True, slots=True)
class Room:
    """What a draft leaves free under its cap, what one worker more a HIT adds, and a cap for it."""

    left: Decimal
    one_more: Decimal
    cap: Decimal

    @property
    def is_enough(self) -> bool:
        return self.left >= self.one_more


def find_room(campaign: Campaign, cost: Cost) -> Room:
    one_more = price_extension(campaign, 1).total - cost.rewards - cost.fees
    cap = (cost.total + one_more).quantize(CENT, rounding=ROUND_UP)
    return Room(find_cap(campaign, cost) - cost.total, one_more, cap)


def widened(
    campaign: Campaign, systems: Sequence[int], examples: Sequence[int]
) -> dict[str, list[int]]:
    """The scope with more in it; no list means all there is."""
    scope = dict(campaign.scope)
    for name, more in (("systems", systems), ("examples", examples)):
        if more and scope.get(name):
            scope[name] = sorted({*scope[name], *more})
    return scope


def find_cap(campaign: Campaign, cost: Cost) -> Decimal:
    """The budget; of a draft whose cap follows the scope, what it costs now, in whole cents."""
    if campaign.state == CampaignState.DRAFT and campaign.cap_follows:
        return cost.total.quantize(CENT, rounding=ROUND_UP)
    return campaign.budget


def expected_wage(campaign: Campaign, cost: Cost) -> Decimal | None:
    """Dollars an hour, at the pace of the timed preview."""
    if not campaign.seconds_per_statement or not cost.statements:
        return None
    hours = campaign.seconds_per_statement * cost.statements / 3600
    paid = cost.rewards / campaign.assignments_per_hit
    return (paid / Decimal(hours)).quantize(CENT)


def plan_hits(campaign: Campaign, summaries: Sequence[Summary]) -> list[Hit]:
    """The HITs of these summaries, not yet saved."""
    ordered = sorted(summaries, key=lambda row: row.example_id)
    units = _units_by_example(campaign, {row.example_id for row in ordered})
    shown = {pk: made.text for pk, made in clean_summaries(campaign, ordered).items()}
    return [
        hit
        for row in ordered
        for hit in _plan(campaign, row, units.get(row.example_id, []), shown.get(row.pk, ""))
    ]


def _units_by_example(campaign: Campaign, examples: set[int]) -> dict[int, list[Unit]]:
    rows = list_judged_units(campaign).filter(example__in=examples)
    in_order = rows.order_by("example_id", "position", "pk")
    return {key: list(group) for key, group in groupby(in_order, key=lambda unit: unit.example_id)}


def _plan(campaign: Campaign, summary: Summary, units: Sequence[Unit], shown: str) -> Iterator[Hit]:
    sizes = split_evenly(len(units), campaign.units_per_hit)
    start = 0
    for part, size in enumerate(sizes):
        statements = [{"unit": unit.pk, "text": unit.text} for unit in units[start : start + size]]
        yield Hit(
            campaign=campaign,
            summary=summary,
            part=part,
            parts=len(sizes),
            statements=_numbered(_with_gold(campaign, summary, part, statements)),
            shown=shown,
            reward=reward_of(campaign, summary.system.kind),
            wanted=campaign.assignments_per_hit,
        )
        start += size


def _with_gold(
    campaign: Campaign, summary: Summary, part: int, statements: list[dict[str, Any]]
) -> list[dict[str, Any]]:
    """Put attention items between the statements, at places that nobody can foresee."""
    fitting = [
        row
        for row in campaign.gold
        if row.get("example") in (None, "", summary.example.key)
        and row.get("system") in (None, "", summary.system.name)
    ]
    rng = random.Random(f"{campaign.token}/{summary.pk}/{part}")
    mixed = list(statements)
    for row in rng.sample(fitting, min(campaign.gold_per_hit, len(fitting))):
        item = {"gold": bool(row["answer"]), "text": row["text"]}
        mixed.insert(rng.randint(0, len(mixed)), item)
    return mixed


def _numbered(statements: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{"key": f"s{number}", **row} for number, row in enumerate(statements, 1)]
