"""A small study in the published layout: people who do things in places, and who wrote of it."""

from __future__ import annotations

from pathlib import Path

PEOPLE = ("Ann Lee", "Ben Ray", "Eva Holm", "Tom Berg", "Ida Moe", "Max Orr", "Lea Dahl", "Jon Vik")
ROLES = ("striker", "pianist", "farmer", "judge", "sailor", "painter", "banker", "nurse")
DEEDS = (
    ("sold", "a boat"), ("found", "a coin"), ("opened", "a shop"), ("lost", "a case"),
    ("repaired", "a bridge"), ("bought", "a piano"), ("won", "a prize"), ("wrote", "a book"),
)  # fmt: skip
PLACES = ("Rome", "Oslo", "Ghent", "Turin", "Basel", "Lyon", "Porto", "Bonn")
SYSTEMS = ("all", "half", "little")


def write_study(folder: Path, *, prefix: str = "d", step: int = 0) -> Path:
    """Eight documents; a system says all of it, half of it, or next to nothing."""
    lines: dict[str, list[str]] = {name: [] for name in ("ids", "references", "SCUs", "STUs")}
    summaries: dict[str, list[str]] = {name: [] for name in SYSTEMS}
    labels: dict[str, list[str]] = {name: [] for name in SYSTEMS}
    for i, person in enumerate(PEOPLE):
        role, place = ROLES[(i + step) % 8], PLACES[(i + 2 * step) % 8]
        verb, thing = DEEDS[(i + 3 * step) % 8]
        does = f"{person} {verb} {thing}"
        lines["ids"].append(f"{prefix}{i}")
        lines["references"].append(f"Danish {role} {person} {verb} {thing} in {place} on Friday.")
        scus = [f"{person} is a {role}.", f"{does}.", f"{does} in {place}.", f"{does} on Friday."]
        lines["SCUs"].append("\t".join(scus))
        lines["STUs"].append(f"Danish {role} {person} {verb} {thing}")
        says = (f"{does} in {place} on Friday. {person} is a {role}.", f"{does}.", "It rained.")
        for system, text, found in zip(SYSTEMS, says, ("1111", "0100", "0000"), strict=True):
            summaries[system].append(text)
            labels[system].append("\t".join(found))
    _write(folder, "", ".txt", lines)
    _write(folder, "summaries", ".summary", summaries)
    _write(folder, "labels", ".label", labels)
    return folder


def write_studies(data: Path) -> Path:
    """Both of the studies that the ranker learns from."""
    write_study(data / "realsumm")
    write_study(data / "pyrxsum", prefix="x", step=1)
    return data


def _write(folder: Path, part: str, ending: str, files: dict[str, list[str]]) -> None:
    (folder / part).mkdir(parents=True, exist_ok=True)
    for name, lines in files.items():
        (folder / part / (name + ending)).write_text("\n".join(lines), encoding="utf-8")
