"""Markup of Crowd HTML Elements: elements of a script from elsewhere, whose form that script sends.

The script of Amazon is not ours to keep, so one with the same duties stands for it: it draws its
elements in shadow trees, and sends all values as JSON in the field `taskAnswers`.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from playwright.sync_api import Route, expect

from annotation.crowd.market.answers import read_answer_xml
from tests.browser.clients.clients import FREE_TEXT, create_hit, open_group, read_answer, take
from tests.browser.workers import expect_sent, html_question

if TYPE_CHECKING:
    from playwright.sync_api import Page


ELEMENTS = "https://assets.crowd.aws/crowd-html-elements.js"
TASK = f"""<script src="{ELEMENTS}"></script>
<crowd-form answer-format="flatten-objects">
<p>The dam burst after heavy rain.</p>
<crowd-input name="gist" label="What happened?" required></crowd-input>
<crowd-button-group><label><input type="checkbox" name="sure">I am sure</label></crowd-button-group>
</crowd-form>"""
SCRIPT = """
class CrowdInput extends HTMLElement {
  connectedCallback() {
    const root = this.attachShadow({ mode: "open" });
    root.innerHTML = "<label><span></span> <input></label>";
    root.querySelector("span").textContent = this.getAttribute("label");
  }
  get name() { return this.getAttribute("name"); }
  get value() { return this.shadowRoot.querySelector("input").value; }
}
class CrowdForm extends HTMLElement {
  connectedCallback() {
    this.query = new URLSearchParams(location.search);
    this.attachShadow({ mode: "open" }).innerHTML = "<slot></slot><button>Submit</button>";
    const button = this.shadowRoot.querySelector("button");
    const assignment = this.query.get("assignmentId");
    button.disabled = !assignment || assignment === "ASSIGNMENT_ID_NOT_AVAILABLE";
    button.addEventListener("click", () => this.submit());
  }
  submit() {
    const answers = {};
    for (const item of this.querySelectorAll("[name]")) {
      answers[item.name] = item.type === "checkbox" ? { on: item.checked } : item.value;
      if (item.hasAttribute("required") && !item.value) return;
    }
    const form = document.createElement("form");
    form.method = "post";
    form.action = `${this.query.get("turkSubmitTo")}/mturk/externalSubmit`;
    const fields = {
      assignmentId: this.query.get("assignmentId"),
      taskAnswers: JSON.stringify([answers]),
    };
    for (const [name, value] of Object.entries(fields)) {
      const input = document.createElement("input");
      Object.assign(input, { type: "hidden", name, value });
      form.append(input);
    }
    document.body.append(form);
    form.submit();
  }
}
customElements.define("crowd-input", CrowdInput);
customElements.define("crowd-form", CrowdForm);
"""


def serve(route: Route) -> None:
    route.fulfill(content_type="text/javascript", body=SCRIPT)


def test_a_crowd_form_is_filled_in_and_sent(worker_page: Page, market: Any) -> None:
    worker_page.route(ELEMENTS, serve)
    hit = create_hit(market, Question=html_question(TASK))
    expect(open_group(worker_page, hit).get_by_role("button", name="Submit")).to_be_disabled()
    frame = take(worker_page, hit)
    here = worker_page.url
    frame.get_by_role("button", name="Submit").click()
    frame.get_by_label("What happened?").fill('It "burst" <at once>')
    frame.get_by_label("I am sure").check()
    assert worker_page.url == here, "its elements ask for what is required"
    expect(frame.locator("form")).to_have_count(0)
    frame.get_by_role("button", name="Submit").click()
    expect_sent(worker_page)
    answer = read_answer(market, hit)
    sent = [{"gist": 'It "burst" <at once>', "sure": {"on": True}}]
    assert json.loads(read_answer_xml(answer)["taskAnswers"]) == sent
    found = FREE_TEXT.search(answer)
    assert found is not None
    assert json.loads(found["text"].replace("&lt;", "<").replace("&gt;", ">")) == sent
