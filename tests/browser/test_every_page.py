"""What must hold on every page, whatever it is about."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.corpora import LONG, example, jsonl, line_files, zipped
from tests.browser.inspection import (
    BUILD,
    FAINT_TEXT,
    MISSED,
    SOUND,
    STEP,
    UNSEEN_FOCUS,
    find_barriers,
)
from tests.browser.rest import Rest
from tests.browser.sessions import watched_pages
from tests.browser.studio import Studio, write_unit
from tests.servers import Product, wait_until

# Pages of the application, with its bars; {name} is the id of something in the reading project.
PAGES = {
    "projects": "/",
    "new project": "/projects/new/",
    "account": "/account/",
    "glossary": "/glossary/",
    "REST": "/api/docs/",
    "overview": "/p/reading/",
    "settings": "/p/reading/settings/",
    "members": "/p/reading/members/",
    "examples": "/p/reading/examples/",
    "found": "/p/reading/search/?q=lighthouse",
    "nothing found": "/p/reading/search/?q=zzzz",
    "hostile found": "/p/reading/search/?q=not+bold",
    "examples found": "/p/reading/examples/?q=bridge&where=summary",
    "example": "/p/reading/examples/{example}/?reference=1&sentence=2&order=coverage",
    "long example": "/p/reading/examples/{long}/",
    "unreferenced example": "/p/reading/examples/{unreferenced}/",
    "hebrew example": "/p/reading/examples/{hebrew}/",
    "systems": "/p/reading/systems/",
    "system": "/p/reading/systems/{system}/",
    "imports": "/p/reading/imports/",
    "new import": "/p/reading/imports/new/",
    "import done": "/p/reading/imports/{done}/",
    "import ready": "/p/reading/imports/{ready}/",
    "import refused": "/p/reading/imports/{refused}/",
    "export": "/p/reading/export/",
    "activity": "/p/reading/activity/",
    "activity not found": "/p/reading/activity/?q=unheard-of",
    "notifications": "/notifications/",
    "nothing unread": "/notifications/?show=unread&page=2",
    "jobs": "/p/reading/jobs/",
    "job": "/p/reading/jobs/{job}/",
    "stretched overview": "/p/stretched/",
    "stretched example": "/p/stretched/examples/{stretched_example}/",
    "stretched systems": "/p/stretched/systems/",
    "stretched system": "/p/stretched/systems/{stretched_system}/",
    "stretched settings": "/p/stretched/settings/",
    "empty overview": "/p/bare/",
    "empty examples": "/p/bare/examples/",
    "empty systems": "/p/bare/systems/",
    "empty imports": "/p/bare/imports/",
    "empty jobs": "/p/bare/jobs/",
    "unit sets": "/p/demo/units/",
    "unit set": "/p/demo/units/{units}/",
    "studio": "/p/demo/units/{units}/examples/{written}/",
    "pyramid": "/p/demo/units/{units}/examples/{written}/pyramid/",
    "history": "/p/demo/units/{units}/examples/{written}/history/",
    "comparison": "/p/demo/units/{units}/compare/{other_units}/",
    "unit import": "/p/demo/units/import/",
    "unit settings": "/p/demo/units/settings/",
    "extraction": "/p/demo/units/extract/",
    "STUs": "/p/demo/units/{stus}/",
    "easiness": "/p/demo/units/easiness/",
    "easiness model": "/p/demo/units/easiness/{easiness}/",
    "ranking": "/p/demo/units/{planned}/ranking/",
    "planned set": "/p/demo/units/{planned}/",
    "planned studio": "/p/demo/units/{planned}/examples/{written}/",
    "empty easiness": "/p/bare/units/easiness/",
    "stretched unit sets": "/p/stretched/units/",
    "stretched unit set": "/p/stretched/units/{long_units}/",
    "stretched studio": "/p/stretched/units/{long_units}/examples/{stretched_example}/",
    "stretched pyramid": "/p/stretched/units/{long_units}/examples/{stretched_example}/pyramid/",
    "stretched history": "/p/stretched/units/{long_units}/examples/{stretched_example}/history/",
    "empty unit sets": "/p/bare/units/",
    "empty campaigns": "/p/bare/crowd/",
    "campaigns": "/p/stretched/crowd/",
    "new campaign": "/p/stretched/crowd/new/",
    "import judgements": "/p/stretched/crowd/import/",
    "campaign set-up": "/p/stretched/crowd/{draft}/setup/",
    "campaign draft": "/p/stretched/crowd/{draft}/",
    "campaign preview": "/p/stretched/crowd/{draft}/preview/",
    "campaign to publish": "/p/stretched/crowd/{draft}/publish/",
    "live campaign": "/p/stretched/crowd/{live}/",
    "campaign HITs": "/p/stretched/crowd/{live}/hits/",
    "campaign review": "/p/stretched/crowd/{live}/review/",
    "campaign ledger": "/p/stretched/crowd/{live}/ledger/",
    "empty gold": "/p/bare/gold/",
    "gold": "/p/demo/gold/",
    "what-if": "/p/demo/gold/what-if/?worker=on&summary=on",
    "votes": "/p/demo/gold/what-if/votes/?summary=on",
    "judges": "/p/demo/gold/judges/",
    "contested": "/p/demo/gold/contested/",
    "gold workers": "/p/demo/gold/workers/",
    "gold worker": "/p/demo/gold/workers/{worker}/",
    "label import": "/p/demo/gold/labels/import/",
    "labels": "/p/demo/gold/labels/{labels}/",
    "scores": "/p/demo/gold/labels/{labels}/scores/",
    "new gold version": "/p/demo/gold/labels/{labels}/gold/",
    "gold version": "/p/demo/gold/versions/{gold}/",
    "restore a study": "/import-gold/",
    "empty runs": "/p/bare/runs/",
    "runs": "/p/demo/runs/",
    "new run": "/p/demo/runs/new/",
    "run": "/p/demo/runs/{run}/",
    "run presence": "/p/demo/runs/{run}/presence/?unit={run_unit}&system={run_system}",
    "run people": "/p/demo/runs/{run}/people/",
    "run disagreements": "/p/demo/runs/{run}/disagreements/?show=all",
    "run summaries": "/p/demo/runs/{run}/summaries/",
    "failed run": "/p/demo/runs/{failed_run}/",
    "judges without labels": "/p/bare/judges/",
    "trained judges": "/p/demo/judges/",
    "train a judge": "/p/demo/judges/new/",
    "trained judge": "/p/demo/judges/{judge}/",
    "trained judge without folds": "/p/demo/judges/{plain_judge}/",
    "empty budgets": "/p/bare/plans/",
    "budgets": "/p/demo/plans/",
    "new budget": "/p/demo/plans/new/",
    "budget": "/p/demo/plans/{plan}/?figure=correlation",
    "budget with a plan taken": "/p/demo/plans/{taken_plan}/",
    "a further system": "/p/demo/plans/quote/?campaign={planned_campaign}",
    "no estimates": "/p/bare/estimates/",
    "all estimates": "/p/demo/estimates/",
    "estimate scores": "/p/demo/estimates/new/",
    "estimate": "/p/demo/estimates/{estimate}/",
    "no curves": "/p/bare/curves/",
    "all curves": "/p/demo/curves/",
    "draw curves": "/p/demo/curves/new/",
    "curves": "/p/demo/curves/{curves}/",
    "no reports": "/p/bare/reports/",
    "reports": "/p/demo/reports/",
    "new report": "/p/demo/reports/new/",
    "report": "/p/demo/reports/{report}/",
    "long report": "/p/demo/reports/{long_report}/",
    "no samples": "/p/bare/samples/",
    "samples": "/p/demo/samples/",
    "draw a sample": "/p/demo/samples/new/",
    "sample": "/p/demo/samples/{sample}/",
    "cleaning of a campaign": "/p/demo/crowd/{sampled_campaign}/cleaning/",
    "no scores of metrics": "/p/bare/metrics/",
    "scores of metrics": "/p/demo/metrics/",
    "score by a metric": "/p/demo/metrics/new/?metric=meteor",
    "import scores": "/p/demo/metrics/import/",
    "score set": "/p/demo/metrics/{scores}/?column=rouge2_f1",
    "several metrics": "/p/demo/metrics/several/",
    "no scores to compare": "/p/bare/metrics/disagreements/",
    "disagreements": "/p/demo/metrics/disagreements/",
    "no robustness": "/p/bare/metrics/robustness/",
    "all robustness": "/p/demo/metrics/robustness/",
    "study robustness": "/p/demo/metrics/robustness/new/",
    "robustness": "/p/demo/metrics/robustness/{robustness}/",
    "campaign workers": "/p/stretched/crowd/{live}/workers/",
    "requester": "/account/requesters/{requester}/",
    "work": "/work/",
    "work history": "/work/history/",
    "work earnings": "/work/earnings/",
    "work messages": "/work/messages/",
    "work settings": "/work/settings/",
    "contact about a HIT": "/work/hits/{hit}/contact/",
}
# One card on an empty ground: nothing stands before the content that one could wish to skip.
BARE_PAGES = {
    "sign in": "/sign-in/",
    "join as a worker": "/work/join/",
    "preview of a HIT": "/work/hits/{hit}/",
    "judging page": "/p/stretched/crowd/{live}/preview/{judged_summary}/page/",
    "invitation": "/invitations/{invitation}/",
    "report in print": "/p/demo/reports/{report}/print/",
    "shared report": "/shared/{shared_report}/",
    "not found": "/no-such-page/",
    "not here": "/p/no-such-project/",
}
# What is filled in or decided on the way from a corpus to a report and out again.
FORMS = [
    "new project",
    "new import",
    "import ready",
    "members",
    "unit sets",
    "unit import",
    "extraction",
    "unit set",
    "planned set",
    "ranking",
    "new budget",
    "budget",
    "new campaign",
    "campaign set-up",
    "campaign to publish",
    "campaign review",
    "import judgements",
    "what-if",
    "contested",
    "label import",
    "labels",
    "new gold version",
    "gold version",
    "new run",
    "train a judge",
    "estimate scores",
    "draw curves",
    "score by a metric",
    "several metrics",
    "import scores",
    "study robustness",
    "draw a sample",
    "new report",
    "export",
    "restore a study",
    "account",
]
MOST_STOPS = 400
ALL_PAGES = PAGES | BARE_PAGES
ABSENT = ("not found", "not here")
WIDTHS = (1440, 390)
SCHEMES: tuple[Literal["light", "dark"], ...] = ("dark", "light")
VISITED_SIGNED_OUT = ("sign in", "join as a worker", "invitation", "shared report")


@pytest.fixture(scope="module")
def ids(rest: Rest, reading: str, example_ids: dict[str, int]) -> dict[str, Any]:
    """What stands in the addresses, with an import in every state."""
    rest.make_project("bare")
    stretched = rest.make_project("stretched", LONG[:120])
    corpus = [example(LONG[:150], LONG, summaries={LONG[:150]: LONG})]
    rest.bring_in(stretched, f"{LONG[:150]}.jsonl", jsonl(corpus))
    done = rest.first(reading, "imports")
    ready = rest.send(reading, "more.zip", zipped(line_files()))
    refused = rest.send(reading, f"{LONG[:150]}.jsonl", b"no json\n" * 30)
    link = rest.invite(reading, note=LONG[:100])
    return {
        **unit_ids(rest, stretched),
        **easiness_ids(rest),
        **campaign_ids(rest, stretched),
        **gold_ids(rest),
        **run_ids(rest),
        **judge_ids(rest),
        **plan_ids(rest),
        **report_ids(rest),
        **score_ids(rest),
        "example": example_ids["lighthouse"],
        "long": next(pk for key, pk in example_ids.items() if key.startswith("long-")),
        "unreferenced": example_ids["unreferenced"],
        "hebrew": example_ids["hebrew"],
        "system": rest.first(reading, "systems"),
        "done": done,
        "ready": ready,
        "refused": refused,
        "job": rest.first(reading, "jobs"),
        "stretched_example": rest.first(stretched, "examples"),
        "stretched_system": rest.first(stretched, "systems"),
        "invitation": last_of(link),
    }


def unit_ids(rest: Rest, stretched: str) -> dict[str, int]:
    """Sets of units: the demo's, an empty one, and one with a unit too long for any line."""
    written = rest.first("demo", "unit-sets")
    other = rest.post("projects/demo/unit-sets/", data={"name": "other"})["id"]
    long = rest.post(f"projects/{stretched}/unit-sets/", data={"name": LONG[:80]})["id"]
    example_id = rest.first(stretched, "examples")
    write_unit(rest, f"projects/{stretched}/unit-sets/{long}/examples/{example_id}/", LONG)
    return {
        "units": written,
        "other_units": other,
        "long_units": long,
        "written": rest.first("demo", "examples"),
    }


def easiness_ids(rest: Rest) -> dict[str, int]:
    """STUs of the demo, a plan by which they stand in, and a regressor with a long name."""
    sets, models = "projects/demo/unit-sets/", "projects/demo/easiness-models/"
    scus = rest.first("demo", "unit-sets")
    stus = rest.extract_stus("demo", name=f"S{LONG[:70]}")
    said = {"name": "x" * 80, "scus": scus, "stus": stus, "folds": 2}
    made = rest.post(models, data=said)["id"]
    planned = rest.post(sets, data={"name": "planned"})["id"]
    hardest = rest.get(f"{sets}{stus}/sentences/")["results"][:8]
    plan = {"stus": stus, "human": [row["sentence"] for row in hardest]}
    rest.put(f"{sets}{planned}/plan/", data=plan)
    wait_until(lambda: rest.get(f"{models}{made}/")["is_ready"], "the regressor is trained")
    return {"stus": stus, "easiness": made, "planned": planned}


def campaign_ids(rest: Rest, slug: str) -> dict[str, Any]:
    """A draft and a campaign that is out, both with names too long for any line."""
    made = rest.post(f"projects/{slug}/unit-sets/", data={"name": "frozen"})["id"]
    there = f"projects/{slug}/unit-sets/{made}/"
    write_unit(rest, f"{there}examples/{rest.first(slug, 'examples')}/", LONG[:200])
    rest.post(f"{there}review/")
    rest.post(f"{there}freeze/", data={"reason": "A test."})
    campaigns = f"projects/{slug}/campaigns/"
    draft, live = (
        rest.post(campaigns, data={"name": f"{name}{LONG[:100]}", "unit_set": made})["id"]
        for name in ("D", "L")
    )
    rest.post(f"{campaigns}{live}/publish/")
    wait_until(lambda: rest.get(f"{campaigns}{live}/")["state"] == "live", "the campaign is live")
    return {"draft": draft, "live": live, **work_ids(rest, slug, live)}


def work_ids(rest: Rest, slug: str, live: int) -> dict[str, Any]:
    """A HIT that is out; the demo account becomes a worker who may look at it, and a requester."""
    hit = rest.get(f"projects/{slug}/campaigns/{live}/hits/")["results"][0]
    seen = rest.calls.get(f"/p/{slug}/crowd/{live}/preview/").url
    rest.send_form("/work/join/", country="DE", consent="on")
    requester = rest.send_form("/account/requesters/", name=LONG[:120])
    return {
        "hit": hit["provider_id"],
        "judged_summary": last_of(seen),
        "requester": last_of(requester),
    }


def gold_ids(rest: Rest) -> dict[str, int]:
    """The demo's labels, a worker of them, and a gold version with a name too long for a line."""
    labels = rest.first("demo", "labels")
    data = {"labels": labels, "name": LONG[:80], "description": LONG, "licence": LONG[:80]}
    gold = rest.post("projects/demo/gold/", data=data)["id"]
    there = f"projects/demo/gold/{gold}/"
    wait_until(lambda: rest.get(there)["is_ready"], "the gold version is ready")
    return {"labels": labels, "gold": gold, "worker": rest.first("demo", "workers")}


def run_ids(rest: Rest) -> dict[str, Any]:
    """A run over the labelled units, a value of it, and one that failed."""
    labels = rest.get(f"projects/demo/labels/{rest.first('demo', 'labels')}/")
    data = {"unit_set": labels["unit_set"], "judge": "lexical", "note": LONG[:200]}
    run = rest.post("projects/demo/runs/", data=data)["id"]
    data = {"unit_set": labels["unit_set"], "judge": "nobody/has-this-model"}
    failed = rest.post("projects/demo/runs/", data=data)["id"]
    runs = "projects/demo/runs/"
    wait_until(lambda: rest.get(f"{runs}{run}/")["is_ready"], "the run is ready")
    is_over = ("failed", "done")
    wait_until(lambda: rest.get(f"{runs}{failed}/")["job"]["state"] in is_over, "the other fails")
    system = rest.get(f"{runs}{run}/presence/")["results"][0]["system"]
    example = rest.first("demo", "examples")
    there = f"projects/demo/unit-sets/{labels['unit_set']}/examples/{example}/"
    unit = rest.get(there)["units"][0]["id"]
    found = {"run": run, "failed_run": failed, "run_unit": unit, "run_system": system}
    return found | {"estimate": estimate_id(rest, labels["id"], run)}


def estimate_id(rest: Rest, labels: int, run: int) -> int:
    """People labelled the whole demo, so that the score is about examples beyond it."""
    there = "projects/demo/estimates/"
    data = {"labels": labels, "run": run, "chosen": "random", "target": "population"}
    made = int(rest.post(there, data=data)["id"])
    wait_until(lambda: rest.get(f"{there}{made}/")["is_ready"], "the estimate is ready")
    return made


def judge_ids(rest: Rest) -> dict[str, int]:
    """A trained judge with a name too long for a line, and one that nothing was held out from."""
    judges = "projects/demo/trained-judges/"
    said = {"base": "lexical", "labels": rest.first("demo", "labels")}
    data = ({"name": "x" * 80, "folds": 3}, {"name": "plain", "folds": 0})
    judge, plain = (rest.post(judges, data=said | more)["id"] for more in data)

    def are_ready() -> bool:
        return all(rest.get(f"{judges}{made}/")["is_ready"] for made in (judge, plain))

    wait_until(are_ready, "the judges are trained")
    return {"judge": judge, "plain_judge": plain}


def plan_ids(rest: Rest) -> dict[str, int]:
    """Curves, a budget to choose from, and one of which a plan was taken, with long names."""
    demo = "projects/demo/"
    stus = rest.extract_stus("demo")
    data = {"labels": rest.first("demo", "labels"), "stus": stus, "bootstrap": 20}
    curves = rest.post(f"{demo}curves/", data=data)["id"]
    budget = {"money": "150", "hours": 6, "goal": "width", "stus": stus, "rounds": 2}
    plan, taken = (rest.post(f"{demo}plans/", data=budget)["id"] for _ in range(2))
    made = [f"curves/{curves}/", f"plans/{plan}/", f"plans/{taken}/"]

    def are_ready() -> bool:
        return all(rest.get(f"{demo}{path}")["is_ready"] for path in made)

    wait_until(are_ready, "curves and plans are there")
    rows = rest.get(f"{demo}plans/{taken}/")["frontier"]["plans"]
    key = next(row["key"] for row in rows if row["people"])
    told = rest.post(f"{demo}plans/{taken}/apply/", data={"key": key, "name": LONG[:80]})
    return {
        "curves": curves,
        "plan": plan,
        "taken_plan": taken,
        "planned_campaign": told["campaign"],
    }


def score_ids(rest: Rest) -> dict[str, int]:
    """Scores of a metric with many columns, and a study of robustness, with long notes."""
    there = "projects/demo/score-sets/"
    made = rest.post(there, data={"metric": "rouge", "note": LONG[:200]})["id"]
    wait_until(lambda: rest.get(f"{there}{made}/")["is_ready"], "the scores are there")
    studies = "projects/demo/robustness/"
    said = {"metrics": ["rouge", "js", "length"], "note": LONG[:200]}
    study = rest.post(studies, data=said)["id"]
    wait_until(lambda: rest.get(f"{studies}{study}/")["is_ready"], "the study is made")
    return {"scores": made, "robustness": study, **sample_ids(rest, made)}


def sample_ids(rest: Rest, scores: int) -> dict[str, int]:
    """A sample of all twelve examples, and a draft campaign about it with a long name."""
    sources = [f"scores:{scores}:rouge1_f1", f"scores:{scores}:rouge2_f1"]
    data = {"sources": sources, "bins": 1, "per_bin": 6}
    sample = rest.post("projects/demo/samples/", data=data)["id"]
    labels = rest.get(f"projects/demo/labels/{rest.first('demo', 'labels')}/")
    data = {"unit_set": labels["unit_set"], "name": LONG[:120]}
    drafted = rest.post(f"projects/demo/samples/{sample}/campaign/", data=data)["id"]
    return {"sample": sample, "sampled_campaign": drafted}


def report_ids(rest: Rest) -> dict[str, Any]:
    """The demo's report, shared, and one with a title too long for any line."""
    reports = "projects/demo/reports/"
    first = rest.first("demo", "reports")
    link = rest.post(f"{reports}{first}/share/", data={"shared": True})["link"]
    told = rest.get(f"{reports}{first}/")
    said = {"human": told["human"], "metrics": told["metrics"], "title": LONG[:120]}
    long = rest.post(reports, data=said | {"resamples": 5})["id"]
    wait_until(lambda: rest.get(f"{reports}{long}/")["is_ready"], "the report is built")
    return {
        "report": first,
        "long_report": long,
        "shared_report": last_of(link),
    }


def last_of(address: str) -> str:
    return address.rstrip("/").rsplit("/", 1)[1]


class Tour:
    """Two browsers' windows, one signed in and one not, that go from page to page."""

    def __init__(self, member: Page, visitor: Page, ids: dict[str, Any]) -> None:
        self.member, self.visitor, self.ids = member, visitor, ids

    def visit(self, name: str) -> Page:
        page = self.visitor if name in VISITED_SIGNED_OUT else self.member
        page.set_viewport_size({"width": WIDTHS[0], "height": 900})
        answer = page.goto(ALL_PAGES[name].format(**self.ids))
        assert answer is not None
        assert answer.status == (404 if name in ABSENT else 200)
        if name == "REST":
            page.locator(".opblock").first.wait_for()
        if "studio" in name:
            Studio(page).ready()
        return page


@pytest.fixture(scope="module")
def tour(browser: Browser, product: Product, signed_in: Any, ids: dict[str, Any]) -> Iterator[Tour]:
    with watched_pages(browser, product.base_url, reduced_motion="reduce") as open_page:
        yield Tour(open_page(storage_state=signed_in), open_page(), ids)


@pytest.mark.parametrize("name", ALL_PAGES)
def test_it_is_fit_to_be_shown(tour: Tour, name: str, pytestconfig: pytest.Config) -> None:
    page = tour.visit(name)
    with_colours = pytestconfig.getoption("--axe-colours")
    if name in PAGES:
        skip_to_the_content(page)
    else:
        page.keyboard.press("Tab")
    found = page.evaluate(UNSEEN_FOCUS)
    assert found["stops"] > 0
    assert found["unseen"] == []
    assert page.evaluate(BUILD) == SOUND
    for scheme in SCHEMES:
        page.emulate_media(color_scheme=scheme)
        assert page.evaluate(FAINT_TEXT) == [], scheme
        if scheme == "light" or with_colours:
            assert find_barriers(page, with_colours=with_colours) == [], scheme
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 900})
        assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("name", FORMS)
def test_it_is_filled_in_by_keyboard(tour: Tour, name: str) -> None:
    """Tab stops at every control of the content, down the page and then out of it."""
    page = tour.visit(name)
    skip_to_the_content(page)
    for _ in range(MOST_STOPS):
        page.keyboard.press("Tab")
        step = page.evaluate(STEP)
        if not step["isInside"]:
            break
        assert step["isForward"], step["what"]
    assert not step["isInside"], "Tab does not come to an end"
    assert page.evaluate(MISSED) == []


def skip_to_the_content(page: Page) -> None:
    page.keyboard.press("Tab")
    skip = page.get_by_role("link", name="Skip to the content")
    expect(skip).to_be_focused()
    expect(skip).to_be_in_viewport()
    page.keyboard.press("Enter")
    expect(page.locator("#main")).to_be_focused()


@pytest.mark.parametrize(
    "spoil, script, found",
    [
        ("outline: none !important", UNSEEN_FOCUS, "<button"),
        ("color: #999 !important; background: #888 !important", FAINT_TEXT, "Sign in"),
    ],
)
def test_it_would_see_what_is_wrong(page: Page, spoil: str, script: str, found: str) -> None:
    page.goto("/sign-in/")
    page.locator("main button").evaluate("(button, spoil) => (button.style.cssText = spoil)", spoil)
    page.keyboard.press("Tab")
    assert found in str(page.evaluate(script))


def test_it_would_see_a_barrier(page: Page) -> None:
    page.goto("/sign-in/")
    assert find_barriers(page) == []
    page.get_by_label("E-mail").evaluate("(field) => field.labels[0].remove()")
    assert [found["rule"] for found in find_barriers(page)] == ["label"]
