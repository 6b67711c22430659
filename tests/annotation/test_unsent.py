"""A form sent after its session had ended: carried through signing in, never sent by itself."""

from __future__ import annotations

import re
from typing import Any

from django.test import Client

from annotation.corpora.accounts.models import User
from annotation.corpora.projects.models import Project
from annotation.unsent import SIGNED_OUT

PASSWORD = "stone-age-pyramid"
PAGE = "/p/study/settings/"
SENT = {"name": "Dams & <weirs>", "description": "Kept"}


def send(client: Client, target: str = PAGE, **headers: str) -> Any:
    return client.post(target, SENT, headers={"referer": f"http://testserver{PAGE}", **headers})


def unsent_of(response: Any) -> str:
    (found,) = re.findall(r'name="unsent" value="([^"]+)"', response.content.decode())
    return str(found)


def owner_of(project: Project) -> User:
    owner = User.objects.get(email="owner@example.org")
    owner.set_password(PASSWORD)
    owner.save()
    return owner


def test_it_comes_back_after_signing_in(corpus: Project) -> None:
    client = Client()
    owner = owner_of(corpus)
    asked = send(client)
    assert asked.status_code == 401
    again = {"username": owner.email, "password": "wrong", "unsent": unsent_of(asked)}
    wrong = client.post("/sign-in/", again)
    assert wrong.status_code == 422
    right = {**again, "password": PASSWORD, "unsent": unsent_of(wrong)}
    page = client.post("/sign-in/", right, follow=True)
    assert page.redirect_chain == [(f"{PAGE}?unsent=1", 302)]
    assert 'value="Dams &amp; &lt;weirs&gt;"' in page.content.decode()
    corpus.refresh_from_db()
    assert corpus.name != SENT["name"]
    # Shown once: the page is itself again afterwards.
    assert "Dams" not in client.get(f"{PAGE}?unsent=1").content.decode()


def test_the_code_page_carries_it_too(corpus: Project, monkeypatch: Any) -> None:
    client, owner = Client(), owner_of(corpus)
    monkeypatch.setattr("annotation.corpora.accounts.sign_in.has_second_factor", lambda user: True)
    monkeypatch.setattr("annotation.corpora.accounts.sign_in.check_code", lambda **_: None)
    given = {"username": owner.email, "password": PASSWORD, "unsent": unsent_of(send(client))}
    asked = client.post("/sign-in/", given)
    assert 'name="code"' in asked.content.decode()
    code = {"code": "123456", "unsent": unsent_of(asked)}
    page = client.post("/sign-in/code/", code, follow=True)
    assert 'value="Dams &amp; &lt;weirs&gt;"' in page.content.decode()


def test_a_changed_one_is_not_believed(corpus: Project) -> None:
    client, owner = Client(), owner_of(corpus)
    given = {"username": owner.email, "password": PASSWORD, "unsent": f"{unsent_of(send(client))}x"}
    assert client.post("/sign-in/", given)["Location"] == "/"


def test_a_part_of_a_page_is_refused_in_words(corpus: Project) -> None:
    for answer in (
        send(Client(), **{"hx-request": "true"}),
        Client().get(PAGE, headers={"hx-request": "true"}),
    ):
        assert (answer.status_code, answer.content.decode()) == (401, SIGNED_OUT)


def test_another_tab_that_signs_in_does_not_cost_it(corpus: Project) -> None:
    """Signing in gives new tokens, so the form of the first tab is refused, and yet shown again."""
    client = Client(enforce_csrf_checks=True)
    client.force_login(owner_of(corpus))
    page = send(client)
    assert page.status_code == 403
    assert 'value="Dams &amp; &lt;weirs&gt;"' in page.content.decode()
