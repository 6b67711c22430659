"""Judgements from files: matched by text, taken whole or not at all, and only once."""

from __future__ import annotations

import csv
import io
import json
import zipfile
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from annotation.corpora.accounts.models import User
from annotation.corpora.jobs.service import run_job
from annotation.corpora.projects.models import Project
from annotation.crowd.campaigns.models import (
    Assignment,
    Campaign,
    Hit,
    Judgement,
    ProviderName,
    Worker,
)
from annotation.crowd.offline import service as offline
from annotation.crowd.offline.service import export_batch_csv
from annotation.crowd.providers import get_provider
from annotation.crowd.providers.base import ProviderError
from annotation.errors import DomainError
from annotation.units.sets.models import UnitSet
from tests import factories
from tests.annotation.crowd.results import UNITS, make_frozen, row, write


def take(unit_set: UnitSet, *paths: Path, **more: Any) -> dict[str, Any]:
    """Import; the files must go through."""
    outcome = offline.import_judgements(
        project=unit_set.project, user=None, unit_set=unit_set, paths=paths, **more
    )
    assert outcome.job is not None, outcome.problems
    run_job(job_id=outcome.job.pk)
    outcome.job.refresh_from_db()
    assert outcome.job.state == "done", outcome.job.error
    return outcome.job.result


def refused(unit_set: UnitSet, *paths: Path, **more: Any) -> str:
    outcome = offline.import_judgements(
        project=unit_set.project, user=None, unit_set=unit_set, paths=paths, **more
    )
    assert outcome.job is None
    assert not Assignment.objects.exists()
    problem = outcome.problems[0]
    return f"{problem['file']}:{problem['line']} {problem['message']}"


def test_it_makes_a_campaign_of_a_file(unit_set: UnitSet, tmp_path: Path):
    path = write(
        tmp_path / "r.csv",
        row(WorkerId="W1", AssignmentId="A1", HITId="H1", WorkTimeInSeconds="30"),
        row(answers="ppn", WorkerId="W2", AssignmentId="A2", HITId="H1"),
        row("e2", "soup", "nnn", WorkerId="W1", AssignmentId="A3", AssignmentStatus="Submitted"),
    )
    result = take(unit_set, path)
    campaign = Campaign.objects.get(pk=result["campaign"])
    assert (campaign.provider, campaign.state) == (ProviderName.OFFLINE, "ended")
    assert result == {
        "campaign": campaign.pk, "assignments": 3, "judgements": 9, "hits": 2, "known": 0,
    }  # fmt: skip
    hit = campaign.hits.get(provider_id="H1")
    assert (hit.wanted, hit.collected, hit.decided, hit.parts) == (2, 2, 2, 1)
    assert [item["text"] for item in hit.statements] == list(UNITS)
    assert campaign.hits.exclude(pk=hit.pk).get().decided == 0
    first = campaign.assignments.get(provider_id="A1")
    assert first.answers == {"s1": "present", "s2": "absent", "s3": "absent"}
    assert (first.seconds, str(first.worker), first.state) == (30.0, "W1", "approved")
    assert "Nobody was hurt." in first.raw
    told = Judgement.objects.filter(assignment=first).values_list("unit__text", "present")
    assert dict(told) == dict(zip(UNITS, [True, False, False], strict=True))


def test_it_takes_the_same_file_once(unit_set: UnitSet, tmp_path: Path):
    """Rows without ids are people of their own, and still the same ones next time."""
    path = write(tmp_path / "r.csv", row(), row(), row("e2"))
    first = take(unit_set, path)
    again = take(unit_set, path.rename(tmp_path / "renamed.csv"))
    assert (first["assignments"], again["assignments"], again["known"]) == (3, 0, 3)
    assert again["campaign"] == first["campaign"]
    assert Assignment.objects.count() == 3
    assert not Worker.objects.exists()


def test_it_adds_to_what_is_there(unit_set: UnitSet, tmp_path: Path):
    take(unit_set, write(tmp_path / "a.csv", row(AssignmentId="A1")))
    more = row(answers="nnn", AssignmentId="A2")
    result = take(unit_set, write(tmp_path / "b.csv", row(AssignmentId="A1"), more))
    assert (result["assignments"], result["known"], result["hits"]) == (1, 1, 0)
    assert Hit.objects.get().collected == 2


def test_it_matches_statements_by_text_in_any_order(unit_set: UnitSet, tmp_path: Path):
    shuffled = (UNITS[2], "BLANK", UNITS[0], f" {UNITS[1].replace(' ', '  ')}")
    path = write(tmp_path / "r.csv", row(), row(texts=shuffled, answers="ppnn"))
    take(unit_set, path)
    other = Assignment.objects.latest("pk")
    assert other.answers == {"s3": "present", "s1": "absent", "s2": "absent"}
    assert Hit.objects.count() == 1


@pytest.mark.parametrize("count_blank, counted", [(True, (2, 1)), (False, (0, 0))])
def test_answers_to_blank_are_check_items_where_asked(
    count_blank: bool, counted: tuple[int, int], unit_set: UnitSet, tmp_path: Path
):
    texts = (*UNITS, "BLANK", "BLANK")
    path = write(tmp_path / "r.csv", row(texts=texts, answers="pnnpn"))
    take(unit_set, path, count_blank=count_blank)
    found = Assignment.objects.get()
    assert (found.gold_asked, found.gold_right) == counted
    assert found.judgements.count() == 3


def test_the_command_counts_them_too(unit_set: UnitSet, tmp_path: Path):
    path = write(tmp_path / "r.csv", row(texts=(*UNITS, "BLANK"), answers="pnnp"))
    said = ("--project", unit_set.project.slug, "--set", unit_set.name, "--count-blank")
    call_command("import_judgements", str(path), *said, stdout=io.StringIO())
    found = Assignment.objects.get()
    assert (found.gold_asked, found.gold_right) == (1, 0)


def test_it_splits_long_lists_into_parts(unit_set: UnitSet, tmp_path: Path):
    path = write(
        tmp_path / "r.csv", row(texts=UNITS[:2], answers="pp"), row(texts=UNITS[2:], answers="n")
    )
    take(unit_set, path)
    assert list(Hit.objects.values_list("part", "parts")) == [(0, 2), (1, 2)]


def test_it_keeps_work_with_a_gap_and_says_so(unit_set: UnitSet, tmp_path: Path):
    take(unit_set, write(tmp_path / "r.csv", row(answers="p n")))
    found = Assignment.objects.get()
    assert found.problem == "No answer to statement 2."
    assert found.judgements.count() == 2


@pytest.mark.parametrize(
    "bad, words",
    [
        (row(texts=("Cats fly.",)), "r.csv:3 Example 'e1' has no unit 'Cats fly.' in SCUs v1."),
        (row("e9"), "r.csv:3 The project has no summary of example 'e9'."),
        (row(summary="Other."), "r.csv:3 The summary of 'e1' by 'lead' differs"),
        (row(system="x", summary="?"), "r.csv:3 No system is called 'x'"),
        (row(texts=("BLANK",)), "r.csv:3 The row has no statements."),
        (row(answers="xnn"), "r.csv:3 The answer to statement 1 is 'x'."),
        (row(answers="nnn", AssignmentId="A1"), "r.csv:3 Assignment A1 appears twice"),
        (row("e2", HITId="H1"), "r.csv:3 HIT H1 has different statements"),
    ],
)
def test_it_takes_nothing_if_one_row_is_wrong(
    bad: dict[str, str], words: str, unit_set: UnitSet, tmp_path: Path
):
    path = write(tmp_path / "r.csv", row(AssignmentId="A1", HITId="H1"), bad)
    assert refused(unit_set, path).startswith(words)
    assert not Campaign.objects.exists()


def test_it_finds_the_system_by_its_summary(unit_set: UnitSet, tmp_path: Path):
    take(unit_set, write(tmp_path / "r.csv", row(system="unknown", summary="dam dam")))
    assert Hit.objects.get().summary.system.name == "soup"


def test_it_asks_for_a_table_where_two_systems_wrote_the_same(
    project: Project, owner: User, tmp_path: Path
):
    texts = {"a": "Same.", "b": "Same."}
    corpus = [factories.example("e1", summaries=texts)]
    factories.import_corpus(project, factories.write_jsonl(tmp_path / "c.jsonl", corpus))
    unit_set = make_frozen(project, owner)
    path = write(tmp_path / "r.csv", row(system="x", summary="Same."))
    assert "2 systems have this summary" in refused(unit_set, path)
    systems = write(tmp_path / "systems.csv", {"system": "b", "raw_crowd_file": "raw/r.csv"})
    take(unit_set, path, systems)
    assert Hit.objects.get().summary.system.name == "b"


def test_it_writes_nothing_if_the_corpus_has_changed_since(unit_set: UnitSet, tmp_path: Path):
    outcome = offline.import_judgements(
        project=unit_set.project,
        user=None,
        unit_set=unit_set,
        paths=[write(tmp_path / "r.csv", row(), row("e2"))],
    )
    assert outcome.job is not None
    unit_set.project.examples.filter(key="e2").update(key="gone")
    run_job(job_id=outcome.job.pk)
    outcome.job.refresh_from_db()
    assert (outcome.job.state, Assignment.objects.count()) == ("failed", 0)
    assert "no summary of example 'e2'" in outcome.job.error
    assert not Campaign.objects.exists()


def test_it_wants_a_frozen_set_and_a_name_of_its_own(
    unit_set: UnitSet, corpus: Project, owner: User, tmp_path: Path
):
    path = write(tmp_path / "r.csv", row())
    draft = factories.make_set(corpus, owner, "draft")
    with pytest.raises(DomainError, match="draft v1 is not frozen"):
        take(draft, path)
    make_campaign(unit_set, name="Taken")
    with pytest.raises(DomainError, match="already called 'Taken'"):
        take(unit_set, path, name="Taken")


def test_it_forgets_what_was_sent(unit_set: UnitSet, owner: User, tmp_path: Path, uploads: Path):
    def send(*rows: dict[str, str]) -> offline.JudgementImport:
        data = write(tmp_path / "r.csv", *rows).read_bytes()
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w") as archive:
            archive.writestr("raw/r.csv", data)
        return offline.import_uploaded_judgements(
            project=unit_set.project,
            user=owner,
            unit_set=unit_set,
            files=[("../r.zip", [packed.getvalue()])],
        )

    assert send(row("e9")).job is None
    assert list(uploads.iterdir()) == []
    outcome = send(row())
    assert outcome.job is not None
    run_job(job_id=outcome.job.pk)
    assert list(uploads.iterdir()) == []
    assert Assignment.objects.count() == 1


# A batch that goes out and comes back ---------------------------------------------------------


def make_campaign(unit_set: UnitSet, name: str = "Batch") -> Campaign:
    return Campaign.objects.create(
        project=unit_set.project,
        unit_set=unit_set,
        name=name,
        provider=ProviderName.OFFLINE,
        title="Find statements",
        description="…",
        instructions="…",
        budget=Decimal(0),
    )


def add_hit(campaign: Campaign, *statements: dict[str, Any]) -> Hit:
    numbered = [{"key": f"s{number}", **item} for number, item in enumerate(statements, 1)]
    summary = campaign.project.examples.get(key="e1").summaries.get(system__name="lead")
    return Hit.objects.create(
        campaign=campaign, summary=summary, statements=numbered, reward=Decimal(0), wanted=2
    )


def answered(campaign: Campaign, marks: str) -> dict[str, str]:
    """The batch's only row, as a marketplace gives it back."""
    [sent] = csv.DictReader(io.StringIO("".join(export_batch_csv(campaign)), newline=""))
    return {f"Input.{name}": cell for name, cell in sent.items()} | {
        f"Answer.S{slot}Answer": mark for slot, mark in enumerate(marks, 1)
    }


def test_it_takes_back_the_batch_that_it_wrote(corpus: Project, owner: User, tmp_path: Path):
    """With texts that a spreadsheet would run, and an attention item among the statements."""
    risky = ("=HYPERLINK(1)", "'=HYPERLINK(1)")
    unit_set = make_frozen(corpus, owner, risky)
    campaign = make_campaign(unit_set)
    units = list(unit_set.units.filter(example__key="e1"))
    shown = [{"unit": unit.pk, "text": unit.text} for unit in units]
    add_hit(campaign, *shown, {"gold": True, "text": "+1 is a number."})
    marks = "npp" + "n" * 13
    result = take(unit_set, write(tmp_path / "r.csv", answered(campaign, marks)), campaign=campaign)
    assert (result["assignments"], result["hits"], result["judgements"]) == (1, 0, 2)
    found = Assignment.objects.get()
    assert found.answers == {"s1": "absent", "s2": "present", "s3": "present"}
    assert (found.gold_asked, found.gold_right) == (1, 1)
    told = dict(found.judgements.values_list("unit__text", "present"))
    assert told == {risky[0]: False, risky[1]: True}
    assert Hit.objects.get().wanted == 2


def test_it_adds_no_hit_to_a_campaign_that_was_planned(unit_set: UnitSet, tmp_path: Path):
    campaign = make_campaign(unit_set)
    with pytest.raises(DomainError, match="no HITs yet"):
        export_batch_csv(campaign)
    path = write(tmp_path / "r.csv", row())
    words = "The campaign has no HIT like this one of 'lead' for 'e1'."
    assert words in refused(unit_set, path, campaign=campaign)


def test_it_refuses_what_a_file_can_not_do(unit_set: UnitSet, tmp_path: Path):
    take(unit_set, write(tmp_path / "r.csv", row(WorkerId="W1")))
    assignment = Assignment.objects.select_related("campaign", "hit", "worker").get()
    provider, worker = get_provider(assignment.campaign), Worker.objects.get()
    assert provider.check() == []
    assert provider.find_status(assignment) == "approved"
    assert list(provider.collect([assignment.hit])) == []
    assert provider.survey([assignment.hit])[assignment.hit_id].asked == 1
    published = provider.publish(assignment.hit, "token").provider_id
    assert provider.find_published([assignment.hit])[assignment.hit_id].provider_id == published
    assert provider.notify([worker], "x", "y").failures == {
        "W1": "An offline campaign can't send messages."
    }
    for refuse in (
        lambda: provider.extend(assignment.hit, 1, "t"),
        lambda: provider.approve(assignment, ""),
        lambda: provider.reject(assignment, ""),
        lambda: provider.send_bonus(assignment, Decimal(1), "", "t"),
        lambda: provider.exclude(worker, ""),
        lambda: provider.include(worker),
    ):
        with pytest.raises(ProviderError, match="An offline campaign can't"):
            refuse()


# Commands -------------------------------------------------------------------------------------


def run(*arguments: str) -> str:
    out = io.StringIO()
    call_command(*arguments, stdout=out, stderr=out)
    return out.getvalue()


def test_it_imports_by_command(unit_set: UnitSet, tmp_path: Path):
    path = write(tmp_path / "r.csv", row(), row())
    told = json.loads(
        run("import_judgements", "--project", "study", str(path), "--unit-set=SCUs", "--json")
    )
    assert (told["assignments"], told["judgements"], told["problems"]) == (2, 6, [])
    again = run("import_judgements", "--project", "study", str(path), "--unit-set", "SCUs")
    assert again == "0 assignments and 0 judgements in 0 new HITs; 2 were already imported.\n"


@pytest.mark.parametrize(
    "arguments, words",
    [
        (["--project", "other", "{path}", "--unit-set", "SCUs"], "no project 'other'"),
        (["--project", "study", "{path}", "--unit-set", "x"], "no such unit set. Known: SCUs v1"),
        (["--project", "study", "/nowhere", "--unit-set", "SCUs"], "no such file or folder"),
        (["--project", "study", "{path}", "--unit-set", "SCUs"], "Nothing was changed"),
    ],
)
def test_it_says_what_is_not_there(
    arguments: list[str], words: str, unit_set: UnitSet, tmp_path: Path
):
    path = write(tmp_path / "r.csv", row("e9"))
    with pytest.raises(CommandError, match=words):
        run("import_judgements", *(item.format(path=path) for item in arguments))


def test_it_exports_a_batch_by_command(unit_set: UnitSet, tmp_path: Path):
    campaign = make_campaign(unit_set)
    add_hit(campaign, {"unit": 1, "text": "The dam burst."})
    path = tmp_path / "batch.csv"
    told = run("export_batch", str(campaign.token), "--output", str(path))
    assert told == f"Batch: 1 HITs in {path}.\n"
    assert path.read_text().startswith("eventId,summaryId,qIdList,summary_text,statement_1,")
    for name in ("0", "nobody"):
        with pytest.raises(CommandError, match=name):
            run("export_batch", name)


def test_it_counts_answers_once_whatever_campaign_they_came_by(
    unit_set: UnitSet, tmp_path: Path, owner: User
):
    from annotation.evaluation.labels.answers import get_collected, list_judged_campaigns

    first = write(tmp_path / "a.csv", row(AssignmentId="A1", WorkerId="W1"))
    take(unit_set, first)
    with pytest.raises(DomainError, match="already"):
        offline.import_judgements(
            project=unit_set.project, user=None, unit_set=unit_set, paths=[first], name="Again"
        )
    both = write(
        tmp_path / "b.csv",
        row(AssignmentId="A1", WorkerId="W1"),
        row(AssignmentId="A2", WorkerId="W1"),
    )
    result = take(unit_set, both, name="Again")
    assert (result["assignments"], result["known"]) == (1, 1)
    assert len(get_collected(list_judged_campaigns(unit_set.project)).assignments) == 2
    # Ids of another study's own, such as numbers from 1 on, are no sign of the same answers.
    other = write(tmp_path / "c.csv", row("e2", AssignmentId="A1", WorkerId="W1"))
    assert take(unit_set, other, name="Third")["assignments"] == 1


def test_what_was_imported_twice_before_counts_once(unit_set: UnitSet, tmp_path: Path):
    """Copies from before imports looked at other campaigns, and those that two providers bring."""
    from annotation.evaluation.labels.answers import get_collected, list_judged_campaigns

    take(unit_set, write(tmp_path / "a.csv", row(AssignmentId="A1"), row("e2", AssignmentId="A2")))
    take(unit_set, write(tmp_path / "b.csv", row("e2", answers="nnn", AssignmentId="A3")), name="B")
    copy = Assignment.objects.get(provider_id="A2")
    given = list(copy.judgements.all())
    other = Campaign.objects.get(name="B")
    copy.pk, copy.campaign, copy.hit = None, other, other.hits.get()
    copy.save()
    for judgement in given:
        judgement.pk, judgement.assignment = None, copy
        judgement.save()
    collected = get_collected(list_judged_campaigns(unit_set.project))
    assert sorted(collected.answers.assignment_keys) == ["A1", "A2", "A3"]
    assert len(collected.answers) == 9


def test_a_second_import_at_once_leaves_no_empty_campaign(unit_set: UnitSet, tmp_path: Path):
    path = write(tmp_path / "a.csv", row(AssignmentId="A1"))
    about: dict[str, Any] = {"project": unit_set.project, "user": None, "unit_set": unit_set}
    jobs = [
        offline.import_judgements(paths=[path], name=name, **about).job for name in ("One", "Two")
    ]
    for job in jobs:
        assert job is not None
        run_job(job_id=job.pk)
        job.refresh_from_db()
    assert [job.state for job in jobs if job] == ["done", "failed"]
    assert Campaign.objects.get().name == "One"
    assert Assignment.objects.count() == 1


def test_a_campaign_made_of_files_can_be_deleted(unit_set: UnitSet, tmp_path: Path, owner: User):
    from annotation.crowd.campaigns.service import delete_campaign
    from annotation.evaluation.labels import service as evaluation
    from scoring.aggregation import Recipe

    path = write(tmp_path / "a.csv", row(AssignmentId="A1"))
    take(unit_set, path)
    campaign = Campaign.objects.get()
    labels = evaluation.keep_labels(
        project=unit_set.project, user=owner, campaigns=[campaign], recipe=Recipe()
    )
    with pytest.raises(DomainError, match="uses the answers"):
        delete_campaign(campaign=campaign, user=owner)
    assert labels.job is not None
    run_job(job_id=labels.job.pk)
    labels.refresh_from_db()
    evaluation.delete_labels(label_set=labels, user=owner)
    delete_campaign(campaign=campaign, user=owner)
    assert not Campaign.objects.exists()
    assert not Judgement.objects.exists()
    assert take(unit_set, path)["assignments"] == 1


def test_a_campaign_that_was_published_can_not_be_deleted(unit_set: UnitSet, owner: User):
    from annotation.crowd.campaigns.service import delete_campaign
    from tests.annotation.crowd.offline.permissions import make_batch

    batch = make_batch(unit_set)
    Campaign.objects.filter(pk=batch.pk).update(state="live")
    with pytest.raises(DomainError, match="published"):
        delete_campaign(campaign=batch, user=owner)
