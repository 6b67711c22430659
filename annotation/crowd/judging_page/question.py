"""The judging page as one self-contained document, and the question XML that carries it.

The page needs no other address: its style and script stand in it. Everything that a project
brought in (summary, statements, instructions) is escaped, and nothing in the page tells a gold
statement from the others.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core import signing
from django.db.models import Q
from django.template.loader import render_to_string
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from annotation.corpora.corpus.models import Summary
from annotation.crowd.campaigns.models import Campaign, Delivery, Hit
from annotation.crowd.campaigns.planning import (
    find_judged_example,
    list_chosen,
    list_scope,
    plan_hits,
)
from annotation.crowd.market.answers import escape_xml, keep_xml_characters
from annotation.crowd.providers import get_provider
from annotation.errors import NotFound, TooLarge

SOURCES = Path(__file__).parents[3] / "frontend" / "static" / "judge"
STYLES = ("judge.css", "desk.css")
SCRIPTS = ("memory.js", "clock.js", "practice.js", "judge.js")
SCHEMAS = "http://mechanicalturk.amazonaws.com/AWSMechanicalTurkDataSchemas"
HTML_QUESTION = f"{SCHEMAS}/2011-11-11/HTMLQuestion.xsd"
EXTERNAL_QUESTION = f"{SCHEMAS}/2006-07-14/ExternalQuestion.xsd"
MAX_BYTES = 65_535
# 0 lets MTurk's own frame grow with the page.
FRAME_HEIGHT = 0

# What may not stand in a script element, whatever its type, as JSON writes it.
JSON_ESCAPES = {ord(mark): f"\\u{ord(mark):04x}" for mark in "<>&\u2028\u2029"}


class QuestionTooLarge(TooLarge):
    """A question with more bytes than the API takes."""


@dataclass(frozen=True, slots=True)
class Worked:
    """A statement about a short summary with its answer, as an example or for practice."""

    summary: str
    statement: str
    answer: str
    why: str = ""


@dataclass(frozen=True, slots=True)
class JudgingTask:
    """What one page shows.

    `statements` are (key, text) in order. `origins` may receive the answers, besides the page's
    own. `name` says in errors which HIT this is. A page that we serve ourselves knows where it
    sends to (`submit_url`) and as whom (`assignment_id`, `hidden`); one that a crowd serves reads
    that from its address.
    """

    title: str
    summary: str
    statements: tuple[tuple[str, str], ...]
    instructions: str = ""
    examples: tuple[Worked, ...] = ()
    training: tuple[Worked, ...] = ()
    origins: tuple[str, ...] = ()
    name: str = "this HIT"
    is_preview: bool = False
    submit_url: str = ""
    assignment_id: str = ""
    hidden: Mapping[str, str] = field(default_factory=dict)

    @property
    def rules(self) -> str:
        """Names what a worker reads and practises only once; other words have another name."""
        read = [self.instructions, *map(asdict, self.examples), *map(asdict, self.training)]
        return hashlib.sha256(json.dumps(read).encode()).hexdigest()[:16]


def render_page(task: JudgingTask) -> str:
    """The whole document."""
    body = render_to_string("crowd/judge/_task.html", _context(task))
    page = format_html(
        '<!doctype html>\n<html lang="{}">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        "<title>{}</title>\n<style>{}</style>\n</head>\n<body>\n"
        '<form id="judge" method="post" action="{}" novalidate>\n{}</form>\n'
        '<script type="application/json" id="task">{}</script>\n'
        "<script>{}</script>\n</body>\n</html>\n",
        get_language(),
        task.title,
        inlined(*STYLES),
        task.submit_url,
        body,
        _safe_json(_data(task)),
        inlined(*SCRIPTS),
    )
    return keep_xml_characters(page)


def _context(task: JudgingTask) -> dict[str, Any]:
    return {
        "task": task,
        "paragraphs": [line for line in task.summary.splitlines() if line.strip()],
        "blocks": split_blocks(task.instructions),
    }


def _data(task: JudgingTask) -> dict[str, Any]:
    """What the script needs and the markup does not say."""
    keys = ("summary", "statement", "answer", "why")
    return {
        "origins": list(task.origins),
        "rules": task.rules,
        "preview": task.is_preview,
        "submit": task.submit_url,
        "training": [{key: getattr(item, key) for key in keys} for item in task.training],
        "words": _words(),
    }


def _words() -> dict[str, str]:
    """What the scripts say. The page can't fetch a catalogue, so it carries the texts."""
    return {
        "absent": _("Not present"),
        "answered": _("all answered"),
        "homeless": _(
            "This page can't submit your answers: it has no address to send them to. "
            "Please return the HIT and contact the requester."
        ),
        "left": _("%(left)s left"),
        "missing": _("%(count)s statements still need an answer: %(numbers)s."),
        "missing_one": _("One statement still needs an answer: %(numbers)s."),
        "needed": _("Answer needed"),
        "place": _("%(place)s of %(total)s"),
        "practice": _("Practice %(place)s of %(total)s"),
        "present": _("Present"),
        "preview": _("Preview: accept the HIT to answer."),
        "right_absent": _("Correct: not present."),
        "right_present": _("Correct: present."),
        "statement": _("Statement %(place)s of %(total)s: %(text)s"),
        "stranger": _(
            "This page can't submit your answers: it doesn't recognise the address %(given)s. "
            "Please return the HIT and contact the requester."
        ),
        "submit": _("Submit"),
        "submitting": _("Submitting…"),
        "unanswered": _("Unanswered"),
        "wrong_absent": _("Not quite: not present."),
        "wrong_present": _("Not quite: present."),
    }


def _safe_json(data: object) -> SafeString:
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return mark_safe(text.translate(JSON_ESCAPES))


def split_blocks(text: str) -> list[dict[str, Any]]:
    """Plain text as paragraphs and lists: an empty line ends one, `- ` starts an item."""
    blocks: list[dict[str, Any]] = []
    for part in re.split(r"\n\s*\n", text.replace("\r\n", "\n").strip()):
        for line in filter(None, map(str.strip, part.split("\n"))):
            _add_line(blocks, line)
        blocks.append({})
    return [block for block in blocks if block]


def _add_line(blocks: list[dict[str, Any]], line: str) -> None:
    last = blocks[-1] if blocks else {}
    if line.startswith("- "):
        if "entries" not in last:
            last = {"entries": []}
            blocks.append(last)
        last["entries"].append(line[2:].strip())
    elif "text" in last:
        last["text"] += f" {line}"
    else:
        blocks.append({"text": line})


@cache
def inlined(*names: str) -> SafeString:
    """The page's own sources, without comments and indentation: every byte counts."""
    text = "\n".join((SOURCES / name).read_text(encoding="utf-8") for name in names)
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)
    lines = (line.strip() for line in text.splitlines())
    kept = (line for line in lines if line and not line.startswith("//"))
    return mark_safe("\n".join(kept))


def source_hash(*names: str) -> str:
    """How a Content-Security-Policy names inlined sources."""
    digest = hashlib.sha256(inlined(*names).encode()).digest()
    return f"'sha256-{base64.b64encode(digest).decode()}'"


def html_question_xml(page: str, frame_height: int = FRAME_HEIGHT, *, name: str = "") -> str:
    """An HTMLQuestion that carries the page; `name` says in the error which HIT is too large."""
    xml = write_html_question(page, frame_height)
    size = len(xml.encode())
    if size > MAX_BYTES:
        raise QuestionTooLarge(
            f"{name or 'This HIT'} has a question of {size:,} bytes; the maximum is {MAX_BYTES:,}.",
            "Shorten the instructions and examples, ask for fewer statements per HIT, "
            "or let Giza serve the page (ExternalQuestion).",
        )
    return xml


def measure_page(page: str) -> int:
    """How many of the bytes that a question may have this page takes."""
    return len(write_html_question(page, FRAME_HEIGHT).encode())


def write_html_question(page: str, frame_height: int) -> str:
    """An HTMLQuestion of any size."""
    content = keep_xml_characters(page).replace("]]>", "]]]]><![CDATA[>")
    return (
        f'<HTMLQuestion xmlns="{HTML_QUESTION}"><HTMLContent><![CDATA[{content}]]></HTMLContent>'
        f"<FrameHeight>{frame_height}</FrameHeight></HTMLQuestion>"
    )


def external_question_xml(url: str, frame_height: int = FRAME_HEIGHT) -> str:
    """An ExternalQuestion that points to a page on a host which workers can reach."""
    return (
        f'<ExternalQuestion xmlns="{EXTERNAL_QUESTION}"><ExternalURL>{escape_xml(url)}'
        f"</ExternalURL><FrameHeight>{frame_height}</FrameHeight></ExternalQuestion>"
    )


HIT_SALT = "giza.judge.hit"


def make_task(hit: Hit, *, origins: Sequence[str] = (), **page: Any) -> JudgingTask:
    """What the page of a HIT shows; `page` is what depends on where it is shown."""
    campaign = hit.campaign
    return JudgingTask(
        title=campaign.title,
        summary=hit.shown_text,
        statements=tuple((row["key"], row["text"]) for row in hit.statements),
        instructions=campaign.instructions,
        examples=tuple(_worked(row) for row in campaign.worked_examples),
        training=tuple(_worked(row) for row in campaign.training),
        origins=tuple(origins),
        name=_("The HIT for {example} by {system}").format(
            example=hit.summary.example.key, system=hit.summary.system.name
        ),
        **page,
    )


def _worked(row: Mapping[str, Any]) -> Worked:
    names = ("summary", "statement", "answer", "why")
    return Worked(**{name: str(row.get(name, "")) for name in names})


def build_question(hit: Hit, origins: Sequence[str]) -> str:
    """The HIT's question XML, self-contained or pointing to this server."""
    if hit.campaign.delivery == Delivery.EXTERNAL:
        return external_question_xml(judge_url(hit), 800)
    task = make_task(hit, origins=origins)
    return html_question_xml(render_page(task), name=task.name)


def judge_url(hit: Hit) -> str:
    """The address of the page on this server. Its token can't be guessed or counted up."""
    return f"{settings.PUBLIC_URL.rstrip('/')}/judge/{hit_token(hit)}/"


def hit_token(hit: Hit) -> str:
    return signing.Signer(salt=HIT_SALT).sign(str(hit.pk))


RELATED = ("campaign", "summary__example", "summary__system")


def get_hit_by_token(token: str) -> Hit:
    """The HIT that `judging.hit_token` made the token of."""
    try:
        pk = int(signing.Signer(salt=HIT_SALT).unsign(token))
    except signing.BadSignature:
        raise NotFound(_("There is no task at this address.")) from None
    hit = Hit.objects.select_related(*RELATED).filter(pk=pk).first()
    if hit is None:
        raise NotFound(_("This task no longer exists."))
    return hit


def list_preview_hits(campaign: Campaign, summary: Summary) -> list[Hit]:
    """The HITs of a summary: as they were published, or as they would be."""
    made = Hit.objects.select_related(*RELATED).filter(campaign=campaign, summary=summary)
    found = list(made.order_by("part")) or plan_hits(campaign, [summary])
    if not found:
        raise NotFound(
            _("Example {example} has no units yet.").format(example=summary.example.key),
            _("Write its units, then open the preview again."),
        )
    return found


def get_first_summary(campaign: Campaign) -> Summary:
    found = list_scope(campaign).order_by("pk").first()
    if found is None:
        raise NotFound(
            _("No summary of an example with units is selected."), _("Choose systems and examples.")
        )
    return found


def get_neighbours(campaign: Campaign, summary: Summary) -> tuple[Summary | None, Summary | None]:
    """The summaries of the campaign before and after this one: by example, then by system."""
    return _find_beside(campaign, summary, "lt"), _find_beside(campaign, summary, "gt")


def _find_beside(campaign: Campaign, summary: Summary, side: str) -> Summary | None:
    """Where units are fixed, example by example: a campaign may have very many summaries."""
    minus = "-" if side == "lt" else ""
    beside = Q(example=summary.example_id, **{f"system__{side}": summary.system_id})
    if not campaign.unit_set.is_frozen:
        further = Q(**{f"example__{side}": summary.example_id})
        rows = list_scope(campaign).filter(beside | further)
        return rows.order_by(f"{minus}example", f"{minus}system").first()
    found = list_chosen(campaign).filter(beside).order_by(f"{minus}system").first()
    example: int | None = summary.example_id
    while found is None and example is not None:
        example = find_judged_example(campaign, example, side)
        rows = list_chosen(campaign).filter(example=example)
        found = rows.order_by(f"{minus}system").first() if example is not None else None
    return found


def list_submit_origins(campaign: Campaign) -> list[str]:
    """Where workers of this campaign's crowd work, and where their answers may be sent."""
    from annotation.crowd.providers.requester_api import RequesterApi

    provider = get_provider(campaign)
    return provider.submit_origins() if isinstance(provider, RequesterApi) else []
