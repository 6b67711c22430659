"""What makes a gold dataset whole; the same for what is written and for what is read."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from decimal import Decimal, InvalidOperation
from itertools import groupby
from typing import Any

from scoring.io.checks import RecordCheck
from scoring.io.errors import ProblemList
from scoring.io.gold.counts import Counter
from scoring.io.gold.records import (
    GoldAnswer,
    GoldCounts,
    GoldExample,
    GoldFacts,
    GoldSystem,
    assignment_facts,
)
from scoring.io.gold.shapes import to_json
from scoring.io.units.checks import UNFIT, UnitCheck
from scoring.types import MAX_NAME, ExampleRecord

MAX_REASON = 2000
# What the facts are held to even where their owner left the answers out.
COUNTED = ("examples", "systems", "summaries", "units", "labels", "present", "unlabelled")
# Files from before these were counted do not tell them.
COUNTED_LATER = (
    "judged_examples",
    "judged_systems",
    "judged_summaries",
    "judged_scus",
    "judged_stus",
    "examples_without_units",
)
STATUSES = ("submitted", "approved", "rejected")
VERDICTS = ("drop", "keep")
Fault = tuple[str, str]


class GoldCheck:
    """Adds to `problems` what is wrong with the facts, a system or an example, with its line."""

    def __init__(self, problems: ProblemList, file: str) -> None:
        self.problems = problems
        self.systems: dict[str, GoldSystem] = {}
        self._file = file
        self._records = RecordCheck(problems)
        self._units = UnitCheck(problems)
        self._counter = Counter()

    def facts(self, facts: GoldFacts, line: int) -> bool:
        self._records.name(facts.name, "name of the dataset", self._file, line)
        return self._tell(_fact_faults(facts), line)

    def system(self, system: GoldSystem, line: int) -> bool:
        if not self._records.name(system.name, "system name", self._file, line):
            return False
        if system.name in self.systems:
            message = f"System '{system.name}' occurs twice."
            self.problems.add(self._file, line, message, "each system once.")
            return False
        self.systems[system.name] = system
        return self._records.kind(system.kind, system.name, self._file, line)

    def example(self, example: GoldExample, line: int) -> bool:
        texts = ExampleRecord(
            example.key,
            example.documents,
            example.references,
            example.summaries,
            self._file,
            line,
        )
        if not self._records.accepts(texts):
            return False
        units = (replace(unit, file=self._file, line=line) for unit in example.units)
        if not all(self._units.accepts(unit) for unit in units):
            return False
        self._counter.add(example)
        return self._tell(_example_faults(example, self.systems), line)

    def counts(self, said: GoldCounts) -> bool:
        """Whether the facts count what has passed by."""
        found = self._counter.counts(list(self.systems.values()))
        return self._tell(_count_faults(said, found), 1)

    def _tell(self, faults: Iterable[Fault], line: int) -> bool:
        before = self.problems.count
        for message, expected in faults:
            self.problems.add(self._file, line, message, expected)
        return self.problems.count == before


def _count_faults(said: GoldCounts, found: GoldCounts) -> Iterator[Fault]:
    names = (*COUNTED, *COUNTED_LATER) if said.judged_summaries else COUNTED
    for name in names:
        told, there = getattr(said, name), getattr(found, name)
        if told != there:
            yield (
                f"The facts give {told:,} {name.replace('_', ' ')}, but the file has {there:,}.",
                "matching facts.",
            )


def _fact_faults(facts: GoldFacts) -> Iterator[Fault]:
    if facts.version < 1:
        yield f"The version is {facts.version}.", "a number of at least 1."
    if any("\x00" in text for text in _texts_of(to_json(facts))):
        yield "The facts contain the character U+0000.", "text without it."
    for decision in facts.decisions:
        if decision.verdict not in VERDICTS:
            yield f"A verdict is '{decision.verdict}'.", f"one of {', '.join(VERDICTS)}."
    for campaign in facts.campaigns:
        floor = campaign.settings.get("wage_floor")
        floors = () if floor is None else (str(floor),)
        money = (*campaign.rewards, campaign.median_wage, *floors)
        for amount in money:
            if amount is not None and not _is_money(amount):
                yield f"'{amount}' is not an amount of money.", "a decimal number such as 0.25."


def _texts_of(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for name, item in value.items():
            yield name
            yield from _texts_of(item)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _texts_of(item)


def _is_money(amount: str) -> bool:
    try:
        value = Decimal(amount)
    except InvalidOperation:
        return False
    return value.is_finite() and value >= 0


def _example_faults(example: GoldExample, systems: dict[str, GoldSystem]) -> Iterator[Fault]:
    where = f"In example '{example.key}',"
    for name in example.summaries:
        if name not in systems:
            yield f"{where} system '{name}' is not one of the systems.", "a system from the list."
    if any(unit.key != example.key for unit in example.units):
        yield f"{where} a unit belongs to another example.", "units of this example."
    for find in (_label_faults, _answer_faults, _adjudication_faults):
        for fault, expected in find(example):
            yield f"{where} {fault}", expected


def _label_faults(example: GoldExample) -> Iterator[Fault]:
    count = len(example.units)
    for what, by_system in (("labels", example.labels), ("posteriors", example.posteriors)):
        for system, values in by_system.items():
            if system not in example.summaries:
                yield f"system '{system}' has {what} but no summary.", "a summary."
            if len(values) != count:
                yield f"system '{system}' has {len(values)} {what}.", f"{count}, one per unit."
            if not all(_is_fit(what, value) for value in values):
                expected = "0, 1 or null." if what == "labels" else "numbers from 0 to 1, or null."
                yield f"the {what} of system '{system}' are invalid.", expected
    for system in example.posteriors:
        if system not in example.labels:
            yield f"system '{system}' has posteriors but no labels.", "labels."


def _is_fit(what: str, value: float | None) -> bool:
    if value is None:
        return True
    return value in (0, 1) if what == "labels" else 0 <= value <= 1


def _answer_faults(example: GoldExample) -> Iterator[Fault]:
    seen: set[tuple[str, str, int]] = set()
    for _, group in groupby(example.answers, key=assignment_facts):
        answers = list(group)
        yield from _assignment_faults(answers[0], example)
        for answer in answers:
            yield from _unit_faults(answer.unit, "an answer", example)
            if (mark := (answer.system, answer.assignment, answer.unit)) in seen:
                message = f"assignment '{answer.assignment}' has two answers to a unit."
                yield message, "one answer per unit."
            seen.add(mark)
    for blank in example.unanswered:
        yield from _assignment_faults(blank, example)


def _assignment_faults(answer: GoldAnswer, example: GoldExample) -> Iterator[Fault]:
    yield from _system_faults(answer.system, "an answer", example)
    yield from _word_faults([answer.assignment, answer.worker, answer.dropped_by], "answer")
    if not answer.assignment:
        yield "an answer has no assignment.", "the name of the assignment."
    if not answer.kept and not answer.dropped_by:
        yield "an excluded answer has no rule.", "the rule or person that excluded it."
    if answer.seconds is not None and not (math.isfinite(answer.seconds) and answer.seconds >= 0):
        yield f"an assignment took {answer.seconds} seconds.", "a number of at least 0, or null."
    if not 0 <= answer.gold_right <= answer.gold_asked:
        yield "an assignment has more correct than asked attention items.", "at most as many."
    yield from _decision_faults(answer)


def _decision_faults(answer: GoldAnswer) -> Iterator[Fault]:
    """What the requester and the researchers made of an assignment."""
    if answer.status not in STATUSES:
        yield f"an assignment has the status '{answer.status}'.", f"one of {', '.join(STATUSES)}."
    if answer.verdict not in ("", *VERDICTS):
        yield f"a verdict is '{answer.verdict}'.", f"one of {', '.join(VERDICTS)}, or nothing."
    if answer.campaign < 0:
        yield f"an assignment has the campaign {answer.campaign}.", "a number of at least 0."
    for amount in (answer.reward or "0", *(bonus.amount for bonus in answer.bonuses)):
        if not _is_money(amount):
            yield f"'{amount}' is not an amount of money.", "a decimal number such as 0.25."
    reasons = (answer.feedback, answer.problem, answer.drop_reason, answer.verdict_reason)
    for reason in (*reasons, *(bonus.reason for bonus in answer.bonuses)):
        if UNFIT.search(" ".join(reason.split())) or len(reason) > MAX_REASON:
            yield (
                "the reason of an assignment is invalid.",
                f"at most {MAX_REASON:,} characters of text.",
            )


def _adjudication_faults(example: GoldExample) -> Iterator[Fault]:
    places = [(item.system, item.unit) for item in example.adjudications]
    if len(set(places)) < len(places):
        yield "a label is adjudicated twice.", "one adjudication per label."
    for item in example.adjudications:
        yield from _system_faults(item.system, "an adjudication", example)
        yield from _unit_faults(item.unit, "an adjudication", example)
        yield from _word_faults([item.expert], "expert")
        if not _is_draw(item.before, item.chance):
            yield (
                "the draw of an adjudication is invalid.",
                "both before, 0 or 1, and chance, above 0 and at most 1; or neither.",
            )
        if UNFIT.search(item.reason.replace("\n", " ")) or len(item.reason) > MAX_REASON:
            yield (
                "the reason of an adjudication is invalid.",
                f"at most {MAX_REASON:,} characters of text.",
            )


def _is_draw(before: int | None, chance: float | None) -> bool:
    if before is None or chance is None:
        return before is chance
    return before in (0, 1) and 0 < chance <= 1


def make_fit(reason: str) -> str:
    """The reason as a dataset can hold it: without invisible characters, and not too long."""
    return "".join(sign for sign in reason if sign.isspace() or not UNFIT.match(sign))[:MAX_REASON]


def _system_faults(system: str, what: str, example: GoldExample) -> Iterator[Fault]:
    if system not in example.summaries:
        yield f"{what} refers to system '{system}', which has no summary.", "a summary."


def _unit_faults(unit: int, what: str, example: GoldExample) -> Iterator[Fault]:
    if not 0 <= unit < len(example.units):
        yield f"{what} refers to unit {unit}.", f"one of {len(example.units)}, counted from 0."


def _word_faults(words: Sequence[str], what: str) -> Iterator[Fault]:
    for word in words:
        if len(word) > MAX_NAME or UNFIT.search(word):
            expected = f"at most {MAX_NAME} characters, none invisible."
            yield f"the name of an {what} is invalid.", expected
