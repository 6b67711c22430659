"""HITs of a layout from a CSV file, on pages: checked, priced, published once."""

from __future__ import annotations

from decimal import Decimal
from typing import Any
from uuid import uuid4

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from annotation.crowd.market.batches import MOST_ROWS, TableError, read_table
from annotation.crowd.market.layouts import create_layout
from annotation.crowd.market.models_work import HitLayout, MarketHit
from annotation.crowd.market.money import deposit
from annotation.crowd.market.question_forms import read_question
from annotation.crowd.market.requesters import create_requester
from tests.annotation.conftest import sign_in
from tests.annotation.corpora.pages import Page
from tests.annotation.crowd.market.permissions import HITS
from tests.annotation.crowd.market.requesting import books
from tests.factories import make_user

pytestmark = pytest.mark.django_db

TABLE = 'title,summary,note\r\nA dam,"It burst,\nthey say.",1\r\n\r\nA flood,It <b>rose</b>.,2\r\n'


@pytest.fixture
def layout() -> HitLayout:
    owner = make_user("Ada")
    lab = create_requester(name="Lab", owner=owner)
    deposit(requester=lab, amount=Decimal(10), note="For tests")
    html = "<h2>${title}</h2><p>${summary}</p>"
    return create_layout(requester=lab, user=owner, name="Dams", html=html)


@pytest.fixture
def desk(layout: HitLayout) -> Client:
    assert layout.requester.owner is not None
    return sign_in(layout.requester.owner)


def page_of(layout: HitLayout) -> str:
    return f"/account/requesters/{layout.requester_id}/layouts/{layout.layout_id}/hits/"


def fields(**changes: Any) -> dict[str, Any]:
    first = {name: value for name, value in HITS.items() if name not in ("text", "publish")}
    file = SimpleUploadedFile("hits.csv", TABLE.encode("utf-8-sig"))
    sent = {**first, "key": str(uuid4()), "reward": "0.50", "assignments": "3", "table": file}
    return sent | changes


def confirm(desk: Client, layout: HitLayout, **changes: Any) -> dict[str, str]:
    """What the page with the price sends on."""
    response = desk.post(page_of(layout), fields(**changes))
    assert response.status_code == 200, response.content.decode()
    values = Page(response.content.decode()).values
    return {name: value for name, value in values.items() if value is not None}


def test_hits_are_priced_and_then_published_once(desk: Client, layout: HitLayout):
    assert desk.get(page_of(layout)).status_code == 200
    values = confirm(desk, layout)
    assert not MarketHit.objects.exists()
    assert books(layout.requester) == (Decimal(10), Decimal(0))
    for _ in range(2):
        desk.post(page_of(layout), {**values, "publish": "yes"})
    hits = list(MarketHit.objects.order_by("pk"))
    assert [read_question(hit.question).html for hit in hits] == [
        "<h2>A dam</h2><p>It burst,\nthey say.</p>",
        "<h2>A flood</h2><p>It <b>rose</b>.</p>",
    ]
    assert {hit.max_assignments for hit in hits} == {3}
    assert {hit.layout_id for hit in hits} == {layout.layout_id}
    cost = sum(hit.place_cost * 3 for hit in hits)
    assert books(layout.requester) == (Decimal(10), cost)


def test_the_page_says_what_they_cost_and_what_is_lacking(desk: Client, layout: HitLayout):
    text = Page(desk.post(page_of(layout), fields()).content.decode()).text
    assert "6 (2 HITs × 3)" in text
    dear = desk.post(page_of(layout), fields(reward="5"))
    assert "doesn’t cover this" in Page(dear.content.decode()).text
    assert 'name="publish"' not in dear.content.decode()


def test_what_is_not_covered_is_published_not_at_all(desk: Client, layout: HitLayout):
    values = {**confirm(desk, layout), "reward": "5", "publish": "yes"}
    assert desk.post(page_of(layout), values).status_code == 400
    assert not MarketHit.objects.exists()
    assert books(layout.requester) == (Decimal(10), Decimal(0))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "columns are missing: title, summary"),
        ("title,summary\n", "no rows"),
        ("title\nx\n", "columns are missing: summary"),
        ("title,title,summary\na,b,c\n", "same name"),
        ("title,summary\na,b\nc\n", "Line 3: 1 values, expected 2"),
        ('title,summary\n"a,b\n', "not a CSV file"),
        ("title,summary\n" + "a,b\n" * (MOST_ROWS + 1), "501 rows"),
        (f"title,summary\na,{'x' * 66_000}\n", "HIT 1: "),
    ],
)
def test_a_table_that_does_not_fit_is_refused_with_its_line(
    layout: HitLayout, text: str, words: str
):
    with pytest.raises(TableError, match=words):
        read_table(layout, text)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"table": SimpleUploadedFile("x.csv", "title,summary\nà,b".encode("utf-16"))}, "UTF-8"),
        ({"table": SimpleUploadedFile("x.csv", b"x" * (2**21 + 1))}, "larger than 2 MB"),
        ({"table": ""}, "This field is required"),
        ({"reward": "0.001"}, "decimal places"),
        ({"assignments": "0"}, "greater than or equal to 1"),
    ],
)
def test_the_form_says_what_to_change(
    desk: Client, layout: HitLayout, changes: dict[str, Any], words: str
):
    response = desk.post(page_of(layout), fields(**changes))
    assert response.status_code == 422
    assert words in Page(response.content.decode()).text
