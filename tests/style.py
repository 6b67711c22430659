"""The house's numbers for this repository, with the outliers named: `python -m tests.style`."""

from __future__ import annotations

import ast
import functools
import re
import statistics
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CODE = ("annotation", "scoring", "deploy")
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
Function = ast.FunctionDef | ast.AsyncFunctionDef
# What the 95th percentile may have, and what is named if it is longer still.
LONG_FUNCTION, LONG_FILE = 40, 350
LONGEST_FUNCTION, LONGEST_FILE = 50, 450
# Why what is beyond its bound stays so: measures by their name, functions and files by their place.
REASONS = {
    "tests : code": (
        "many tests are tables of input and expected value, where a line is a case; and the whole "
        "suite is kept below a quarter of an hour (docs/decisions.md)"
    ),
    "direct dependencies": (
        "a server that slow clients can't stop and checks of what strangers send are written by "
        "people who do nothing else; requirements.txt has the reason of each"
    ),
}
NO_REASON = "no reason is given: fix it, or say why in tests/style.py"
PINNED = re.compile(r"^(?P<name>[\w.-]+)(?:\[[\w,]+\])?==\S+\s+#", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Measure:
    """A number of the house: what is wanted of it, and whether that holds."""

    name: str
    value: str
    wanted: str
    holds: bool

    @property
    def line(self) -> str:
        """With the reason beneath it if it does not hold."""
        mark = "ok " if self.holds else "OUT"
        line = f"{mark}  {self.name:<36}{self.value:>10}   {self.wanted}"
        return line if self.holds else explained(line, self.name)


def explained(line: str, name: str) -> str:
    return f"{line}\n       {REASONS.get(name, NO_REASON)}"


def python_files(*folders: str) -> list[Path]:
    found = [path for folder in folders for path in (ROOT / folder).rglob("*.py")]
    return sorted(path for path in found if "migrations" not in path.parts)


@functools.cache
def list_functions(path: Path) -> list[tuple[int, str]]:
    """How many lines each function has, with its place; a docstring is no part of its length."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return [
        (_length(node), f"{path.relative_to(ROOT)}:{node.lineno} {node.name}")
        for node in find_functions(tree)
    ]


def find_functions(node: ast.AST) -> Iterator[Function]:
    """Those in it, and those in them. No expression holds one, and most of a file is those."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, FUNCTIONS):
            yield child
        if not isinstance(child, ast.expr):
            yield from find_functions(child)


def _length(node: Function) -> int:
    whole = (node.end_lineno or node.lineno) - node.lineno + 1
    first = node.body[0]
    is_said = ast.get_docstring(node) is not None
    return whole - ((first.end_lineno or first.lineno) - first.lineno + 1 if is_said else 0)


def count_lines(paths: list[Path]) -> int:
    """Lines with something on them."""
    texts = (path.read_text(encoding="utf-8") for path in paths)
    return sum(1 for text in texts for line in text.splitlines() if line.strip())


def share(values: list[int], percent: int) -> float:
    return float(statistics.quantiles(values, n=100, method="inclusive")[percent - 1])


def measure() -> list[Measure]:
    code, tests = python_files(*CODE), python_files("tests")
    functions = [length for path in code for length, _ in list_functions(path)]
    files = [len(path.read_text(encoding="utf-8").splitlines()) for path in code]
    ratio = count_lines(tests) / count_lines(code)
    pins = [
        (ROOT / name).read_text(encoding="utf-8")
        for name in ("requirements.txt", "requirements-torch.txt")
    ]
    direct = sum(len(PINNED.findall(text)) for text in pins)
    median, long = statistics.median(functions), share(functions, 95)
    file_long = share(files, 95)
    return [
        Measure("function length, median", f"{median:g}", "≤ 10 lines", median <= 10),
        Measure(
            "function length, 95th percentile", f"{long:g}", "≤ 40 lines", long <= LONG_FUNCTION
        ),
        Measure(
            "file length, 95th percentile", f"{file_long:g}", "≤ 350 lines", file_long <= LONG_FILE
        ),
        Measure("tests : code", f"{ratio:.2f}", "≥ 1", ratio >= 1),
        Measure("direct dependencies", str(direct), "about 20", direct <= 25),
    ]


def list_outliers() -> list[str]:
    """Functions and files that are too long to be read in one go, the longest first."""
    code = python_files(*CODE)
    functions = [row for path in code for row in list_functions(path) if row[0] > LONGEST_FUNCTION]
    lengths = [(len(path.read_text(encoding="utf-8").splitlines()), path) for path in code]
    files = [(size, str(path.relative_to(ROOT))) for size, path in lengths if size > LONGEST_FILE]
    found = sorted([*functions, *files], reverse=True)
    return [explained(f"{size:5} lines  {place}", _unplaced(place)) for size, place in found]


def _unplaced(place: str) -> str:
    """A function's or file's name without its line, which moves."""
    return re.sub(r":\d+ ", " ", place)


def main() -> int:
    print(*(found.line for found in measure()), sep="\n")
    outliers = list_outliers()
    count = len(outliers) or "None"
    bounds = f"{LONGEST_FUNCTION} lines (functions) or {LONGEST_FILE} (files)"
    print(f"\n{count} longer than {bounds}", end="")
    print(*(":", *outliers) if outliers else ".", sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
