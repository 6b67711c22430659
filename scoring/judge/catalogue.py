"""Judges by name. None is imported before it is asked for."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from scoring.errors import InputError
from scoring.judge.protocol import Judge
from scoring.translation import gettext as _
from scoring.translation import gettext_lazy

CARD = "judge.json"
LEARNED = "learned.json"  # hashes of the texts that a judge was trained on
OUT_OF_FOLD = "out_of_fold"  # the kind, and the folder, of a judge's models without a fold each


class NoDevice(InputError):
    """The machine at hand has no such device; another one may."""


@dataclass(frozen=True, slots=True)
class JudgeOptions:
    """How a judge runs. `function` is left to the judge where it is empty.

    `evidence` also asks which sentence of the summary convinced most; it costs an NLI judge a
    pass over each sentence, the embedded ones nothing, a language model a longer answer. The rest
    is for a language model: the file of endpoints, the most that may be spent, and the file that
    keeps account of it.
    """

    precision: str = "fp32"
    device: str = "cpu"
    window: int = 0  # tokens; 0: as many as the model takes
    threads: int = 0  # 0: torch decides
    evidence: bool = False
    revision: str = ""
    endpoints: Path | None = None
    cap: Decimal | None = None
    ledger: Path | None = None


@dataclass(frozen=True, slots=True)
class Preset:
    """A judge that is known by a short name.

    `labels` names a model's classes in order, for one whose own configuration does not; `learned`
    is the published study whose labels it was trained on.
    """

    name: str
    what: str
    module: str
    path: str = ""
    function: str = ""
    needs: str = ""
    labels: tuple[str, ...] = ()
    learned: str = ""


LLM_PREFIX = "llm:"  # before the name of an endpoint of a language model
_LLM = "scoring.backends.llm"
_NLI = "scoring.backends.nli"
PRESETS: dict[str, Preset] = {
    preset.name: preset
    for preset in (
        Preset(
            "embedded",
            gettext_lazy(
                "Trained on REALSumm's presence labels. Word features and MiniLM embeddings."
            ),
            "scoring.backends.embedded",
            needs="torch",
            learned="realsumm",
        ),
        Preset(
            "reader",
            gettext_lazy(
                "Reads units against sentences. Trained on entailment pairs, twins made by rule "
                "and REALSumm's presence labels."
            ),
            "scoring.backends.reader",
            needs="torch",
            learned="realsumm",
        ),
        Preset(
            "lexical",
            gettext_lazy("Trained on REALSumm's presence labels. Only word features, no PyTorch."),
            "scoring.backends.lexical",
            learned="realsumm",
        ),
        Preset(
            "anli",
            gettext_lazy("RoBERTa-large trained on SNLI, MNLI, FEVER and ANLI (zero-shot)."),
            _NLI,
            "ynie/roberta-large-snli_mnli_fever_anli_R1_R2_R3-nli",
            "l3c",
        ),
        *(
            Preset(
                name,
                gettext_lazy("The authors' RoBERTa-large, fine-tuned on {data}.", data=data),
                _NLI,
                f"shiyue/roberta-large-{name}",
                "p2c",
                labels=("entailment", "neutral", "contradiction"),
                learned=learned,
            )
            for name, data, learned in (
                ("tac08", "TAC 2008", ""),
                ("tac09", "TAC 2009", ""),
                ("realsumm", "REALSumm", "realsumm"),
                ("pyrxsum", "PyrXSum", "pyrxsum"),
            )
        ),
    )
}


def default_judge() -> str:
    """The embedded judge, or the lexical one where torch is not installed."""
    return "embedded" if find_spec("torch") else "lexical"


def load_judge(name: str = "", options: JudgeOptions | None = None) -> Judge:
    """A judge by its short name, by a Hugging Face name (owner/model), by a local path, or
    `llm:NAME` for an endpoint of a language model.

    A short name that is not known is an error that lists those that are.
    """
    name = name or default_judge()
    preset = PRESETS.get(name)
    is_endpoint = name.startswith(LLM_PREFIX)
    if preset is None and not is_endpoint and "/" not in name and "\\" not in name:
        raise InputError(
            _(
                "There is no judge '{name}'. Use one of {presets}, a path with a slash "
                "(./{name}), a Hugging Face name (owner/model), or llm:NAME for an endpoint."
            ).format(name=name, presets=", ".join(PRESETS))
        )
    load: Callable[[str, Preset | None, JudgeOptions], Judge]
    load = import_module(_module(name, preset)).load
    return load(name, preset, options or JudgeOptions())


KINDS = {
    "nli": _NLI,
    "shared": "scoring.backends.shared",
    "embedded": "scoring.backends.embedded",
    "lexical": "scoring.backends.lexical",
    "reader": "scoring.backends.reader",
    OUT_OF_FOLD: "scoring.backends.out_of_fold",
}


def _module(name: str, preset: Preset | None) -> str:
    """Where the judge's code is; a folder says in its `judge.json` what it holds."""
    if preset is not None:
        return preset.module
    if name.startswith(LLM_PREFIX):
        return _LLM
    if not is_path(name):
        return _NLI
    folder = Path(name).expanduser()
    if not folder.is_dir():
        raise InputError(
            _("There is no folder {name}. Give the folder of the judge.").format(name=name)
        )
    kind = read_card(folder).get("kind", "nli")
    if kind not in KINDS:
        raise InputError(
            _("{name}/{card} has the kind '{kind}'. Expected one of {kinds}.").format(
                name=name, card=CARD, kind=kind, kinds=", ".join(KINDS)
            )
        )
    return KINDS[kind]


def is_path(name: str) -> bool:
    """Whether it names a folder here, rather than a model of Hugging Face (owner/model)."""
    return name.startswith((".", "/", "~")) or name.count("/") != 1 or Path(name).is_dir()


def read_card(folder: Path) -> dict[str, Any]:
    """What a folder says of the judge in it; empty for a plain folder of a model."""
    path = folder / CARD
    if not path.is_file():
        return {}
    try:
        card = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise InputError(
            _("{path} is not valid JSON: {error}.").format(path=path, error=error)
        ) from error
    if not isinstance(card, dict):
        raise InputError(_("{path} doesn't contain a JSON object.").format(path=path))
    return card
