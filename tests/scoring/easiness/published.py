"""The published studies, as sentences, SCUs and STUs by document."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from scoring.sentences import split_sentences


class Published(NamedTuple):
    document: str
    sentences: list[str]
    scus: list[str]
    stus: list[str]


def read_published(folder: Path, *, whole: bool = False) -> Iterator[Published]:
    """A document at a time; *whole*: a reference is one sentence."""
    names = ("ids.txt", "references.txt", "SCUs.txt", "STUs.txt")
    files = [(folder / name).read_text(encoding="utf-8").split("\n") for name in names]
    for document, reference, scus, stus in zip(*files, strict=True):
        spans = [(0, len(reference))] if whole else split_sentences(reference)
        sentences = [reference[start:end] for start, end in spans]
        yield Published(document, sentences, scus.split("\t"), stus.split("\t"))
