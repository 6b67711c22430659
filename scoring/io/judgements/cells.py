"""Single cells of a results file: times, seconds, answers, lists of question ids."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta, timezone

from scoring.errors import InputError
from scoring.translation import gettext as _

ANSWERS = {
    **dict.fromkeys(("p", "present", "yes", "y", "true", "1"), True),
    **dict.fromkeys(("n", "absent", "not present", "no", "false", "0"), False),
}
# The zones in which MTurk writes its times.
ZONES = {
    "UTC": UTC,
    "GMT": UTC,
    "PST": timezone(timedelta(hours=-8)),
    "PDT": timezone(timedelta(hours=-7)),
}
_MTURK_TIME = re.compile(r"[A-Z][a-z]{2} ([A-Z][a-z]{2} \d{1,2} \d\d:\d\d:\d\d) ([A-Z]{3}) (\d{4})")
_QUOTED = re.compile(r"'([^']*)'|\"([^\"]*)\"")


class BadCell(InputError):
    """A cell that can't be read: (what is wrong, what was expected)."""


def read_answer(cell: str, slot: int) -> bool | None:
    """Whether the statement is present; None if the cell is empty."""
    if not cell.strip():
        return None
    found = ANSWERS.get(cell.strip().lower())
    if found is None:
        raise BadCell(
            _("The answer to statement {slot} is '{cell}'.").format(slot=slot, cell=cell),
            _("p or n, present or absent."),
        )
    return found


def read_time(cell: str, column: str) -> datetime | None:
    """MTurk's `Mon Nov 16 17:57:16 PST 2026`, or ISO 8601; UTC where no zone is given."""
    if not cell.strip():
        return None
    try:
        match = _MTURK_TIME.fullmatch(cell.strip())
        found = _mturk_time(match) if match else datetime.fromisoformat(cell.strip())
        return found if found.tzinfo else found.replace(tzinfo=UTC)
    except (ValueError, KeyError):
        expected = _("a time such as Mon Nov 16 17:57:16 PST 2026 or 2026-11-16T17:57:16Z.")
        raise BadCell(
            _("{column} is '{cell}'.").format(column=column, cell=cell), expected
        ) from None


def _mturk_time(match: re.Match[str]) -> datetime:
    naive = datetime.strptime(f"{match[1]} {match[3]} +0000", "%b %d %H:%M:%S %Y %z")
    return naive.replace(tzinfo=ZONES[match[2]])


def read_seconds(cell: str, column: str) -> float | None:
    if not cell.strip():
        return None
    if not re.fullmatch(r"\d{1,9}(\.\d{1,9})?", cell.strip()):
        raise BadCell(
            _("{column} is '{cell}'.").format(column=column, cell=cell), _("a number of seconds.")
        )
    return float(cell)


def read_id_list(cell: str, column: str) -> list[str]:
    """A list as Python writes it: `['848', '849']`."""
    text = cell.strip()
    if not text:
        return []
    rest = _QUOTED.sub("", text)
    if not re.fullmatch(r"\[[\s,]*\]", rest):
        raise BadCell(
            _("{column} is '{cell}'.").format(column=column, cell=cell),
            _("a list of IDs such as ['848', '849']."),
        )
    return [single or double for single, double in _QUOTED.findall(text)]


def write_id_list(ids: list[str]) -> str:
    return "[" + ", ".join(f"'{item}'" for item in ids) + "]"
