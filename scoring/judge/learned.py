"""Which texts a judge learned from, as short hashes: what it says of them is in-sample.

A judge that meets its own training texts looks better than it is elsewhere. So every judge that is
trained here stores hashes of its training texts in `learned.json` beside its weights, and those of
the judges that ship are in `scoring/backends/models/learned.json`. A hash is 6 bytes of a text in
small letters without marks and punctuation: among a million texts, one that was never seen is taken
for a training text with a chance of about 1 in 70,000.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from scoring.errors import InputError
from scoring.judge.catalogue import LEARNED, LLM_PREFIX, OUT_OF_FOLD, PRESETS, is_path, read_card
from scoring.translation import gettext as _

BYTES = 6
FORMAT = 1
KINDS = ("summaries", "units", "references")
_MARKS = re.compile(r"</?t>")
_WORD = re.compile(r"\w+")

Hashes = frozenset[bytes]


def hash_text(text: str) -> bytes:
    """The same for texts that differ in case, spaces, punctuation or sentence marks only."""
    plain = unicodedata.normalize("NFKC", _MARKS.sub(" ", text)).casefold()
    return hashlib.blake2b(" ".join(_WORD.findall(plain)).encode(), digest_size=BYTES).digest()


@dataclass(frozen=True, slots=True)
class LearnedTexts:
    """Hashes of the texts that a model was trained on."""

    summaries: Hashes = frozenset()
    units: Hashes = frozenset()
    references: Hashes = frozenset()

    @classmethod
    def of(
        cls, summaries: Iterable[str], units: Iterable[str], references: Iterable[str] = ()
    ) -> LearnedTexts:
        """Of the texts themselves; an empty one teaches nothing."""
        return cls(*(_hash_all(texts) for texts in (summaries, units, references)))

    def __or__(self, other: LearnedTexts) -> LearnedTexts:
        return LearnedTexts(*(getattr(self, kind) | getattr(other, kind) for kind in KINDS))

    def to_json(self) -> dict[str, Any]:
        """Each kind as one string: the sorted hashes one after another, in base64."""
        packed = {kind: b"".join(sorted(getattr(self, kind))) for kind in KINDS}
        return {kind: base64.b64encode(data).decode() for kind, data in packed.items()}

    @classmethod
    def from_json(cls, found: Mapping[str, str]) -> LearnedTexts:
        packed = [base64.b64decode(found[kind]) for kind in KINDS]
        return cls(
            *(
                frozenset(data[at : at + BYTES] for at in range(0, len(data), BYTES))
                for data in packed
            )
        )


@dataclass(frozen=True, slots=True)
class Learned:
    """What a judge learned from; of an out-of-fold judge, what each of its models did.

    An out-of-fold judge asks, for each summary and its units, the model that knows least of them.
    """

    parts: tuple[LearnedTexts, ...]

    def choose(self, summary: bytes, units: Sequence[bytes]) -> int:
        """The place of the model to ask: one that did not see the summary, and fewest units."""

        def known(place: int) -> tuple[bool, int]:
            part = self.parts[place]
            return summary in part.summaries, sum(unit in part.units for unit in units)

        return min(range(len(self.parts)), key=known)

    def meet(self, summary: bytes, units: Sequence[bytes]) -> tuple[bool, list[bool]]:
        """Whether the model that is asked learned from the summary, and from each unit."""
        part = self.parts[self.choose(summary, units)]
        return summary in part.summaries, [unit in part.units for unit in units]


@dataclass(frozen=True, slots=True)
class Met:
    """How many of the texts that a judge is asked of it was trained on.

    Summaries are counted one by one, units by their text. Not `is_known`: what the judge learned
    from is not recorded, so that all counts of texts met are 0.
    """

    is_known: bool
    summaries: int
    units: int
    all_summaries: int
    all_units: int

    @property
    def is_in_sample(self) -> bool:
        return self.summaries > 0 or self.units > 0

    @property
    def words(self) -> str:
        """2 of 9 summaries and 3 of 4 units; without units, as of a metric, 2 of 9 summaries."""
        summaries = _("{summaries:,} of {all_summaries:,} summaries").format(
            summaries=self.summaries, all_summaries=self.all_summaries
        )
        if not self.all_units:
            return summaries
        return _("{summaries} and {units:,} of {all_units:,} units").format(
            summaries=summaries, units=self.units, all_units=self.all_units
        )


def count_met(learned: Learned | None, asked: Iterable[tuple[str, Sequence[str]]]) -> Met:
    """Of summaries with the units that are looked for in each. An empty summary is not judged."""
    known: dict[str, bytes] = {}
    found: dict[bytes, bool] = {}
    summaries = met = 0
    for summary, units in asked:
        if not summary.strip():
            continue
        keys = [known.get(unit) or known.setdefault(unit, hash_text(unit)) for unit in units]
        summaries += 1
        is_met, units_met = (
            learned.meet(hash_text(summary), keys) if learned else (False, [False] * len(keys))
        )
        met += is_met
        for key, is_unit_met in zip(keys, units_met, strict=True):
            found[key] = found.get(key, False) or is_unit_met
    return Met(learned is not None, met, sum(found.values()), summaries, len(found))


def read_learned(judge: str) -> Learned | None:
    """Of a judge by the name or folder that it is loaded by; None where nothing is known."""
    if preset := PRESETS.get(judge):
        return Learned((read_shipped(preset.learned),)) if preset.learned else None
    if judge.startswith(LLM_PREFIX):
        return None
    return _read_folder(Path(judge).expanduser()) if is_path(judge) else None


@cache
def read_shipped(study: str) -> LearnedTexts:
    """The texts of a published study that shipped models learned from."""
    text = files("scoring.backends.models").joinpath(LEARNED).read_text(encoding="utf-8")
    return LearnedTexts.from_json(json.loads(text)["studies"][study])


def _read_folder(folder: Path) -> Learned | None:
    if read_card(folder).get("kind") != OUT_OF_FOLD:
        found = _read_file(folder / LEARNED)
        return Learned((found,)) if found else None
    parts = [_read_file(path / LEARNED) for path in list_parts(folder)]
    known = [part for part in parts if part is not None]
    return Learned(tuple(known)) if known and len(known) == len(parts) else None


def list_parts(folder: Path) -> list[Path]:
    """The models of an out-of-fold judge: the one that learned from all, then one for each fold."""
    return [folder.parent, *(folder / name for name in read_card(folder)["folds"])]


def _read_file(path: Path) -> LearnedTexts | None:
    if not path.is_file():
        return None
    try:
        return LearnedTexts.from_json(json.loads(path.read_text(encoding="utf-8")))
    except (ValueError, KeyError) as error:
        raise InputError(
            _("{path} doesn't contain text hashes: {error}.").format(path=path, error=error)
        ) from error


def _hash_all(texts: Iterable[str]) -> Hashes:
    return frozenset(hash_text(text) for text in texts if text.strip())
