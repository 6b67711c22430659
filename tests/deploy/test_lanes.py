"""One worker, as `make run` has it: a person's import is not stuck behind a long extraction."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path

from tests import factories, servers
from tests.servers import Product, wait_until

EXAMPLES = 800
TEXT = "A dam above Brack burst on Monday, and water ran into forty cellars. Nobody was hurt."
EXTRACT = """
from annotation.corpora.models import Project
from annotation.units.stus.extraction import extract_stus
extract_stus(project=Project.objects.get(slug="large"), user=None, extractor="rich")
"""
IMPORT = """
from annotation.corpora.imports.service import create_import
from annotation.corpora.projects.service import create_project
project = create_project(user=None, name="Small", slug="small")
create_import(project=project, user=None, name="small", path={path!r})
"""
JOBS = """
SELECT j.kind, j.state FROM corpora_job j JOIN corpora_project p ON p.id = j.project_id
WHERE p.slug IN ('large', 'small') ORDER BY j.id DESC
"""


def jobs_of(product: Product) -> dict[str, str]:
    """The newest of each kind."""
    address = f"file:{product.data_dir}/giza.sqlite3?mode=ro"
    with closing(sqlite3.connect(address, uri=True, timeout=30)) as database:
        return dict(reversed(database.execute(JOBS).fetchall()))


def shell(product: Product, code: str) -> None:
    servers.run_to_end(product.part.environment, "manage.py", "shell", "-v0", "-c", code)


def write(path: Path, count: int) -> Path:
    lines = [
        json.dumps(factories.example(f"e{n}", references=[f"{TEXT} It was case {n}."]))
        for n in range(count)
    ]
    path.write_text("\n".join(lines))
    return path


def test_an_import_is_checked_while_stus_are_extracted(prepared: Product, tmp_path: Path) -> None:
    product = prepared.copy_to(tmp_path / "var")
    large, small = write(tmp_path / "large.jsonl", EXAMPLES), write(tmp_path / "small.jsonl", 2)
    product.manage("import_corpus", str(large), "--project", "large", "--owner", "demo@example.org")
    product.start()
    try:
        shell(product, EXTRACT)
        wait_until(lambda: jobs_of(product).get("extract_stus") == "running", "it extracts")
        shell(product, IMPORT.format(path=str(small)))
        wait_until(lambda: jobs_of(product).get("check_import") == "done", "the import is checked")
        assert jobs_of(product)["extract_stus"] == "running"
    finally:
        product.stop()
