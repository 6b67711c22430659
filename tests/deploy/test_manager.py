"""`manage.py help` says in one line what each command of ours does, and `--version` whose it is."""

from __future__ import annotations

import re

import pytest
from django.core.management import get_commands

from deploy.manager import GROUPS, Manager
from scoring import __version__

OURS = sorted(name for name, app in get_commands().items() if app in GROUPS)


@pytest.mark.parametrize("argv", [["help"], ["--help"], []])
def test_help_describes_every_command(argv: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    Manager(["manage.py", *argv]).execute()
    listed = dict(re.findall(r"^  ([a-z_]+) +([A-Z].*\.)$", capsys.readouterr().out, re.MULTILINE))
    assert sorted(listed) == OURS


def test_names_for_completion_are_django_s(capsys: pytest.CaptureFixture[str]) -> None:
    Manager(["manage.py", "help", "--commands"]).execute()
    assert capsys.readouterr().out.split() == sorted(get_commands())


@pytest.mark.parametrize("argv", ["--version", "version"])
def test_version_is_giza_s(argv: str, capsys: pytest.CaptureFixture[str]) -> None:
    Manager(["manage.py", argv]).execute()
    assert capsys.readouterr().out.startswith(f"Giza {__version__}, Django ")
