"""`manage.py makemessages -l CODE`: collects every marked text into locale/CODE for translation."""

from __future__ import annotations

from typing import Any

from django.core.management.commands import makemessages


class Command(makemessages.Command):
    # The nouns of `counted(number, "unit", "units")` are a text in singular and plural.
    xgettext_options = [*makemessages.Command.xgettext_options, "--keyword=counted:2,3"]

    def handle(self, *args: Any, **options: Any) -> None:
        options["ignore_patterns"] += ["tests", "docs", "build", "var"]
        super().handle(*args, **options)
