"""The table that `make soak` prints, the bounds it is held to, and the same as JSON."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from tests.benchmarks.report import Figure
from tests.soak.figures import (
    Row,
    compare,
    count_statuses,
    list_unexplained,
    make_rows,
    percentile,
)
from tests.soak.load import WEB_CHILD
from tests.soak.log import Answer
from tests.soak.memory import Growth, find_growth, find_growth_of_survivors
from tests.soak.run import Outcome
from tests.soak.stage import Fault

MOST_RATIO, MOST_GROWTH = 3.0, 10.0
# Whose growth is judged; PostgreSQL's and Redis's hold the data, which grows by being there.
OURS = ("web", "workers")
EXPLAINED = (
    ("lost saves", "saves acknowledged and not there, just once"),
    ("wrong work", "submitted work not in the books, paid, just once"),
    ("unpromised work", "work in the books without a receipt"),
    ("differing files", "files of the import that differ"),
    ("missing presence", "judgements of the run missing or twice"),
    ("differing exports", "exports that differ from the first"),
    ("failed jobs", "jobs that failed"),
)


def list_figures(outcome: Outcome) -> list[Figure]:
    """Every bound of a soak, each with its name."""
    return [
        *_figures_of_answers(outcome),
        *_figures_of_memory(outcome),
        *_figures_of_kills(outcome),
        *_figures_of_faults(outcome),
        *_figures_of_promises(outcome),
    ]


def list_timed(outcome: Outcome) -> list[Answer]:
    """Without what was asked when everybody went home at the same moment, and during faults."""
    return [
        row
        for row in outcome.place.log.answers
        if row.at < outcome.load.seconds
        and not any(fault.overlaps(row.at, row.seconds) for fault in outcome.faults)
    ]


def _figures_of_answers(outcome: Outcome) -> Iterator[Figure]:
    log = outcome.place.log
    loaded, alone = compare(list_timed(outcome), outcome.alone)
    moments = [row.at for row in outcome.kills if row.victim == WEB_CHILD]
    away = list_unexplained(log.losses, moments)
    yield Figure("p95 of interactive requests, alone", 1000 * alone, "ms")
    yield Figure("p95 of interactive requests, under load", 1000 * loaded, "ms")
    yield Figure("the same, load to alone", loaded / alone, "x", None, MOST_RATIO)
    yield Figure("answers 5xx", count_statuses(log.answers, 500, 600), "", None, 0)
    yield Figure("answers 4xx", count_statuses(log.answers, 400, 500), "", None, 0)
    yield Figure("lines lost as a web process was killed", len(log.losses) - len(away))
    yield Figure("lines lost at other times", len(away), "", None, 0)


def _figures_of_memory(outcome: Outcome) -> Iterator[Figure]:
    for role, growth in list_growth(outcome).items():
        most = MOST_GROWTH if role.split(",")[0] in OURS else None
        yield Figure(f"growth of memory: {role}", growth.percent, "%", None, most)


def list_growth(outcome: Outcome) -> dict[str, Growth]:
    sizes, warm, end = outcome.memory.sizes, outcome.schedule.warm, outcome.schedule.end
    lived = find_growth_of_survivors(sizes, warm, end)
    return {
        **find_growth(sizes, warm, end),
        **{f"{role}, not killed": growth for role, growth in lived.items() if role in OURS},
    }


def _figures_of_kills(outcome: Outcome) -> Iterator[Figure]:
    wanted = len(outcome.schedule.kills)
    back = sum(row.back_after is not None for row in outcome.kills)
    yield Figure("processes killed", len(outcome.kills), "", wanted)
    yield Figure("came back", back, "", wanted)
    yield Figure("jobs taken up again by another worker", outcome.counts["taken up"])


def _figures_of_faults(outcome: Outcome) -> Iterator[Figure]:
    healed = sum(row.healed_after is not None for row in outcome.faults)
    wrong = sum(len(row.wrong) for row in outcome.faults)
    wanted = len(outcome.schedule.faults)
    yield Figure("faults caused", len(outcome.faults), "", wanted)
    yield Figure("faults that healed by themselves", healed, "", wanted)
    yield Figure("things that went wrong in faults", wrong, "", None, 0)


def _figures_of_promises(outcome: Outcome) -> Iterator[Figure]:
    counts, load = outcome.counts, outcome.load
    yield Figure("saves acknowledged", counts["saves"], "", load.least_saves)
    yield Figure("assignments submitted", counts["submitted"], "", load.least_submitted)
    yield Figure("exports", counts["exports"], "", 1)
    for name, words in EXPLAINED:
        yield Figure(words, counts[name], "", None, 0)
    yield Figure("things that somebody could not finish", len(broken(outcome)), "", None, 0)


def broken(outcome: Outcome) -> list[str]:
    return outcome.place.promises.broken


def write_table(outcome: Outcome) -> str:
    """All parts of it, the bounds last."""
    figures = list_figures(outcome)
    parts = [
        "\n== Requests, in milliseconds",
        *_request_lines(outcome),
        "\n== Memory, in megabytes (PSS, without shared buffers)",
        *_memory_lines(outcome),
        "\n== Kills",
        *_kill_lines(outcome),
        "\n== Faults",
        *_fault_lines(outcome),
        "\n== Bounds",
        *map(str, figures),
        *_complaints(outcome),
        "",
        write_verdict(outcome, figures),
    ]
    return "\n".join(parts)


def _request_lines(outcome: Outcome) -> Iterator[str]:
    yield f"  {'':<24}{'count':>8}{'p50':>9}{'p95':>9}{'max':>9}{'alone p95':>11}{'ratio':>8}"
    for row in make_rows(list_timed(outcome), outcome.alone):
        yield _request_line(row)


def _request_line(row: Row) -> str:
    times = "".join(f"{1000 * value:>9,.0f}" for value in (row.p50, row.p95, row.longest))
    alone = f"{1000 * row.alone:>11,.0f}" if row.alone is not None else f"{'':>11}"
    ratio = f"{row.ratio:>7.1f}x" if row.ratio is not None else ""
    return f"  {row.kind:<24}{row.requests:>8,}{times}{alone}{ratio}"


def _memory_lines(outcome: Outcome) -> Iterator[str]:
    yield f"  {'':<24}{'warm':>9}{'end':>9}{'growth':>9}"
    for role, growth in list_growth(outcome).items():
        sizes = f"{growth.before:>9,.0f}{growth.after:>9,.0f}"
        yield f"  {role:<24}{sizes}{growth.percent:>8.1f}%"


def _kill_lines(outcome: Outcome) -> Iterator[str]:
    for row in outcome.kills:
        came = "nothing came back" if row.back_after is None else f"back in {row.back_after:.1f} s"
        yield f"  {row.at:6.0f} s  {row.victim:<24} {row.pid:>8}  {came}"


def _fault_lines(outcome: Outcome) -> Iterator[str]:
    """What the clients of the load saw meanwhile, and how long it took to heal."""
    for fault in sorted(outcome.faults, key=lambda row: row.at):
        seen = describe_fault(outcome, fault)
        healed = "never" if fault.healed_after is None else f"{fault.healed_after:.1f} s"
        yield (
            f"  {fault.at:6.0f} s  {fault.name:<24} lasted {fault.lasted:5.1f} s, healed after "
            f"{healed}; {seen['requests']:,} requests, p95 {seen['p95_ms']:,.0f} ms, longest "
            f"{seen['longest_ms']:,.0f} ms, {seen['5xx']} answers 5xx"
        )
        yield from (f"{'':12}{line}" for line in (*fault.seen, *fault.wrong))


def describe_fault(outcome: Outcome, fault: Fault) -> dict[str, Any]:
    rows = [row for row in outcome.place.log.answers if fault.overlaps(row.at, row.seconds)]
    times = [row.seconds for row in rows] or [0.0]
    return {
        "requests": len(rows),
        "p95_ms": 1000 * percentile(times, 0.95),
        "longest_ms": 1000 * max(times),
        "5xx": count_statuses(rows, 500, 600),
    }


def _complaints(outcome: Outcome) -> Iterator[str]:
    """What was said with faults, so that they can be looked into; the first of many."""
    yield from (f"  could not finish: {line}" for line in broken(outcome)[:10])
    yield from (f"  {line}" for line in outcome.place.log.faults[:10])
    yield from (f"  job failed: {line}" for line in outcome.failed_jobs[:10])


def write_verdict(outcome: Outcome, figures: list[Figure]) -> str:
    missed = [figure.name for figure in figures if not figure.is_met]
    took = ", ".join(f"{name} {value:.0f} s" for name, value in outcome.seconds.items())
    verdict = f"MISSED: {'; '.join(missed)}." if missed else "Every bound is met."
    return f"{verdict} ({took})"


def describe(outcome: Outcome) -> dict[str, Any]:
    """The table for programs."""
    figures = list_figures(outcome)
    rows = make_rows(list_timed(outcome), outcome.alone)
    return {
        "load": asdict(outcome.load),
        "seconds": outcome.seconds,
        "requests": [row._asdict() | {"ratio": row.ratio} for row in rows],
        "memory": [
            {"role": role, **growth._asdict(), "percent": growth.percent}
            for role, growth in list_growth(outcome).items()
        ],
        "processes": [size._asdict() for size in outcome.memory.sizes],
        "kills": [asdict(row) for row in outcome.kills],
        "faults": [asdict(row) | describe_fault(outcome, row) for row in outcome.faults],
        "figures": [asdict(figure) | {"is_met": figure.is_met} for figure in figures],
        "is_met": all(figure.is_met for figure in figures),
    }
