"""Nothing typed in the studio is lost: not with the server, the browser or the session."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest
from playwright.sync_api import Browser, Error, Page, Route, expect

from tests.browser.sessions import OpenPage, sign_in, watched_pages
from tests.browser.studio import Studio
from tests.servers import Product

# Starts a set in the demo project and prints the addresses of its first examples.
SET = """
import json
from annotation.corpora.models import Example, Project, User
from annotation.units import services
project, user = Project.objects.get(slug="demo"), User.objects.get(email="demo@example.org")
unit_set = services.create_set(project=project, user=user, name="outage")
examples = Example.objects.filter(project=project)[:4]
print(json.dumps([f"/p/demo/units/{unit_set.pk}/examples/{row.pk}/" for row in examples]))
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("outage") / "var"


@pytest.fixture(scope="module")
def own(folder: Path) -> Iterator[list[Product]]:
    """A product of these tests' own that may be killed; the last in the list is the running one."""
    running = [Product.at(folder).start()]
    yield running
    running[-1].stop()


@pytest.fixture(scope="module")
def paths(own: list[Product]) -> list[str]:
    return list(json.loads(own[-1].manage("shell", "-c", SET).splitlines()[-1]))


@pytest.fixture
def open_own(browser: Browser, own: list[Product]) -> Iterator[OpenPage]:
    with watched_pages(browser, own[-1].base_url) as open_page:
        yield open_page


@pytest.fixture
def page(open_own: OpenPage) -> Page:
    opened = open_own()
    opened.goto("/sign-in/")
    sign_in(opened)
    return opened


def kill(product: Product) -> None:
    """Kill every process of it at once, as a power cut does."""
    whole = psutil.Process(product.part.process.pid)
    processes = [whole, *whole.children(recursive=True)]
    for process in processes:
        process.kill()
    product.part.process.wait(timeout=30)
    psutil.wait_procs(processes[1:], timeout=30)


def start_again(own: list[Product]) -> None:
    """Start it on the same data and port."""
    own.append(Product.at(own[-1].data_dir, PORT=own[-1].port).start())


def test_it_keeps_what_is_typed_while_the_server_is_dead(
    page: Page, own: list[Product], paths: list[str]
) -> None:
    studio = Studio(page).open(paths[0])
    studio.press("n", "Control+a").type("Tram line 7 reopens")
    studio.expect_saved()
    kill(own[-1])
    studio.type(" on Monday.").press("Enter").type(" It was long")
    expect(studio.saved).to_contain_text("Offline: kept on this device, ")
    expect(studio.saved).to_contain_text("changes waiting")
    draft = studio.field.input_value()
    start_again(own)
    studio.expect_saved().press("Escape", "l")
    studio.expect_texts("Tram line 7 reopens on Monday.", draft)
    page.reload()
    studio.ready().press("l").expect_texts("Tram line 7 reopens on Monday.", draft)


def test_it_finds_what_was_typed_after_a_reload_without_the_server(
    page: Page, own: list[Product], paths: list[str]
) -> None:
    studio = Studio(page).open(paths[1])
    studio.press("n", "Control+a").type("Marshes store carbon").expect_saved()
    kill(own[-1])
    studio.type(" twice as fast").press("Shift+Enter", "n", "Control+a").type("Unfinis")
    with pytest.raises(Error, match="ERR_CONNECTION_REFUSED"):
        page.reload()
    start_again(own)
    page.goto(paths[1])
    studio.ready().press("l")
    studio.expect_texts("Marshes store carbon twice as fast", "Unfinis").expect_saved()


def test_it_finds_what_was_typed_when_the_browser_died(page: Page, paths: list[str]) -> None:
    page.clock.install(time=0)
    Studio(page).open(paths[1])
    page.clock.pause_at(60_000)  # no pause in typing is long enough for a save
    Studio(page).press("n", "Control+a").type("Half a sen")
    with pytest.raises(Error, match="crash"):
        page.goto("chrome://crash")
    studio = Studio(page.context.new_page()).open(paths[1])
    expect(studio.field).to_have_value("Half a sen")
    studio.type("tence").press("Escape").expect_saved()
    expect(studio.texts.filter(has_text="Half a sentence")).to_be_visible()


def test_it_keeps_what_is_typed_after_a_sign_out(page: Page, paths: list[str]) -> None:
    studio = Studio(page).open(paths[2])
    studio.press("n", "Control+a").type("Kelderby won").expect_saved()
    other = page.context.new_page()
    other.goto("/account/")
    other.get_by_role("button", name="Sign out").press("Enter")
    other.get_by_label("E-mail").wait_for()
    studio.type(" after extra time.")
    expect(studio.saved).to_contain_text("Signed out: sign in again, your text is kept")
    page.reload()
    sign_in(page)
    studio.ready().expect_texts("Kelderby won after extra time.").expect_saved()
    page.reload()
    studio.ready().expect_texts("Kelderby won after extra time.")


def test_it_makes_a_change_once_whose_answers_were_lost(page: Page, paths: list[str]) -> None:
    studio = Studio(page).open(paths[3])
    lost: list[str] = []

    def lose(route: Route) -> None:
        if len(lost) == 2:
            route.continue_()
            return
        route.fetch()
        sent = route.request.post_data_json or {}
        lost.append(str(sent["op"]))
        route.abort()

    page.route("**/ops/", lose)
    studio.press("n", "Control+a").type("Heard but not answered")
    expect(studio.saved).to_contain_text("Offline: kept on this device, 1 change waiting")
    studio.type(", twice.").press("Shift+Enter").expect_saved()
    page.reload()
    studio.ready().press("l").expect_texts("Heard but not answered, twice.")
    assert len(set(lost)) == 1


def test_it_sends_from_the_next_page_what_the_last_could_not(page: Page, paths: list[str]) -> None:
    studio = Studio(page).open(paths[2])
    page.context.set_offline(True)
    studio.press("n").type(" Really.").press("Escape")
    expect(studio.saved).to_contain_text("Offline")
    page.context.set_offline(False)
    studio.open(paths[0]).expect_saved()
    assert page.evaluate("Object.keys(localStorage).filter((name) => name.includes('/op/'))") == []
    studio.open(paths[2]).press("l")
    expect(studio.texts).to_have_count(2)
