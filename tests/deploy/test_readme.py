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


def run(command, folder, product):
    environment = product.part.environment | {"PATH": "/usr/bin:/bin"}
    return subprocess.run(
        shlex.split(command),
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )


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


def test_its_commands_work_on_the_running_product(product, realsumm_dir, tmp_path):
    """In the order in which README gives them, on the published files."""
    (tmp_path / ".venv").symlink_to(servers.ROOT / ".venv")
    (tmp_path / "path" / "to").mkdir(parents=True)
    (tmp_path / "path" / "to" / "realsumm").symlink_to(realsumm_dir)
    manage = [command for command in COMMANDS if "manage.py" in command]
    assert len(manage) == 5
    shown = [
        run(command.replace("manage.py", str(servers.ROOT / "manage.py")), tmp_path, product).stdout
        for command in manage
    ]
    imported = json.loads(shown[0])
    assert (imported["examples"], imported["systems"], imported["summaries"]) == (100, 25, 2500)
    assert len((tmp_path / "realsumm.jsonl").read_text().splitlines()) == 125
    assert json.loads(shown[1])["units"] == 1056
    assert (tmp_path / "SCUs.txt").read_bytes() == (realsumm_dir / "SCUs.txt").read_bytes()
    assert "100 examples, 25 systems, 2,500 summaries" in shown[4]


def test_make_run_serves_the_demo(tmp_path):
    """`make run` itself, on a data folder and port of its own."""
    port = servers.find_free_port()
    log = tmp_path / "log"
    environment = servers.clean_environment(DATA_DIR=tmp_path / "var", PORT=port)
    with log.open("w") as out:
        process = subprocess.Popen(
            ["make", "run"], cwd=servers.ROOT, env=environment, stdout=out, stderr=out
        )
    try:
        servers.wait_until(lambda: "Giza is at" in log.read_text(), "make run serves")
        assert f"http://127.0.0.1:{port}" in log.read_text()
        assert "demo@example.org" in log.read_text()
        assert servers.answers(f"http://127.0.0.1:{port}", "/sign-in/")
    finally:
        process.terminate()
        process.wait(30)


def test_it_names_every_setting():
    listed = re.findall(r"^\| `([A-Z_]+)`", (servers.ROOT / "docs/settings.md").read_text(), re.M)
    assert listed
    assert [name for name in listed if f"`{name}`" not in README] == []
