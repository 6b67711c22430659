"""Small studies whose figures can be worked out by hand."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from functools import cache
from pathlib import Path

import numpy as np

from scoring.planning.plans import Budget, Plan, StudySize, find_plans
from scoring.planning.priors import load_prior
from scoring.planning.study import SentenceUnits, UnitStudy, UnitTexts

REFERENCES = ["<t> A cat sat . </t> <t> A dog ran home . </t>", "<t> Rain fell . </t>"]
SCUS = [["A cat sat.", "A dog ran.", "The dog went home."], ["Rain fell."]]
STUS = [["A cat sat", "A dog ran home"], ["Rain fell"]]
LABELS = {"bart": [[1, 1, 0], [1]], "lead": [[1, 0, 0], [0]], "t5": [[0, 1, 1], [1]]}


def write_study(folder: Path, times: int = 1) -> Path:
    """The files of a study with 2 documents, 3 sentences and 3 systems; *times* over."""
    ids = [f"d{number}" for number in range(1, 2 * times + 1)]
    _write(folder / "ids.txt", ids)
    _write(folder / "references.txt", REFERENCES * times)
    for name, units in (("SCUs.txt", SCUS), ("STUs.txt", STUS)):
        _write(folder / name, ["\t".join(row) for row in units] * times)
    for name in ("labels", "summaries"):
        (folder / name).mkdir()
    for system, rows in LABELS.items():
        lines = ["\t".join(map(str, row)) for row in rows]
        _write(folder / "labels" / f"{system}.label", lines * times)
        texts = [_summary(units, row) for units, row in zip(SCUS, rows, strict=True)]
        _write(folder / "summaries" / f"{system}.summary", texts * times)
    return folder


def _write(path: Path, lines: list[str]) -> None:
    path.write_text("\n".join(lines))


def _summary(units: list[str], labels: list[int]) -> str:
    return " ".join(unit for unit, label in zip(units, labels, strict=True) if label) or "Nothing."


def toy_texts() -> UnitTexts:
    """d1: one easy sentence with 1 SCU, one hard with 2; d2: one of its own."""
    sentences = (
        SentenceUnits("d1", 0, "A cat sat.", (0,), (0,)),
        SentenceUnits("d1", 1, "A dog ran home.", (1, 2), (1,)),
        SentenceUnits("d2", 0, "Rain fell.", (0,), (0,)),
    )
    return UnitTexts(("d1", "d2"), sentences, *(_tuples(units) for units in (SCUS, STUS)))


def toy_study() -> UnitStudy:
    """People's labels of SCUs; STUs that are right but for the hard sentence's."""
    texts = toy_texts()
    scus = [np.array([rows[place] for rows in LABELS.values()], dtype=float) for place in (0, 1)]
    stus = [np.array([[1, 1], [1, 1], [0, 0]], dtype=float), scus[1].copy()]
    gold = np.array([table.mean(axis=1) for table in scus])
    systems = tuple(LABELS)
    return UnitStudy(texts.documents, systems, texts.sentences, scus, stus, gold, texts, "human")


def drawn_study(documents: int = 20, systems: int = 8, *, noise: float = 0.2, seed: int = 0):
    """A larger one: an STU has its sentence's SCUs and noise, more of it in later documents."""
    rng = np.random.default_rng(seed)
    names = tuple(f"d{number:02}" for number in range(documents))
    sentences = tuple(
        SentenceUnits(name, place, "w " * (place + 2), (2 * place, 2 * place + 1), (place,))
        for name in names
        for place in range(3)
    )
    skill = rng.uniform(0.2, 0.8, size=(systems, 1))
    scus = [(rng.random((systems, 6)) < skill).astype(float) for _ in names]
    stus = [
        np.clip(
            table.reshape(systems, 3, 2).mean(axis=2)
            + rng.normal(0, noise * (1 + number / documents), size=(systems, 3)),
            0,
            1,
        )
        for number, table in enumerate(scus)
    ]
    gold = np.array([table.mean(axis=1) for table in scus])
    return UnitStudy(names, tuple(f"s{i}" for i in range(systems)), sentences, scus, stus, gold)


def _tuples(units: list[list[str]]) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(row) for row in units)


@cache
def _some_plan() -> Plan:
    return find_plans(StudySize(4, 2), load_prior(), budget=Budget(Decimal(0), 0), rounds=2).plans[
        0
    ]


def plan_of(
    key: str,
    money: int,
    hours: float,
    correlation: float,
    width: float = 0.1,
    power: float = 0.5,
    met: bool | None = None,
) -> Plan:
    """A plan with figures that were never simulated."""
    return replace(
        _some_plan(),
        key=key,
        money=Decimal(money),
        hours=float(hours),
        correlation=correlation,
        width=width,
        power=power,
        meets_goal=met,
    )
