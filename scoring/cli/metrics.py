"""`python -m scoring metrics`: what can be computed, with options and what each number means."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from typing import Any

from scoring.metrics import METRICS, list_options

NAME = "metrics"
HELP = "List the metrics and their options."


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """None of its own."""


def run(arguments: argparse.Namespace) -> dict[str, Any]:
    return {
        "metrics": [
            {
                "name": entry.name,
                "what": entry.what,
                "options": [asdict(option) for option in list_options(entry.name)],
            }
            for entry in METRICS.values()
        ]
    }


def show(found: dict[str, Any]) -> str:
    lines = []
    for metric in found["metrics"]:
        lines.append(f"{metric['name']:<12} {metric['what']}")
        lines += [_option_line(option) for option in metric["options"]]
    return "\n".join(lines)


def _option_line(option: dict[str, Any]) -> str:
    default = option["default"]
    said = ("no", "yes")[default] if isinstance(default, bool) else default
    choices = f" ({', '.join(map(str, option['choices']))})" if option["choices"] else ""
    return f"    {option['name']}={said}  {option['what']}{choices}"
