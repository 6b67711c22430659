"""From an empty project to a corpus in it, and back."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.corpora import line_files, zipped
from tests.browser.importing import (
    count_in_navigation,
    file_of,
    send,
    state_of,
    wait_until_imported,
    wait_until_ready,
)
from tests.browser.rest import Rest
from tests.browser.sessions import LONG_PATIENCE, press

DROP = """(zone, files) => {
  const transfer = new DataTransfer();
  for (const [name, text] of Object.entries(files)) transfer.items.add(new File([text], name));
  for (const type of ["dragover", "drop"]) {
    zone.dispatchEvent(new DragEvent(type, { dataTransfer: transfer, bubbles: true }));
  }
}"""
CORPUS = zipped(line_files())


def test_it_makes_a_project_by_keyboard_and_says_what_comes_next(desk: Page) -> None:
    desk.goto("/")
    desk.keyboard.press("c")
    expect(desk.get_by_role("heading", level=1)).to_have_text("New project")
    desk.get_by_label("Name").focus()
    desk.keyboard.type("Fresh study")
    desk.keyboard.press("Tab")
    desk.keyboard.type("fresh")
    desk.keyboard.press("Enter")
    expect(desk.get_by_role("heading", level=1)).to_have_text("Fresh study")
    expect(desk.get_by_text("Import a corpus")).to_be_visible()
    press(desk, "n")
    expect(desk.get_by_role("heading", level=1)).to_have_text("Import texts")


@pytest.fixture(scope="module")
def empty(rest: Rest) -> str:
    return rest.make_project("empty")


@pytest.mark.parametrize(
    "tab, heading",
    [
        ("examples", "No examples yet"),
        ("systems", "No systems yet"),
        ("imports", "No imports yet"),
        ("jobs", "No jobs yet"),
    ],
)
def test_it_says_what_to_do_where_nothing_is(
    desk: Page, empty: str, tab: str, heading: str
) -> None:
    desk.goto(f"/p/{empty}/{tab}/")
    expect(desk.get_by_role("heading", level=2, name=heading)).to_be_visible()
    expect(desk.get_by_role("main").get_by_role("link", name="Import texts").last).to_be_visible()
    press(desk, "i")
    desk.wait_for_url(f"**/p/{empty}/imports/new/")


def test_it_says_what_is_wrong_with_a_file_and_where(desk: Page, rest: Rest) -> None:
    slug = rest.make_project("refused")
    send(desk, slug, file_of("bad.jsonl", b'{"type": "example", "id": "a"}\nnot json\n'))
    expect(state_of(desk)).to_have_text("Has problems", timeout=LONG_PATIENCE)
    table = desk.get_by_role("table", name="Problems in the files")
    expect(table.get_by_role("columnheader")).to_have_text(["File", "Line", "Problem", "Expected"])
    cells = table.get_by_role("row").filter(has_text="JSON").last.get_by_role("cell")
    expect(cells.nth(0)).to_have_text("bad.jsonl")
    expect(cells.nth(1)).to_have_text("2")
    expect(cells.nth(3)).not_to_be_empty()
    expect(count_in_navigation(desk, "Examples")).to_have_text("0")
    desk.go_back()
    expect(desk.get_by_role("heading", level=1)).to_have_text("Import texts")
    desk.go_forward()
    expect(state_of(desk)).to_have_text("Has problems")
    press(desk, "i")
    desk.wait_for_url(f"**/p/{slug}/imports/new/")


def test_it_imports_a_zip_and_takes_it_back(desk: Page, rest: Rest) -> None:
    slug = rest.make_project("zip")
    send(desk, slug, file_of("corpus.zip", CORPUS))
    wait_until_ready(desk)
    preview = desk.get_by_role("table", name="Texts that the import would create")
    for name, number in [("Examples", "3"), ("Systems", "2"), ("Summaries", "6")]:
        row = preview.get_by_role("row", name=name, exact=False).filter(has_text=name)
        expect(row.get_by_role("cell").first).to_have_text(number)
    expect(count_in_navigation(desk, "Examples")).to_have_text("0")
    press(desk, "w")
    wait_until_imported(desk)
    expect(count_in_navigation(desk, "Examples")).to_have_text("3")
    expect(count_in_navigation(desk, "Systems")).to_have_text("2")
    desk.get_by_role("button", name="Undo import").press("Enter")
    expect(state_of(desk)).to_have_text("Discarded", timeout=LONG_PATIENCE)
    expect(count_in_navigation(desk, "Examples")).to_have_text("0")
    expect(count_in_navigation(desk, "Systems")).to_have_text("0")


def test_it_says_that_the_same_file_holds_nothing_new(desk: Page, rest: Rest) -> None:
    slug = rest.make_project("twice")
    rest.bring_in(slug, "corpus.zip", CORPUS)
    send(desk, slug, file_of("corpus.zip", CORPUS))
    wait_until_ready(desk)
    expect(desk.get_by_text("Everything is already in the project")).to_be_visible()
    expect(desk.locator("#write")).to_have_count(0)
    desk.get_by_role("button", name="Discard import").press("Enter")
    expect(desk.get_by_role("status").filter(has_text="import was discarded")).to_be_visible()


def test_it_takes_a_whole_folder(desk: Page, rest: Rest, tmp_path: Path) -> None:
    slug = rest.make_project("foldered")
    files = line_files()
    for name, data in {**files, ".DS_Store": b"x"}.items():
        path = tmp_path / "study" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    desk.goto(f"/p/{slug}/imports/new/")
    with desk.expect_file_chooser() as chooser:
        desk.get_by_role("button", name="Choose a folder").click()
    chooser.value.set_files(tmp_path / "study")
    expect(desk.locator("[data-file-list] li")).to_have_count(len(files))
    desk.get_by_role("button", name="Check files").press("Enter")
    wait_until_ready(desk)


def test_units_are_dropped_too(desk: Page, rest: Rest) -> None:
    slug = rest.make_project("dropped-units")
    desk.goto(f"/p/{slug}/units/import/")
    zone = desk.locator("[data-dropzone]")
    zone.evaluate(DROP, {"SCUs.txt": "The dam burst.", "more.txt": "x"})
    expect(desk.locator("[data-file-list] li")).to_have_count(1)
    expect(desk.locator("[data-file-list]")).to_contain_text("SCUs.txt")


def test_it_takes_several_files_from_the_drop_zone(desk: Page, rest: Rest) -> None:
    slug = rest.make_project("dropped")
    desk.goto(f"/p/{slug}/imports/new/")
    expect(desk.get_by_text("Drop files or a whole folder here")).to_be_visible()
    files = {name: data.decode() for name, data in line_files().items()}
    desk.locator("[data-dropzone]").evaluate(DROP, files)
    expect(desk.locator("[data-file-list] li")).to_have_count(len(files))
    desk.get_by_role("button", name="Check files").press("Enter")
    wait_until_ready(desk)
    expect(desk.get_by_role("heading", level=1)).to_contain_text("and 4 more")
    press(desk, "w")
    wait_until_imported(desk)
    expect(count_in_navigation(desk, "Examples")).to_have_text("3")
