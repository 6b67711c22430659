"""The extractors by name."""

from __future__ import annotations

from pathlib import Path

from scoring.errors import InputError
from scoring.parses import load_parser
from scoring.stu.coreference import CoreferenceSource
from scoring.stu.coreference_rules import RuleCoreference
from scoring.stu.role_files import ClusterFile, FrameFile
from scoring.stu.rules import RuleFrames
from scoring.stu.srl import FrameSource, SrlExtractor
from scoring.stu.types import Extractor
from scoring.translation import gettext as _

EXTRACTORS = ("srl", "rich")
# Extractors whose ranker was trained, and the studies of its references.
TRAINED, TRAINED_ON = ("rich",), ("realsumm", "pyrxsum")


def load_extractor(
    name: str = "srl",
    *,
    coref: bool = False,
    parser: str = "",
    frames: Path | str = "",
    clusters: Path | str = "",
    srl_model: str = "",
    coref_model: str = "",
    x: float = 1.0,
) -> Extractor:
    """An extractor by name.

    Frames come from rules over the parse, from a file (*frames*) or from a model (*srl_model*);
    clusters of mentions, with *coref*, from rules, a file (*clusters*) or a spaCy pipeline
    (*coref_model*). *x* is for `rich`: how many units are wanted by human unit.
    """
    if name not in EXTRACTORS:
        raise InputError(
            _("Unknown extractor '{name}'. Known: {extractors}.").format(
                name=name, extractors=", ".join(EXTRACTORS)
            )
        )
    if name == "rich":
        if frames or clusters or srl_model or coref_model:
            raise InputError(
                _("`rich` finds its own frames. Don't give it frames, clusters or a model.")
            )
        from scoring.stu.rich import load_rich

        return load_rich(parser=parser, coref=coref, x=x)
    source = _frames(frames, srl_model)
    is_unified = coref or clusters or coref_model
    coreference = _coreference(clusters, coref_model) if is_unified else None
    needs_parse = source.needs_parse or (coreference is not None and coreference.needs_parse)
    return SrlExtractor(
        source, coreference=coreference, parser=load_parser(parser) if needs_parse else None
    )


def _frames(path: Path | str, model: str) -> FrameSource:
    if path and model:
        raise InputError(_("Frames come from a file or from a model. Give only one of the two."))
    if path:
        return FrameFile(Path(path))
    if model:
        from scoring.backends.srl_model import load

        return load(model)
    return RuleFrames()


def _coreference(path: Path | str, model: str) -> CoreferenceSource:
    if path and model:
        raise InputError(_("Clusters come from a file or from a model. Give only one of the two."))
    if model:
        from scoring.backends.spacy_coreference import load

        return load(model)
    return ClusterFile(Path(path)) if path else RuleCoreference()
