"""The story's second half by clicks and keys: labels, gold, a judge, metrics, a report, a copy."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from playwright.sync_api import expect

from tests.browser.sessions import LONG_PATIENCE, press
from tests.browser.story_corpus import HITS
from tests.browser.story_setup import go_on

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Page


def keep_labels(owner: Page) -> None:
    """Leave out who is noisy, see that at once, and keep what follows from it."""
    tile = owner.get_by_role("region", name="Excluded", exact=True).locator(".tile__figure")
    owner.get_by_role("spinbutton", name="Minimum HITs").fill(str(HITS))
    owner.get_by_label("Noisy workers").check()
    expect(tile).to_have_text(f"{HITS} assignments")
    owner.get_by_label("Note").fill("One worker said present to everything.")
    owner.get_by_role("button", name="Save as version").click()
    owner.get_by_role("link", name="Create gold version").click(timeout=LONG_PATIENCE)


def make_gold(owner: Page, name: str) -> str:
    """From the form to the version's page; its hash."""
    owner.get_by_label("Name", exact=True).fill(name)
    owner.get_by_label("Licence").fill("CC-BY-4.0")
    owner.get_by_role("button", name="Create gold version").click()
    expect(owner.locator(".page-head .badge")).to_have_text("✓ Ready", timeout=LONG_PATIENCE)
    expect(owner.locator("#methods")).to_contain_text(f"We judged {HITS} summaries")
    return hash_on(owner)


def hash_on(page: Page) -> str:
    """The whole hash of the gold version that is shown."""
    shown = re.search(r"\b[0-9a-f]{64}\b", page.locator("#content-hash").text_content() or "")
    assert shown, "the page of a gold version shows its hash"
    return shown.group()


def run_judge(owner: Page) -> None:
    owner.get_by_role("button", name="Start run").click()
    expect(owner.get_by_role("heading", level=1)).to_have_text(
        "Scores by a judge", timeout=LONG_PATIENCE
    )
    expect(owner.get_by_role("region", name="Correlation, system level")).to_be_visible()


def settle_disagreements(owner: Page, count: int) -> None:
    """An expert's word by a key each; then the way to labels that heed it."""
    press(owner, "n")
    expect(owner.get_by_role("heading", level=1)).to_have_text("Statements to decide")
    for _ in range(count):
        with owner.expect_navigation():
            press(owner, "1")
        expect(owner.get_by_role("status").filter(has_text="Decided")).to_be_visible()


def remake_labels(owner: Page, slug: str) -> None:
    """The overview leads to the rules of the last labels; only keeping is left to do."""
    go_on(owner, slug, re.compile("expert decision"))
    expect(owner.get_by_label("Noisy workers")).to_be_checked()
    owner.get_by_role("button", name="Save as version").click()
    owner.get_by_role("link", name="Create gold version").click(timeout=LONG_PATIENCE)


def retrain(owner: Page) -> None:
    """A lexical one on the gold version that is shown, with two folds; then a run of it."""
    owner.get_by_role("link", name="Train a judge").click()
    owner.get_by_label("Name", exact=True).fill("town")
    owner.locator("input[name=base][value=lexical]").check()
    owner.get_by_label("Number of folds").fill("2")
    owner.get_by_role("button", name="Train judge").click()
    owner.get_by_role("link", name="Use in a run").click(timeout=LONG_PATIENCE)
    run_judge(owner)


def score(owner: Page, slug: str, *metrics: str) -> None:
    """Each by its own page; the list says when all are there."""
    go_on(owner, slug, "Compute other metrics")
    for metric in metrics:
        owner.get_by_role("link", name=re.compile(f"^{metric}\\b")).first.click()
        owner.get_by_role("button", name="Score all summaries").click()
        expect(owner.locator(".page-head .badge")).to_have_text("✓ Ready", timeout=LONG_PATIENCE)
        owner.get_by_role("link", name="All scores").click()
        with owner.expect_navigation():
            owner.get_by_role("link", name="Compute a metric").click()


def build_report(owner: Page, slug: str) -> None:
    """Intervals, and pairs of systems that lie close."""
    go_on(owner, slug, "Check how reliable the scores are")
    owner.get_by_text("Advanced").click()
    owner.get_by_label("Resamples").fill("100")
    owner.get_by_role("button", name="Build report").click()
    report = owner.get_by_role("article")
    expect(report).to_be_visible(timeout=LONG_PATIENCE)
    expect(report).to_contain_text("resamples of both systems and examples")
    expect(report.get_by_role("heading", name="Pairs of systems with close scores")).to_be_visible()


def download_gold(owner: Page, slug: str, folder: Path) -> Path:
    """The last step of a study: give it away."""
    go_on(owner, slug, "The study is complete")
    with owner.expect_download() as download:
        owner.get_by_role("link", name="Download dataset").click()
    path = folder / download.value.suggested_filename
    download.value.save_as(path)
    return path


def restore(page: Page, path: Path, slug: str) -> str:
    """A study from its dataset on another server; the hash of its gold version there."""
    page.goto("/")
    page.get_by_role("link", name="Restore a study").click()
    page.get_by_label("Name").fill("The same study")
    page.get_by_label("Address").fill(slug)
    page.get_by_label("gold.zip or gold.jsonl").set_input_files(path)
    page.get_by_role("button", name="Check and restore").click()
    expect(page.locator("#job")).to_contain_text("Done", timeout=LONG_PATIENCE)
    with page.expect_navigation():
        press(page, "o")
    with page.expect_navigation():
        page.get_by_role("link", name="Gold", exact=True).first.click()
    with page.expect_navigation():
        page.get_by_role("link", name="Town news v2").click()
    return hash_on(page)
