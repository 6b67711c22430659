"""The judges that a server offers: found by name, described without being loaded, kept once loaded.

What a person names reaches the file system only below `JUDGES_DIR`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from annotation.corpora.projects.models import Project
from annotation.errors import DomainError, Invalid, NotFound
from annotation.evaluation.judges.models import TRAINED, TrainedJudge
from annotation.memory import Memory
from scoring.errors import InputError
from scoring.judge import (
    FUNCTIONS,
    PRESETS,
    Judge,
    JudgeOptions,
    NoDevice,
    functions_of,
    load_judge,
)
from scoring.judge.catalogue import CARD, OUT_OF_FOLD, read_card

HUB_NAME = re.compile(r"[A-Za-z0-9][\w.-]{0,95}/[A-Za-z0-9][\w.-]{0,95}")
CONFIG = "config.json"
# A run's workers load the judge once each; a second one may be at work beside it.
KEPT_JUDGES = 2
_judges: Memory[Judge] = Memory(KEPT_JUDGES)
TWO_CLASSES = ("embedded", "lexical", "reader", "shared")
LIGHT = ("embedded", "lexical", "reader")
# Behind a trained judge's name: each text is judged by a model that was trained without it.
FOLDS_SUFFIX = "/out-of-fold"
# What a run stores of its options; threads are the worker's own affair.
RUN_OPTIONS = ("precision", "device", "window", "evidence", "revision")
PRECISIONS = ("fp32", "bf16", "int8")
DEVICES = ("cpu", "cuda", "mps")


@dataclass(frozen=True, slots=True)
class JudgeChoice:
    """A judge that can be named; `where` is what the library loads it by.

    `classes` is None, and `function` empty, where only the loaded judge could tell.
    """

    name: str
    what: str
    where: str
    kind: str
    function: str = ""
    classes: int | None = None

    @property
    def functions(self) -> tuple[str, ...]:
        return tuple(FUNCTIONS) if self.classes is None else functions_of(self.classes)

    @property
    def is_light(self) -> bool:
        """Whether it is quick and small enough to answer while somebody waits."""
        return self.kind in LIGHT


def list_judges(project: Project) -> list[JudgeChoice]:
    """Presets, what the project has trained, the newest first, and folders of this server."""
    trained = [choice for row in _trained(project) for choice in _list_choices(row)]
    return [*map(_preset, PRESETS), *trained, *_folders()]


def list_common_judges() -> list[JudgeChoice]:
    """Those that every project of this server has."""
    return [*map(_preset, PRESETS), *_folders()]


def resolve_judge(project: Project, name: str) -> JudgeChoice:
    """A preset, one that the project has trained, a folder below `JUDGES_DIR`, or a model of
    Hugging Face; anything else is refused.

    Of a trained judge `name@2` is the second version and `name` the newest; `name@2/out-of-fold`
    judges every text by a model that was trained without it.
    """
    if name in PRESETS:
        return _preset(name)
    if trained := find_trained(project, name.removesuffix(FOLDS_SUFFIX)):
        *others, last = _list_choices(trained)
        if not name.endswith(FOLDS_SUFFIX):
            return others[0] if others else last
        if others:
            return last
    if folder := _folder_of(name):
        return _describe_folder(name, folder)
    if HUB_NAME.fullmatch(name) and not Path(name).exists():
        what = _("A sequence classification model from Hugging Face.")
        return JudgeChoice(name, what, name, "nli")
    known = ", ".join(choice.name for choice in list_judges(project))
    raise NotFound(
        _("judge: there is no judge '{name}'. Known judges: {known}.").format(
            name=name[:100], known=known
        ),
        _(
            "Use one of these, a folder in the server's JUDGES_DIR, or owner/model from Hugging "
            "Face."
        ),
    )


def read_options(said: Mapping[str, Any]) -> dict[str, Any]:
    """A run's options with what was left out filled in; a wrong one is an error that names it."""
    plain = asdict(JudgeOptions())
    if unknown := sorted(set(said) - set(RUN_OPTIONS)):
        raise Invalid(
            _("options: '{unknown}' is unknown. Use: {run_options}.").format(
                unknown=unknown[0], run_options=", ".join(RUN_OPTIONS)
            )
        )
    options = {name: said.get(name, plain[name]) for name in RUN_OPTIONS}
    for name, known in (("precision", PRECISIONS), ("device", DEVICES)):
        if options[name] not in known:
            raise Invalid(
                _("{name}: '{options}' is not one of {known}.").format(
                    name=name, options=options[name], known=", ".join(known)
                )
            )
    return options


def get_judge(choice: JudgeChoice, options: Mapping[str, Any]) -> Judge:
    """The judge, loaded; this process keeps the last ones."""
    with on_this_machine():
        wanted = JudgeOptions(**options, threads=1)
        return _judges.get((choice.where, wanted), lambda: load_judge(choice.where, wanted))


@contextmanager
def on_this_machine() -> Iterator[None]:
    """A device that is not here may be elsewhere: says so, and how to come to it."""
    try:
        yield
    except NoDevice as error:
        raise DomainError(
            _("{error} The worker that took the job doesn't have this device.").format(error=error),
            _(
                "Retry while only workers with the device are running, start the run with --wait "
                "on a machine that has it, or start it again with the device cpu."
            ),
        ) from None


def is_common(name: str) -> bool:
    """Whether every project of this server finds a judge by that name."""
    return name in PRESETS or _folder_of(name) is not None


def _trained(project: Project) -> QuerySet[TrainedJudge]:
    return TrainedJudge.objects.filter(project=project, is_ready=True)


def find_trained(project: Project, said: str) -> TrainedJudge | None:
    """The project's own judge of that name, or of that name and version."""
    if "\0" in said:  # which PostgreSQL does not even look for
        return None
    name, at, version = said.rpartition("@") if "@" in said else (said, "", "")
    rows = _trained(project).filter(name=name).order_by("-version")
    if at:
        is_number = version.isascii() and version.isdecimal() and len(version) < 10
        rows = rows.filter(version=int(version)) if is_number else rows.none()
    return rows.first()


def has_folds(trained: TrainedJudge) -> bool:
    """Whether the models of its folds were stored."""
    return (trained.path / OUT_OF_FOLD / CARD).is_file()


def _list_choices(trained: TrainedJudge) -> list[JudgeChoice]:
    """The judge itself, and its out-of-fold judge if there is one."""
    choice = _describe_trained(trained)
    if not has_folds(trained):
        return [choice]
    what = _("{what} Each text is judged by a model that was trained without it.").format(
        what=choice.what
    )
    name, where = f"{choice.name}{FOLDS_SUFFIX}", str(trained.path / OUT_OF_FOLD)
    return [choice, replace(choice, name=name, what=what, where=where, kind=OUT_OF_FOLD)]


def _describe_trained(trained: TrainedJudge) -> JudgeChoice:
    """Called by its version, so that a run stays with the judge that it was begun with."""
    card = trained.card
    kind = str(card["kind"])
    what = _(
        "Trained in this project on {labels:,} presence labels ({learned_from}), from {base}."
    ).format(labels=card["data"]["labels"], learned_from=trained.learned_from, base=trained.base)
    classes = 2 if kind in TWO_CLASSES else _count_classes(trained.path)
    return JudgeChoice(str(trained), what, str(trained.path), kind, str(card["function"]), classes)


def _preset(name: str) -> JudgeChoice:
    preset = PRESETS[name]
    kind = preset.module.rpartition(".")[2]
    classes = 2 if kind in TWO_CLASSES else 3 if kind == "nli" else None
    return JudgeChoice(name, preset.what, name, kind, preset.function, classes)


def _folders() -> Iterator[JudgeChoice]:
    root = Path(settings.JUDGES_DIR)
    for folder in sorted(root.iterdir()) if root.is_dir() else []:
        if folder.name in PRESETS or not _is_judge(folder):
            continue
        try:
            yield _describe_folder(folder.name, folder)
        except DomainError as error:
            # Told where it is listed; a run of it is refused.
            yield JudgeChoice(folder.name, error.message, str(folder), "nli")


def _folder_of(name: str) -> Path | None:
    """The folder of that name, if it is below `JUDGES_DIR`, links followed, and holds a judge.

    What a project has trained is found through the project alone.
    """
    if not name or "\0" in name or len(name) > 300:
        return None
    root = Path(settings.JUDGES_DIR).resolve()
    folder = (root / name).resolve()
    is_inside = folder != root and folder.is_relative_to(root)
    if not is_inside or folder.is_relative_to(root / TRAINED):
        return None
    return folder if _is_judge(folder) else None


def _is_judge(folder: Path) -> bool:
    return any((folder / name).is_file() for name in (CARD, CONFIG))


def _describe_folder(name: str, folder: Path) -> JudgeChoice:
    try:
        card = read_card(folder)
    except InputError as error:
        raise DomainError(
            _("judge: {error}").format(error=error), _("Fix the file, or choose another judge.")
        ) from None
    kind = str(card.get("kind", "nli"))
    what = str(card.get("what") or card.get("name") or _("A judge on this server."))
    classes = 2 if kind in TWO_CLASSES else _count_classes(folder)
    return JudgeChoice(name, what, str(folder), kind, str(card.get("function", "")), classes)


def _count_classes(folder: Path) -> int | None:
    """As many as the model names labels; None if it names none, and only loading can tell."""
    try:
        config = json.loads((folder / CONFIG).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    labels = config.get("id2label") if isinstance(config, dict) else None
    return len(labels) if isinstance(labels, dict) and len(labels) in (2, 3) else None
