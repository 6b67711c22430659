"""Questions that were read from a file, whose declared encoding comes along."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from annotation.crowd.market.accepting import accept_hit
from annotation.crowd.market.models_accounts import WorkerAccount
from tests.annotation.crowd.market.requesting import HIT
from tests.annotation.crowd.working import external_question, html_question

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.parametrize(
    "encoding", ["UTF-8", "utf-8", "ISO-8859-1", "windows-1252", "UTF-16", "US-ASCII", "Shift_JIS"]
)
@pytest.mark.parametrize("mark", ["", "\ufeff"], ids=["", "with a byte order mark"])
def test_a_question_declares_the_encoding_of_its_file(
    client: Any, worker: WorkerAccount, encoding: str, mark: str
):
    """A script reads the file as text and sends the text; the declaration comes along."""
    declared = f'{mark}<?xml version="1.0" encoding="{encoding}"?>\n'
    question = declared + html_question("<p>Où est l\u2019été à Łódź? 日本</p>")
    hit = client.create_hit(**{**HIT, "Question": question})["HIT"]
    taken = accept_hit(hit_id=hit["HITId"], worker=worker)
    page = Client().get(f"/work/frame/{taken.assignment_id}/", follow=True)
    assert "<p>Où est l\u2019été à Łódź? 日本</p>" in page.content.decode()
    assert client.get_hit(HITId=hit["HITId"])["HIT"]["Question"] == question


def test_an_address_within_a_question_keeps_its_characters(client: Any):
    head = '<?xml version="1.0" encoding="ISO-8859-1"?>'
    question = head + external_question("https://lab.example.org/t\u00e2che?a=1&amp;b=2")
    assert client.create_hit(**{**HIT, "Question": question})["HIT"]["HITId"]
