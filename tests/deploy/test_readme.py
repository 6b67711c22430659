"""README's commands do what it says, on the product as it says to start it."""

from __future__ import annotations

import json
import re
import shlex
import subprocess

import pytest

from tests import servers

README = (servers.ROOT / "README.md").read_text()
BLOCKS = re.findall(r"^```sh\n(.*?)^```", README, re.MULTILINE | re.DOTALL)
COMMANDS = [line.partition("#")[0].strip() for block in BLOCKS for line in block.splitlines()]
FIRST_SCREEN = 25


def run(command, folder, environment):
    """What the command printed; it must succeed."""
    return subprocess.run(
        shlex.split(command),
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    ).stdout


def test_it_shows_both_commands_and_a_picture_on_its_first_screen():
    top = "\n".join(README.splitlines()[:FIRST_SCREEN])
    assert "make run" in top
    assert "make test" in top
    assert re.search(r"!\[[^]]+\]\(docs/screenshots/", top)


@pytest.mark.parametrize("link", re.findall(r"\]\(([^):]+)\)", README))
def test_it_links_only_to_what_is_there(link):
    assert (servers.ROOT / link).exists()


def test_it_names_only_verbs_that_make_knows():
    verbs = re.findall(r"make ([a-z-]+)", " ".join(COMMANDS))
    assert {"run", "test"} <= set(verbs)
    for verb in verbs:
        command = ["make", "--dry-run", verb]
        subprocess.run(command, cwd=servers.ROOT, check=True, capture_output=True)


@pytest.fixture(scope="module")
def made(prepared, tmp_path_factory):
    """What `make run` serves, on a data folder and port of its own, and what it printed."""
    folder = tmp_path_factory.mktemp("made")
    environment = dict(prepared.copy_to(folder / "var").part.environment)
    log = folder / "log"
    with log.open("w") as out:
        process = subprocess.Popen(
            ["make", "run"], cwd=servers.ROOT, env=environment, stdout=out, stderr=out
        )
    try:
        servers.wait_until(lambda: "Giza is at" in log.read_text(), "make run serves")
        yield environment, log.read_text()
    finally:
        process.terminate()
        process.wait(servers.PATIENCE)


def test_make_run_serves_the_demo(made):
    environment, printed = made
    address = f"http://127.0.0.1:{environment['PORT']}"
    assert address in printed
    assert "demo@example.org" in printed
    assert servers.answers(address, "/sign-in/")


def test_its_commands_work_on_what_make_run_serves(made, realsumm_dir, tmp_path):
    """In the order in which README gives them, on the published files."""
    environment, _ = made
    (tmp_path / ".venv").symlink_to(servers.ROOT / ".venv")
    (tmp_path / "path" / "to").mkdir(parents=True)
    (tmp_path / "path" / "to" / "realsumm").symlink_to(realsumm_dir)
    manage = [command for command in COMMANDS if "manage.py" in command]
    assert len(manage) == 6
    shown = [
        run(command.replace("manage.py", str(servers.ROOT / "manage.py")), tmp_path, environment)
        for command in manage
    ]
    imported = json.loads(shown[0])
    assert (imported["examples"], imported["systems"], imported["summaries"]) == (100, 25, 2500)
    assert json.loads(shown[1])["units"] == 1056
    assert (tmp_path / "SCUs.txt").read_bytes() == (realsumm_dir / "SCUs.txt").read_bytes()
    assert len((tmp_path / "realsumm.jsonl").read_text().splitlines()) == 125
    assert "100 examples, 25 systems, 2,500 summaries" in shown[4]
    assert json.loads(shown[5])["client"]["endpoint_url"].endswith("/mturk/")


def test_it_names_every_setting():
    listed = re.findall(r"^\| `([A-Z_]+)`", (servers.ROOT / "docs/settings.md").read_text(), re.M)
    assert listed
    assert [name for name in listed if f"`{name}`" not in README] == []
