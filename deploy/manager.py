"""`manage.py` with a list that says what each command does, and with Giza's own version."""

from __future__ import annotations

import sys

import django
from django.core.management import ManagementUtility, get_commands, load_command_class
from django.utils.translation import gettext as _

from annotation.translation import gettext_lazy
from scoring import __version__

GROUPS = {
    "annotation.corpora": gettext_lazy("Projects, accounts and texts"),
    "annotation.units": gettext_lazy("Units"),
    "annotation.crowd": gettext_lazy("The crowd"),
    "annotation.evaluation": gettext_lazy("Plans, labels, judges, metrics and reports"),
    "deploy": gettext_lazy("The whole server"),
}


class Manager(ManagementUtility):
    """Django's, except for the list of commands and the version."""

    def main_help_text(self, commands_only: bool = False) -> str:
        if commands_only:
            return super().main_help_text(commands_only=True)
        lines = [_("usage: {prog_name} COMMAND [ARGUMENT …]").format(prog_name=self.prog_name), ""]
        groups: dict[str, list[str]] = {app: [] for app in GROUPS}
        others: list[str] = []
        for name, app in sorted(get_commands().items()):
            groups.get(str(app), others).append(name)
        for app, names in groups.items():
            helps = ((name, load_command_class(app, name).help) for name in names)
            lines += [f"{GROUPS[app]}:", *(f"  {name:<27}{text}" for name, text in helps), ""]
        lines += [_("Django’s own commands:"), f"  {', '.join(others)}", ""]
        return "\n".join([*lines, _("See the options of a command with COMMAND --help.")])

    def execute(self) -> None:
        if self.argv[1:] in (["--version"], ["version"]):
            sys.stdout.write(
                _("Giza {version}, Django {get_version}\n").format(
                    version=__version__, get_version=django.get_version()
                )
            )
        else:
            super().execute()
