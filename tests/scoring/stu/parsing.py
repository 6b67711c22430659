"""Units of a few sentences, by the embedded parser."""

from __future__ import annotations

from functools import cache

from scoring.stu.extractors import load_extractor
from scoring.stu.types import Extractor, Stu


@cache
def loaded(coref: bool = False) -> Extractor:
    return load_extractor(coref=coref)


def extract(*sentences: str, coref: bool = False) -> list[Stu]:
    """The units of one reference."""
    (units,) = loaded(coref).extract([sentences])
    return units


def texts(*sentences: str, coref: bool = False) -> list[str]:
    return [unit.text for unit in extract(*sentences, coref=coref)]
