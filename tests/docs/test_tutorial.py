"""The units that the tutorial calls good and bad are so for the linter."""

from __future__ import annotations

import re

from scoring.linting import lint_unit
from tests.documents import DOCS

TEXT = (DOCS / "tutorial.md").read_text()


def test_its_good_units_pass_and_its_bad_ones_do_not() -> None:
    reference = re.search(r"\*“(.+?)”\*", TEXT, re.DOTALL)
    assert reference
    sentences = [" ".join(reference[1].split())]
    table = TEXT.split("| good | bad | why |\n|---|---|---|\n")[1].split("\n\n")[0]
    rows = [[cell.strip() for cell in row.split("|")[1:-1]] for row in table.splitlines()]
    assert len(rows) == 4
    for good, bad, why in rows:
        assert not lint_unit(good, reference_sentences=sentences), good
        assert lint_unit(bad, reference_sentences=sentences), bad
        assert why
