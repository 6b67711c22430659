"""Clusters of mentions by a spaCy pipeline that has a coreference model, by name or path.

spaCy's own coreference pipelines (`en_coreference_web_trf`) leave each cluster as a group of spans
named `coref_clusters_1` and so on; whatever leaves such groups is read.
"""

from __future__ import annotations

import hashlib
from bisect import bisect_right
from collections.abc import Sequence
from functools import cache

import spacy
from spacy.language import Language

from scoring.errors import InputError
from scoring.parses import ParsedSentence
from scoring.stu.coreference import cluster_of
from scoring.stu.types import Cluster
from scoring.translation import gettext as _

PREFIX = "coref_clusters"
BETWEEN = " "  # sentences of a reference, when they are read as one text


class SpacyCoreference:
    """A loaded pipeline; a reference is read as one text."""

    needs_parse = False
    keeps_pronouns = False

    def __init__(self, pipeline: Language) -> None:
        self.pipeline = pipeline
        meta = pipeline.meta
        weights = hashlib.sha256(pipeline.to_bytes()).hexdigest()[:12]
        self.version = f"coref-{meta['lang']}_{meta['name']}-{meta['version']}-{weights}"

    def find(self, sentences: Sequence[ParsedSentence]) -> list[Cluster]:
        texts = [sentence.text for sentence in sentences]
        starts = [0]
        for text in texts:
            starts.append(starts[-1] + len(text) + len(BETWEEN))
        doc = self.pipeline(BETWEEN.join(texts))
        clusters = (
            cluster_of(
                (
                    place
                    for span in group
                    if (place := _place(span.start_char, span.end_char, starts, texts)) is not None
                ),
                texts,
            )
            for name, group in sorted(doc.spans.items())
            if name.startswith(PREFIX)
        )
        return [cluster for cluster in clusters if cluster and len(cluster.mentions) > 1]


def _place(
    start: int, end: int, starts: Sequence[int], texts: Sequence[str]
) -> tuple[int, int, int] | None:
    """The sentence of a stretch and its characters there; None if it reaches into the next one."""
    sentence = bisect_right(starts, start) - 1
    offset = starts[sentence]
    return (
        (sentence, start - offset, end - offset) if end - offset <= len(texts[sentence]) else None
    )


@cache
def load(name: str) -> SpacyCoreference:
    try:
        return SpacyCoreference(spacy.load(name))
    except OSError as error:
        raise InputError(
            _("There is no spaCy pipeline '{name}'. Install it, or give its folder.").format(
                name=name
            )
        ) from error
