"""The small study that the story is told on, in the layout in which PyrXSum is published."""

from __future__ import annotations

import re

from tests.browser.corpora import zipped

# The sentences of each example's document, and its reference.
DOCUMENTS = {
    "dam": [
        "The old dam above Brack burst on Monday night.",
        "Water ran into forty cellars.",
        "Nobody was hurt, the mayor said.",
    ],
    "market": [
        "A fire destroyed the old market hall in Lund on Sunday.",
        "Traders lost all their goods.",
        "Police believe that a faulty cable started it.",
    ],
    "lamp": [
        "Volunteers lit the lighthouse at Cape Orn for the first time in ten years.",
        "They had mended the lamp over three winters.",
        "Ships will see it from twenty miles away.",
    ],
}
REFERENCES = {
    "dam": "A dam above Brack burst on Monday. Nobody was hurt.",
    "market": "A fire destroyed the market hall in Lund. Police blame a faulty cable.",
    "lamp": "Volunteers lit the lighthouse at Cape Orn again. Ships will see it from afar.",
}
SYSTEMS = {
    "copy": list(REFERENCES.values()),
    "lead": [sentences[0] for sentences in DOCUMENTS.values()],
    "soup": ["People said that something had happened there."] * len(REFERENCES),
}
HITS = len(REFERENCES) * len(SYSTEMS)
# How many people judge each HIT.
JUDGES = 4


def pack_study() -> bytes:
    """A zip of line files."""
    files = {
        "ids.txt": list(REFERENCES),
        "documents.txt": [" ".join(sentences) for sentences in DOCUMENTS.values()],
        "references.txt": list(REFERENCES.values()),
        **{f"summaries/{name}.summary": texts for name, texts in SYSTEMS.items()},
    }
    return zipped({name: "\n".join([*lines, ""]).encode() for name, lines in files.items()})


def is_said(summary: str, statement: str) -> bool:
    """What a careful worker answers: whether every longer word stands in the summary."""
    return _words(statement) <= _words(summary)


def _words(text: str) -> set[str]:
    return {word[:5] for word in re.findall("[a-z]+", text.lower()) if len(word) > 3}
