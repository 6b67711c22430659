"""Prompts: versioned files. One that ships is never changed; a better one has another name."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from scoring.errors import InputError
from scoring.translation import gettext as _

DEFAULT_PROMPT = "presence-1"
SHIPPED = ("presence-1", "presence-quote-1")
MOST_CHARACTERS = 20_000


@dataclass(frozen=True, slots=True)
class Prompt:
    """What a model is told before it sees a summary and units."""

    name: str
    text: str

    @property
    def hash(self) -> str:
        return hashlib.sha256(self.text.encode()).hexdigest()

    @property
    def has_quotes(self) -> bool:
        """Whether it asks for words of the summary with each verdict."""
        return '"quote"' in self.text


def read_prompt(name: str, folder: Path | None = None) -> Prompt:
    """A prompt that ships, by name, or a text file, relative to `folder`."""
    if name in SHIPPED:
        shipped = files("scoring.judge.llm.prompts").joinpath(f"{name}.txt")
        return Prompt(name, shipped.read_text(encoding="utf-8").strip())
    if not name.endswith(".txt"):
        raise InputError(
            _(
                "prompt: there is no prompt '{name}'. Use one of {shipped}, "
                "or a file that ends in .txt."
            ).format(name=name, shipped=", ".join(SHIPPED))
        )
    path = (folder or Path()) / Path(name).expanduser()
    try:
        text = path.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(
            _("prompt: {path} can't be read: {error}.").format(path=path, error=error)
        ) from error
    if not text or len(text) > MOST_CHARACTERS:
        raise InputError(
            _("prompt: {path} should have 1 to {most_characters:,} characters.").format(
                path=path, most_characters=MOST_CHARACTERS
            )
        )
    return Prompt(path.stem, text)
