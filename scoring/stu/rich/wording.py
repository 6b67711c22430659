"""Facts in words: quotes that are whole, no space before a comma, a capital and a full stop."""

from __future__ import annotations

import re

from scoring.stu.coreference import Renaming
from scoring.stu.rich.clauses import Fact
from scoring.stu.rich.phrases import Piece
from scoring.stu.rich.tree import PROPER, Place, Tree
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
    """The words of a fact, with a name in place of each mention."""
    if tree.mentioned.isdisjoint(fact.pieces):
        return [tree.words[p] if isinstance(p, int) else p for p in fact.pieces]
    return [word for _, word in _said(tree, fact)]


def word_fact(tree: Tree, fact: Fact) -> str:
    """A sentence."""
    quotes = _whole_quotes(tree, fact)
    text = ""
    before: Piece = ""
    for piece, word in _said(tree, fact):
        opening, closing = quotes.get(piece, ("", ""))
        text += f"{_gap(tree, before, piece)}{opening}{word}{closing}"
        before = piece
    return _finish(text)


def _said(tree: Tree, fact: Fact) -> list[tuple[Piece, str]]:
    """Each piece with what is said for it: a mention's name is said with its first word.

    A pronoun stays where the name was said before it.
    """
    found: list[tuple[Piece, str]] = []
    last: Renaming | None = None
    for piece in fact.pieces:
        renaming = tree.mentions.get(piece) if isinstance(piece, int) else None
        if renaming is not None and renaming.gives_way and _has(found, renaming.name):
            renaming = None
        if renaming is None:
            found.append((piece, _plain(tree, piece, is_first=not found)))
        elif renaming is not last:
            found.append((piece, renaming.name + renaming.ending))
        last = renaming
    return found


def _has(said: list[tuple[Piece, str]], name: str) -> bool:
    return name in " ".join(word for _, word in said)


def _plain(tree: Tree, piece: Piece, *, is_first: bool) -> str:
    """The first word of a sentence loses its capital further on, unless it is a name's."""
    if isinstance(piece, str):
        return piece
    word = tree.words[piece]
    is_name = tree.tags[0] in PROPER or tree.entities[0] == "NORP" or not word[1:].islower()
    return word if piece or is_first or is_name else tree.lower[0]


def span_of(tree: Tree, fact: Fact) -> Span:
    """The characters of the sentence that a fact stands on, from the first word to the last."""
    places = [p for p in fact.pieces if isinstance(p, int)] or [fact.about]
    return tree.parse.starts[min(places)], tree.parse.end_of(max(places))


def _gap(tree: Tree, before: Piece, piece: Piece) -> str:
    """What stands between two words of the sentence, if only a mark does; else a space."""
    if isinstance(before, str) or isinstance(piece, str) or before >= piece:
        return " "
    if before in tree.mentions:
        return " "
    between = tree.parse.text[tree.parse.end_of(before) : tree.parse.starts[piece]]
    return between if _KEPT.fullmatch(between) else " "


def _whole_quotes(tree: Tree, fact: Fact) -> dict[Piece, tuple[str, str]]:
    """For words that open or close a quotation said in full, its marks."""
    opening: dict[Piece, str] = {}
    closing: dict[Piece, str] = {}
    places = {p for p in fact.pieces if isinstance(p, int)}
    for start, end in _list_pairs(tree):
        inside = [p for p in range(start + 1, end) if not tree.is_mute[p]]
        if inside and places.issuperset(inside) and not tree.mentions.keys() & set(inside):
            opening[inside[0]] = tree.words[start] + opening.get(inside[0], "")
            closing[inside[-1]] = closing.get(inside[-1], "") + tree.words[end]
    return {p: (opening.get(p, ""), closing.get(p, "")) for p in opening.keys() | closing.keys()}


def _list_pairs(tree: Tree) -> list[Place]:
    """Where quotations and brackets open and close, inner ones first."""
    found: list[Place] = []
    open_: list[int] = []
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
