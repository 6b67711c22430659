"""A small study: a unit is present where the summary has its words."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from scoring.finetune import TrainingRecord

ANIMALS = ("fox", "hen", "bird")
DEEDS = ("ran", "swam", "sat", "flew", "fell", "sang")


def make_records(documents: int = 8, systems: int = 3, *, seed: int = 0) -> list[TrainingRecord]:
    rng = np.random.default_rng(seed)
    found = []
    for document in range(documents):
        deeds = rng.choice(DEEDS, size=4, replace=False).tolist()
        for system in range(systems):
            told = rng.random(4) < 0.5
            said = [
                f"the fox {deed} ." for deed, is_told in zip(deeds, told, strict=True) if is_told
            ]
            found.append(
                TrainingRecord(
                    document=f"d{document}",
                    system=f"s{system}",
                    summary=" ".join(said) or "the hen slept .",
                    units=tuple(f"fox {deed}" for deed in deeds),
                    labels=tuple(int(is_told) for is_told in told),
                    weights=(1, 1, 1, 1),
                )
            )
    return found


def write_study(folder: Path, records: list[TrainingRecord]) -> Path:
    """The records as line files: ids.txt, SCUs.txt, summaries/, labels/."""
    documents = list(dict.fromkeys(record.document for record in records))
    units = {record.document: record.units for record in records}
    (folder / "summaries").mkdir(parents=True)
    (folder / "labels").mkdir()
    _write(folder / "ids.txt", documents)
    _write(folder / "SCUs.txt", ["\t".join(units[document]) for document in documents])
    for system in dict.fromkeys(record.system for record in records):
        rows = {record.document: record for record in records if record.system == system}
        texts = [rows[document].summary for document in documents]
        lines = ["\t".join(map(str, rows[document].labels)) for document in documents]
        _write(folder / "summaries" / f"{system}.summary", texts)
        _write(folder / "labels" / f"{system}.label", lines)
    return folder


def _write(path: Path, lines: list[str]) -> None:
    path.write_text("\n".join(lines), encoding="utf-8", newline="")
