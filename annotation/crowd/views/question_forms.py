"""A QuestionForm on a page: empty, or as it was filled in with what is wrong with it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from annotation.crowd.market.form_answers import Fields, Given, read_given
from annotation.crowd.market.question_forms import FormQuestion
from annotation.crowd.market.questions import Question


@dataclass(frozen=True, slots=True)
class Entry:
    question: FormQuestion
    given: Given
    problem: str = ""


def list_entries(
    form: Question, fields: Fields | None = None, problems: Mapping[str, str] | None = None
) -> list[Entry]:
    """One for each question; without fields, with the texts that the requester begins with."""
    if fields is None:
        return [Entry(item, _begin(item)) for item in form.form]
    found = problems or {}
    return [Entry(item, read_given(item, fields), found.get(item.key, "")) for item in form.form]


def _begin(question: FormQuestion) -> Given:
    return Given(text=question.text.default if question.text else "")
