"""The commands of `manage.py` that are ours, and what each takes."""

from __future__ import annotations

import argparse

from django.core.management import get_commands, load_command_class
from django.core.management.base import BaseCommand

# Which app has each.
OURS: dict[str, str] = {
    name: app
    for name, app in sorted(get_commands().items())
    if isinstance(app, str) and app.startswith("annotation.")
}
# What Django gives every command.
GIVEN = {action.dest for action in BaseCommand().create_parser("manage.py", "x")._actions}


def list_arguments(name: str) -> list[argparse.Action]:
    """The arguments of a command that are its own."""
    parser = load_command_class(OURS[name], name).create_parser("manage.py", name)
    return [action for action in parser._actions if action.dest not in GIVEN]
