"""What may be concluded: sentences from estimates, intervals and tests, and from nothing else.

Each function takes numbers and returns a sentence, or nothing where the numbers don't allow it.
A verb follows the interval, never the estimate alone; equal values are a tie; a difference is
called significant only where its corrected and settled test says so.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from scoring.figures.axes import short
from scoring.metaeval.report.saying import Estimate, counted, estimated, gap, listed, percent
from scoring.translation import gettext as _
from scoring.translation import gettext_lazy, ngettext

# How strong a correlation is called from which value on.
STRENGTHS = (
    (0.7, gettext_lazy("strong")),
    (0.3, gettext_lazy("moderate")),
    (0.0, gettext_lazy("weak")),
)
# With fewer systems, resampling repeats the same few, and an interval can't be relied on.
FEW_SYSTEMS = 10
# Among fewer pairs of systems, a share of right orders says little.
FEW_PAIRS = 10
# Values that differ by less are equal.
TIED = 1e-9


def name_strength(value: float) -> str:
    return next((word for least, word in STRENGTHS if value >= least), _("negative"))


def conclude_agreement(name: str, what: str, estimate: Estimate, systems: int) -> str:
    """How well a metric orders systems or summaries, as far as the interval reaches."""
    value, low, high = estimate
    if value is None:
        return ""
    said = f"τ {estimated(estimate)}"
    if low is None or high is None:
        return _(
            "{name} ranks {what} with {said}; without an interval, nothing more can be concluded."
        ).format(name=name, what=what, said=said)
    if systems < FEW_SYSTEMS:
        return _(
            "{name} ranks {what} with {said} on {systems}. These are too few "
            "for a reliable interval."
        ).format(name=name, what=what, said=said, systems=counted(systems, "system", "systems"))
    if low <= 0 <= high:
        return _("{name} does not rank {what} significantly better than chance: {said}.").format(
            name=name, what=what, said=said
        )
    if high < 0:
        return _("{name} ranks {what} in the opposite direction to people: {said}.").format(
            name=name, what=what, said=said
        )
    weakest, strongest = name_strength(low), name_strength(high)
    if weakest == strongest:
        return _(
            "{name} shows {weakest} agreement with people on the ranking of {what}: {said}."
        ).format(name=name, weakest=weakest, what=what, said=said)
    return _(
        "{name} ranks {what} significantly better than chance: {said}. The true agreement may be "
        "anything from {weakest} to {strongest}."
    ).format(name=name, what=what, said=said, weakest=weakest, strongest=strongest)


def conclude_better_than_chance(
    estimates: Mapping[str, Estimate], systems: Mapping[str, int]
) -> str:
    """Metrics whose whole interval is above 0, on enough systems to rely on it."""
    names = [
        name
        for name, (__, low, __) in estimates.items()
        if low is not None and low > 0 and systems[name] >= FEW_SYSTEMS
    ]
    if not names:
        return ""
    return ngettext(
        "{listed} ranks systems better than chance: its interval is above 0.",
        "{listed} rank systems better than chance: their intervals are above 0.",
        len(names),
    ).format(listed=listed(names))


def conclude_not_shown(estimates: Mapping[str, Estimate]) -> str:
    """Metrics whose interval includes 0; stands under what may not be concluded."""
    names = [
        name
        for name, (__, low, high) in estimates.items()
        if low is not None and high is not None and low <= 0 <= high
    ]
    if not names:
        return ""
    return ngettext(
        "That {listed} ranks systems better than chance: its interval includes 0.",
        "That {listed} rank systems better than chance: their intervals include 0.",
        len(names),
    ).format(listed=listed(names))


def find_first(values: Mapping[str, float | None]) -> list[str]:
    """The names with the highest value; several if they tie."""
    known = {name: value for name, value in values.items() if value is not None}
    highest = max(known.values(), default=0.0)
    return [name for name, value in known.items() if value >= highest - TIED]


def conclude_highest(
    values: Mapping[str, float | None], rivals: Sequence[str] | None, where: str = ""
) -> str:
    """Which metric has the highest τ, and whether a test supports that it is the best.

    *rivals* are those that the first is not significantly higher than; None if nothing was tested.
    """
    first = find_first(values)
    if not first:
        return ""
    value, start = short(values[first[0]]), where[:1].upper() + where[1:]
    lead = f"{start}, " if start else ""
    if len(first) > 1:
        return _("{lead}{listed} tie for the highest τ, {value}.").format(
            lead=lead, listed=listed(first), value=value
        )
    others = sum(other is not None for other in values.values()) - 1
    said = _("{lead}{first} has the highest τ, {value}").format(
        lead=lead, first=first[0], value=value
    )
    if not others:
        return _("{said}; there is no other metric to compare.").format(said=said)
    if rivals is None:
        return _("{said}; whether it is significantly higher was not tested.").format(said=said)
    if not rivals:
        return _("{said}, significantly higher than {others}.").format(
            said=said, others=_others(others)
        )
    if len(rivals) == others:
        return _("{said}, not significantly higher than {any_other}.").format(
            said=said, any_other=_any_other(others)
        )
    return _("{said}, not significantly higher than {listed}.").format(
        said=said, listed=listed(rivals)
    )


def _others(others: int) -> str:
    return (
        _("the other metric’s")
        if others == 1
        else _("each of the {others} others").format(others=others)
    )


def _any_other(others: int) -> str:
    return (
        _("the other metric’s")
        if others == 1
        else _("any of the {others} others").format(others=others)
    )


def conclude_tests(significant: int, open_tests: int, tests: int) -> str:
    """How many of all pairs of metrics differ, and how many verdicts are not settled."""
    if not tests:
        return ""
    said = ngettext(
        "{significant} of {pairs} of metrics differs significantly.",
        "{significant} of {pairs} of metrics differ significantly.",
        significant,
    ).format(significant=significant or _("None"), pairs=counted(tests, "pair", "pairs"))
    return f"{said} {conclude_open(open_tests)}".strip()


def conclude_open(open_tests: int) -> str:
    if not open_tests:
        return ""
    return ngettext(
        "{open_tests:,} verdict is not settled: more random swaps might change it.",
        "{open_tests:,} verdicts are not settled: more random swaps might change it.",
        open_tests,
    ).format(open_tests=open_tests)


def conclude_difference(name: str, better: Sequence[str], level: str) -> str:
    """Whom a metric is better than by test and by interval of the difference alike."""
    if not better:
        return ""
    return _("At the {level} level {name} correlates significantly higher than {listed}.").format(
        level=level, name=name, listed=listed(better)
    )


def conclude_close(name: str, share: int, found: Mapping[str, object]) -> str:
    """Whether the order of the closest pairs of systems is better than chance."""
    right, wrong = _whole(found["right"]), _whole(found["wrong"])
    total = right + wrong
    if total < FEW_PAIRS:
        return _(
            "There are too few close pairs of systems to say how well {name} ranks them."
        ).format(name=name)
    value, low, high = (_number(found[key]) for key in ("values", "low", "high"))
    said = _(
        "Of the {share} % of pairs with the closest scores (difference up to "
        "{gap}), {name} ranks {right} of {total} as people do "
        "({percent}); τ {estimated}"
    ).format(
        share=share,
        gap=gap(_number(found["gap"]) or 0.0),
        name=name,
        right=right,
        total=total,
        percent=percent(right / total),
        estimated=estimated((value, low, high)),
    )
    if low is None or high is None:
        return f"{said}."
    if low > 0:
        return _("{said}, significantly better than chance.").format(said=said)
    if high < 0:
        return _("{said}, significantly worse than chance.").format(said=said)
    return _("{said}, not significantly better than chance.").format(said=said)


def conclude_gap(name: str, limit: float | None, systems: int) -> str:
    """The gap of scores from which on the order of two systems is better than chance.

    Nothing of few systems: their intervals can't be relied on, however close to 1 they are.
    """
    if limit is None or (limit == 0 and systems < FEW_SYSTEMS):
        return ""
    if limit == 0:
        return _(
            "{name} ranks two systems better than chance at every difference between scores."
        ).format(name=name)
    if limit == float("inf"):
        return _(
            "{name} does not rank two systems significantly better than chance at any difference "
            "between scores. Don’t use it to choose between systems."
        ).format(name=name)
    return _(
        "Don’t rely on differences below {gap}: there, {name} does not rank two systems "
        "significantly better than chance."
    ).format(gap=gap(limit), name=name)


def conclude_decisions(values: Mapping[str, float | None]) -> str:
    """The highest F1 of verdicts on pairs; nothing was tested, so nobody is called better."""
    first = find_first(values)
    if not first:
        return ""
    return ngettext(
        "{listed} has the highest F1, {short}. Whether it is significantly higher than others "
        "was not tested.",
        "{listed} tie for the highest F1, {short}. Whether it is significantly higher than others "
        "was not tested.",
        len(first),
    ).format(listed=listed(first), short=short(values[first[0]]))


def conclude_above(estimates: Mapping[str, Estimate]) -> str:
    """Metrics whose estimate is above their own percentile interval, and why that can be."""
    names = [
        name
        for name, (value, __, high) in estimates.items()
        if value is not None and high is not None and value > high
    ]
    if not names:
        return ""
    return ngettext(
        "τ of {listed} is above its interval, because percentile intervals are biased downwards.",
        "τ of {listed} are above their interval, because percentile intervals are biased "
        "downwards.",
        len(names),
    ).format(listed=listed(names))


def _whole(value: object) -> int:
    return value if isinstance(value, int) else 0


def _number(value: object) -> float | None:
    return float(value) if isinstance(value, (int, float)) else None
