"""The REST door, for what a test needs to be there before its story begins."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from tests.servers import wait_until

if TYPE_CHECKING:
    from playwright.sync_api import APIRequestContext, Browser, FilePayload


@dataclass(frozen=True)
class Rest:
    """Calls the product's REST interface as the signed-in demo account."""

    calls: APIRequestContext
    headers: dict[str, str]

    def get(self, path: str) -> Any:
        answer = self.calls.get(f"/api/v1/{path}")
        assert answer.ok, answer.text()
        return answer.json()

    def post(self, path: str, **parts: Any) -> Any:
        answer = self.calls.post(f"/api/v1/{path}", headers=self.headers, **parts)
        assert answer.ok, answer.text()
        return answer.json()

    def put(self, path: str, **parts: Any) -> Any:
        answer = self.calls.put(f"/api/v1/{path}", headers=self.headers, **parts)
        assert answer.ok, answer.text()
        return answer.json()

    def send_form(self, path: str, **fields: str) -> str:
        """Send a page's form; the address that it leads to."""
        answer = self.calls.post(path, headers=self.headers, form={**fields})
        assert answer.ok, answer.text()
        return answer.url

    def make_project(self, slug: str, name: str = "") -> str:
        self.post("projects/", data={"slug": slug, "name": name or f"Project {slug}"})
        return slug

    def extract_stus(self, slug: str, **said: str) -> int:
        """A set of STUs, once its job is done: it is frozen a moment before."""
        made = self.post(f"projects/{slug}/unit-sets/extract/", data={"extractor": "srl", **said})
        job = f"projects/{slug}/jobs/{made['job']}/"
        wait_until(lambda: self.get(job)["state"] == "done", "the STUs are extracted")
        return int(made["id"])

    def first(self, slug: str, kind: str) -> int:
        """The id of the first of the project's examples, systems, imports or jobs."""
        return int(self.get(f"projects/{slug}/{kind}/")["results"][0]["id"])

    def invite(self, slug: str, note: str = "") -> str:
        """Create a link that lets one viewer in."""
        data = {"role": "viewer", "note": note}
        return str(self.post(f"projects/{slug}/invitations/", data=data)["link"])

    def invite_workers(self, slug: str) -> str:
        """Create a link by which workers join; the path of it."""
        self.send_form(f"/p/{slug}/members/workers/", uses="1000", days="1", note="")
        page = self.calls.get(f"/p/{slug}/members/").text()
        found = re.search(r"/work/join/[A-Z0-9]+/", page)
        assert found, page
        return found[0]

    def fund(self, slug: str, name: str, amount: str) -> int:
        """As staff: a requester for a project, with money; the id of it."""
        there = self.send_form("/account/requesters/", name=name, project=slug)
        pk = int(there.rstrip("/").rpartition("/")[2])
        said = {"amount": amount, "note": "Grant 4711", "key": str(uuid4())}
        self.send_form(f"/account/requesters/{pk}/deposit/", **said)
        return pk

    def send(self, slug: str, name: str, data: bytes) -> int:
        """Send a file, wait until it is checked, and give the import's id."""
        file: FilePayload = {"name": name, "mimeType": "text/plain", "buffer": data}
        import_id = int(self.post(f"projects/{slug}/imports/", multipart={"files": file})["id"])
        self.wait_while(slug, import_id, "checking")
        return import_id

    def bring_in(self, slug: str, name: str, data: bytes) -> int:
        """Send a file and import it."""
        import_id = self.send(slug, name, data)
        self.post(f"projects/{slug}/imports/{import_id}/write/")
        self.wait_while(slug, import_id, "writing")
        return import_id

    def wait_while(self, slug: str, import_id: int, state: str) -> None:
        path = f"projects/{slug}/imports/{import_id}/"
        wait_until(
            lambda: self.get(path)["state"] != state, f"import {import_id} is {state} no more"
        )


@contextlib.contextmanager
def rest_of(browser: Browser, home: str, signed_in: Any) -> Iterator[Rest]:
    """The REST door of a product, for the account whose cookies are given."""
    cookies = {cookie["name"]: cookie["value"] for cookie in signed_in["cookies"]}
    headers = {"X-CSRFToken": cookies["csrftoken"], "Referer": f"{home}/"}
    context = browser.new_context(base_url=home, storage_state=signed_in)
    yield Rest(context.request, headers)
    context.close()
