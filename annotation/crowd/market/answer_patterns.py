"""AnswerFormatRegex: patterns that strangers wrote, matched against what other strangers typed.

By RE2, whose time grows with the text and not with its combinations: no pattern hangs the server.
It has no lookaround and no backreferences; a pattern with them is refused when the HIT is created.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

import re2

from annotation.translation import gettext as _

# What a compiled pattern may take. The slowest pattern found needs 0.3 s for the longest answer.
MAX_MEMORY = 2**19
MAX_TEXT = 10_000

# JavaScript's \uFFFF, and the escaped backslash that may stand before such letters.
ESCAPES = re.compile(r"\\(?:\\|u([0-9a-fA-F]{4}))")


class PatternError(ValueError):
    """A pattern that can't be used."""


def check_pattern(regex: str, flags: str) -> None:
    """Raises PatternError with what is wrong."""
    if set(flags) - set("i"):
        raise PatternError(
            _("the flags '{flags}' are not known; expected i or nothing").format(flags=flags)
        )
    _compile(regex, "i" in flags)


def matches(regex: str, flags: str, text: str) -> bool:
    """Whether the pattern is found in the text, as `test` of JavaScript says it."""
    return _compile(regex, "i" in flags).search(text) is not None


@lru_cache(maxsize=32)
def _compile(regex: str, ignores_case: bool) -> Any:
    options = re2.Options()
    options.max_mem = MAX_MEMORY
    options.log_errors = False
    options.case_sensitive = not ignores_case
    try:
        return re2.compile(ESCAPES.sub(_translate, regex), options)
    except re2.error as error:
        reason = error.args[0].decode(errors="replace") if error.args else "unknown"
        raise PatternError(
            _("the pattern {pattern} can't be used here: {reason}").format(
                pattern=regex[:80], reason=reason
            )
        ) from error


def _translate(found: re.Match[str]) -> str:
    return rf"\x{{{found[1]}}}" if found[1] else found[0]
