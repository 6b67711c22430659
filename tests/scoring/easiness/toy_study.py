"""A small study in the published layout: some references are easy to split, others are not."""

from __future__ import annotations

from pathlib import Path

import numpy as np

NAMES = ("Ann", "Bo", "Cy", "Dee", "Eve", "Flo")
PLACES = ("Rome", "Oslo", "Lima", "Bonn")
DEEDS = ("sold a boat", "met a friend", "lost a coat", "bought a farm")
SYSTEMS = ("one", "three", "two")


def write_toy(folder: Path, documents: int = 10, *, seed: int = 0, prefix: str = "d") -> Path:
    """Line files with ids, references, SCUs, STUs, labels and summaries."""
    rng = np.random.default_rng(seed)
    rows = [_document(rng) for _ in range(documents)]
    for part in ("labels", "summaries", "by_examples"):
        (folder / part).mkdir(parents=True, exist_ok=True)
    ids = [f"{prefix}{number}" for number in range(documents)]
    _write(folder / "ids.txt", ids)
    for place, name in enumerate(("references.txt", "SCUs.txt", "STUs.txt")):
        _write(folder / name, ["\t".join(row[place]) for row in rows])
    for system in SYSTEMS:
        labels = [rng.integers(2, size=len(row[1])).tolist() for row in rows]
        _write(folder / "labels" / f"{system}.label", ["\t".join(map(str, own)) for own in labels])
        _write(folder / "summaries" / f"{system}.summary", [row[1][0] for row in rows])
    for fold in (0, 1):
        _write(folder / "by_examples" / f"fold{fold + 1}.id", ids[fold::2])
    return folder


def _document(rng: np.random.Generator) -> tuple[list[str], list[str], list[str]]:
    """A reference of two sentences: one with a single fact, one with several and an STU of all."""
    name, other = rng.choice(NAMES, size=2, replace=False)
    place, deed, second = rng.choice(PLACES), *rng.choice(DEEDS, size=2, replace=False)
    age = int(rng.integers(20, 60))
    hard = f"Old sailor {other}, {age}, {second} in {place} last week."
    reference = [f"<t> {name} {deed} . </t> <t> {hard} </t>"]
    scus = [
        f"{name} {deed}",
        f"{other} is a sailor",
        f"{other} is {age}",
        f"{other} {second} in {place}",
    ]
    return reference, scus, [f"{name} {deed}", hard]


def _write(path: Path, lines: list[str]) -> None:
    path.write_text("\n".join(lines), encoding="utf-8", newline="")
