"""What stands in the addresses of pages: one of everything, with names too long for any line."""

from __future__ import annotations

from typing import Any

from tests.browser.corpora import LONG, example, jsonl, line_files, zipped
from tests.browser.rest import Rest
from tests.browser.studio import write_unit
from tests.servers import wait_until


def make_ids(rest: Rest, reading: str, example_ids: dict[str, int]) -> dict[str, Any]:
    """What stands in the addresses, with an import in every state."""
    rest.make_project("bare")
    stretched = rest.make_project("stretched", LONG[:120])
    corpus = [example(LONG[:150], LONG, summaries={LONG[:150]: LONG})]
    rest.bring_in(stretched, f"{LONG[:150]}.jsonl", jsonl(corpus))
    done = rest.first(reading, "imports")
    ready = rest.send(reading, "more.zip", zipped(line_files()))
    refused = rest.send(reading, f"{LONG[:150]}.jsonl", b"no json\n" * 30)
    link = rest.invite(reading, note=LONG[:100])
    units = unit_ids(rest, stretched)
    easiness = easiness_ids(rest)
    return {
        **units,
        **easiness,
        **campaign_ids(rest, stretched),
        **gold_ids(rest),
        **run_ids(rest),
        **judge_ids(rest),
        **plan_ids(rest, easiness["stus"]),
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
    requester = rest.fund(slug, LONG[:120], "100")
    campaigns = f"projects/{slug}/campaigns/"
    draft, live = (
        rest.post(campaigns, data={"name": f"{name}{LONG[:100]}", "unit_set": made})["id"]
        for name in ("D", "L")
    )
    rest.post(f"{campaigns}{live}/publish/")
    wait_until(lambda: rest.get(f"{campaigns}{live}/")["state"] == "live", "the campaign is live")
    return {"draft": draft, "live": live, "requester": requester, **work_ids(rest, slug, live)}


def work_ids(rest: Rest, slug: str, live: int) -> dict[str, Any]:
    """A HIT that is out; the demo account becomes a worker who may look at it."""
    hit = rest.get(f"projects/{slug}/campaigns/{live}/hits/")["results"][0]
    seen = rest.calls.get(f"/p/{slug}/crowd/{live}/preview/").url
    rest.send_form(rest.invite_workers(slug), country="DE", consent="on")
    return {
        "hit": hit["provider_id"],
        "judged_summary": last_of(seen),
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


def plan_ids(rest: Rest, stus: int) -> dict[str, int]:
    """Curves, a budget to choose from, and one of which a plan was taken, with long names."""
    demo = "projects/demo/"
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
