"""The lab's own work beside all others': one import, one run of a judge, gold, exports."""

from __future__ import annotations

import hashlib
import json
import random
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.soak.people import Place
from tests.soak.visitor import Visitor

CORPUS_FORMATS = ("jsonl", "csv")
GOLD_FORMATS = ("gold", "csv", "sacrerouge")
PATIENCE = 900.0
# As often as it takes for each of the web server's processes to be called by somebody new.
CALLS = 8
BOUNDARY = "soak-boundary"


class Staff:
    """The owner of the study, who begins a thing and looks at it until it is over."""

    def __init__(self, place: Place) -> None:
        self.place = place
        self.visitor = place.visitor(place.seeded["owner"])
        self.rng = random.Random(place.load.seed + 7)

    def import_study(self, archive: Path, project: str = "") -> None:
        """Sent, checked, written; its page asks how far it is."""
        here = f"/api/v1/projects/{project or self.place.seeded['imported']}/imports/"
        headers = {
            **self.visitor.headers,
            "Content-Type": f"multipart/form-data; boundary={BOUNDARY}",
        }
        body = pack(archive.name, archive.read_bytes())
        _, _, data = self.visitor.ask("job: send an import", "POST", here, body, headers)
        found = _read(data)
        page = f"{here}{found['id']}/"
        self._wait("the check of the import", page, lambda row: row["state"] != "checking")
        self.visitor.call("job: write an import", f"{page}write/", {})
        self._wait("the import", page, lambda row: row["state"] == "done")
        self.place.promises.made["import"] = found["id"]

    def run_judge(self) -> None:
        run = self._start_run(self.place.api, self.place.seeded["frozen"])
        self.place.promises.made["run"] = run

    def _start_run(self, api: str, frozen: int, **options: Any) -> int:
        body = {"unit_set": frozen, "judge": self.place.load.judge, **options}
        run = self.visitor.call("job: start a run", f"{api}runs/", body)
        self._wait("the run", f"{api}runs/{run['id']}/", lambda row: row["is_ready"])
        return int(run["id"])

    def make_gold(self) -> None:
        """Of the answers so far, while more of them come in."""
        self.fetch_answers()
        body = {"campaigns": [self.place.seeded["campaign"]]}
        labels = self.visitor.call("job: make labels", f"{self.place.api}labels/", body)
        page = f"{self.place.api}labels/{labels['id']}/"
        self._wait("the labels", page, lambda row: row["is_ready"])
        self.place.promises.made["gold"] = self._make_version(self.place.api, labels["id"])

    def fetch_answers(self, visitor: Visitor | None = None) -> None:
        """Now, rather than when the lab's clock does it."""
        here = f"{self.place.api}campaigns/{self.place.seeded['campaign']}/collect/"
        (visitor or self.visitor).call("job: fetch answers", here, {})

    def _make_version(self, api: str, labels: int) -> int:
        made = self.visitor.call(
            "job: make gold", f"{api}gold/", {"labels": labels, "name": "Soak"}
        )
        self._wait("gold", f"{api}gold/{made['id']}/", lambda row: row["is_ready"])
        return int(made["id"])

    def warm_up(self, small: Path) -> None:
        """Each kind of work once, on little: what processes load for it, they keep."""
        demo, seeded = "/api/v1/projects/demo/", self.place.seeded["demo"]
        self._start_run(demo, seeded["frozen"], chunk_size=1)
        version = self._make_version(demo, seeded["labels"])
        self.place.promises.made["demo gold"] = version
        self.import_study(small, self.place.seeded["warm"])
        for _ in range(CALLS):
            self.fetch_answers(self.place.visitor(self.place.seeded["owner"]))
        for name, path in self.list_exports().items():
            self.export(name, path)

    def export_on(self) -> None:
        """Until it is over: each of the files in turn."""
        while not self.place.over.is_set():
            for name, path in self.list_exports().items():
                self.export(name, path)
                if self.place.over.wait(self.rng.uniform(*self.place.load.exporting)):
                    return

    def list_exports(self) -> dict[str, str]:
        """Every file that must be the same whenever it is asked for, with its address."""
        made = self.place.promises.made
        found = {f"corpus, {name}": f"{self.place.api}export/{name}/" for name in CORPUS_FORMATS}
        for what, api in (("demo gold", "/api/v1/projects/demo/"), ("gold", self.place.api)):
            if what in made:
                here = f"{api}gold/{made[what]}/download/"
                found |= {f"{what}, {name}": f"{here}{name}/" for name in GOLD_FORMATS}
        return found

    def export(self, name: str, path: str) -> bytes:
        kind = "export: gold" if "gold" in name else "export: corpus"
        data = self.visitor.ask(kind, "GET", path)[2]
        self.place.promises.exports[name].append(hashlib.sha256(data).hexdigest())
        return data

    def _wait(self, what: str, path: str, is_over: Callable[[dict[str, Any]], bool]) -> None:
        """As a page does that waits: ask now and then. A job that failed is told at once."""
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            row = self.visitor.call("poll: a job", path)
            if is_over(row):
                return
            job = row.get("job") or {}
            if job.get("state") in ("failed", "cancelled"):
                raise ValueError(f"{what} {job['state']}: {job.get('error')}")
            time.sleep(self.place.load.polling)
        raise ValueError(f"{what} has not ended within {PATIENCE:g} s")


def pack(name: str, data: bytes) -> bytes:
    """A form with one file."""
    head = (
        f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="files"; filename="{name}"\r\n'
        "Content-Type: application/zip\r\n\r\n"
    )
    return head.encode() + data + f"\r\n--{BOUNDARY}--\r\n".encode()


def _read(data: bytes) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(data)
    if "id" not in found:
        raise ValueError(f"refused: {data[:300]!r}")
    return found
