"""Many HITs of one layout: a table with a line of values for each, checked, priced, published."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from io import StringIO
from typing import Any
from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext as _

from annotation.corpora.accounts.models import User
from annotation.corpora.activity.models import Verb
from annotation.corpora.activity.service import record_activity
from annotation.crowd.judging_page.question import MAX_BYTES, measure_page
from annotation.crowd.market import money
from annotation.crowd.market.errors import TurkError, insufficient_funds
from annotation.crowd.market.layouts import fill_page, list_placeholders
from annotation.crowd.market.models_accounts import Requester
from annotation.crowd.market.models_work import HitLayout
from annotation.crowd.market.operations.hit_types import register_hit_type
from annotation.crowd.market.operations.hits import create_hit_of_type
from annotation.crowd.market.rows import patient
from annotation.crowd.market.validation import check_input, get_operation
from annotation.errors import DomainError

Values = Mapping[str, str]

MOST_ROWS = 500


class TableError(ValueError):
    """A table that doesn't fit its layout, with the line and what is expected."""


def read_table(layout: HitLayout, text: str) -> list[dict[str, str]]:
    """A line names the placeholders; each further line has the values of a HIT.

    Columns that the layout has no placeholder for are left out.
    """
    names = list_placeholders(layout.html)
    # Browsers send every line break as two characters.
    lines = StringIO(text.replace("\r\n", "\n"), newline="")
    try:
        rows = list(_read_rows(names, csv.reader(lines, strict=True)))
    except csv.Error as error:
        raise TableError(_("This is not a CSV file: {error}.").format(error=error)) from error
    if not rows:
        raise TableError(_("The file has no rows below its header."))
    if len(rows) > MOST_ROWS:
        raise TableError(
            _("The file has {rows:,} rows; the maximum is {most_rows}.").format(
                rows=len(rows), most_rows=MOST_ROWS
            )
        )
    for number, row in enumerate(rows, 1):
        if (size := measure_page(fill_page(layout.html, row))) > MAX_BYTES:
            raise TableError(
                _(
                    "HIT {number}: the question has {size:,} bytes; the maximum is {max_bytes:,}."
                ).format(number=number, size=size, max_bytes=MAX_BYTES)
            )
    return rows


def _read_rows(names: Sequence[str], lines: Any) -> Iterator[dict[str, str]]:
    """`lines` is a reader of csv."""
    header = [name.strip() for name in next(lines, [])]
    if len(set(header)) < len(header):
        raise TableError(_("Two columns have the same name."))
    if lacking := [name for name in names if name not in header]:
        raise TableError(
            _("These columns are missing: {lacking}.").format(lacking=", ".join(lacking))
        )
    for cells in lines:
        if not cells:
            continue
        if len(cells) != len(header):
            raise TableError(
                _("Line {line_num}: {cells} values, expected {header}.").format(
                    line_num=lines.line_num, cells=len(cells), header=len(header)
                )
            )
        row = dict(zip(header, cells, strict=True))
        yield {name: row[name] for name in names}


def price_batch(hit: Mapping[str, Any], rows: Sequence[Values]) -> Decimal:
    """What is held when they are published: rewards and fees."""
    return money.cost_of(Decimal(hit["Reward"])) * hit["MaxAssignments"] * len(rows)


@patient
@transaction.atomic
def publish_batch(
    *, layout: HitLayout, user: User, hit: Mapping[str, Any], rows: Sequence[Values], key: UUID
) -> list[str]:
    """All of them or none, and once for a key; the ids of the HITs."""
    requester = Requester.objects.select_for_update().get(pk=layout.requester_id)
    cost = price_batch(hit, rows)
    if cost > requester.available:
        raise insufficient_funds(cost)
    made = [
        _publish(requester, layout, hit, row, f"{key}:{number}")
        for number, row in enumerate(rows, 1)
    ]
    text = _("published {made:,} HITs of the layout {layout} for ${cost:,.2f}").format(
        made=len(made), layout=layout, cost=cost
    )
    record_activity(
        project=requester.project, actor=user, verb=Verb.CREATE, target=layout, text=text
    )
    return made


def _publish(
    requester: Requester, layout: HitLayout, hit: Mapping[str, Any], row: Values, token: str
) -> str:
    model = get_operation("CreateHIT")
    assert model is not None
    parameters = [{"Name": name, "Value": value} for name, value in row.items()]
    sent = {**hit, "HITLayoutId": layout.layout_id, "HITLayoutParameters": parameters}
    params = check_input(model, {**sent, "UniqueRequestToken": token})
    try:
        made = create_hit_of_type(requester, params, register_hit_type(requester, params))
    except TurkError as error:
        if not error.turk_code.endswith("HitAlreadyExists"):
            raise
        raise DomainError(
            _("These HITs had already been published, so nothing was published now."),
            _("To publish more, open the layout's page again."),
        ) from error
    return str(made["HIT"]["HITId"])
