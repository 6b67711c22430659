"""HIT layouts: pages with `${placeholders}`, made by people and filled when a HIT is created."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from django.db import transaction
from django.utils.translation import gettext as _

from annotation import clock
from annotation.corpora.accounts.models import User
from annotation.corpora.activity.models import Verb
from annotation.corpora.activity.service import record_activity
from annotation.crowd.judging_page.question import MAX_BYTES, measure_page
from annotation.crowd.market.errors import TurkError, invalid, missing
from annotation.crowd.market.models_accounts import Requester
from annotation.crowd.market.models_work import HitLayout
from annotation.errors import DomainError, TooLarge

MOST_LAYOUTS = 200
PLACEHOLDER = re.compile(r"\$\{([A-Za-z0-9_-]{1,128})\}")


def list_placeholders(html: str) -> list[str]:
    """Each once, in the order of the page."""
    return list(dict.fromkeys(PLACEHOLDER.findall(html)))


def fill_page(html: str, values: Mapping[str, str]) -> str:
    """Values are put in as they are, markup included, as MTurk does; what has none stays."""
    return PLACEHOLDER.sub(lambda found: values.get(found[1], found[0]), html)


def get_layout(requester: Requester, layout_id: str) -> HitLayout:
    found = HitLayout.objects.filter(requester=requester, layout_id=layout_id).first()
    if found is None:
        raise missing("HITLayout", layout_id)
    return found


def fill_layout(layout: HitLayout, parameters: Sequence[Mapping[str, str]]) -> str:
    """The page of a HIT; every placeholder needs one value, and every value a placeholder."""
    values = {item["Name"]: item["Value"] for item in parameters}
    if len(values) < len(parameters):
        raise invalid("HITLayoutParameters", _("a name is given twice."))
    names = list_placeholders(layout.html)
    if lacking := [name for name in names if name not in values]:
        raise TurkError(
            "AWS.MissingParameters",
            _(
                "Your request is missing required parameters. Required parameters include "
                "HITLayoutParameter. You have not provided all required HITLayout parameters. "
                "Missing parameter names: {lacking}"
            ).format(lacking=", ".join(lacking)),
        )
    if surplus := [name for name in values if name not in names]:
        raise invalid(
            "HITLayoutParameters",
            _("the layout has no placeholders named: {surplus}. It has: {names}.").format(
                surplus=", ".join(surplus), names=", ".join(names) or _("none")
            ),
        )
    return fill_page(layout.html, values)


@transaction.atomic
def create_layout(
    *, requester: Requester, user: User, name: str, html: str, frame_height: int = 0
) -> HitLayout:
    _check_size(html)
    rows = Requester.objects.select_for_update().filter(pk=requester.pk)
    if not rows.exists() or requester.layouts.count() >= MOST_LAYOUTS:
        raise DomainError(
            _("A requester can have at most {most_layouts} layouts.").format(
                most_layouts=MOST_LAYOUTS
            ),
            _("Delete one first."),
        )
    layout = HitLayout.objects.create(
        requester=requester, name=name, html=html, frame_height=frame_height
    )
    _record(layout, user, Verb.CREATE, "created")
    return layout


@transaction.atomic
def update_layout(
    *, layout: HitLayout, user: User, name: str, html: str, frame_height: int
) -> None:
    """HITs that were created from it stay as they are."""
    _check_size(html)
    layout.name, layout.html, layout.frame_height = name, html, frame_height
    layout.updated_at = clock.now()
    layout.save(update_fields=["name", "html", "frame_height", "updated_at"])
    _record(layout, user, Verb.CHANGE, "edited")


@transaction.atomic
def delete_layout(*, layout: HitLayout, user: User) -> None:
    _record(layout, user, Verb.DELETE, "deleted")
    layout.delete()


def _check_size(html: str) -> None:
    if (size := measure_page(html)) > MAX_BYTES:
        raise TooLarge(
            _("This layout's question has {size:,} bytes; the maximum is {max_bytes:,}.").format(
                size=size, max_bytes=MAX_BYTES
            ),
            _("Shorten it, or load scripts and styles from another server."),
        )


def _record(layout: HitLayout, user: User, verb: Verb, done: str) -> None:
    text = _("{done} the layout {layout} of the requester {requester}").format(
        done=done, layout=layout, requester=layout.requester
    )
    record_activity(
        project=layout.requester.project, actor=user, verb=verb, target=layout, text=text
    )
