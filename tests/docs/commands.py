"""The commands of `manage.py` that are ours, and what each takes."""

from __future__ import annotations

import argparse

from django.core.management import get_commands, load_command_class
from django.core.management.base import BaseCommand

# Django's own, of which one option is ours; CONTRIBUTING.md describes it.
ADJUSTED = {"makemessages"}
# Which app has each.
OURS: dict[str, str] = {
    name: app
    for name, app in sorted(get_commands().items())
    if isinstance(app, str)
    and app.split(".")[0] in ("annotation", "deploy")
    and name not in ADJUSTED
}
# What Django gives every command.
GIVEN = {action.dest for action in BaseCommand().create_parser("manage.py", "x")._actions}


def list_arguments(name: str) -> list[argparse.Action]:
    """The arguments of a command that are its own."""
    parser = load_command_class(OURS[name], name).create_parser("manage.py", name)
    return [action for action in parser._actions if action.dest not in GIVEN]


def make_section(name: str) -> str:
    """What docs/commands.md may say of a command, in the words of its own help."""
    about = load_command_class(OURS[name], name).help
    rows = [_row(action) for action in list_arguments(name)]
    return "\n".join(
        [
            f"### `{name}`",
            "",
            about,
            "",
            "| argument | meaning | if left out |",
            "|---|---|---|",
            *rows,
        ]
    )


def _row(action: argparse.Action) -> str:
    names = ", ".join(f"`{word}`" for word in action.option_strings or [action.dest])
    left_out = "needed" if action.required else f"`{action.default}`" if action.default else ""
    return f"| {names} | {action.help or 'TELL'} | {left_out} |"
