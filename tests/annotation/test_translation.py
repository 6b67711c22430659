"""A second language is a file: pages, forms, errors and commands follow it."""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command
from django.test import Client, override_settings

from annotation.corpora.projects.models import Project, Role
from annotation.errors import Expired
from annotation.wording import counted
from deploy import env
from tests.annotation.corpora.pages import page_of

MAGIC = 0x950412DE
HEADER = "Content-Type: text/plain; charset=UTF-8\nPlural-Forms: nplurals=2; plural=n != 1;\n"
GERMAN = {
    "Corpus": "Korpus",
    "Members": "Mitglieder",
    "Owner": "Leitung",
    "Current password": "Jetziges Passwort",
    "This form has expired": "Das Formular ist abgelaufen",
    "You are not a member of a project '{slug}'.": "Im Projekt „{slug}“ sind Sie nicht dabei.",
    "unit\0units": "Einheit\0Einheiten",
    "Undo an import: delete the texts that it created, and nothing else.": "Einen Import löschen.",
    "There is no project '{slug}'.": "Es gibt kein Projekt „{slug}“.",
}


def write_catalogue(folder: Path, texts: Mapping[str, str]) -> None:
    """The file that `manage.py compilemessages` makes of a translation."""
    rows = [(key.encode(), text.encode()) for key, text in sorted({"": HEADER, **texts}.items())]
    start = 28 + 16 * len(rows)
    keys, values, body = b"", b"", b""
    for number in (0, 1):
        for row in rows:
            entry = struct.pack("<II", len(row[number]), start + len(body))
            keys, values = (keys + entry, values) if number == 0 else (keys, values + entry)
            body += row[number] + b"\0"
    head = struct.pack("<7I", MAGIC, 0, len(rows), 28, 28 + 8 * len(rows), 0, 0)
    path = folder / "de" / "LC_MESSAGES" / "django.mo"
    path.parent.mkdir(parents=True)
    path.write_bytes(head + keys + values + body)


@pytest.fixture
def german(tmp_path: Path) -> Iterator[None]:
    folder = tmp_path / "locale"
    write_catalogue(folder, GERMAN)
    languages = env.languages(folder, ("en-gb", "English"))
    with override_settings(LOCALE_PATHS=[folder], LANGUAGES=languages, LANGUAGE_CODE="de"):
        yield


def test_a_folder_is_a_language(tmp_path: Path):
    write_catalogue(tmp_path, GERMAN)
    (tmp_path / "pt_BR" / "LC_MESSAGES").mkdir(parents=True)
    ours = ("en-gb", "English")
    assert env.languages(tmp_path, ours) == [ours, ("de", "de"), ("pt-br", "pt_BR")]


@pytest.mark.usefixtures("german")
def test_a_page_and_its_menu_are_in_it(project: Project, as_owner: Client):
    page = page_of(as_owner.get("/p/study/members/"))
    assert {"Korpus", "Mitglieder", "Leitung"} <= {*page.text.split()}


@pytest.mark.usefixtures("german")
def test_a_form_is_in_it(as_owner: Client):
    assert "Jetziges Passwort" in page_of(as_owner.get("/account/")).text


@pytest.mark.usefixtures("german")
def test_an_error_is_in_it(project: Project, as_outsider: Client):
    answer = as_outsider.get("/api/v1/projects/study/")
    assert answer.json()["error"]["message"] == "Im Projekt „study“ sind Sie nicht dabei."
    assert str(Expired.title) == "Das Formular ist abgelaufen"


@pytest.mark.usefixtures("german")
def test_a_count_has_the_plural_of_it():
    assert counted(1, "unit", "units") == "1 Einheit"
    assert counted(2, "unit", "units") == "2 Einheiten"


@pytest.mark.usefixtures("german")
def test_a_command_is_in_it(capsys: pytest.CaptureFixture[str]):
    with pytest.raises(SystemExit):
        call_command("undo_import", "--help")
    assert "Einen Import löschen." in capsys.readouterr().out


def test_a_text_of_a_class_follows_the_language(tmp_path: Path):
    """It was made before the language was known."""
    write_catalogue(tmp_path, GERMAN)
    assert Role.OWNER.label == "Owner"
    with override_settings(LOCALE_PATHS=[tmp_path], LANGUAGES=[("de", "de")], LANGUAGE_CODE="de"):
        assert Role.OWNER.label == "Leitung"


def test_the_command_collects_counted_nouns(tmp_path: Path):
    """Of texts that people read, only these are neither marked by gettext nor by a template."""
    from deploy.management.commands.makemessages import Command

    assert "--keyword=counted:2,3" in Command(stdout=StringIO()).xgettext_options
