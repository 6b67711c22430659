"""A campaign's HIT as the page that a worker sees, and as the question that carries it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.conf import settings
from django.core import signing

from annotation.crowd.models import Delivery, Hit
from annotation.crowd.question import (
    JudgingTask,
    Worked,
    external_question_xml,
    html_question_xml,
    render_page,
)
from annotation.translation import gettext as _

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
