"""The session of docs/library.md; `python -m tests.library_page` renews what it prints there."""

from __future__ import annotations

import contextlib
import io
import os
import re
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

PAGE = Path(__file__).resolve().parent.parent / "docs" / "library.md"
# A block of code, and the block of what it prints, if it prints anything.
BLOCK = re.compile(
    r"^```python\n(?P<code>.*?)^```\n(?:\n```text\n(?P<printed>.*?)^```\n)?", re.M | re.S
)


def run_blocks(page: str, study: Path | None = None) -> Iterator[tuple[str, str, str]]:
    """Code, what the page says that it prints, and what it printed; one after another.

    With a *study* of one's own, the block that makes the made-up one is left out.
    """
    known: dict[str, Any] = {"study": study, "Path": Path}
    for block in BLOCK.finditer(page):
        if study is not None and 'study = Path("study")' in block["code"]:
            continue
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(block["code"], PAGE.name, "exec"), known)
        yield block["code"], block["printed"] or "", printed.getvalue()


def renewed(page: str) -> str:
    """The page with what its code prints now."""
    found = iter(list(run_blocks(page)))

    def write(block: re.Match[str]) -> str:
        code, _, printed = next(found)
        shown = f"\n```text\n{printed}```\n" if printed else ""
        return f"```python\n{code}```\n{shown}"

    return BLOCK.sub(write, page)


@contextlib.contextmanager
def elsewhere() -> Iterator[Path]:
    """A folder of its own: the session writes files."""
    before = Path.cwd()
    with tempfile.TemporaryDirectory(prefix="giza-library-") as folder:
        os.chdir(folder)
        try:
            yield Path(folder)
        finally:
            os.chdir(before)


if __name__ == "__main__":
    with elsewhere():
        text = renewed(PAGE.read_text(encoding="utf-8"))
    PAGE.write_text(text, encoding="utf-8")
    sys.exit(0)
