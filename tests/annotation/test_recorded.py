"""Every public service that writes either tells the project's activity of it, or says why not.

Read off the source: a service is a function with keyword-only arguments, neither in a model nor in
an entry point. It writes if it, or anything that it calls there, changes rows; it records if that
calls `record_activity`. Calls are followed by name through the imports of each file.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.test_architecture import layer_of

ROOT = Path(__file__).parents[2]
WRITES = {
    *("save", "delete", "update", "create", "bulk_create", "bulk_update", "get_or_create"),
    *("update_or_create", "insert_rows", "_raw_delete"),
}
RECORD = "record_activity"

# Services that write and record nothing, each with its reason.
HISTORY = "the studio keeps a history of its own, of every change and by whom"
COMMENT = "a comment keeps its author, its time and how it was closed"
BOOKS = "a step of a decision that is recorded where it is made; the ledger keeps every one"
JOB = "part of a job; what the job is for is recorded by whoever begins or ends it"
SEEN = "says what one person has seen; nothing of the study changes"
DOOR = "tries at the door, counted by address and account; nobody is in yet"
EXCEPTIONS = {
    "corpora.activity.service.record_activity": "the record itself",
    "corpora.accounts.service.confirm_password": DOOR,
    "corpora.accounts.sign_in.count_attempt": DOOR,
    "corpora.accounts.sign_in.forgive_attempts": DOOR,
    "corpora.accounts.service.request_reset": DOOR,
    "corpora.accounts.service.send_reset_mail": DOOR,
    "corpora.accounts.sign_in.check_code": DOOR,
    "corpora.imports.service.create_import": "nothing is in the project until it is written",
    "corpora.imports.uploads.receiving": "kept for a job, which is recorded by whoever begins it",
    "corpora.imports.service.write_import": "recorded when it is done, with what it brought",
    "corpora.jobs.service.create_job": JOB,
    "corpora.jobs.service.enqueue_job": JOB,
    "corpora.jobs.service.recover_jobs": JOB,
    "corpora.jobs.service.run_job": JOB,
    "corpora.jobs.service.finish_job": JOB,
    "corpora.jobs.service.claim_job": JOB,
    "corpora.notifications.service.send_mail": SEEN,
    "corpora.notifications.service.mark_done_read": SEEN,
    "corpora.notifications.service.mark_settled": SEEN,
    "corpora.notifications.service.notify": SEEN,
    "corpora.notifications.service.mark_read": SEEN,
    "corpora.notifications.service.mark_all_read": SEEN,
    "corpora.notifications.service.choose_mail": SEEN,
    "units.studio.ops.apply_op": HISTORY,
    "units.studio.merging.merge_units": HISTORY,
    "units.sets.bulk.edit_units": HISTORY,
    "units.sets.bulk.start_check": "the linter reads; nothing that anybody wrote changes",
    "units.studio.comments.note_presence": "who looks at a page just now; forgotten in a minute",
    "units.studio.comments.create_comment": COMMENT,
    "units.studio.comments.accept_comment": COMMENT,
    "units.studio.comments.reject_comment": COMMENT,
    "units.studio.comments.answer_comment": COMMENT,
    "crowd.campaigns.service.record_preview": "how long a try took; a figure, not a decision",
    "crowd.campaigns.ledger.settle": BOOKS,
    "crowd.campaigns.ledger.void": BOOKS,
    "crowd.review.service.finish_open_intents": BOOKS,
    "crowd.review.service.pay_bonuses": BOOKS,
    "crowd.prolific.service.admit_participant": "a worker's act, kept in the session's own row",
    "crowd.prolific.service.submit_session": "a worker's act, kept in the session's own row",
    "crowd.prolific.service.receive_event": "what a provider told; kept by its id",
    "evaluation.runs.judging.work_on_run": JOB,
    "evaluation.runs.text_scores.begin_text_scores": "texts that somebody sent; kept a day",
    "evaluation.labels.score_jobs.compare_votes": "compares ways to vote and keeps none",
    "evaluation.runs.queries.plan_run": "counts what a run would do; nothing begins",
    "evaluation.labels.score_jobs.compute_scores": "computes what follows from labels",
    "evaluation.power.service.compute_power": "computes what follows from answers",
    "evaluation.runs.probing.probe_run": "computes what follows from a judge",
    "evaluation.runs.compare.compare_run": "computes what follows from run and labels",
    "units.plans.stand_ins.copy_scus": "a part of taking a plan, which is recorded",
    "units.plans.stand_ins.carry_work": "a part of taking a plan, which is recorded",
}


def is_inner(path: Path, app: Path) -> bool:
    """Services and what they call; the marketplace keeps books of its own."""
    parts = path.relative_to(app).parts
    return parts[0] not in ("market", "migrations") and layer_of(parts) == "inner"


def module_name(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts)


@cache
def sources() -> dict[str, ast.Module]:
    apps = (ROOT / "annotation" / app for app in ("corpora", "units", "crowd", "evaluation"))
    found = [path for app in apps for path in sorted(app.rglob("*.py")) if is_inner(path, app)]
    return {module_name(path): ast.parse(path.read_text(encoding="utf-8")) for path in found}


@cache
def functions() -> dict[str, ast.FunctionDef | ast.ClassDef]:
    """Every function at the top of a file, by its full name; who makes a class may call its all."""
    return {
        f"{module}.{node.name}": node
        for module, tree in sources().items()
        for node in tree.body
        if isinstance(node, ast.FunctionDef | ast.ClassDef)
    }


@cache
def names_in(module: str) -> dict[str, str]:
    """What a file calls by which name: its own functions, and those that it imports."""
    names = {}
    for node in ast.walk(sources()[module]):
        if isinstance(node, ast.ImportFrom) and node.module:
            for item in node.names:
                names[item.asname or item.name] = f"{node.module}.{item.name}"
    own = [name for name in functions() if name.rpartition(".")[0] == module]
    return names | {name.rpartition(".")[2]: name for name in own}


def resolve(module: str, name: str) -> str:
    """A name in a file as a function's full name, through the packages that pass it on."""
    full = names_in(module).get(name, "")
    package, _, last = full.rpartition(".")
    inner = f"{package}.__init__"
    return resolve(inner, last) if inner in sources() and full not in functions() else full


def called(name: str) -> Iterator[str]:
    """Full names of what a function calls, or hands on; else the bare name of a method."""
    module = name.rpartition(".")[0]
    for node in ast.walk(functions()[name]):
        if isinstance(node, ast.Name):
            yield resolve(module, node.id)
        elif isinstance(node, ast.Attribute):
            yield from _called_on(module, node)


def _called_on(module: str, node: ast.Attribute) -> Iterator[str]:
    yield node.attr
    if isinstance(node.value, ast.Name):
        package = names_in(module).get(node.value.id, "")
        for place in (package, f"{package}.__init__"):
            if place in sources():
                yield resolve(place, node.attr)


@cache
def reach(name: str) -> frozenset[str]:
    """Everything that a function calls, and what that calls."""
    seen: set[str] = set()
    waiting = [name]
    while waiting:
        for found in set(called(waiting.pop())) - seen:
            seen.add(found)
            if found in functions():
                waiting.append(found)
    return frozenset(seen)


def is_service(node: ast.FunctionDef | ast.ClassDef) -> bool:
    """Keyword-only arguments and a public name; a sweep takes nothing at all."""
    if isinstance(node, ast.ClassDef) or node.name.startswith("_") or node.args.args:
        return False
    return bool(node.args.kwonlyargs) or node.name.startswith("recover_")


def list_writing() -> dict[str, bool]:
    """Every public service that writes, and whether it records."""
    found = {}
    for name, node in functions().items():
        if is_service(node) and reach(name) & (WRITES | {_full(RECORD)}):
            found[name.removeprefix("annotation.")] = _full(RECORD) in reach(name)
    return found


def _full(name: str) -> str:
    return f"annotation.corpora.activity.service.{name}"


def test_it_records_what_every_service_does_or_says_why_not() -> None:
    silent = {name for name, records in list_writing().items() if not records}
    assert sorted(silent - set(EXCEPTIONS)) == []


def test_it_has_no_exception_that_is_none() -> None:
    silent = {name for name, records in list_writing().items() if not records}
    assert sorted(set(EXCEPTIONS) - silent) == []


def test_it_finds_the_services() -> None:
    found = list_writing()
    assert len(found) > 90
    assert sum(found.values()) > 60


@pytest.mark.parametrize(
    ("name", "records"),
    [
        ("corpora.projects.service.change_role", True),
        ("crowd.campaigns.steps.publish_campaign", True),
        ("crowd.review.service.approve_assignments", True),
        ("evaluation.metrics.service.score_metrics", True),
        ("evaluation.runs.service.pause_run", True),
        ("units.studio.ops.apply_op", False),
    ],
)
def test_it_follows_calls(name: str, records: bool) -> None:
    assert list_writing()[name] is records
