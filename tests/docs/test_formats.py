"""docs/formats.md names every field of every file that goes in or out."""

from __future__ import annotations

import dataclasses
import inspect
import re
from collections.abc import Collection

import pytest

from scoring.io import answers, chances, jsonl, label_files, sacrerouge, score_files
from scoring.io import table as corpus_table
from scoring.io.gold import GOLD_FORMATS, parsing, records
from scoring.io.gold import table as gold_table
from scoring.io.judgements import batch, systems
from scoring.io.units import UNIT_FORMATS, scu_list
from scoring.io.units import jsonl as unit_jsonl
from scoring.io.units import table as unit_table
from tests.documents import DOCS

TEXT = (DOCS / "formats.md").read_text()
FACTS = {
    name: [field.name for field in dataclasses.fields(kind)]
    for name, kind in inspect.getmembers(records, dataclasses.is_dataclass)
    if name.endswith(("Facts", "Counts", "Adjudication"))
}
FIELDS: dict[str, Collection[str]] = {
    "JSONL": jsonl.EXAMPLE_KEYS | jsonl.SYSTEM_KEYS,
    "CSV": corpus_table.PARTS,
    "SacreROUGE": sacrerouge.READ_KEYS,
    "units, formats": UNIT_FORMATS,
    "units, JSONL": unit_jsonl.EXAMPLE_KEYS | unit_jsonl.UNIT_KEYS | unit_jsonl.CONTRIBUTOR_KEYS,
    "units, CSV": unit_table.COLUMNS,
    "units, REALSumm's list": scu_list.COLUMNS,
    "judgements": batch.NEEDED,
    "judgements, systems": systems.NEEDED,
    "answers": (*answers.NAMES, *answers.NEEDED),
    "labels": label_files.COLUMNS,
    "chances": chances.COLUMNS,
    "scores": score_files.COLUMNS,
    "gold, formats": GOLD_FORMATS,
    "gold, examples": parsing.KEYS,
    "gold, CSV": gold_table.COLUMNS,
    **{f"gold, {name}": names for name, names in FACTS.items()},
}


@pytest.mark.parametrize("kind", FIELDS)
def test_it_names_every_field(kind: str):
    missing = [
        name for name in FIELDS[kind] if not re.search(rf"(?<![\w.]){re.escape(name)}(?!\w)", TEXT)
    ]
    assert missing == []


def test_it_knows_fields_of_every_kind():
    assert len(FACTS) >= 6
    assert all(FIELDS.values())
