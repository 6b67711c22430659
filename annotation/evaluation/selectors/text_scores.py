"""Scores of texts that somebody has at hand, while they wait: nothing is stored."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from annotation.corpora.models import Project
from annotation.errors import DomainError
from annotation.evaluation.judges import JudgeChoice, get_judge, read_options, resolve_judge
from scoring.errors import InputError
from scoring.extras import MissingLibrary
from scoring.judge import Document, Judged, functions_of, score_summaries

MOST_PAIRS = 2000


@dataclass(frozen=True, slots=True)
class TextScores:
    """By each function that the judge offers; `human` where every document has labels."""

    judged: Judged
    functions: tuple[str, ...]

    def to_json(self) -> dict[str, Any]:
        return {
            "judge": self.judged.identity.name,
            "scores": {name: float(self.judged.scores(name).mean()) for name in self.functions},
            "human": self.judged.human(),
            "signatures": {name: self.judged.signature(name) for name in self.functions},
            "documents": self._documents(),
        }

    def _documents(self) -> list[dict[str, Any]]:
        presence = {name: self.judged.presence(name) for name in self.functions}
        scores = {name: self.judged.scores(name).tolist() for name in self.functions}
        return [
            {
                "name": document.name,
                "scores": {name: scores[name][place] for name in self.functions},
                "presence": {name: presence[name][place] for name in self.functions},
                "sentences": [verdict.sentence for verdict in verdicts]
                or [-1] * len(document.units),
            }
            for place, (document, verdicts) in enumerate(
                zip(self.judged.documents, self.judged.verdicts, strict=True)
            )
        ]


def score_texts(
    *,
    project: Project,
    judge: str,
    documents: Sequence[Document],
    function: str = "",
    empty: str = "refuse",
) -> TextScores:
    """Only by a judge that is quick, and only so many texts; a run is for more."""
    choice = resolve_judge(project, judge)
    _check_size(choice, documents)
    try:
        loaded = get_judge(choice, read_options({}))
        offered = functions_of(loaded.classes)
        if function and function not in offered:
            raise DomainError(f"function: {judge} offers {' and '.join(offered)} alone.")
        judged = score_summaries(documents, loaded, empty=empty)
    except (InputError, MissingLibrary) as error:
        raise DomainError(str(error)) from None
    return TextScores(judged, (function,) if function else offered)


def _check_size(choice: JudgeChoice, documents: Sequence[Document]) -> None:
    if not choice.is_light:
        raise DomainError(
            f"{choice.name} takes too long to be waited for.",
            "Begin a run, or name embedded or lexical.",
        )
    pairs = sum(len(document.units) for document in documents)
    if pairs > MOST_PAIRS:
        raise DomainError(
            f"{pairs:,} pairs of a unit and a summary are more than {MOST_PAIRS:,}.",
            "Send them in parts, or begin a run.",
        )
