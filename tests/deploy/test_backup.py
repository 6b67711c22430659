"""A backup holds one moment, is whole or not there, and comes back the same on either database."""

from __future__ import annotations

import json
import random
import shutil
import stat
import zipfile

import pytest
from django.db import IntegrityError, connections

from annotation import append_only
from deploy.backup import BackupError, backup, check_backup, restore
from deploy.backup.archive import reading
from tests.deploy.homes import attached, manifest

GOLD = "SELECT name, version, content_hash FROM evaluation_goldversion"


def quiet(line):
    pass


@pytest.fixture(scope="module", autouse=True)
def _outside_of_transactions(django_db_blocker):
    """Databases of these tests are their own."""
    with django_db_blocker.unblock():
        yield


@pytest.fixture(scope="module")
def demo(prepared, tmp_path_factory):
    """The demo with a gold version, a judge and an upload."""
    product = prepared.copy_to(tmp_path_factory.mktemp("demo") / "var")
    product.manage("create_gold", "--project", "demo", "--name", "towns")
    for name in ("judges/.trained/a-judge/model.bin", "imports/an-upload/corpus.jsonl"):
        (product.data_dir / name).parent.mkdir(parents=True, exist_ok=True)
        (product.data_dir / name).write_bytes(name.encode() * 1000)
    database = f"sqlite:///{product.data_dir}/giza.sqlite3"
    with attached("demo", database, product.data_dir) as home:
        yield home


@pytest.fixture(scope="module")
def archive(demo, tmp_path_factory):
    path = tmp_path_factory.mktemp("archive") / "demo.giza.zip"
    demo.backup(path)
    return path


@pytest.fixture(scope="module")
def before(demo, tmp_path_factory):
    return demo.contents(tmp_path_factory.mktemp("before"))


@pytest.fixture(scope="module")
def postgresql(blank, tmp_path_factory):
    """A migrated PostgreSQL without rows."""
    folder = tmp_path_factory.mktemp("postgresql") / "var"
    with attached("pg", blank.copy_to(folder, "giza_restored"), folder) as home:
        yield home


@pytest.fixture(scope="module")
def sqlite(demo, tmp_path_factory):
    """A migrated SQLite without rows."""
    folder = tmp_path_factory.mktemp("sqlite") / "var"
    folder.mkdir()
    shutil.copy(demo.data_dir / "giza.sqlite3", folder)
    with attached("copy", f"sqlite:///{folder}/giza.sqlite3", folder) as home:
        home.clear()
        yield home


def test_it_holds_rows_files_and_what_they_are_of(archive):
    found = manifest(archive)
    rows = {part["table"]: part["rows"] for part in found["tables"]}
    assert (rows["corpora_project"], rows["evaluation_goldversion"]) == (1, 1)
    assert rows["crowd_judgement"] > 1000
    kinds = [part["name"].split("/")[1] for part in found["files"]]
    assert kinds == ["gold", "trained", "imports"]
    assert ["evaluation", "0001_initial"] in found["migrations"]


def test_it_is_read_by_its_owner_alone(archive):
    assert stat.S_IMODE(archive.stat().st_mode) == 0o600


def test_it_leaves_sessions_and_secrets_out(demo, archive):
    secret = (demo.data_dir / "secret-key").read_bytes().strip()
    with zipfile.ZipFile(archive) as opened:
        assert not [
            name for name in opened.namelist() if "session" in name and "prolific" not in name
        ]
        assert not [name for name in opened.namelist() if secret in opened.read(name)]
    assert "django_session" in manifest(archive)["left_out"]


def test_it_is_the_same_when_made_twice(demo, before, tmp_path):
    assert demo.contents(tmp_path) == before


def test_it_goes_into_a_folder_under_the_time(demo, tmp_path):
    made = demo.backup(tmp_path)
    assert [str(path) for path in tmp_path.iterdir()] == [made["path"]]
    assert made["path"].endswith("Z.giza.zip")


def test_it_never_writes_over_a_file(demo, tmp_path):
    path = tmp_path / "kept.zip"
    path.write_text("kept")
    with pytest.raises(BackupError, match="already exists"):
        demo.backup(path)
    assert path.read_text() == "kept"


def test_it_takes_one_moment_while_others_write(demo, tmp_path):
    """Somebody writes when the first table is done; nobody waits, and it is not in the backup."""
    check_one_moment(demo, tmp_path)


def test_it_takes_one_moment_of_postgresql_too(postgresql, archive, tmp_path):
    postgresql.restore(archive, replace=True)
    check_one_moment(postgresql, tmp_path)


def check_one_moment(home, folder):
    with attached("writer", home.address, home.data_dir) as writer:
        said: list[str] = []

        def write_once(line):
            if not said:
                writer.execute("UPDATE corpora_user SET name = 'Written meanwhile'")
            said.append(line)

        home.backup(folder / "moment.zip", say=write_once)
        assert writer.execute("SELECT name FROM corpora_user") == [("Written meanwhile",)]
        writer.execute("UPDATE corpora_user SET name = 'Demo researcher'")
    assert len(said) > 10
    with reading(folder / "moment.zip") as opened:
        (user,) = opened.rows("tables/corpora_user.jsonl")
    assert "Demo researcher" in user
    assert "Written meanwhile" not in user


def test_it_leaves_nothing_under_its_name_when_killed(demo, before, tmp_path):
    path = tmp_path / "killed.zip"
    demo.die(backup, "crowd_judgement", path=path)
    assert not path.exists()
    made = demo.backup(path)
    assert made["rows"] == sum(part.get("rows", 0) for part in before.values())
    assert [found.name for found in tmp_path.iterdir()] == ["killed.zip"]


def test_it_leaves_nothing_at_all_when_it_fails(demo, tmp_path):
    def fail(line):
        raise OSError("no space left")

    with pytest.raises(OSError, match="no space left"):
        demo.backup(tmp_path / "failed.zip", say=fail)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_it_restores_everything(kind, demo, archive, before, request, tmp_path):
    home = request.getfixturevalue(kind)
    home.clear()
    found = home.restore(archive)
    assert found["rows"] == sum(part.get("rows", 0) for part in before.values())
    assert home.contents(tmp_path) == before
    assert home.execute(GOLD) == demo.execute(GOLD)


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_it_protects_the_books_that_it_restored(kind, archive, request):
    """Replacing them is allowed to the restore, and to nobody after it."""
    home = request.getfixturevalue(kind)
    home.restore(archive, replace=True)
    home.restore(archive, replace=True)
    assert append_only.find_missing(connections[home.alias]) == []
    before = home.execute("SELECT * FROM corpora_activity")
    assert before
    for statement in ("DELETE FROM corpora_activity", "UPDATE corpora_activity SET text = ''"):
        with pytest.raises(IntegrityError, match="append-only"):
            home.execute(statement)
    assert home.execute("SELECT * FROM corpora_activity") == before


def test_it_comes_back_from_postgresql_the_same(postgresql, sqlite, archive, before, tmp_path):
    postgresql.restore(archive, replace=True)
    postgresql.backup(tmp_path / "pg.zip")
    sqlite.restore(tmp_path / "pg.zip", replace=True)
    assert sqlite.contents(tmp_path) == before


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_it_never_gives_a_number_again(kind, archive, request, tmp_path):
    """A row that is gone has had its number; money is booked under such numbers."""
    home = request.getfixturevalue(kind)
    home.restore(archive, replace=True)
    insert = "INSERT INTO auth_group (name) VALUES ('g') RETURNING id"
    ((gone,),) = home.execute(insert)
    home.execute("DELETE FROM auth_group")
    home.backup(tmp_path / "later.zip")
    home.restore(tmp_path / "later.zip", replace=True)
    assert home.execute(insert) == [(gone + 1,)]


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_it_changes_nothing_when_killed(kind, archive, request, tmp_path):
    home = request.getfixturevalue(kind)
    home.restore(archive, replace=True)
    home.execute("UPDATE corpora_user SET name = 'Not in the backup'")
    kept = home.contents(tmp_path)
    home.die(restore, "units_unit:", path=archive, replace=True)
    assert home.contents(tmp_path) == kept
    home.restore(archive, replace=True)
    assert home.execute("SELECT name FROM corpora_user") == [("Demo researcher",)]


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_it_changes_nothing_when_it_fails_at_the_end(kind, archive, request, tmp_path):
    home = request.getfixturevalue(kind)
    home.clear()
    shutil.rmtree(home.data_dir / "gold", ignore_errors=True)
    kept = home.contents(tmp_path)

    def fail(line):
        if "Migrating" in line:
            raise OSError("the disk is gone")

    with pytest.raises(OSError, match="the disk is gone"):
        home.restore(archive, say=fail)
    assert home.contents(tmp_path) == kept
    assert not list((home.data_dir / "gold").rglob("*.jsonl"))


def test_it_refuses_a_database_with_rows(sqlite, archive, tmp_path):
    sqlite.restore(archive, replace=True)
    sqlite.execute("UPDATE corpora_user SET name = 'Precious'")
    with pytest.raises(BackupError, match="not empty: corpora_.* --replace"):
        sqlite.restore(archive)
    assert sqlite.execute("SELECT name FROM corpora_user") == [("Precious",)]


def test_it_is_whole(archive):
    assert check_backup(path=archive, say=quiet)["files"] == 3


def test_it_is_refused_wherever_a_byte_changed(archive, tmp_path):
    """Or else the byte was one that means nothing, such as the hour in the ZIP's list."""
    whole, rng, path, told = archive.read_bytes(), random.Random(0), tmp_path / "changed.zip", []
    for place in rng.sample(range(len(whole)), 40):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 0x55]) + whole[place + 1 :])
        try:
            check_backup(path=path, say=quiet)
        except BackupError as error:
            told.append(str(error))
    assert len(told) >= 35
    assert {("damaged" in text, "Nothing was changed" in text) for text in told} == {(True, True)}


@pytest.mark.parametrize("kept", [0.0, 0.5, 0.999])
def test_it_is_refused_when_cut_short(archive, kept, sqlite, tmp_path):
    path = tmp_path / "cut.zip"
    path.write_bytes(archive.read_bytes()[: int(archive.stat().st_size * kept)])
    with pytest.raises(BackupError, match="is damaged .* Nothing was changed"):
        sqlite.restore(path, replace=True)


def test_it_says_that_there_is_no_such_file(sqlite, tmp_path):
    with pytest.raises(BackupError, match="no such file"):
        sqlite.restore(tmp_path / "nowhere.zip")


def rewritten(archive, path, **changes):
    """The archive with another manifest."""
    with zipfile.ZipFile(archive) as old, zipfile.ZipFile(path, "w") as new:
        for name in old.namelist():
            if name != "manifest.json":
                new.writestr(name, old.read(name))
        new.writestr("manifest.json", json.dumps(manifest(archive) | changes))
    return path


@pytest.mark.parametrize(
    "changes, told",
    [
        ({"format": 2, "program": "9.0"}, r"newer Giza \(9.0\), in format 2"),
        ({"migrations": [["corpora", "9999_future"]]}, "newer Giza .* corpora 9999_future"),
        ({"kind": "holiday-photos"}, "not a Giza backup"),
        ({"files": []}, "its parts differ from its manifest"),
    ],
)
def test_it_refuses_what_it_does_not_know(archive, sqlite, changes, told, tmp_path):
    path = rewritten(archive, tmp_path / "strange.zip", **changes)
    with pytest.raises(BackupError, match=told):
        sqlite.restore(path, replace=True)


def test_it_puts_no_file_outside_of_its_folders(archive, sqlite, tmp_path):
    listed = manifest(archive)["files"]
    path = tmp_path / "sly.zip"
    with zipfile.ZipFile(archive) as old, zipfile.ZipFile(path, "w") as new:
        sly = listed[0] | {"name": "files/gold/../../../sly.jsonl"}
        for name in old.namelist():
            goal = sly["name"] if name == listed[0]["name"] else name
            if name != "manifest.json":
                new.writestr(goal, old.read(name))
        body = manifest(archive) | {"files": [sly, *listed[1:]]}
        new.writestr("manifest.json", json.dumps(body))
    with pytest.raises(BackupError, match="not a valid path"):
        sqlite.restore(path, replace=True)
    assert not list(sqlite.data_dir.parent.rglob("sly.jsonl"))


def test_it_refuses_rows_that_do_not_fit_each_other(sqlite, archive, tmp_path):
    """Somebody took rows out by hand where the database did not look."""
    sqlite.restore(archive, replace=True)
    connection = connections[sqlite.alias]
    with connection.constraint_checks_disabled():
        sqlite.execute("DELETE FROM corpora_project")
    sqlite.backup(tmp_path / "torn.zip")
    with pytest.raises(BackupError, match="are inconsistent .* Nothing was changed"):
        sqlite.restore(tmp_path / "torn.zip", replace=True)


def test_it_tells_what_a_database_does_not_take(postgresql, sqlite, archive, tmp_path):
    """SQLite stores a character that PostgreSQL has no room for."""
    sqlite.restore(archive, replace=True)
    sqlite.execute("UPDATE corpora_user SET name = 'a' || char(0) || 'b'")
    sqlite.backup(tmp_path / "nul.zip")
    with pytest.raises(BackupError, match="corpora_user, rows 1 to 1: PostgreSQL refuses"):
        postgresql.restore(tmp_path / "nul.zip", replace=True)


def test_it_says_that_the_secret_is_another(sqlite, archive, settings):
    assert sqlite.restore(archive, replace=True)["warnings"] == []
    settings.SECRET_KEY = "another"
    (warning,) = sqlite.restore(archive, replace=True)["warnings"]
    assert "SECRET_KEY" in warning


def test_its_commands_do_it(prepared, tmp_path):
    product = prepared.copy_to(tmp_path / "var")
    made = json.loads(product.manage("backup", str(tmp_path / "by-command.zip"), "--json"))
    assert made["rows"] > 2000
    assert "restored; " in product.manage("restore", made["path"], "--replace")


def test_it_is_not_restored_under_a_running_server(product, archive):
    with pytest.raises(AssertionError, match="is used by a Giza that is running"):
        product.manage("restore", str(archive), "--replace")
