"""`python -m tests.crowd_seed WORKERS HITS PLACES`: workers with sessions, and HITs to take."""

from __future__ import annotations

import json
import sys
from typing import Any

STATEMENTS = 10
SUMMARY = "The dam burst on Monday after days of rain, and nobody was hurt. " * 5


def task_html(action: str = "", *, is_template: bool = False) -> str:
    """One summary and ten statements, as a plain form."""
    summary = "${summary}" if is_template else SUMMARY
    rows = "".join(
        f"<fieldset><legend>Statement {number}: it rained for days.</legend>"
        f'<label><input type="radio" name="s{number}" value="present" required> present</label>'
        f'<label><input type="radio" name="s{number}" value="absent"> not present</label>'
        "</fieldset>"
        for number in range(STATEMENTS)
    )
    content = f"<p>{summary}</p>{rows}<button type='submit'>Send</button>"
    return f'<form method="post" action="{action}">{content}</form>' if action else content


def sign_in(user: Any) -> str:
    """The key of a session as the sign-in page makes it."""
    from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
    from django.contrib.sessions.backends.db import SessionStore

    session = SessionStore()
    session[SESSION_KEY] = str(user.pk)
    session[BACKEND_SESSION_KEY] = "django.contrib.auth.backends.ModelBackend"
    session[HASH_SESSION_KEY] = user.get_session_auth_hash()
    session.create()
    return str(session.session_key)


def add_person(name: str, **rights: bool) -> Any:
    """Somebody who never signs in by a password: hashing one takes longer than all the rest."""
    from annotation.corpora.accounts.models import User

    address = f"{name.lower().replace(' ', '-')}@example.org"
    return User.objects.create(email=address, name=name, password="!", **rights)


def add_workers(count: int, name: str = "Worker") -> list[str]:
    """Workers of the marketplace; gives their sessions."""
    from annotation.crowd.market.models_accounts import WorkerAccount

    sessions = []
    for number in range(count):
        user = add_person(f"{name} {number}")
        WorkerAccount.objects.create(user=user, country="DE", is_adult=True)
        sessions.append(sign_in(user))
    return sessions


def seed(workers: int, hits: int, places: int) -> dict[str, Any]:
    from tests.annotation.crowd.working import html_question, make_hit, make_type

    kind = make_type()
    question = html_question(task_html("https://www.mturk.com/mturk/externalSubmit"))
    for _ in range(hits):
        make_hit(kind, places, question=question)
    return {"start": f"/work/types/{kind.hit_type_id}/next/", "sessions": add_workers(workers)}


if __name__ == "__main__":
    from tests.benchmarks.database import set_up_django

    set_up_django()
    print(json.dumps(seed(*(int(argument) for argument in sys.argv[1:]))))
