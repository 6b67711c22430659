"""The first paragraph of a report: what was held against what, and what came of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from scoring.metaeval.report.drawing import LEVEL
from scoring.metaeval.report.saying import (
    MOST_LISTED,
    counted,
    gap,
    includes_nought,
    is_wide,
    listed,
    percent,
    say_ranking,
    told,
)

Record = Mapping[str, Any]
# The share of closest pairs that is spoken of.
CLOSE = 20
# A correlation of two systems is 1 or −1 whatever they are.
LEAST_RANKED = 3
# With fewer systems or pairs than these, resampling says less than it seems to.
FEW_SYSTEMS, FEW_PAIRS = 10, 10
TESTS = ("permutation", "williams")


def tell_abstract(record: Record) -> list[str]:
    """A sentence or two each; none where nothing can be said."""
    said = [
        _what(record),
        _leader(record),
        _rivals(record),
        _close(record),
        say_missing(record),
        _warnings(record),
    ]
    return [each for each in said if each]


def _what(record: Record) -> str:
    judged, documents = record["judged"], record["documents"]
    over = counted(documents, "example")
    if judged < documents:
        over += f", {judged:,} of them judged by people"
    systems = counted(len(record["systems"]), "system")
    if record["ranked"] < len(record["systems"]):
        systems += f" ({record['ranked']:,} with human scores)"
    metrics = counted(len(record["leaderboard"]), "metric")
    verb = "is" if len(record["leaderboard"]) == 1 else "are"
    scores = f"people’s scores ({record['human']})"
    return f"{metrics} {verb} held against {scores} on {systems} and {over}."


def find_leader(record: Record) -> Mapping[str, Any] | None:
    return next((row for row in record["leaderboard"] if row["metric"] == record["lead"]), None)


def _leader(record: Record) -> str:
    row = find_leader(record)
    if row is None:
        return _say_nothing(record)
    estimate = row["system"]["kendall"]
    lead = "It" if len(record["leaderboard"]) == 1 else row["metric"]
    said = f"{lead} {say_ranking(estimate)}: τ {told(estimate)} at the system level."
    if is_wide(estimate):
        said += (
            f" The interval is wide: {counted(row['systems'], 'system')} and "
            f"{counted(record['judged'], 'judged example')} allow no firmer word."
        )
    elif row["systems"] < FEW_SYSTEMS:
        said += (
            f" It stands on {row['systems']} systems, too few for the interval to be trusted: "
            "resampling only repeats what is there."
        )
    return said


def _say_nothing(record: Record) -> str:
    if record["ranked"] < LEAST_RANKED:
        judged = counted(record["ranked"], "system")
        return f"No correlation can be told: people have judged {judged}, and it takes three."
    return "No correlation can be told: people, or every metric, score all systems alike."


def _rivals(record: Record) -> str:
    """Whom the leader is not told apart from."""
    if record["lead"] is None or len(record["metrics"]) < 2:
        return ""
    if not any(record["kinds"][0][test] for test in TESTS):
        return "Whether one metric is better than another was not tested: systems are too few."
    rivals, others = list_rivals(record), len(record["metrics"]) - 1
    if not rivals:
        better = "the other" if others == 1 else f"each of the {others} others"
        return f"By both tests it goes with people better than {better}."
    if len(rivals) == others:
        return "No other metric is told apart from it: the order of the metrics may be chance."
    return f"It is not told apart from {listed(rivals)}: their order may be chance."


def list_rivals(record: Record, tests: Sequence[str] = TESTS) -> list[str]:
    """Metrics that the leader is not sure to beat by every one of these tests, all reckoned."""
    metrics, group = record["metrics"], record["kinds"][0]
    at = metrics.index(record["lead"])
    tables = [group[test]["holm"][at] for test in tests if group[test]]
    return [
        name
        for place, name in enumerate(metrics)
        if place != at and not all(_is_sure(table[place]) for table in tables)
    ]


def _is_sure(p: float | None) -> bool:
    return p is not None and p <= LEVEL


def find_close(record: Record, metric: str | None) -> dict[str, Any] | None:
    """What is known of the closest fifth of pairs."""
    rows = [row for row in record["pairs"]["rows"] if row["metric"] == metric]
    shares: Sequence[float] = record["pairs"]["shares"]
    if not rows or CLOSE not in shares:
        return None
    at = list(shares).index(CLOSE)
    names = ("values", "low", "high", "gap", "pairs", "right", "wrong")
    return {name: rows[0][name][at] for name in names}


def _close(record: Record) -> str:
    found = find_close(record, record["lead"])
    if found is None:
        return ""
    ordered = found["right"] + found["wrong"]
    if ordered < FEW_PAIRS:
        return "Pairs of systems that lie close are too few to say how it orders them."
    share = found["right"] / ordered
    said = (
        f"Of the pairs of systems whose scores lie closest ({CLOSE} %, a gap up to "
        f"{gap(found['gap'])}), it orders {percent(share)} as people do"
    )
    return f"{said}. {say_gap(record)}".strip()


def say_gap(record: Record) -> str:
    """The gap beneath which its order is not told from a coin’s."""
    limit = find_gap(record, record["lead"])
    if limit is None:
        return ""
    if limit == 0:
        return "Even there it does better than a coin."
    if limit == float("inf"):
        return "At no gap of its scores is it told from a coin: do not choose a system by it."
    return f"Do not rely on a gap below {gap(limit)}: there it is not told from a coin."


def find_gap(record: Record, metric: str | None) -> float | None:
    """The widest gap up to which the interval holds 0; 0 if none does, infinite if all do."""
    row = next((row for row in record["pairs"]["rows"] if row["metric"] == metric), None)
    if row is None or all(low is None for low in row["low"]):
        return None
    doubtful = [
        place
        for place, low in enumerate(row["low"])
        if low is None
        or includes_nought((row["values"][place], low, row["high"][place]))
        or (row["values"][place] or 0) < 0
    ]
    if not doubtful:
        return 0.0
    if doubtful[-1] == len(row["low"]) - 1:
        return float("inf")
    return float(row["gap"][doubtful[-1]])


def say_missing(record: Record) -> str:
    """Metrics that do not score every system or summary that people did."""
    rows = [row for row in record["leaderboard"] if row["missing"] or row["lacks"]]
    said = [_say_lack(row, record["ranked"]) for row in rows[:MOST_LISTED]]
    if len(rows) > MOST_LISTED:
        more = counted(len(rows) - MOST_LISTED, "other metric")
        said.append(f"{more} lack scores, too: the table of correlations says how many systems.")
    if any(row["missing"] for row in rows):
        said.append("Tests compare two metrics on the systems that both score.")
    return " ".join(said)


def _say_lack(row: Mapping[str, Any], ranked: int) -> str:
    said = []
    if row["missing"]:
        said.append(
            f"scores {row['systems']} of {counted(ranked, 'system')} that people scored, without "
            f"{listed(row['missing'])}: its correlations are over {row['systems']}"
        )
    if row["lacks"]:
        plural = "summaries of the others" if row["missing"] else "summaries"
        said.append(f"lacks {counted(row['lacks'], 'judged summary', f'judged {plural}')}")
    return f"{row['metric']} {' and '.join(said)}."


def _warnings(record: Record) -> str:
    said = [
        f"{first} and {second} have the same scores throughout and count as two systems; one of "
        "them may be a copy."
        for first, second in record["copies"][:3]
    ]
    said += [
        f"{name} has the same scores as {first}, to the bit: both count as one metric."
        for name, first in record.get("same", ())
    ]
    if record["constant"]:
        verb = "gives" if len(record["constant"]) == 1 else "give"
        said.append(f"{listed(record['constant'])} {verb} every system the same score.")
    undefined = list_undefined(record)
    if undefined and record["lead"]:
        verb = "has" if len(undefined) == 1 else "have"
        said.append(
            f"{listed(undefined)} {verb} no correlation with human scores and {verb} no part in "
            "comparisons."
        )
    return " ".join(said)


def list_undefined(record: Record) -> list[str]:
    """Metrics that have no correlation at the system level."""
    return [row["metric"] for row in record["leaderboard"] if row["system"]["kendall"][0] is None]
