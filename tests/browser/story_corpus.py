"""The small study that the story is told on: town news, in the layout in which PyrXSum is published."""

from __future__ import annotations

import re

from tests.browser.corpora import zipped

# The document and the reference of each example.
STORIES = {
    "dam": (
        "The old dam above Brack burst on Monday night. Water ran into forty cellars. "
        "Nobody was hurt, the mayor said.",
        "A dam above Brack burst on Monday. Nobody was hurt.",
    ),
    "school": (
        "The village school opened its doors again on Friday. The council paid for new windows. "
        "Parents had painted every room during the summer.",
        "The village school opened again on Friday. Parents had painted every room.",
    ),
    "market": (
        "A fire destroyed the old market hall in Lund on Sunday. Traders lost all their goods. "
        "Police believe that a faulty cable started it.",
        "A fire destroyed the market hall in Lund. Police blame a faulty cable.",
    ),
    "lamp": (
        "Volunteers lit the lighthouse at Cape Orn for the first time in ten years. "
        "They had mended the lamp over three winters. Ships will see it from twenty miles away.",
        "Volunteers lit the lighthouse at Cape Orn again. Ships will see it from twenty miles away.",
    ),
}
SYSTEMS = {
    "copy": [reference for _, reference in STORIES.values()],
    "lead": [document.split(". ")[0] + "." for document, _ in STORIES.values()],
    "soup": ["People said that something had happened there."] * len(STORIES),
}


def pack_study() -> bytes:
    """A zip of line files."""
    files = {
        "ids.txt": list(STORIES),
        "documents.txt": [document for document, _ in STORIES.values()],
        "references.txt": [reference for _, reference in STORIES.values()],
        **{f"summaries/{name}.summary": texts for name, texts in SYSTEMS.items()},
    }
    return zipped({name: "\n".join([*lines, ""]).encode() for name, lines in files.items()})


def is_said(summary: str, statement: str) -> bool:
    """What a careful worker answers: whether every longer word stands in the summary."""
    return _words(statement) <= _words(summary)


def _words(text: str) -> set[str]:
    return {word[:5] for word in re.findall("[a-z]+", text.lower()) if len(word) > 3}
