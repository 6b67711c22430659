"""The lines before a card that tell `datasets` which file is which configuration."""

from __future__ import annotations

import re
from collections.abc import Sequence

from scoring.io.gold.markup import yaml
from scoring.io.gold.records import GoldFacts

SPLIT = "test"  # nothing here is for training: it is what metrics are held to
SIZES = {
    10**3: "n<1K",
    10**4: "1K<n<10K",
    10**5: "10K<n<100K",
    10**6: "100K<n<1M",
    10**7: "1M<n<10M",
}
LARGER = "10M<n<100M"
# Licences that the hub knows under a name of its own; any other is told in full.
LICENCES = {
    "apache-2.0",
    "cc-by-2.0",
    "cc-by-3.0",
    "cc-by-4.0",
    "cc-by-nc-4.0",
    "cc-by-nc-nd-4.0",
    "cc-by-nc-sa-4.0",
    "cc-by-nd-4.0",
    "cc-by-sa-3.0",
    "cc-by-sa-4.0",
    "cc0-1.0",
    "mit",
    "odc-by",
    "odbl",
    "pddl",
}


def write_front_matter(facts: GoldFacts, tables: Sequence[str]) -> str:
    """YAML between two lines of dashes; the first table is the one that opens by default."""
    lines = [
        f"pretty_name: {yaml(facts.name)}",
        *_licence(facts.licence),
        f"size_categories:\n- {_size(facts.counts.labels)}",
        "task_categories:\n- summarization",
        "tags:\n- pyramid\n- summarization-evaluation",
        "configs:",
        *(_config(table, is_first=table == tables[0]) for table in tables),
    ]
    return "---\n" + "\n".join(lines) + "\n---\n\n"


def _config(table: str, *, is_first: bool) -> str:
    default = "  default: true\n" if is_first else ""
    return (
        f"- config_name: {table}\n{default}"
        f"  data_files:\n  - split: {SPLIT}\n    path: data/{table}.parquet"
    )


def _licence(licence: str) -> list[str]:
    if not licence:
        return ["license: unknown"]
    name = re.sub(r"[\s_]+", "-", licence.strip().lower())
    if name in LICENCES:
        return [f"license: {name}"]
    return ["license: other", f"license_name: {yaml(licence)}"]


def _size(labels: int) -> str:
    return next((name for most, name in SIZES.items() if labels < most), LARGER)
