"""Parts of a parsed sentence, and the sentence with some of its words changed."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from spacy.tokens import Doc, Span, Token


def render(doc: Doc, changed: Mapping[int, str] | None = None, drop: Sequence[int] = ()) -> str:
    """The sentence with some words replaced and others left out."""
    changed, gone = changed or {}, set(drop)
    parts = [
        changed.get(token.i, token.text)
        + (token.whitespace_ or (" " if token.i in changed else ""))
        for token in doc
        if token.i not in gone
    ]
    text = re.sub(r"\s+", " ", "".join(parts)).strip()
    text = re.sub(r"\s+([.,;:!?])", r"\1", re.sub(r"[,;]\s*([.!?])", r"\1", text)).lstrip(" ,;")
    text = re.sub(
        r"\b([Aa]) ([aeio]\w)", r"\1n \2", re.sub(r"\b([Aa])n ([^aeiouAEIOUhH])", r"\1 \2", text)
    )
    return text[:1].upper() + text[1:] if doc[0].text[:1].isupper() else text


def find_root(doc: Doc) -> Token | None:
    root = next((token for token in doc if token.dep_ == "ROOT"), None)
    return root if root is not None and root.pos_ in ("VERB", "AUX") else None


def child(token: Token, *relations: str) -> Token | None:
    return next((other for other in token.children if other.dep_ in relations), None)


def span_of(token: Token) -> Span:
    return token.doc[token.left_edge.i : token.right_edge.i + 1]
