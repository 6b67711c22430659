"""Corpora that the browser tests send: small ones, awkward ones, and one that takes a while."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path
from typing import Any

HOSTILE = '</script><img src=x onerror="alert(1)"><b>not bold</b>'
HEBREW = "הגשר נפתח מחדש ביום שני. אלפים באו."
LONG = "Donaudampfschifffahrtsgesellschaft" * 6
SYSTEMS = ("alpha", "beta", "gamma")
REFERENCE = (
    "The lighthouse at Brack was lit again on Friday. "
    "Volunteers had mended its lamp for three years. "
    "The town paid for the glass."
)
# Steps enough that a test sees the import on its way, however slowly it looks.
BIG_EXAMPLES = 8_000
BIG_SENTENCES = 3


def example(key: str, reference: str, *summaries: str, **parts: Any) -> dict[str, Any]:
    """An example record; the summaries are those of alpha, beta and gamma, in this order."""
    return {
        "type": "example",
        "id": key,
        "documents": [f"{reference} More was said on the day."],
        "references": [reference],
        "summaries": dict(zip(SYSTEMS, summaries, strict=False)),
        **parts,
    }


def story(number: int) -> dict[str, Any]:
    text = f"Story {number} was told. It ended well."
    return example(f"story-{number:02d}", text, text, f"Somebody told story {number}.", "Told.")


def reading_corpus() -> bytes:
    """Three pages of examples, the awkward ones first."""
    lines = [
        {"type": "system", "name": "alpha", "kind": "extractive"},
        example(
            "lighthouse",
            REFERENCE,
            "The lighthouse at Brack was lit again on Friday.",
            "Glass was paid for by the town, and volunteers came.",
            "",
        ),
        example("hostile", f"Somebody wrote {HOSTILE} here.", HOSTILE, HOSTILE, HOSTILE),
        example("hebrew", HEBREW, HEBREW, HEBREW, HEBREW),
        example(f"long-{LONG}"[:180], f"{LONG} was said.", LONG, LONG, LONG),
        example("unsummarised", "Nobody but alpha read this.", "Alpha read this."),
        example("unreferenced", "", "A.", "B.", "C.", references=[]),
        *(story(number) for number in range(1, 55)),
    ]
    return jsonl(lines)


def jsonl(lines: list[dict[str, Any]]) -> bytes:
    return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines).encode()


def line_files(count: int = 3) -> dict[str, bytes]:
    """The line-file layout, by name."""
    numbers = range(1, count + 1)
    files = {
        "ids.txt": [f"line-{number}" for number in numbers],
        "documents.txt": [f"Document {number} is longer than its summary." for number in numbers],
        "references.txt": [f"Document {number} is long. It says so." for number in numbers],
        "alpha.summary": [f"Document {number}." for number in numbers],
        "beta.summary": [f"A long one, number {number}." for number in numbers],
    }
    return {name: "\n".join(lines).encode() for name, lines in files.items()}


def zipped(files: dict[str, bytes]) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return packed.getvalue()


def write_big_corpus(path: Path) -> Path:
    """Few bytes to send, many sentences to write: its import takes several steps."""
    reference = " ".join(f"Day {day} ended." for day in range(BIG_SENTENCES))
    lines = (
        example(f"big-{number}", reference, f"A {number}.", f"B {number}.", f"C {number}.")
        for number in range(BIG_EXAMPLES)
    )
    with path.open("wb") as out:
        out.writelines(jsonl([line | {"documents": ["Days."]}]) for line in lines)
    return path
