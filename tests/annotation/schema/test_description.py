"""The description itself: valid, whole, and the same as what people read."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tests.annotation.schema.checking import DESCRIPTION
from tests.servers import PATIENCE, ROOT


def test_it_is_described_without_a_warning(tmp_path: Path):
    command = ["manage.py", "spectacular", "--validate", "--fail-on-warn"]
    ran = subprocess.run(
        [sys.executable, *command, "--file", str(tmp_path / "schema.yaml")],
        cwd=ROOT,
        env={**os.environ, "DATA_DIR": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert (ran.returncode, ran.stderr) == (0, "")
    assert (tmp_path / "schema.yaml").read_text().startswith("openapi: 3.")


def test_it_names_every_error_of_every_call():
    for path, calls in DESCRIPTION["paths"].items():
        for method, call in calls.items():
            missing = {"400", "401", "403", "404", "405", "409", "429"} - set(call["responses"])
            assert missing == set(), f"{method} {path}"


def test_it_gives_every_call_a_name_and_a_sentence():
    calls = [call for path in DESCRIPTION["paths"].values() for call in path.values()]
    names = [call["operationId"] for call in calls]
    assert len(set(names)) == len(names)
    assert [call["operationId"] for call in calls if not call.get("description")] == []


def test_it_is_explained_to_people():
    """docs/rest.md names every address, and no address that is not there."""
    text = (ROOT / "docs" / "rest.md").read_text()
    rows = {
        (method, path)
        for line in text.splitlines()
        if line.startswith("| `")
        for method, path in [line.split("`")[1].split(" ", 1)]
    }
    described = {
        (method.upper(), path.removeprefix("/api/v1"))
        for path, calls in DESCRIPTION["paths"].items()
        for method in calls
    }
    assert rows == described
