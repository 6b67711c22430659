"""`rich`: units also from what noun phrases, appositions, relative clauses and `and` tell."""

from __future__ import annotations

from scoring.parses import load_parser
from scoring.stu.coreference_rules import RuleCoreference
from scoring.stu.rich.extractor import RichExtractor
from scoring.stu.rich.ranking import load_shipped

__all__ = ["RichExtractor", "load_rich"]


def load_rich(*, parser: str = "", coref: bool = False, x: float = 1.0) -> RichExtractor:
    """The extractor with the ranker that comes along."""
    return RichExtractor(
        load_shipped(),
        parser=load_parser(parser),
        coreference=RuleCoreference() if coref else None,
        x=x,
    )
