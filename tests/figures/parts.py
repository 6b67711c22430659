"""What is computed for each part: commands of `python -m scoring`, and what of them is stored."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from scoring.cli import COMMANDS, as_json, build_parser

STORED = Path(__file__).parent / "stored"
STUDIES = {"realsumm": "REALSumm", "pyrxsum": "PyrXSum"}
DIGITS = 6
# How far a figure of another processor may differ: vectors differ in their last bits there, and
# trees may split otherwise.
NEAR = 0.002

Found = dict[str, Any]


def _extract(study: str, *options: str) -> list[str]:
    files = ["--references", f"DATA/{study}/references.txt", "--scus", f"DATA/{study}/SCUs.txt"]
    return ["extract-stus", *files, *options]


def _curves(study: str, judge: str) -> list[str]:
    return ["curves", "--data", f"DATA/{study}", "--judge", judge]


def _correlations(study: str, *options: str) -> list[str]:
    return ["correlations", "--data", f"DATA/{study}", *options]


LOWERCASE = "autosummeng:lowercase=yes"
# Metrics with other options than usual, after those with the usual ones.
OPTIONS = (
    *(f"reference_free:{option}" for option in ("measure=fbeta", "pseudo=all", "centrality=no")),
    *(f"reference_free:{option}" for option in ("hybrid=no", "redundancy=no", "form=moverscore")),
    *("pseudo_references:metric=moverscore", LOWERCASE),
)
AGAIN = ("--measure", "spearman", "--metrics", "meteor", "autosummeng", LOWERCASE)

# By part, each run of a command by its name. DATA is the folder of published corpora.
PARTS: dict[str, dict[str, list[str]]] = {
    "held-out": {"held-out": ["held-out", "--data", "DATA"]},
    "easiness": {"figures": ["easiness", "figures", "--data", "DATA"]},
    "stus": {
        "ranker": ["stu-ranker", "--data", "DATA"],
        "REALSumm srl": _extract("realsumm"),
        "REALSumm srl --coref": _extract("realsumm", "--coref"),
        "PyrXSum srl": _extract("pyrxsum"),
    },
    "stu-correlation": {"embedded": ["stu-correlation", "--data", "DATA"]},
    "curves": {
        f"{name} {judge}": _curves(study, judge)
        for study, name in STUDIES.items()
        for judge in ("human", "embedded")
    },
    "correlations": {
        f"{name}{suffix}": _correlations(study, *options)
        for study, name in STUDIES.items()
        for suffix, options in (
            ("", ()),
            (" options", ("--metrics", *OPTIONS)),
            (" spearman", AGAIN),
        )
    },
}


def compute(part: str, data: Path) -> dict[str, Found]:
    """Run the part's commands; what they print is trimmed and rounded."""
    return {name: _run(argv, data) for name, argv in PARTS[part].items()}


def _run(argv: list[str], data: Path) -> Found:
    words = [word.replace("DATA", str(data), 1) for word in argv]
    arguments = build_parser().parse_args(words)
    found = COMMANDS[arguments.command].run(arguments)
    trim = TRIMS.get(arguments.command, dict)
    # By way of text, as the command prints it: nan is null there.
    rounded: Found = _round(json.loads(as_json(trim(found))))
    return rounded


def _trim_units(found: Found) -> Found:
    return {name: value for name, value in found.items() if name != "units"}


def _trim_curves(found: Found) -> Found:
    """Pearson's r alone: gains of each order, and of random ones the ends and the middle."""
    random = {
        level: next(row["values"] for row in found["curves"] if _is_random(row, level))
        for level in ("system", "summary")
    }
    places = [found["percentages"].index(at) for at in (0, 50, 100)]
    return {
        **{name: found[name] for name in ("documents", "systems", "sentences", "seeds")},
        "random": {level: [values[place] for place in places] for level, values in random.items()},
        "gains": [row for row in found["gains"] if row["measure"] == "pearson"],
    }


def _trim_signatures(found: Found) -> Found:
    """Versions of libraries don't belong to the figures."""
    return {name: value for name, value in found.items() if name != "signatures"}


def _is_random(row: Found, level: str) -> bool:
    return bool((row["order"], row["level"], row["measure"]) == ("random", level, "pearson"))


TRIMS: Mapping[str, Callable[[Found], Found]] = {
    "extract-stus": _trim_units,
    "curves": _trim_curves,
    "correlations": _trim_signatures,
}


def _round(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _round(item) for name, item in value.items()}
    if isinstance(value, list):
        return [_round(item) for item in value]
    return round(value, DIGITS) if isinstance(value, float) else value


def path_of(part: str) -> Path:
    return STORED / f"{part}.json"


def read_stored(part: str) -> dict[str, Found]:
    found: dict[str, Found] = json.loads(path_of(part).read_text(encoding="utf-8"))
    return found


def write_stored(part: str, found: dict[str, Found]) -> None:
    path_of(part).write_text(json.dumps(found, ensure_ascii=False, indent=1) + "\n", "utf-8")


def list_differences(old: Any, new: Any, place: str = "") -> Iterator[str]:
    """Where two results differ by more than another processor may cause."""
    if isinstance(old, dict) and isinstance(new, dict):
        for name in old.keys() | new.keys():
            yield from list_differences(old.get(name), new.get(name), f"{place}/{name}")
    elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        for number, pair in enumerate(zip(old, new, strict=True)):
            yield from list_differences(*pair, f"{place}/{number}")
    elif isinstance(old, float) and isinstance(new, float):
        if abs(old - new) > NEAR:
            yield f"{place}: stored {old}, now {new}"
    elif old != new:
        yield f"{place}: stored {old}, now {new}"
