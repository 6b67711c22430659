"""Trees by benepar (Kitaev & Klein 2018), where it is installed: a model by name or folder.

benepar is no dependency of Giza: its models are large and are downloaded from their makers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from scoring.backends.spacy_parser import SpacyParser
from scoring.easiness.trees import Tree, read_tree
from scoring.errors import InputError
from scoring.translation import gettext as _

BATCH = 64


def parse_with_benepar(model: str, sentences: Iterable[str]) -> Iterator[Tree]:
    """Each sentence's tree; words and tags are those of the embedded pipeline."""
    if find_spec("benepar") is None:
        raise InputError(
            _(
                "'{model}' is not a file of trees, and benepar is not installed. Install it, give "
                "a file with one bracketed tree per line, or omit the option."
            ).format(model=model)
        )
    benepar: Any = import_module("benepar")
    try:
        parser = benepar.Parser(model)
    except (LookupError, OSError) as error:
        raise InputError(
            _(
                "benepar has no model '{model}'. Download it with benepar.download, or give its "
                "folder."
            ).format(model=model)
        ) from error
    words = SpacyParser.load().parse(sentences)
    inputs = (
        benepar.InputSentence(
            words=[word for word, tag in zip(one.words, one.tags, strict=True) if tag != "_SP"],
            tags=[tag for tag in one.tags if tag != "_SP"],
        )
        for one in words
    )
    for found in parser.parse_sents(inputs):
        yield read_tree(found.pformat(margin=10**9))
