"""Commands as a shell would run them."""

from __future__ import annotations

import io
import json
from typing import Any

from django.core.management import call_command


def run(*arguments: Any) -> str:
    """What the command printed; its errors go to the test's own."""
    return run_both(*arguments)[0]


def run_both(*arguments: Any) -> tuple[str, str]:
    """What it printed, and what it complained of."""
    out, err = io.StringIO(), io.StringIO()
    call_command(*(str(argument) for argument in arguments), stdout=out, stderr=err)
    return out.getvalue(), err.getvalue()


def run_json(*arguments: Any) -> dict[str, Any]:
    said: dict[str, Any] = json.loads(run(*arguments, "--json"))
    return said
