"""Nothing in the data folder can be read by another account of the machine."""

from __future__ import annotations

import contextlib
import os
import sqlite3
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from deploy import private
from tests.servers import SECRET_KEY, Product, answers, clean_environment, run_serve

# An upload, which a worker then checks and nobody imports.
UPLOAD = """
import json
from tests.factories import example
from annotation.corpora.imports.service import create_import
from annotation.corpora.models import Project
project = Project.objects.first()
lines = json.dumps(example("new")).encode()
create_import(project=project, user=None, name="x", files=[("x.jsonl", [lines])])
"""


def open_to_others(folder: Path) -> list[str]:
    """Every file and folder that is not exactly 0600 or 0700, with its mode."""
    found = []
    for root, _, files in os.walk(folder):
        paths = [(Path(root), 0o700), *((Path(root, name), 0o600) for name in files)]
        for path, wanted in paths:
            with contextlib.suppress(FileNotFoundError):  # a message that was taken meanwhile
                mode = stat.S_IMODE(path.lstat().st_mode)
                if mode & ~wanted:
                    found.append(f"{path.relative_to(folder)} {mode:o}")
    return found


@contextlib.contextmanager
def careless_umask() -> Iterator[None]:
    """Whatever the shell says in which Giza is started."""
    before = os.umask(0)
    try:
        yield
    finally:
        os.umask(before)


def test_a_first_start_opens_nothing_to_others(prepared: Product) -> None:
    assert (prepared.data_dir / "static").is_dir()
    assert (prepared.data_dir / "giza.sqlite3").is_file()
    assert open_to_others(prepared.data_dir) == []


def test_a_later_start_closes_what_was_open_and_makes_nothing_open(
    prepared: Product, tmp_path: Path
) -> None:
    product = prepared.copy_to(tmp_path / "var")
    folders = ("gold", "judges/own", "imports/one", "backups")
    for folder in folders:
        (product.data_dir / folder).mkdir(parents=True, exist_ok=True)
        (product.data_dir / folder / "file").write_text("mine")
    for root, _, files in os.walk(product.data_dir):
        Path(root).chmod(0o777)
        for name in files:
            Path(root, name).chmod(0o666)
    with careless_umask():
        product.start()
    try:
        assert open_to_others(product.data_dir) == []
        assert answers(product.base_url, "/sign-in/"), "the server still reads its own files"
        with contextlib.closing(sqlite3.connect(product.data_dir / "giza.sqlite3")) as database:
            assert database.execute("SELECT count(*) FROM corpora_user").fetchone()[0] > 0
        with careless_umask():
            product.manage("backup", str(product.data_dir / "backups"))
            product.manage("shell", "-c", UPLOAD)
        assert list((product.data_dir / "backups").glob("*.zip"))
        assert list((product.data_dir / "imports").glob("*/x.jsonl"))
        assert list(product.data_dir.glob("giza.sqlite3-*")), "SQLite's own files beside it"
        assert open_to_others(product.data_dir) == []
    finally:
        product.stop()
    printed = product.part.printed()
    assert printed.count("could be read by other accounts on this machine") == 1


def test_each_part_of_a_lab_closes_what_was_open(tmp_path: Path) -> None:
    environment = clean_environment(SECRET_KEY=SECRET_KEY, DATA_DIR=tmp_path)
    left = tmp_path / "imports" / "left"
    left.mkdir(parents=True)
    left.chmod(0o755)
    with careless_umask():
        run_serve(environment, "migrate")
    assert open_to_others(tmp_path) == []


def test_it_leaves_what_links_lead_to(tmp_path: Path) -> None:
    shared = tmp_path / "shared"
    shared.mkdir()
    shared.chmod(0o755)
    data = tmp_path / "data"
    data.mkdir(mode=0o700)
    (data / "judge").symlink_to(shared)
    assert private.close_to_others(data) == private.Repair()
    assert stat.S_IMODE(shared.stat().st_mode) == 0o755


def test_it_says_what_another_account_owns(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError

    tmp_path.chmod(0o755)
    monkeypatch.setattr(Path, "chmod", refuse)
    private.repair(tmp_path)
    assert "belong to another account and can be read by others" in caplog.text
    assert "(chown)" in caplog.text
