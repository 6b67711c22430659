"""The tutorial's story by the command line alone: from files to a dataset that comes back."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.management import CommandError

from annotation.corpora.accounts.models import User
from annotation.corpora.projects.models import Project, Role
from annotation.crowd.campaigns.models import Campaign
from annotation.evaluation.reports.models import Report
from tests import factories
from tests.annotation.evaluation.commanding import run, run_json
from tests.annotation.evaluation.storytelling import FACTS, WORKERS, answer_batch, unpack_study
from tests.browser.story_corpus import REFERENCES, SYSTEMS

STORY = ("--project", "story")


def plan(owner: User, author: User) -> dict[str, Any]:
    """Half of the sentences by a person, all summaries by a crowd; the drafts of that plan."""
    asked = [*STORY, "--money", 20, "--hours", 1, "--stus", "STUs by srl", "--rounds", 4]
    found = run_json("plan_budget", *asked)
    rows = [row for row in found["plans"] if row["written"]]
    key = max(rows, key=lambda row: row["people"])["key"]
    taken = run_json(
        *("plan_budget", *asked, "--take", key, "--name", "Round one", "--author", author.email)
    )
    assert taken["chosen"] == key
    return taken


def collect(campaign: int, folder: Path) -> dict[str, Any]:
    """Out as a batch file, and back as results."""
    option = ["--option", "provider=offline", "--option", f"assignments_per_hit={len(WORKERS)}"]
    cost = run_json("update_campaign", campaign, *option, "--option", "budget=20.00")
    assert (cost["hits"], cost["obstacles"]) == (len(REFERENCES) * len(SYSTEMS), [])
    assert "s per statement" in run(
        *("record_preview", campaign, "--seconds", 20, "--statements", 4)
    )
    total = run_json("publish_campaign", campaign)["total"]
    published = run_json("publish_campaign", campaign, "--for", f"{float(total):.2f}")
    assert published["state"] == "live"
    batch, results = folder / "batch.csv", folder / "results.csv"
    run("export_batch", campaign, "--output", batch)
    results.write_text(answer_batch(batch.read_text()))
    about = [*STORY, "--set", "Round one", "--campaign", campaign]
    found = run_json("import_judgements", results, *about)
    assert "has ended" in run("end_campaign", campaign)
    return found


def test_it_tells_the_whole_story(owner: User, tmp_path: Path) -> None:
    run_json("import_corpus", unpack_study(tmp_path / "corpus"), *STORY, "--owner", owner.email)
    project = Project.objects.get(slug="story")
    ada, ben = factories.make_outsider("Ada"), factories.make_outsider("Ben")
    link = run_json("create_invitation", *STORY, "--role", "annotator", "--note", "Ada")["link"]
    assert link.startswith(f"{settings.PUBLIC_URL.rstrip('/')}/invitations/")
    assert run_json("invite_workers", *STORY, "--uses", 4)["uses"] == 4
    for person in (ada, ben):
        factories.add_member(project, person, Role.ANNOTATOR)

    run_json("extract_stus", *STORY, "--extractor", "srl")
    drafts = plan(owner, ada)
    facts = tmp_path / "facts.jsonl"
    lines = [json.dumps({"id": key, "units": [{"text": text}]}) for key, text in FACTS.items()]
    facts.write_text("\n".join(lines))
    written = run_json("add_units", facts, *STORY, "--set", "Round one", "--author", ada.email)
    assert written == {"units": len(FACTS), "examples": len(FACTS)}
    run("leave_rest", *STORY, "--set", "Round one")
    run("leave_rest", *STORY, "--set", "Round one", "--undo")
    with pytest.raises(CommandError, match="their own units"):
        run("sign_off", *STORY, "--set", "Round one", "--reviewer", ada.email)
    signed = run_json("sign_off", *STORY, "--set", "Round one", "--reviewer", ben.email)
    assert set(signed["examples"]) == set(FACTS)
    frozen = run_json("freeze_set", *STORY, "--set", "Round one")
    assert (frozen["set"], frozen["state"]) == (drafts["set"], "frozen")
    assert len(frozen["hash"]) == 64

    found = collect(drafts["campaign"], tmp_path)
    assert found["assignments"] == len(REFERENCES) * len(SYSTEMS) * len(WORKERS)
    rule = ["--filter", "per-summary"]
    preview = run_json("aggregate_judgements", *STORY, *rule)
    kept = run_json("aggregate_judgements", *STORY, *rule, "--save")
    assert (preview["counts"], kept["version"]) == (kept["counts"], 1)
    statement = ["--set", "Round one", "--example", "dam", "--system", "copy", "--unit", 1]
    settled = run_json("adjudicate", *STORY, *statement, "--label", "present")
    assert settled["present"] is True

    judged = run_json(
        "judge_summaries", *STORY, "--set", "Round one", "--judge", "lexical", "--wait"
    )
    assert judged["is_ready"]
    run_json("score_metric", "rouge", *STORY)
    folder = tmp_path / "report"
    run_json("build_report", *STORY, "--resamples", 50, "--folder", folder)
    assert (folder / "report.html").exists()
    report = Report.objects.get(project=project)
    assert "/shared/" in run("share_report", report.pk, *STORY)
    assert "no longer" in run("share_report", report.pk, *STORY, "--undo")

    gold = run_json("create_gold", *STORY, "--name", "Story", "--set", "Round one")
    packed = tmp_path / "gold.zip"
    run("export_gold", *STORY, "--format", "gold", "--output", packed)
    back = run_json("import_gold", packed, "--project", "copy", "--owner", owner.email)
    assert back["hash"] == gold["hash"]


def test_it_undoes_an_import_and_a_plan(owner: User, tmp_path: Path) -> None:
    run_json("import_corpus", unpack_study(tmp_path / "c"), *STORY, "--owner", owner.email)
    run_json("extract_stus", *STORY, "--extractor", "srl")
    taken = plan(owner, owner)
    run("undo_plan", taken["id"], *STORY)
    assert not Campaign.objects.filter(project__slug="story").exists()
    with pytest.raises(CommandError, match="no such import"):
        run("undo_import", *STORY, "--import", 999_999)
    factories.make_project(owner, "other")
    path = factories.write_jsonl(tmp_path / "one.jsonl", [factories.example("e1")])
    run_json("import_corpus", path, "--project", "other")
    assert "has 0 examples" in run("undo_import", "--project", "other")


@pytest.mark.parametrize(
    "command, problem",
    [
        (["freeze_set", *STORY, "--set", "SCUs"], "not signed off"),
        (["freeze_set", *STORY, "--set", "SCUs", "--by", "ada@example.org"], "role owner"),
        (["add_units", "{empty}", *STORY, "--set", "SCUs"], "format is not recognised"),
        (["add_units", "{unknown}", *STORY, "--set", "SCUs"], "no example 'nowhere'"),
        (["sign_off", *STORY, "--set", "SCUs", "--reviewer", "x@example.org"], "role annotator"),
        (["create_campaign", *STORY, "--set", "SCUs", "--name", "A"], "not frozen"),
    ],
)
def test_it_says_what_is_missing(
    command: list[str], problem: str, owner: User, tmp_path: Path
) -> None:
    project = factories.make_project(owner, "story")
    factories.import_examples(project, tmp_path)
    factories.add_member(project, factories.make_outsider("Ada"), Role.ANNOTATOR)
    unit_set = factories.make_set(project, owner)
    factories.add_unit(unit_set, project.examples.all()[0], owner, "The dam burst.")
    files = {"empty": "", "unknown": json.dumps({"id": "nowhere", "units": [{"text": "X."}]})}
    for name, text in files.items():
        (tmp_path / f"{name}.jsonl").write_text(text)
    paths = {name: str(tmp_path / f"{name}.jsonl") for name in files}
    with pytest.raises(CommandError, match=problem):
        run(*(part.format_map(paths) for part in command))
    unit_set.refresh_from_db()
    assert (unit_set.state, unit_set.unit_count) == ("draft", 1)
