"""The glossary, and the description of REST for people."""

from __future__ import annotations

import re

from django.test import Client

from tests.annotation.corpora.pages import page_of


def test_it_explains_the_words_to_everybody(db: None, as_outsider: Client):
    for client in (Client(), as_outsider):
        page = page_of(client.get("/glossary/"))
        assert "Pyramid" in page.text
        assert "/glossary/" in page.links


def test_it_offers_strangers_to_sign_in(db: None):
    page = page_of(Client().get("/glossary/"))
    assert "/sign-in/" in page.links
    assert "/account/" not in page.links


def test_it_describes_rest_from_our_own_files(db: None):
    page = page_of(Client().get("/api/docs/"))
    loaded = re.findall(r'<(?:script|link)[^>]+(?:src|href)="([^"]+)"', page.html)
    assert loaded
    assert [address for address in loaded if not address.startswith("/")] == []
    script = Client().get("/api/docs/?script=")
    assert script["Content-Type"] == "application/javascript"
    assert b"/api/schema/" in script.content
    assert not re.search(rb"https?://", script.content)
