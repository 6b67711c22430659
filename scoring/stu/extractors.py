"""The extractors by name."""

from __future__ import annotations

from pathlib import Path

from scoring.parses import load_parser
from scoring.stu.rules import RuleFrames
from scoring.stu.srl import SrlExtractor
from scoring.stu.types import Extractor

EXTRACTORS = ("srl", "rich")


def load_extractor(
    name: str = "srl",
    *,
    coref: bool = False,
    parser: str = "",
    frames: Path | str = "",
    x: float = 1.0,
) -> Extractor:
    """An extractor by name; *x* is the wanted number of units by human unit, for `rich`."""
    if name not in EXTRACTORS:
        raise ValueError(f"There is no extractor '{name}'. Known: {', '.join(EXTRACTORS)}.")
    if name == "rich":
        from scoring.stu.rich import load_rich

        return load_rich(parser=parser, coref=coref, x=x)
    return SrlExtractor(RuleFrames(), parser=load_parser(parser))
