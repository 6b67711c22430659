"""A corpus of the size of CNN/DailyMail's test set, written as line files, always the same."""

from __future__ import annotations

import random
import re
from pathlib import Path

EXAMPLES = 11_490
SYSTEMS = 25
DOCUMENT_WORDS = 690
SENTENCES = 4
SUMMARY_WORDS = 56
SEED = 20210903

SYLLABLES = re.findall("..", "kamoritelusanefodivepaguholiratomibe")


def vocabulary(rng: random.Random, size: int = 20_000) -> list[str]:
    return ["".join(rng.choices(SYLLABLES, k=rng.choice([1, 2, 2, 3, 3, 4]))) for _ in range(size)]


def write_corpus(folder: Path, *, examples: int = EXAMPLES, systems: int = SYSTEMS) -> Path:
    """Files as `scoring.io.folder` reads them; made once, then used again."""
    done = folder / "complete"
    if done.exists():
        return folder / "corpus"
    rng = random.Random(SEED)
    words = vocabulary(rng)
    corpus = folder / "corpus"
    (corpus / "summaries").mkdir(parents=True, exist_ok=True)
    _write(corpus / "ids.txt", [f"generated-{number}" for number in range(examples)])
    _write(corpus / "documents.txt", [_text(rng, words, DOCUMENT_WORDS) for _ in range(examples)])
    _write(corpus / "references.txt", [_reference(rng, words) for _ in range(examples)])
    for system in range(systems):
        lines = [_text(rng, words, SUMMARY_WORDS) for _ in range(examples)]
        _write(corpus / "summaries" / f"system-{system:02d}.summary", lines)
    done.touch()
    return corpus


def _write(path: Path, lines: list[str]) -> None:
    path.write_text("\n".join(lines))


def _text(rng: random.Random, words: list[str], mean: int) -> str:
    chosen = rng.choices(words, k=rng.randint(mean // 2, mean + mean // 2))
    for at in range(12, len(chosen), 17):
        chosen[at] += "."
    return " ".join(chosen).capitalize() + "."


def _reference(rng: random.Random, words: list[str]) -> str:
    sentences = (_text(rng, words, 14) for _ in range(rng.randint(SENTENCES - 1, SENTENCES + 1)))
    return " ".join(sentences)
