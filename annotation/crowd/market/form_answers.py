"""Answers to a QuestionForm: checked against its limits, and written as MTurk writes them."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from annotation.crowd.answers import SEPARATOR, write_answers
from annotation.crowd.market.answer_patterns import MAX_TEXT, matches
from annotation.crowd.market.question_forms import FormQuestion, FreeText, describe_range
from annotation.crowd.market.questions import Question
from annotation.errors import Invalid
from annotation.translation import gettext as _
from annotation.translation import gettext_lazy

Fields = Mapping[str, Sequence[str]]

# For the patterns of one submission; those of an honest form need a thousandth of it.
PATTERN_SECONDS = 1.0
NUMBER = re.compile(r"[-+]?(\d{1,40}(\.\d{0,40})?|\.\d{1,40})([eE][-+]?\d{1,3})?", re.ASCII)


class WrongAnswers(Invalid):
    """Answers that don't keep the limits of their questions, with what is wrong by question."""

    status = 422
    code = "wrong_answers"
    title = gettext_lazy("Some answers need correcting")

    def __init__(self, form: Question, problems: Mapping[str, str]) -> None:
        self.form = form
        self.problems = problems
        names = {question.key: question.name for question in form.form}
        message = " ".join(f"{names[key]}: {problem}" for key, problem in problems.items())
        super().__init__(message, _("Correct these answers and submit again."))


@dataclass(frozen=True, slots=True)
class Given:
    """What was sent for one question: None for a text that was not, an `other` not chosen."""

    text: str | None = None
    chosen: tuple[str, ...] = ()
    other: str | None = None


def read_given(question: FormQuestion, fields: Fields) -> Given:
    """The choice of an answer of one's own is sent as an empty value, or as its text only.

    In a menu the empty value is the entry that chooses nothing.
    """
    values = fields.get(question.key, ())
    if question.text is not None:
        return Given(text=SEPARATOR.join(values) if values else None)
    chosen = tuple(dict.fromkeys(filter(None, values)))
    text = SEPARATOR.join(fields.get(question.other_field, ()))
    is_picked = bool(text.strip()) if question.menu else "" in values
    has_other = question.other is not None and (is_picked or (not chosen and text.strip()))
    return Given(chosen=chosen, other=text if has_other else None)


def build_form_answers(form: Question, fields: Fields) -> str:
    """A QuestionFormAnswers document; raises WrongAnswers."""
    given = {question.key: read_given(question, fields) for question in form.form}
    if problems := find_problems(form, given):
        raise WrongAnswers(form, problems)
    answers = (
        (question.key, list(_parts(question, given[question.key]))) for question in form.form
    )
    return write_answers((key, parts) for key, parts in answers if parts)


def _parts(question: FormQuestion, given: Given) -> Iterator[tuple[str, str]]:
    if given.text is not None:
        yield "FreeText", given.text
    for key in given.chosen:
        yield "SelectionIdentifier", key
    if given.other is not None:
        yield "OtherSelectionText", given.other


def find_problems(form: Question, given: Mapping[str, Given]) -> dict[str, str]:
    deadline = time.monotonic() + PATTERN_SECONDS
    found = {item.key: _find_problem(item, given[item.key], deadline) for item in form.form}
    return {key: problem for key, problem in found.items() if problem}


def _find_problem(question: FormQuestion, given: Given, deadline: float) -> str:
    if question.text is not None:
        return _check_text(question.text, given.text or "", question.is_required, deadline)
    if not set(given.chosen) <= {choice.key for choice in question.choices}:
        return _("Choose one of the answers offered.")
    count = len(given.chosen) + (given.other is not None)
    if not count and not question.is_required:
        return ""
    if not question.fewest <= count <= question.most:
        return _("Choose {counts}.").format(counts=question.counts)
    if question.other is None or given.other is None:
        return ""
    return _check_text(question.other, given.other, True, deadline)


def _check_text(limits: FreeText, text: str, is_required: bool, deadline: float) -> str:
    """An answer that is left out keeps every limit, unless it is required."""
    if not text.strip():
        return _("Enter an answer.") if is_required else ""
    if problem := _check_number(limits, text.strip()) or _check_length(limits, text):
        return problem
    return _check_patterns(limits, text, deadline)


def _check_number(limits: FreeText, text: str) -> str:
    if not limits.is_numeric:
        return ""
    if not NUMBER.fullmatch(text):
        return _("Enter a number.")
    number = Decimal(text)
    is_low = limits.least is not None and number < limits.least
    is_high = limits.most is not None and number > limits.most
    bounds = describe_range(limits.least, limits.most)
    return _("Enter a number: {bounds}.").format(bounds=bounds) if is_low or is_high else ""


def _check_length(limits: FreeText, text: str) -> str:
    """Browsers send a line break as two characters and count it as one."""
    size = len(text.replace("\r\n", "\n"))
    is_short = limits.shortest is not None and size < limits.shortest
    if not is_short and (limits.longest is None or size <= limits.longest):
        return ""
    return _("Enter {describe_range} characters, not {size:,}.").format(
        describe_range=describe_range(limits.shortest, limits.longest), size=size
    )


def _check_patterns(limits: FreeText, text: str, deadline: float) -> str:
    for pattern in limits.patterns:
        if len(text) > MAX_TEXT:
            return _("Enter at most {max_text:,} characters.").format(max_text=MAX_TEXT)
        if time.monotonic() > deadline:
            return _("Checking the format took too long. Enter a shorter answer.")
        if not matches(pattern.regex, pattern.flags, text):
            return pattern.words
    return ""
