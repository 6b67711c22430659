"""From a summary and its units to rows of token ids, and from rows to batches.

Summary and units are read by the tokenizer once each; what it puts around a pair is learnt from a
probe. A summary that is too long for the model is cut into windows that overlap by half, each with
the unit whole.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch

from scoring.errors import InputError
from scoring.translation import gettext as _

LEAST_ROOM = 16  # tokens of the summary beside a unit; a model sees no sense in fewer
MOST_TOKENS = 4096  # of a batch, padding included
PROBE = ("The lamp of the harbour was lit.", "A lamp was lit.")

Ids = Sequence[int]


@dataclass(frozen=True, slots=True)
class Row:
    """One pair, as the model reads it. `types` is empty where it knows no token types."""

    ids: list[int]
    types: list[int]


@dataclass(frozen=True, slots=True)
class Template:
    """What a tokenizer puts before, between and after two texts, with their token types."""

    before: Row
    between: Row
    after: Row
    text_types: tuple[int, ...]  # of the premise and of the hypothesis

    @property
    def added(self) -> int:
        return len(self.before.ids) + len(self.between.ids) + len(self.after.ids)

    def join(self, premise: Ids, hypothesis: Ids) -> Row:
        ids = [*self.before.ids, *premise, *self.between.ids, *hypothesis, *self.after.ids]
        if not self.text_types:
            return Row(ids, [])
        first, second = self.text_types
        types = [*self.before.types, *[first] * len(premise), *self.between.types]
        return Row(ids, [*types, *[second] * len(hypothesis), *self.after.types])


def learn_template(tokenizer: Any, name: str) -> Template:
    """Read the template off a pair that the tokenizer joined itself."""
    premise, hypothesis = read_texts(tokenizer, PROBE)
    pair = tokenizer(*PROBE, truncation=False)
    ids, types = list(pair["input_ids"]), list(pair.get("token_type_ids", ()))
    first = _find(premise, ids, 0)
    second = _find(hypothesis, ids, first + len(premise))
    if first < 0 or second < 0:
        raise InputError(
            _("{name}: its tokenizer doesn't keep the two texts of a pair intact.").format(
                name=name
            )
        )
    end = second + len(hypothesis)
    return Template(
        before=Row(ids[:first], types[:first]),
        between=Row(ids[first + len(premise) : second], types[first + len(premise) : second]),
        after=Row(ids[end:], types[end:]),
        text_types=(types[first], types[second]) if types else (),
    )


def _find(part: Ids, whole: Ids, start: int) -> int:
    places = range(start, len(whole) - len(part) + 1)
    return next((place for place in places if whole[place : place + len(part)] == part), -1)


def read_texts(tokenizer: Any, texts: Sequence[str]) -> list[list[int]]:
    """Token ids of each text, without the tokens that mark a beginning or an end."""
    if not texts:
        return []
    found = tokenizer(
        list(texts),
        add_special_tokens=False,
        truncation=False,
        return_attention_mask=False,
        return_token_type_ids=False,
        verbose=False,
    )
    ids = [list(one) for one in found["input_ids"]]
    for text, pieces in zip(texts, ids, strict=True):
        refuse_unread(tokenizer, text, pieces)
    return ids


def refuse_unread(tokenizer: Any, text: str, pieces: Ids) -> None:
    """A text that is nothing but unknown pieces is like any other such text, whatever it says."""
    is_read = any(piece != tokenizer.unk_token_id for piece in pieces)
    if is_read or not any(letter.isalpha() for letter in text):
        return
    raise InputError(
        _(
            "The tokenizer of {Path} has no tokens for the text "
            "“{text}”. Save the model's own tokenizer in its folder, or use a model that "
            "was trained on this language."
        ).format(Path=Path(tokenizer.name_or_path).name, text=_shorten(text))
    )


def cut_windows(length: int, room: int) -> list[slice]:
    """Windows of *room* tokens that overlap by half; the last ends where the text does."""
    if length <= room:
        return [slice(0, length)]
    starts = [*range(0, length - room, room - room // 2), length - room]
    return [slice(start, start + room) for start in starts]


class PairReader:
    """Makes a model's rows out of texts."""

    def __init__(self, tokenizer: Any, window: int, name: str) -> None:
        self.tokenizer = tokenizer
        self.window = window
        self.template = learn_template(tokenizer, name)

    def rows(self, premises: Sequence[str], units: Sequence[str]) -> list[list[list[Row]]]:
        """By premise and unit, a row for each window."""
        hypotheses = read_texts(self.tokenizer, units)
        return [
            [self._pair(premise, *pair) for pair in zip(units, hypotheses, strict=True)]
            for premise in read_texts(self.tokenizer, premises)
        ]

    def _pair(self, premise: Ids, unit: str, hypothesis: Ids) -> list[Row]:
        room = self.window - self.template.added - len(hypothesis)
        if room < min(len(premise), LEAST_ROOM):
            raise InputError(
                _(
                    "The unit “{unit}” has {hypothesis} tokens and leaves no space for "
                    "the summary in a window of {window}. Shorten the unit, or widen the window."
                ).format(unit=_shorten(unit), hypothesis=len(hypothesis), window=self.window)
            )
        return [
            self.template.join(premise[cut], hypothesis) for cut in cut_windows(len(premise), room)
        ]


def _shorten(text: str) -> str:
    return text if len(text) <= 80 else f"{text[:79]}…"


def cut_batches(lengths: Sequence[int]) -> list[list[int]]:
    """Places of the rows by length, in batches of at most so many tokens.

    The rule knows nothing but the lengths: the same rows are always batched alike.
    """
    batches: list[list[int]] = []
    for place in sorted(range(len(lengths)), key=lambda place: lengths[place]):
        if not batches or (len(batches[-1]) + 1) * lengths[place] > MOST_TOKENS:
            batches.append([])
        batches[-1].append(place)
    return batches


def collate(rows: Sequence[Row], tokenizer: Any) -> dict[str, torch.Tensor]:
    """The model's input, padded to the longest row."""
    width = max(len(row.ids) for row in rows)
    is_left = tokenizer.padding_side == "left"

    def pad(values: list[int], filler: int) -> list[int]:
        gap = [filler] * (width - len(values))
        return [*gap, *values] if is_left else [*values, *gap]

    found = {
        "input_ids": torch.tensor([pad(row.ids, tokenizer.pad_token_id) for row in rows]),
        "attention_mask": torch.tensor([pad([1] * len(row.ids), 0) for row in rows]),
    }
    if rows[0].types:
        filler = tokenizer.pad_token_type_id
        found["token_type_ids"] = torch.tensor([pad(row.types, filler) for row in rows])
    return found
