"""Scores of qualification tests: an AnswerKey applied to a worker's answers."""

from __future__ import annotations

from collections.abc import Mapping

from annotation.crowd.market.documents import DocumentError, Node, read_document
from annotation.translation import gettext as _

SEPARATOR = "|"


def read_answer_key(xml: str) -> Node:
    """The key, checked as far as scoring needs it; raises DocumentError."""
    key = read_document(xml, "AnswerKey")
    for question in key.all("Question"):
        if not question.value("QuestionIdentifier"):
            raise DocumentError(_("a Question of the answer key has no QuestionIdentifier"))
        for option in question.all("AnswerOption"):
            _number(option, "AnswerScore")
    mapping = key.find("QualificationValueMapping")
    if mapping is not None:
        _map(mapping, 0)
    return key


def score_answers(xml: str, answers: Mapping[str, str]) -> int:
    """The value of the qualification for these answers, by the key's mapping."""
    key = read_answer_key(xml)
    total = sum(_score(question, answers) for question in key.all("Question"))
    mapping = key.find("QualificationValueMapping")
    return total if mapping is None else _map(mapping, total)


def _score(question: Node, answers: Mapping[str, str]) -> int:
    """An option counts if the worker chose all of its selections and no others."""
    given = answers.get(question.value("QuestionIdentifier"), "")
    chosen = {part for part in given.split(SEPARATOR) if part}
    for option in question.all("AnswerOption"):
        if chosen == {item.text.strip() for item in option.all("SelectionIdentifier")}:
            return _number(option, "AnswerScore")
    return _number(question, "DefaultScore", 0)


def _map(mapping: Node, total: int) -> int:
    if percentage := mapping.find("PercentageMapping"):
        most = _number(percentage, "MaximumSummedScore")
        if most <= 0:
            raise DocumentError(_("MaximumSummedScore must be above 0"))
        return 100 * total // most
    if scale := mapping.find("ScaleMapping"):
        return int(total * _decimal(scale, "SummedScoreMultiplier"))
    if ranges := mapping.find("RangeMapping"):
        return _map_range(ranges, total)
    raise DocumentError(_("QualificationValueMapping has no known mapping"))


def _map_range(ranges: Node, total: int) -> int:
    for item in ranges.all("SummedScoreRange"):
        low, high = _number(item, "InclusiveLowerBound"), _number(item, "InclusiveUpperBound")
        value = _number(item, "QualificationValue")
        if low <= total <= high:
            return value
    return _number(ranges, "OutOfRangeQualificationValue")


def _number(node: Node, name: str, default: int | None = None) -> int:
    text = node.value(name)
    if not text and default is not None:
        return default
    try:
        return int(text)
    except ValueError as error:
        raise DocumentError(
            _("{name} of {node} must be a whole number").format(name=name, node=node.name)
        ) from error


def _decimal(node: Node, name: str) -> float:
    try:
        return float(node.value(name))
    except ValueError as error:
        raise DocumentError(
            _("{name} of {node} must be a number").format(name=name, node=node.name)
        ) from error
