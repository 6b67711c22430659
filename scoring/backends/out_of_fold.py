"""A judge that asks, of each summary, a model that was trained without it.

Its folder lies in that of the trained judge, with a model for each fold of the training. Texts that
none of them learned from are judged by the trained judge itself.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from scoring.errors import InputError
from scoring.judge.catalogue import OUT_OF_FOLD, JudgeOptions, Preset, load_judge, read_card
from scoring.judge.learned import Learned, hash_text, list_parts, read_learned
from scoring.judge.protocol import CONTEXT, Identity, Judge, Question, Verdict
from scoring.translation import gettext as _


class OutOfFoldJudge:
    """`judges` in the order of the parts of what was learned."""

    def __init__(self, identity: Identity, judges: Sequence[Judge], learned: Learned) -> None:
        self._identity, self._judges, self._learned = identity, judges, learned

    @property
    def identity(self) -> Identity:
        return self._identity

    @property
    def classes(self) -> int:
        return self._judges[0].classes

    @property
    def default_function(self) -> str:
        return self._judges[0].default_function

    def judge(self, questions: Iterable[Question]) -> Iterator[list[Verdict]]:
        for question in questions:
            units = [hash_text(unit) for unit in question.units]
            judge = self._judges[self._learned.choose(hash_text(question.summary), units)]
            yield from judge.judge([question])


def load(name: str, preset: Preset | None, options: JudgeOptions) -> OutOfFoldJudge:
    folder = Path(name).expanduser()
    learned = read_learned(str(folder.resolve()))
    if learned is None:
        raise InputError(
            _("{name} doesn't say what its models were trained on. Train it again.").format(
                name=name
            )
        )
    judges = [load_judge(str(part.resolve()), options) for part in list_parts(folder)]
    weights = hashlib.sha256("\n".join(one.identity.weights for one in judges).encode())
    identity = Identity(
        str(read_card(folder)["name"]),
        OUT_OF_FOLD,
        weights.hexdigest(),
        # Which model is asked depends on all units of the question.
        options={**judges[0].identity.options, CONTEXT: "units"},
    )
    return OutOfFoldJudge(identity, judges, learned)
