"""`manage.py compare_double --project SLUG --double NAME [--example ID]`: how far authors agree."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError
from django.utils.translation import gettext as _

from annotation.corpora.management.base import PROJECT, ServiceCommand, find_project
from annotation.translation import gettext_lazy
from annotation.units.double.models import DoubleAnnotation
from annotation.units.double.queries import compare_example
from annotation.units.management.finding import NAME, find_double, find_example
from annotation.units.sets.models import Unit


class Command(ServiceCommand):
    help = gettext_lazy(
        "Print the agreement of the authors of a double annotation, or their units side by side."
    )

    def add_options(self, parser: ArgumentParser) -> None:
        parser.add_argument("--project", required=True, help=PROJECT)
        parser.add_argument("--double", required=True, help=NAME)
        parser.add_argument("--example", help=_("id of an example: print both authors’ units"))

    def run(self, options: dict[str, Any]) -> tuple[str, Any]:
        double = find_double(find_project(options["project"]), options["double"])
        if options["example"]:
            return _compare(double, options["example"])
        if double.revealed_at is None:
            raise CommandError(_("{double} is still being written.").format(double=double))
        lines = [
            f"{name}: {value:.3f}" if isinstance(value, float) else f"{name}: {value}"
            for name, value in double.agreement.items()
            if name != "by_example"
        ]
        return "\n".join([str(double), *lines]), double.agreement


def _compare(double: DoubleAnnotation, key: str) -> tuple[str, Any]:
    rows = compare_example(double, find_example(double, key))
    result = [
        {"first": _unit(row.first), "second": _unit(row.second), "likeness": row.likeness}
        for row in rows
    ]
    lines = [f"{_say(row.first)} | {_say(row.second)}" for row in rows]
    return "\n".join(lines), result


def _unit(unit: Unit | None) -> dict[str, Any] | None:
    return {"id": unit.pk, "text": unit.text} if unit else None


def _say(unit: Unit | None) -> str:
    return f"{unit.pk} {unit.text}" if unit else "–"
