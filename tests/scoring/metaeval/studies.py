"""Studies that tests examine: small ones made up, and REALSumm as published."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from scoring.io.errors import ProblemList
from scoring.io.score_files import load_study, read_kinds
from scoring.io.studies import read_lines, read_summaries
from scoring.metaeval.study import Floats, Study
from scoring.metrics.rouge import load

HUMAN = "human"
RELEASED_HUMAN = "litepyramid_recall"
COPIED = "abs_bart_out"
ROUGES = ("rouge1", "rouge2", "rougeL")


def make_study(
    tables: Mapping[str, Sequence[Sequence[float]] | Floats], kinds: Mapping[str, str] | None = None
) -> Study:
    """Systems A, B, C … on documents d1, d2 …; the scores called `human` are people's."""
    scores = {name: np.asarray(table, dtype=np.float64) for name, table in tables.items()}
    systems, documents = scores[HUMAN].shape
    return Study(
        tuple(chr(ord("A") + place) for place in range(systems)),
        tuple(f"d{place + 1}" for place in range(documents)),
        kinds or {},
        HUMAN,
        scores,
    )


def random_study(
    *, systems: int = 8, documents: int = 12, metrics: int = 2, seed: int = 0, missing: float = 0.0
) -> Study:
    """Metrics that go with people to some degree; a share of each one's cells has no score."""
    rng = np.random.default_rng(seed)
    quality = rng.normal(size=(systems, 1))
    names = [HUMAN, *(f"m{place + 1}" for place in range(metrics))]
    tables = {name: quality + rng.normal(size=(systems, documents)) for name in names}
    for table in tables.values():
        table[rng.random(table.shape) < missing] = np.nan
    return make_study(tables)


def read_released(realsumm: Path) -> Study:
    """`metric_scores.csv` as it was released, with the copied system."""
    kinds = read_kinds(realsumm / "systems.csv")
    return load_study([realsumm / "metric_scores.csv"], human=RELEASED_HUMAN, kinds=kinds)


def read_gold(realsumm: Path, systems: Sequence[str], documents: Sequence[str]) -> Floats:
    """Present SCUs / SCUs, by system and document."""
    rows = []
    for system in systems:
        lines = (realsumm / "labels" / f"{system}.label").read_text(encoding="utf-8").split("\n")
        means = [np.mean([int(label) for label in line.split("\t")]) for line in lines]
        rows.append(dict(zip(_ids(realsumm), means, strict=True)))
    return np.array([[row[name] for name in documents] for row in rows], dtype=np.float64)


def read_rouge(realsumm: Path) -> Study:
    """Our own ROUGE of the summaries, as goldens define it, and people's labels."""
    documents = _ids(realsumm)
    problems = ProblemList()
    summaries = read_summaries(realsumm / "summaries", documents, problems)
    problems.raise_first()
    lines = (realsumm / "references.txt").read_text(encoding="utf-8").split("\n")
    references = [line.replace("<t>", "").replace("</t>", "") for line in lines]
    systems = sorted(summaries)
    rouge = load({"stem": True, "several": "best"})
    texts = [summaries[system][name] for name in documents for system in systems]
    table = rouge.score(texts, [[text] for text in references for _ in systems], [])
    scores = {
        column: table.values[:, place].reshape(len(documents), len(systems)).T
        for place, column in enumerate(rouge.columns)
        if column.startswith(ROUGES)
    }
    scores[RELEASED_HUMAN] = read_gold(realsumm, systems, documents)
    return Study(
        tuple(systems),
        tuple(documents),
        read_kinds(realsumm / "systems.csv"),
        RELEASED_HUMAN,
        scores,
    )


def _ids(realsumm: Path) -> list[str]:
    problems = ProblemList()
    found = read_lines(realsumm / "ids.txt", problems)
    problems.raise_first()
    return found
