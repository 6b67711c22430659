"""Facts in words: quotes that are whole, no space before a comma, a capital and a full stop."""

from __future__ import annotations

import re

from scoring.stu.rich.clauses import Fact
from scoring.stu.rich.tree import Tree
from scoring.types import Span

_PAIRS = {'"': '"', "“": "”", "‘": "’", "'": "'", "``": "''", "(": ")"}
_KEPT = re.compile(r"\s*[-–—,&/:]?\s*")
# Text that was cut into words is put together again.
_SEAMS = (
    (re.compile(r"\s+(?=n['’]t\b|['’](?:s|re|ve|ll|d|m)\b|[,.%;:!?](?:\s|$))", re.IGNORECASE), ""),
    (re.compile(r"(?<=[£$€(])\s+(?=\S)|(?<=\S)\s+(?=\))"), ""),
    (re.compile(r"(?<=\w) - (?=\w)"), "-"),
    (re.compile(r"s '(?= \w)"), "s'"),
    (re.compile(r"\s{2,}"), " "),
)


def list_words(tree: Tree, fact: Fact) -> list[str]:
    """The words of a fact, with a name once in place of a mention."""
    if not tree.mentions:
        return [tree.words[p] if isinstance(p, int) else p for p in fact.pieces]
    found: list[str] = []
    last = None
    for piece in fact.pieces:
        renaming = tree.mentions.get(piece) if isinstance(piece, int) else None
        if renaming is None:
            found.append(tree.words[piece] if isinstance(piece, int) else piece)
        elif renaming is not last:
            found.append(renaming.name)
        last = renaming
    return found


def word_fact(tree: Tree, fact: Fact) -> str:
    """A sentence."""
    parts: list[str] = []
    quotes = _whole_quotes(tree, fact)
    before: int | None = None
    for piece in fact.pieces:
        place = piece if isinstance(piece, int) else None
        word = piece if isinstance(piece, str) else _spoken(tree, piece, before)
        if word:
            parts.append(_gap(tree, before, place) + quotes.get(piece, "{}").format(word))
        before = place
    return _finish("".join(parts))


def span_of(tree: Tree, fact: Fact) -> Span:
    """The characters of the sentence that a fact stands on, from the first word to the last."""
    places = [p for p in fact.pieces if isinstance(p, int)] or [fact.about]
    return tree.parse.starts[min(places)], tree.parse.end_of(max(places))


def _spoken(tree: Tree, place: int, before: int | None) -> str:
    renaming = tree.mentions.get(place)
    if renaming is None:
        return tree.words[place].replace("{", "").replace("}", "")
    is_said = before is not None and tree.mentions.get(before) is renaming
    return "" if is_said else renaming.name


def _gap(tree: Tree, before: int | None, place: int | None) -> str:
    """What stands between two words of the sentence, if only a mark does; else a space."""
    if before is None or place is None or before >= place or before in tree.mentions:
        return " "
    between = tree.parse.text[tree.parse.end_of(before) : tree.parse.starts[place]]
    return between if _KEPT.fullmatch(between) else " "


def _whole_quotes(tree: Tree, fact: Fact) -> dict[int | str, str]:
    """For words that open or close a quotation said in full, the word with its mark."""
    found: dict[int | str, str] = {}
    places = {p for p in fact.pieces if isinstance(p, int)}
    for start, end in _list_pairs(tree):
        inside = [p for p in range(start + 1, end) if not tree.is_mute[p]]
        if inside and places.issuperset(inside) and not tree.mentions.keys() & set(inside):
            opening, closing = tree.words[start], tree.words[end]
            found[inside[0]] = opening + found.get(inside[0], "{}")
            found[inside[-1]] = found.get(inside[-1], "{}") + closing
    return found


def _list_pairs(tree: Tree) -> list[tuple[int, int]]:
    found, open_ = [], []
    for place, word in enumerate(tree.words):
        if not tree.is_mute[place]:
            continue
        if open_ and word == _PAIRS[tree.words[open_[-1]]]:
            found.append((open_.pop(), place))
        elif word in _PAIRS:
            open_.append(place)
    return found


def _finish(text: str) -> str:
    text = text.strip()
    for seam, joint in _SEAMS:
        text = seam.sub(joint, text)
    if text and text[0].islower():
        text = text[0].upper() + text[1:]
    return text if text.endswith((".", "!", "?")) else text + "."
