"""Texts that are hard to split: repeated, each tempts a careless rule to look back for ever."""

from __future__ import annotations

HOSTILE_PIECES = [
    "a.b",
    "! ",
    '."A',
    "a.'b ",
    "\n- a",
    "\n" + " " * 99,
    ". ) ",
    "<t>",
    "A.",
    "...a ",
    "“. ",
    "。」",
]
