"""`python -m tests.screenshots`: take the pictures that README shows, from the running demo."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path
from typing import Literal

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

from tests.conftest import CHROMIUM_OPTIONS, CHROMIUMS
from tests.servers import ROOT, Product

FOLDER = ROOT / "docs" / "screenshots"
# As many as a page has; the repository carries the pictures, and they are a third as large so.
COLOURS = 128
EMAIL, PASSWORD = "demo@example.org", "pyramid-demo"
# name, page (None: the first example), width, height, colour scheme
PICTURES: list[tuple[str, str | None, int, int, Literal["light", "dark"]]] = [
    ("overview", "/p/demo/", 1440, 860, "light"),
    ("example", None, 1440, 1000, "light"),
    ("example-dark", None, 1440, 1000, "dark"),
    ("example-phone", None, 390, 844, "light"),
    ("studio", "/p/demo/units/1/next/", 1440, 900, "light"),
    ("campaign", "/p/demo/crowd/2/", 1440, 1000, "light"),
    ("judging", "/p/demo/crowd/2/preview/", 1440, 1000, "light"),
    ("what-if", "/p/demo/gold/what-if/?worker=on&campaign=1", 1440, 1000, "light"),
    ("scores", "/p/demo/gold/labels/1/scores/", 1440, 1000, "light"),
    ("run", "/p/demo/runs/1/", 1440, 1000, "light"),
    ("plan", "/p/demo/plans/1/", 1440, 1100, "light"),
    ("metrics", "/p/demo/metrics/2/", 1440, 1000, "light"),
    ("report", "/p/demo/reports/1/", 1440, 1100, "light"),
    ("report-phone", "/p/demo/reports/1/", 390, 844, "dark"),
    ("judging-phone", "/p/demo/crowd/2/preview/", 390, 844, "dark"),
]
STUS = ("--project", "demo", "--extractor", "rich", "--name", "STUs")
BUDGET = ("--project", "demo", "--money", "20", "--hours", "1", "--stus", "STUs")
# A campaign on the demo's corpus that is under way: some workers have answered most of it.
CAMPAIGN = """
import random
from datetime import timedelta
from django.utils import timezone
from annotation.corpora.models import Example, Project, Role, User
from annotation.corpora.jobs.service import finish_job
from annotation.crowd.campaigns.collecting import collect_campaign
from annotation.crowd.campaigns.service import create_campaign
from annotation.crowd.campaigns.steps import publish_campaign
from annotation.crowd.campaigns.service import record_preview
from annotation.crowd.market.money import deposit
from annotation.crowd.market.requesters import get_project_requester
from annotation.crowd.market.work import accept_next, submit_assignment
from annotation.crowd.models import Assignment, MarketHitType, WorkerAccount
from annotation.units.sets.service import create_set
from annotation.units.sets.service import freeze_set
from annotation.units.sets.service import send_to_review
from annotation.units.models import Unit, UnitSet
project, user = Project.objects.get(slug="demo"), User.objects.get(email="demo@example.org")
draft = UnitSet.objects.get(project=project, name="SCUs")
frozen = create_set(project=project, user=user, name="Judged")
Unit.objects.bulk_create(
    Unit(set=frozen, example_id=row.example_id, text=row.text, position=row.position, author=user)
    for row in draft.units.filter(is_deleted=False).exclude(text="")
)
UnitSet.objects.filter(pk=frozen.pk).update(unit_count=frozen.units.count())
frozen.refresh_from_db()
send_to_review(unit_set=frozen, user=user)
freeze_set(unit_set=frozen, user=user, role=Role.OWNER, reason="To show a campaign.")
campaign = create_campaign(
    project=project, user=user, unit_set=frozen, name="First round", preset="realsumm",
    approve_rule="off",
)
deposit(
    requester=get_project_requester(project=project), amount=campaign.budget, note="Grant 4711"
)
record_preview(campaign=campaign, user=user, seconds=32, statements=8)
finish_job(job=publish_campaign(campaign=campaign, user=user))
chance = random.Random(3)
for number in range(4):
    person = User.objects.create_user(f"worker{number}@example.org", name=f"Worker {number}")
    worker = WorkerAccount.objects.create(user=person)
    for kind in MarketHitType.objects.all():
        for _ in range(kind.hits.count() - (number > 1) * 8):
            taken = accept_next(hit_type=kind, worker=worker)
            fields = {}
            for place in range(1, 17):
                likely = ((taken.hit_id * 31 + place * 17) % 10) / 10
                said = "present" if chance.random() < (0.93 if likely > 0.5 else 0.07) else "absent"
                fields[f"s{place}"] = [said]
            submit_assignment(assignment_id=taken.assignment_id, fields=fields)
collect_campaign(campaign=campaign)
now = timezone.now()
for row in Assignment.objects.filter(campaign=campaign):
    row.seconds = chance.uniform(25, 60)
    row.submitted_at = now - timedelta(minutes=chance.triangular(0, 300, 60))
    row.save(update_fields=["seconds", "submitted_at"])
"""


def main() -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    path = next(filter(None, map(shutil.which, CHROMIUMS)))
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        product = Product.at(Path(folder) / "var").start()
        product.wait_until_idle()
        product.manage("shell", "-v0", "-c", CAMPAIGN)
        product.manage("extract_stus", *STUS)
        product.manage("plan_budget", *BUDGET)
        browser = playwright.chromium.launch(executable_path=path, args=CHROMIUM_OPTIONS)
        try:
            for picture in PICTURES:
                take(browser, product.base_url, *picture)
        finally:
            browser.close()
            product.stop()


def take(
    browser: Browser,
    base: str,
    name: str,
    address: str | None,
    width: int,
    height: int,
    scheme: Literal["light", "dark"],
) -> None:
    context = browser.new_context(
        base_url=base, viewport={"width": width, "height": height}, color_scheme=scheme
    )
    page = context.new_page()
    sign_in(page, base)
    if address is None:
        page.goto("/p/demo/examples/")
        page.locator("[data-row] a").first.click()
    else:
        page.goto(address)
    page.wait_for_load_state("networkidle")
    if "preview" in page.url:
        page.frame_locator("iframe").get_by_text("Instructions", exact=True).click()
        page.locator("iframe").scroll_into_view_if_needed()
    page.screenshot(path=FOLDER / f"{name}.png")
    context.close()
    make_small(FOLDER / f"{name}.png")


def make_small(path: Path) -> None:
    picture = Image.open(path).convert("RGB")
    picture.quantize(COLOURS, dither=Image.Dither.NONE).save(path, optimize=True)


def sign_in(page: Page, base: str) -> None:
    page.goto("/sign-in/")
    page.fill("[name=username]", EMAIL)
    page.fill("[name=password]", PASSWORD)
    page.keyboard.press("Enter")
    page.wait_for_url(f"{base}/")


if __name__ == "__main__":
    main()
