"""`manage.py` with a list that says what each command does, and with Giza's own version."""

from __future__ import annotations

import sys

import django
from django.core.management import ManagementUtility, get_commands, load_command_class

from scoring import __version__

GROUPS = {
    "annotation.corpora": "Projects, accounts and texts",
    "annotation.units": "Units",
    "annotation.crowd": "The crowd",
    "annotation.evaluation": "Plans, labels, judges, metrics and reports",
    "deploy": "The whole server",
}


class Manager(ManagementUtility):
    """Django's, except for the list of commands and the version."""

    def main_help_text(self, commands_only: bool = False) -> str:
        if commands_only:
            return super().main_help_text(commands_only=True)
        lines = [f"usage: {self.prog_name} COMMAND [ARGUMENT …]", ""]
        groups: dict[str, list[str]] = {app: [] for app in GROUPS}
        others: list[str] = []
        for name, app in sorted(get_commands().items()):
            groups.get(str(app), others).append(name)
        for app, names in groups.items():
            helps = ((name, load_command_class(app, name).help) for name in names)
            lines += [f"{GROUPS[app]}:", *(f"  {name:<27}{text}" for name, text in helps), ""]
        lines += ["Django’s own commands:", f"  {', '.join(others)}", ""]
        return "\n".join([*lines, "See the options of a command with COMMAND --help."])

    def execute(self) -> None:
        if self.argv[1:] in (["--version"], ["version"]):
            sys.stdout.write(f"Giza {__version__}, Django {django.get_version()}\n")
        else:
            super().execute()
