"""Checks that every format shares: names, texts, and what makes an example whole."""

from __future__ import annotations

import re

from scoring.io.errors import ProblemList
from scoring.translation import gettext as _
from scoring.types import MAX_NAME, SYSTEM_KINDS, ExampleRecord

MAX_TEXT = 16 * 2**20
_UNFIT = re.compile("[\x00\ud800-\udfff]")
_CONTROL = re.compile("[\x00-\x1f\x7f\ud800-\udfff]")


class RecordCheck:
    """Adds to `problems` what is wrong with the record at hand; remembers the ids it has seen."""

    def __init__(self, problems: ProblemList) -> None:
        self.problems = problems
        self._seen: dict[str, tuple[str, int]] = {}
        self._kinds: dict[str, str] = {}

    def accepts(self, record: ExampleRecord) -> bool:
        before = self.problems.count
        self.name(record.key, _("example id"), record.file, record.line)
        self._unseen(record)
        self._has_text(record)
        self._texts(record)
        return self.problems.count == before

    def name(self, value: str, what: str, file: str, line: int | None) -> bool:
        expected = _("a name of 1 to {max_name} characters.").format(max_name=MAX_NAME)
        if not value.strip():
            self.problems.add(file, line, _("The {what} is empty.").format(what=what), expected)
        elif len(value) > MAX_NAME:
            self.problems.add(
                file,
                line,
                _("The {what} has {value} characters.").format(what=what, value=len(value)),
                expected,
            )
        elif _CONTROL.search(value):
            self.problems.add(
                file,
                line,
                _("The {what} {value!r} has control characters.").format(what=what, value=value),
                expected,
            )
        else:
            return True
        return False

    def kind(self, value: str, system: str, file: str, line: int | None) -> bool:
        """Whether it is a kind, and the one that the system had wherever else it was named."""
        if value not in SYSTEM_KINDS:
            expected = _("one of {or_}.").format(or_=_or(SYSTEM_KINDS))
        elif (before := self._kinds.setdefault(system, value)) != value:
            expected = _("{before}, as before.").format(before=before)
        else:
            return True
        self.problems.add(
            file,
            line,
            _("System '{system}' has the kind '{value}'.").format(system=system, value=value),
            expected,
        )
        return False

    def _unseen(self, record: ExampleRecord) -> None:
        earlier = self._seen.setdefault(record.key, (record.file, record.line))
        if earlier != (record.file, record.line):
            file, line = earlier
            self.problems.add(
                record.file,
                record.line,
                _("Example '{record}' occurs twice; first in {file}, line {line}.").format(
                    record=record.key, file=file, line=line
                ),
                _("each example id once."),
            )

    def _has_text(self, record: ExampleRecord) -> None:
        if not (record.documents or record.references or record.summaries):
            self.problems.add(
                record.file,
                record.line,
                _("Example '{record}' has no document, no reference and no summary.").format(
                    record=record.key
                ),
                _("at least one text."),
            )

    def _texts(self, record: ExampleRecord) -> None:
        for number, text in enumerate(record.documents, 1):
            self._text(text, _("document {number}").format(number=number), record)
        for number, reference in enumerate(record.references, 1):
            self._text(reference.text, _("reference {number}").format(number=number), record)
            if reference.name:
                self.name(reference.name, _("name of a reference"), record.file, record.line)
        for system, text in record.summaries.items():
            self._text(text, _("the summary of '{system}'").format(system=system), record)

    def _text(self, text: str, what: str, record: ExampleRecord) -> None:
        if len(text) > MAX_TEXT:
            message = _("In example '{record}', {what} has {text:,} characters.").format(
                record=record.key, what=what, text=len(text)
            )
            expected = _("at most {max_text:,}.").format(max_text=MAX_TEXT)
        elif found := _find_unfit(text):
            message = _(
                "In example '{record}', {what} contains the character "
                "U+{ord:04X} at position {start}."
            ).format(record=record.key, what=what, ord=ord(found.group()), start=found.start() + 1)
            expected = _("text without NUL or unpaired surrogates.")
        else:
            return
        self.problems.add(record.file, record.line, message, expected)


def _find_unfit(text: str) -> re.Match[str] | None:
    """Look closely only where there may be something: plain ASCII without NUL is most of it."""
    if text.isascii() and "\x00" not in text:
        return None
    return _UNFIT.search(text)


def _or(words: tuple[str, ...]) -> str:
    return ", ".join(words[:-1]) + " or " + words[-1]
