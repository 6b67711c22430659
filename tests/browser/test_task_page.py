"""Pages written for MTurk send their answers to us, whatever puts the address together."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from annotation.crowd.market.answers import read_answer_xml
from tests.browser.workers import accept, expect_sent, html_question, return_hit, task_in

ANSWER = '<input type="hidden" name="s1" value="yes">'
MTURK = "https://www.mturk.com/mturk/externalSubmit"
SPELLINGS = {
    "no scheme": '<form method="post" action="//www.mturk.com/mturk/externalSubmit">',
    "only the path": '<form method="post" action="/mturk/externalSubmit">',
    "the sandbox, by GET": '<form action="https://workersandbox.mturk.com/mturk/externalSubmit">',
    "in the whole window": f'<form method="post" target="_top" action="{MTURK}">',
}
JOINED = '["https:", "", "www.mturk.com", "mturk", "externalSubmit"].join("/")'
SCRIPTS = {
    "put together and sent": f"it.action = {JOINED}; it.submit();",
    "put together for a button": f"go.formAction = {JOINED}; it.requestSubmit(go);",
    "with a query": f'it.action = {JOINED} + "?hitId=3"; it.submit();',
    "the end of events": f"""it.action = {JOINED};
        it.addEventListener("submit", (event) => event.stopImmediatePropagation());
        it.requestSubmit();""",
    "in the text": f'it.setAttribute("action", "{MTURK}" + "?assignmentId=" + id); it.submit();',
    "by turkSubmitTo": """it.action = to + "/mturk/externalSubmit" + "?assignmentId=" + id;
        it.submit();""",
}
# As crowd-html-elements do: a form around what is in the element, sent by a button of its own.
CROWD = """
class CrowdForm extends HTMLElement {
  connectedCallback() {
    addEventListener("DOMContentLoaded", () => {
      const form = document.createElement("form");
      form.method = "post";
      form.action = "{action}";
      form.append(...this.childNodes);
      this.append(form);
      this.addEventListener("click", ({ target }) => {
        if (target.closest("crowd-button[form-action=submit]")) form.{send}();
      });
    });
  }
}
class CrowdButton extends HTMLElement {
  connectedCallback() {
    this.attachShadow({ mode: "open" }).innerHTML = "<button><slot></slot></button>";
  }
}
customElements.define("crowd-form", CrowdForm);
customElements.define("crowd-button", CrowdButton);
"""
CROWD_PAGE = f"""<script src="https://assets.crowd.aws/crowd-html-elements.js"></script>
<crowd-form answer-format="flatten-objects">{ANSWER}
<crowd-button form-action="submit">Send</crowd-button></crowd-form>"""


def expect_answer(page: Page, market: Any, hit_id: str) -> None:
    expect_sent(page)
    (sent,) = market.list_assignments_for_hit(HITId=hit_id)["Assignments"]
    assert read_answer_xml(sent["Answer"])["s1"] == "yes"


@pytest.mark.parametrize("form", SPELLINGS.values(), ids=SPELLINGS)
def test_forms_are_led_home(seated: Page, market: Any, form: str) -> None:
    hit_id = accept(seated, market, html_question(f"{form}{ANSWER}<button>Send</button>"))
    task_in(seated).get_by_role("button", name="Send").click()
    expect_answer(seated, market, hit_id)


@pytest.mark.parametrize("script", SCRIPTS.values(), ids=SCRIPTS)
def test_scripts_are_led_home(seated: Page, market: Any, script: str) -> None:
    page = f"""<form id="it" method="post">{ANSWER}<button id="go">Hidden</button></form>
<button id="send">Send</button><script>
const query = new URLSearchParams(location.search);
const [id, to] = [query.get("assignmentId"), query.get("turkSubmitTo")];
send.onclick = () => {{ {script} }};
</script>"""
    hit_id = accept(seated, market, html_question(page))
    task_in(seated).get_by_role("button", name="Send").click()
    expect_answer(seated, market, hit_id)


@pytest.mark.parametrize("send", ["submit", "requestSubmit"])
@pytest.mark.parametrize("action", [MTURK, "/mturk/externalSubmit"])
def test_crowd_forms_are_led_home(seated: Page, market: Any, action: str, send: str) -> None:
    def answer(route: Route) -> None:
        body = CROWD.replace("{action}", action).replace("{send}", send)
        route.fulfill(content_type="text/javascript", body=body)

    seated.route("https://assets.crowd.aws/**", answer)
    hit_id = accept(seated, market, html_question(CROWD_PAGE))
    task_in(seated).get_by_role("button", name="Send").click()
    expect_answer(seated, market, hit_id)


def test_nothing_is_sent_from_a_preview(seated: Page, market: Any) -> None:
    page = seated
    form = SPELLINGS["only the path"]
    hit_id = accept(page, market, html_question(f"{form}{ANSWER}<button>Send</button>"))
    return_hit(page)
    page.goto(f"/work/hits/{hit_id}/")
    task_in(page).get_by_role("button", name="Send").click()
    expect(task_in(page).get_by_role("alert")).to_be_visible()
    assert market.list_assignments_for_hit(HITId=hit_id)["Assignments"] == []


def test_scripts_without_a_scheme_run_on_a_server_without_https(seated: Page, market: Any) -> None:
    def answer(route: Route) -> None:
        name = route.request.url.rpartition("/")[2]
        route.fulfill(content_type="text/javascript", body=f"document.body.append(' {name} ')")

    seated.route("http://cdn.test/**", answer)
    more = "document.body.append(Object.assign(document.createElement('script'), {src: address}))"
    page = f"""<body><script src="//cdn.test/first.js"></script>
<script>const address = "//cdn.test/second.js"; {more}</script></body>"""
    accept(seated, market, html_question(page))
    for name in ("first.js", "second.js"):
        expect(task_in(seated).get_by_text(name)).to_be_visible()
