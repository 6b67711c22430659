"""The first commands of README and docs/commands.md, on the product as README starts it."""

from __future__ import annotations

import contextlib
import json
import re
import shlex
import sqlite3
import subprocess

import pytest

from tests import servers

README = (servers.ROOT / "README.md").read_text()
PAGE = (servers.ROOT / "docs" / "commands.md").read_text()
FIRST_SCREEN, LONGEST = 25, 75


def list_lines(text):
    """What its samples say to type."""
    blocks = re.findall(r"^```sh\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    return [line.partition("#")[0].strip() for block in blocks for line in block.splitlines()]


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


def test_it_is_a_screen_and_a_half():
    assert len(README.splitlines()) <= LONGEST


def test_it_shows_both_commands_and_a_picture_on_its_first_screen():
    top = "\n".join(README.splitlines()[:FIRST_SCREEN])
    assert "make run" in top
    assert "make test" in top
    assert re.search(r"!\[[^]]+\]\(docs/screenshots/", top)


@pytest.mark.parametrize("link", re.findall(r"\]\(([^):]+)\)", README))
def test_it_links_only_to_what_is_there(link):
    assert (servers.ROOT / link).exists()


def test_it_names_only_verbs_that_make_knows():
    verbs = re.findall(r"make ([a-z-]+)", " ".join(list_lines(README)))
    assert {"run", "test"} <= set(verbs)
    for verb in verbs:
        command = ["make", "--dry-run", verb]
        subprocess.run(command, cwd=servers.ROOT, check=True, capture_output=True)


def test_make_run_serves_the_demo(product):
    assert product.part.program == ("make", "run")
    printed = product.part.printed()
    assert product.base_url in printed
    assert "demo@example.org" in printed
    assert servers.answers(product.base_url, "/sign-in/")


def test_commands_work_on_what_make_run_serves(product, realsumm_dir, tmp_path):
    """In the order in which docs/commands.md gives them, on the published files."""
    (tmp_path / ".venv").symlink_to(servers.ROOT / ".venv")
    (tmp_path / "path" / "to").mkdir(parents=True)
    (tmp_path / "path" / "to" / "realsumm").symlink_to(realsumm_dir)
    manage = [line for line in list_lines(PAGE) if line.startswith(".venv/bin/python manage.py")]
    assert len(manage) == 6
    shown = [
        run(
            command.replace("manage.py", str(servers.ROOT / "manage.py")),
            tmp_path,
            product.part.environment,
        )
        for command in manage
    ]
    imported = json.loads(shown[0])
    assert (imported["examples"], imported["systems"], imported["summaries"]) == (100, 25, 2500)
    assert json.loads(shown[1])["units"] == 1056
    assert (tmp_path / "SCUs.txt").read_bytes() == (realsumm_dir / "SCUs.txt").read_bytes()
    assert len((tmp_path / "realsumm.jsonl").read_text().splitlines()) == 125
    assert "100 examples, 25 systems, 2,500 summaries" in shown[4]
    assert json.loads(shown[5])["client"]["endpoint_url"] == f"{product.base_url}/mturk/"
    with contextlib.closing(sqlite3.connect(product.data_dir / "giza.sqlite3")) as database:
        (count,) = database.execute("SELECT count(*) FROM corpora_summary").fetchone()
    assert count > 2500
