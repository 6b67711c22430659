"""What was done in a project: found by filters, in pages that go by the last row seen."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from datetime import date, datetime, time, timedelta
from typing import Any

from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from annotation.corpora.accounts.models import User
from annotation.corpora.activity.models import Activity, Verb
from annotation.corpora.projects.models import Project
from annotation.corpora.targets import KINDS, find_links
from annotation.errors import Invalid

PAGE = 50
MOST_A_PAGE = 200
LONGEST_SEARCH = 200
ID = "[1-9][0-9]{0,17}"
DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
FIRST_DAY, LAST_DAY = date(1970, 1, 1), date(9000, 1, 1)
# How a link, a call or a command names the program itself among the people.
PROGRAM = "program"
FORMATS = {"csv": "text/csv; charset=utf-8", "jsonl": "application/x-ndjson"}
COLUMNS = (
    *("id", "at", "person", "email", "verb", "target_kind"),
    *("target_id", "label", "text", "door", "details"),
)


@dataclass(frozen=True, slots=True)
class ActivityFilter:
    """Each empty unless asked for. `person` is the id of an account, or `program`."""

    person: str = ""
    verb: str = ""
    target: str = ""
    since: str = ""
    until: str = ""
    q: str = ""

    @property
    def is_empty(self) -> bool:
        return not any(getattr(self, field.name) for field in fields(self))

    def as_query(self) -> dict[str, str]:
        """What is set, in the words of an address."""
        named = {field.name: str(getattr(self, field.name)) for field in fields(self)}
        return {name: value for name, value in named.items() if value}


def read_filter(said: Mapping[str, Any]) -> ActivityFilter:
    """Check what an address or a command says; an unknown word is an error that lists the known."""
    found = ActivityFilter(
        **{field.name: str(said.get(field.name) or "").strip() for field in fields(ActivityFilter)}
    )
    if found.person and found.person != PROGRAM and not _is_id(found.person):
        raise Invalid(
            _("person: '{person}' is not an account.").format(person=found.person),
            _("Use an account ID, or {program}.").format(program=PROGRAM),
        )
    if found.verb and found.verb not in Verb.values:
        raise Invalid(
            _("verb: '{verb}' is unknown.").format(verb=found.verb),
            _("Use one of {values}.").format(values=", ".join(Verb.values)),
        )
    if found.target and found.target not in KINDS:
        raise Invalid(
            _("target: '{target}' is unknown.").format(target=found.target),
            _("Use one of {kinds}.").format(kinds=", ".join(KINDS)),
        )
    if len(found.q) > LONGEST_SEARCH or "\x00" in found.q:
        raise Invalid(_("q: the search is too long or contains a NUL character."))
    for name in ("since", "until"):
        _read_day(name, getattr(found, name))
    return found


def _is_id(value: str) -> bool:
    return re.fullmatch(ID, value) is not None


def _read_day(name: str, value: str) -> date | None:
    try:
        found = date.fromisoformat(value) if DAY.fullmatch(value) else None
    except ValueError:
        found = None
    if value and found is None:
        raise Invalid(
            _("{name}: '{value}' is not a date.").format(name=name, value=value),
            _("Write it as 2026-03-31."),
        )
    # Databases know no midnight at the ends of the calendar, and nothing was done there.
    return found and min(max(found, FIRST_DAY), LAST_DAY)


def list_activity(project: Project | None, asked: ActivityFilter) -> QuerySet[Activity]:
    """The newest first. Without a project: what belongs to accounts and to the server."""
    rows = Activity.objects.filter(project=project).select_related("actor")
    if asked.person:
        rows = rows.filter(actor=None if asked.person == PROGRAM else int(asked.person))
    if asked.verb:
        rows = rows.filter(verb=asked.verb)
    if asked.target:
        rows = rows.filter(target_kind=asked.target)
    if since := _read_day("since", asked.since):
        rows = rows.filter(at__gte=_midnight(since))
    if until := _read_day("until", asked.until):
        rows = rows.filter(at__lt=_midnight(until + timedelta(days=1)))
    if asked.q:
        rows = rows.filter(Q(text__icontains=asked.q) | Q(label__icontains=asked.q))
    return rows.order_by("-pk")


def _midnight(day: date) -> datetime:
    return timezone.make_aware(datetime.combine(day, time()))


@dataclass(frozen=True, slots=True)
class ActivityPage:
    """Some rows, and the id to go on before: None where nothing is left."""

    rows: list[Activity]
    before: int | None


def page_activity(rows: QuerySet[Activity], before: int | None, size: int = PAGE) -> ActivityPage:
    """By the last id seen, not by number: rows that come in meanwhile move nothing."""
    found = list((rows.filter(pk__lt=before) if before else rows)[: size + 1])
    more = len(found) > size
    return ActivityPage(found[:size], found[size - 1].pk if more else None)


def add_links(project: Project, rows: list[Activity]) -> list[Activity]:
    """Each with the address of what it was done to, where that is still there."""
    links = find_links(rows, project.slug)
    for row in rows:
        key = (row.target_kind, row.target_id or 0)
        row.url = links.get(key, "")  # type: ignore[attr-defined]
        kind = KINDS.get(row.target_kind)
        row.kind_title = kind.title if kind else ""  # type: ignore[attr-defined]
    return rows


def list_people(project: Project) -> list[User]:
    """Whoever did something that is written down, members or not any more."""
    acted = Activity.objects.filter(project=project).order_by().values("actor").distinct()
    return list(User.objects.filter(pk__in=acted).order_by("name", "pk"))


def list_own_acts(user: User, limit: int = 10) -> list[Activity]:
    """What somebody did to their account, outside of any project; the newest first."""
    return list(Activity.objects.filter(project=None, actor=user)[:limit])


def list_target_kinds(project: Project) -> list[tuple[str, str]]:
    """The kinds of things that something was done to, with their titles."""
    rows = Activity.objects.filter(project=project).order_by()
    used = set(rows.values_list("target_kind", flat=True).distinct())
    return [(kind.name, kind.title) for kind in KINDS.values() if kind.name in used]


def describe(row: Activity) -> dict[str, Any]:
    """One act as files and REST tell it; the columns of the CSV are its keys."""
    return {
        "id": row.pk,
        "at": row.at.isoformat(),
        "person": row.actor.name if row.actor else None,
        "email": row.actor.email if row.actor else None,
        "verb": row.verb,
        "target_kind": row.target_kind,
        "target_id": row.target_id,
        "label": row.label,
        "text": row.text,
        "door": row.door,
        "details": row.details,
    }


def get_activity_format(name: str) -> str:
    """The media type of a format."""
    if name not in FORMATS:
        raise Invalid(
            _("There is no format '{name}'.").format(name=name),
            _("Use one of {formats}.").format(formats=", ".join(FORMATS)),
        )
    return FORMATS[name]


def stream_activity(rows: QuerySet[Activity], format: str) -> Iterator[str]:
    """All of it, row by row."""
    return {"csv": _stream_csv, "jsonl": _stream_jsonl}[format](rows)


def _stream_jsonl(rows: QuerySet[Activity]) -> Iterator[str]:
    for row in rows.iterator(chunk_size=1000):
        yield json.dumps(describe(row), ensure_ascii=False) + "\n"


def _stream_csv(rows: QuerySet[Activity]) -> Iterator[str]:
    yield _csv_line(COLUMNS)
    for row in rows.iterator(chunk_size=1000):
        told = describe(row) | {"details": json.dumps(row.details, ensure_ascii=False)}
        yield _csv_line([_harmless(told[name]) for name in COLUMNS])


def _harmless(value: Any) -> Any:
    """A spreadsheet takes a text that begins so for a formula, and runs it."""
    is_formula = isinstance(value, str) and value.startswith(("=", "+", "-", "@", "\t", "\r"))
    return f"'{value}" if is_formula else value


def _csv_line(values: Any) -> str:
    out = io.StringIO()
    csv.writer(out).writerow(values)
    return out.getvalue()
