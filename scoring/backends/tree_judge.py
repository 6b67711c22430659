"""What the embedded judges share: features in, a logit of presence out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from importlib.resources import as_file, files
from pathlib import Path

import numpy as np

from scoring.backends.trees import Trees, read_trees
from scoring.errors import InputError
from scoring.judge.catalogue import Preset, read_card
from scoring.judge.frequencies import DocumentFrequencies
from scoring.judge.lexical import convincing_sentence
from scoring.judge.protocol import CONTEXT, Identity, Question, Verdict
from scoring.judge.reading_rows import Rows
from scoring.judge.readings import read_text
from scoring.translation import gettext as _

MODEL = "model.json"
FREQUENCIES = "frequencies"  # the version of the table that words weigh by


class TreeJudge:
    """A judge of two classes whose trees read features of a summary and all its units."""

    classes = 2
    default_function = "p2c"

    def __init__(
        self,
        trees: Trees,
        identity: Identity,
        rows_of: Callable[[Question, DocumentFrequencies], Rows],
    ) -> None:
        self._trees = trees
        self._identity = identity
        self._rows_of = rows_of

    @property
    def identity(self) -> Identity:
        return self._identity

    def judge(self, questions: Iterable[Question]) -> Iterator[list[Verdict]]:
        for question in questions:
            yield self._judge(question)

    def _judge(self, question: Question) -> list[Verdict]:
        frequencies = self._trees.frequencies
        logits = self._trees.judge(self._rows_of(question, frequencies))
        summary = read_text(question.summary, frequencies)
        return [
            Verdict(
                np.array([[logit, 0.0]], dtype=np.float32),
                convincing_sentence(summary, read_text(unit, frequencies)),
            )
            for logit, unit in zip(logits, question.units, strict=True)
        ]


def load_trees(
    name: str, preset: Preset | None, features: Sequence[str], *, kind: str
) -> tuple[Trees, Identity]:
    """The model that comes with Giza, or the one of a folder, called as its card says."""
    if preset is not None:
        with as_file(files("scoring.backends.models").joinpath(f"{kind}.json")) as path:
            trees, weights = read_trees(path, features)
    else:
        path = Path(name).expanduser() / MODEL
        if not path.is_file():
            raise InputError(
                _("There is no {model} in {name}. Train the judge again.").format(
                    model=MODEL, name=name
                )
            )
        trees, weights = read_trees(path, features)
        name = str(read_card(path.parent).get("name") or path.parent.resolve().name)
    options = {CONTEXT: "units", FREQUENCIES: trees.frequencies.version}
    return trees, Identity(name, kind, weights, options=options)
