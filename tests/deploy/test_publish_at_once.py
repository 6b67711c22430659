"""Eight people publish at once on a server with eight threads: nobody waits for anybody else."""

from __future__ import annotations

import http.client
import json
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest

from tests import servers
from tests.servers import Part, Product

PEOPLE = 8
# Each is a second's work at most; a thread that waits for another one's waits for thirty.
BOUND = 10.0
PAGES_BOUND = 5.0
SET_UP = """
import json, tempfile
from pathlib import Path
from annotation.crowd.campaigns.service import create_campaign
from tests import factories
from tests.crowd_seed import sign_in
owner = factories.make_user("Owner")
project = factories.make_project(owner, "at-once")
factories.fund(project)
factories.import_examples(project, Path(tempfile.mkdtemp()))
unit_set = factories.make_set(project, owner)
for row in project.examples.all():
    factories.add_unit(unit_set, row, owner, "The dam burst.")
factories.freeze(unit_set, owner)
unit_set.refresh_from_db()
campaigns = [
    create_campaign(
        project=project, user=owner, unit_set=unit_set, name=f"Number {number}", reward="0.10"
    )
    for number in range(%d)
]
print(json.dumps({
    "session": sign_in(owner),
    "campaigns": [
        [f"/p/{project.slug}/crowd/{row.pk}/", f"{row.budget:.4f}"] for row in campaigns
    ],
}))
"""


class Browser:
    """Signed in; each request on a connection of its own, as of different people."""

    def __init__(self, port: int, session: str) -> None:
        self.port = port
        self.headers = {
            "Cookie": f"sessionid={session}; csrftoken={'c' * 32}",
            "X-CSRFToken": "c" * 32,
            "Content-Type": "application/x-www-form-urlencoded",
        }

    def ask(self, method: str, path: str, **fields: str) -> tuple[int, float]:
        """The status, and how long it took."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)
        began = time.monotonic()
        try:
            connection.request(method, path, urlencode(fields), self.headers)
            answer = connection.getresponse()
            answer.read()
            return answer.status, time.monotonic() - began
        finally:
            connection.close()


def test_it_publishes_eight_at_once(tmp_path: Path, prepared: Product):
    port = servers.find_free_port()
    prepared.copy_to(tmp_path / "data")
    environment = servers.clean_environment(
        SECRET_KEY=servers.SECRET_KEY,
        DATA_DIR=tmp_path / "data",
        PORT=port,
        PUBLIC_URL=f"http://127.0.0.1:{port}",
        WEB_CONCURRENCY=1,
        WEB_THREADS=PEOPLE,
    )
    printed = servers.run_to_end(environment, "manage.py", "shell", "-v0", "-c", SET_UP % PEOPLE)
    made = json.loads(printed.splitlines()[-1])
    web = Part(["web"], environment, tmp_path / "web.log").start()
    try:
        web.wait_for(lambda: servers.answers(f"http://127.0.0.1:{port}"), "the web server comes up")
        check(Browser(port, made["session"]), made["campaigns"])
    finally:
        web.stop()


def check(browser: Browser, campaigns: list[tuple[str, str]]) -> None:
    over, pages = threading.Event(), list[tuple[int, float]]()

    def look_around() -> None:
        while not over.wait(0.1):
            pages.append(browser.ask("GET", "/account/"))

    reader = threading.Thread(target=look_around)
    reader.start()
    with ThreadPoolExecutor(PEOPLE) as pool:
        begun = [
            pool.submit(browser.ask, "POST", f"{path}publish/", total=total)
            for path, total in campaigns
        ]
        answers: list[Any] = [future.result() for future in begun]
    over.set()
    reader.join()
    assert [status for status, _ in answers] == [302] * PEOPLE
    assert max(seconds for _, seconds in answers) < BOUND
    assert pages
    assert {status for status, _ in pages} == {200}
    assert max(seconds for _, seconds in pages) == pytest.approx(0, abs=PAGES_BOUND)
