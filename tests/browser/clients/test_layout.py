"""A layout without a form, as the templates of the field are: created on its page, filled, done."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from uuid import uuid4

from playwright.sync_api import expect

from annotation.crowd.market.answers import read_answer_xml
from tests.browser.clients.clients import create_hit, open_group, read_answer, take
from tests.browser.workers import expect_sent, html_question, make_market
from tests.servers import Product

if TYPE_CHECKING:
    from playwright.sync_api import FilePayload, Locator, Page


# No document around it, no form, no button, and comments and styles as editors leave them.
LAYOUT = """<!-- Made in an editor -->
<section class="container" style="font-size: 0.9em"><ol><li>Read the text.<</li></ol>
<fieldset style="position: sticky; top: 0"><label>Text:</label><br />${summary_text}</fieldset>
<fieldset><p><strong>1. </strong>${statement_1}</p>
<label><input name="S1Answer" type="radio" value="p" required/>Present</label>
<label><input name="S1Answer" type="radio" value="n" required/>Not Present</label></fieldset>
<fieldset><p><strong>2. </strong>${statement_2}</p>
<label><input name="S2Answer" type="radio" value="p" required/>Present</label>
<label><input name="S2Answer" type="radio" value="n" required/>Not Present</label></fieldset>
<fieldset><label for="feedback">Comments:</label><textarea id="feedback" name="feedback"></textarea>
</fieldset></section>
<style type="text/css">fieldset { padding: 10px; }</style>"""
VALUES = {
    "summary_text": "The dam burst after <b>heavy</b> rain.",
    "statement_1": "A dam burst.",
    "statement_2": "Nobody was hurt.",
}


def create_layout(desk: Page, requester: str) -> str:
    """On the requester's pages; the id that scripts are given."""
    desk.goto("/account/")
    desk.get_by_role("link", name=requester).first.click()
    desk.get_by_role("link", name="Layouts").click()
    desk.get_by_label("Name", exact=True).fill("Present or not")
    desk.get_by_label("HTML").fill(LAYOUT)
    desk.get_by_role("button", name="Create layout").click()
    expect(desk.get_by_role("heading", name="Present or not", exact=True)).to_be_visible()
    return desk.url.rstrip("/").rpartition("/")[2]


def preview(desk: Page) -> None:
    """Filled with values, and not to be sent."""
    for name, value in VALUES.items():
        desk.get_by_label(name).fill(value)
    desk.get_by_role("button", name="Fill layout").click()
    shown = desk.frame_locator("iframe.layout-preview")
    expect(shown.get_by_text("A dam burst.")).to_be_visible()
    expect(shown.locator("#submitButton")).to_be_disabled()


def find_choice(frame: Any, number: int, name: str) -> Locator:
    found: Locator = frame.locator("fieldset").nth(number).get_by_label(name, exact=True)
    return found


def test_a_layout_is_created_filled_and_done(
    desk: Page, worker_page: Page, product: Product
) -> None:
    name = f"Layouts {uuid4().hex[:6]}"
    market = make_market(product, name)
    layout_id = create_layout(desk, name)
    preview(desk)
    given = [{"Name": key, "Value": value} for key, value in VALUES.items()]
    hit = create_hit(market, HITLayoutId=layout_id, HITLayoutParameters=given)
    assert hit["HITLayoutId"] == layout_id
    expect(open_group(worker_page, hit).locator("#submitButton")).to_be_disabled()
    frame = take(worker_page, hit)
    expect(frame.locator("b")).to_have_text("heavy")
    find_choice(frame, 1, "Present").check()
    # What the layout requires is asked for before anything is sent.
    frame.get_by_role("button", name="Submit").click()
    expect(frame.locator("[name=S2Answer]:invalid").first).to_be_visible()
    find_choice(frame, 2, "Not Present").check()
    frame.get_by_role("button", name="Submit").click()
    expect_sent(worker_page)
    fields = read_answer_xml(read_answer(market, hit))
    assert list(fields)[:3] == ["S1Answer", "S2Answer", "feedback"]
    assert (fields["S1Answer"], fields["S2Answer"], fields["feedback"]) == ("p", "n", "")


def test_hits_of_a_table_are_priced_and_published(desk: Page, product: Product) -> None:
    name = f"Layouts {uuid4().hex[:6]}"
    market = make_market(product, name)
    create_layout(desk, name)
    desk.get_by_role("link", name="Create HITs").click()
    for label, text in (("Title", "Judge"), ("Description", "Judge it."), ("Reward", "0.15")):
        desk.get_by_label(label).fill(text)
    lines = [",".join(VALUES), *2 * [",".join(VALUES.values())]]
    table: FilePayload = {
        "name": "table.csv",
        "mimeType": "text/csv",
        "buffer": "\r\n".join(lines).encode(),
    }
    desk.get_by_label("CSV file").set_input_files(table)
    desk.get_by_role("button", name="Review cost").click()
    assert market.list_hits()["NumResults"] == 0
    desk.get_by_role("button", name="Publish HITs and hold $0.30").click()
    expect(desk.get_by_text("2 HITs were published")).to_be_visible()
    assert market.list_hits()["NumResults"] == 2
    assert market.get_account_balance()["OnHoldBalance"] == "0.30"


def test_a_page_without_a_form_is_sent_from_one(worker_page: Page, market: Any) -> None:
    """The same as an HTMLQuestion, with nothing to fill in but the button."""
    hit = create_hit(market, Question=html_question("<h1>Watch this</h1><p>Then go on.</p>"))
    take(worker_page, hit).get_by_role("button", name="Submit").click()
    expect_sent(worker_page)
    assert set(read_answer_xml(read_answer(market, hit))) == {"assignmentId"}
