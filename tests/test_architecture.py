"""Who may import whom, read off the source. A crossing is told with its file and line."""

import ast
import functools
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import NamedTuple, TypeGuard

import pytest

from tests.style import FUNCTIONS, Function, find_functions

ROOT = Path(__file__).parents[1]
TYPED = ("annotation", "deploy", "scoring")
APPS = ("corpora", "units", "crowd", "evaluation")  # each needs only those before it
# What people, scripts and workers come in by: the last layer of a feature's folder.
ENTRY_POINT = re.compile(
    r"(api|views|forms|serializers|requests|tasks|urls|management|templatetags|access|rest|apps)"
    r"(_\w+)?"
)
MODELS = re.compile(r"models(_\w+)?")
SCIENCE = {*sys.stdlib_module_names, "numpy", "scipy", "krippendorff", "scoring"}
HEAVY = {
    "torch",
    "transformers",
    "tokenizers",
    "safetensors",
    "huggingface_hub",
    "xgboost",
    "spacy",
}
PRODUCT = {"annotation", "deploy", "django", "rest_framework", "celery", "tests"}


class Import(NamedTuple):
    """A dotted name that a file imports; `is_late` inside a function."""

    name: tuple[str, ...]
    line: int
    is_late: bool

    @property
    def app(self) -> str:
        return self.name[1] if self.name[0] == "annotation" and self.name[1] in APPS else ""

    @property
    def layer(self) -> str:
        return layer_of(self.name[2:]) if self.app else ""


def layer_of(parts: tuple[str, ...]) -> str:
    """Of a file in an app, by its place: `labels/views.py` is an entry point."""
    for part in (part.removesuffix(".py") for part in parts):
        if ENTRY_POINT.fullmatch(part):
            return "entry point"
        if MODELS.fullmatch(part):
            return "models"
    return "inner"


def python_files(*folders: str) -> list[PurePosixPath]:
    found = [path for folder in folders for path in (ROOT / folder).rglob("*.py")]
    return sorted(PurePosixPath(path.relative_to(ROOT).as_posix()) for path in found)


def repository() -> list[PurePosixPath]:
    return [PurePosixPath("manage.py"), *python_files(*TYPED, "docs", "frontend", "tests")]


def read(path: PurePosixPath) -> str:
    return (ROOT / path).read_text(encoding="utf-8")


@functools.lru_cache(maxsize=1)
def parse(source: str) -> ast.Module:
    """The last one is kept for whoever asks something else of the same file."""
    return ast.parse(source)


def find_imports(path: PurePosixPath, source: str) -> list[Import]:
    return list(_walk(parse(source), path, is_late=False))


def _walk(node: ast.AST, path: PurePosixPath, is_late: bool) -> Iterator[Import]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Import):
            for alias in child.names:
                yield Import(tuple(alias.name.split(".")), child.lineno, is_late)
        elif isinstance(child, ast.ImportFrom):
            base = _base(child, path)
            for alias in child.names:
                yield Import((*base, alias.name), child.lineno, is_late)
        elif not isinstance(child, ast.expr):
            yield from _walk(child, path, is_late or isinstance(child, FUNCTIONS))


def _base(node: ast.ImportFrom, path: PurePosixPath) -> tuple[str, ...]:
    named = tuple(node.module.split(".")) if node.module else ()
    return (*path.parts[: len(path.parts) - node.level], *named) if node.level else named


def crossings(path: PurePosixPath, source: str) -> list[str]:
    found = find_imports(path, source)
    return [
        f"{path}:{item.line} imports {'.'.join(item.name)}: {reason}"
        for item in found
        for reason in _reasons(path, item)
    ]


def _reasons(path: PurePosixPath, item: Import) -> Iterator[str]:
    top = path.parts[0]
    if item.name[0] == "deploy" and top not in ("deploy", "manage.py", "tests"):
        yield "nothing needs deploy"
    if item.name[0] == "tests" and top != "tests":
        yield "nothing needs the tests"
    if top == "scoring":
        yield from _science_reasons(path, item)
    if top == "annotation" and path.parts[1] in APPS:
        yield from _app_reasons(path, item)


def _science_reasons(path: PurePosixPath, item: Import) -> Iterator[str]:
    if path.parts[1] == "backends":
        if item.name[0] in PRODUCT:
            yield "the science does not need the product"
        return
    if item.name[0] not in SCIENCE:
        yield "the science needs the standard library, numpy, scipy and krippendorff only"
    if item.name[:2] == ("scoring", "backends") and not item.is_late:
        yield "a backend is loaded late, by name"


def _app_reasons(path: PurePosixPath, item: Import) -> Iterator[str]:
    if item.app and APPS.index(item.app) > APPS.index(path.parts[1]):
        yield f"{path.parts[1]} comes before {item.app}"
    layer = layer_of(path.parts[2:])
    is_migration = "migrations" in path.parts
    if layer == "models" and item.app and item.layer != "models":
        yield "models need models only"
    # A service may hand work to a task, if it looks the task up when it runs.
    may_enqueue = item.is_late and "tasks" in item.name
    if layer == "inner" and item.layer == "entry point" and not (may_enqueue or is_migration):
        yield "services and queries do not know who calls them"


def untyped(path: PurePosixPath, source: str) -> list[str]:
    """The functions of a file whose arguments or result have no annotation."""
    found = find_functions(parse(source))
    return [f"{path}:{node.lineno} {node.name}" for node in found if not _is_typed(node)]


def _is_typed(node: Function) -> bool:
    listed = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
    starred = [arg for arg in (node.args.vararg, node.args.kwarg) if arg]
    needed = [arg for arg in listed if arg.arg not in ("self", "cls")] + starred
    return node.returns is not None and all(arg.annotation for arg in needed)


@pytest.fixture(scope="module")
def faults() -> dict[str, list[str]]:
    """Of every file, by kind; each is parsed once for all of them."""
    files = repository()
    assert len(files) > 20
    found: dict[str, list[str]] = {"crossings": [], "untyped": []}
    for path in files:
        source = read(path)
        found["crossings"] += crossings(path, source)
        found["untyped"] += untyped(path, source) if path.parts[0] in TYPED else []
    return found


def test_it_has_no_crossing(faults: dict[str, list[str]]) -> None:
    assert faults["crossings"] == []


@pytest.mark.parametrize(
    "path, source",
    [
        ("scoring/overlap.py", "import django"),
        ("scoring/overlap.py", "def f(): import torch"),
        ("scoring/overlap.py", "from annotation.corpora import models"),
        ("scoring/io/source.py", "from ...deploy import settings"),
        ("scoring/judge.py", "from scoring.backends import nli"),
        ("scoring/backends/nli.py", "from django.db import models"),
        ("annotation/access.py", "from deploy import env"),
        ("annotation/corpora/jobs/models.py", "import deploy.celery"),
        ("annotation/corpora/jobs/models.py", "from annotation.corpora.jobs import service"),
        ("annotation/corpora/jobs/models.py", "def f(): from annotation.corpora import tasks"),
        ("annotation/corpora/models.py", "from .jobs.queries import list_jobs"),
        ("annotation/corpora/jobs/service.py", "from annotation.corpora.jobs import views"),
        ("annotation/corpora/jobs/service.py", "from ..tasks import run_job"),
        ("annotation/corpora/bulk.py", "def f(): from annotation.corpora import api_urls"),
        ("annotation/crowd/market/rows.py", "from annotation.crowd.work import views_frame"),
        ("annotation/corpora/jobs/views.py", "from annotation.units.models import Unit"),
        ("annotation/crowd/campaigns/service.py", "import annotation.evaluation.labels.queries"),
        ("annotation/corpora/corpus/demo.py", "from tests import factories"),
    ],
)
def test_it_notices_a_crossing(path: str, source: str) -> None:
    assert crossings(PurePosixPath(path), source) != []


@pytest.mark.parametrize(
    "path, source",
    [
        ("manage.py", "from deploy import settings"),
        ("tests/conftest.py", "import deploy.settings"),
        ("scoring/pyramid.py", "import json, numpy; from scipy import stats; import scoring.types"),
        ("scoring/judge.py", "def f(): from scoring.backends import nli"),
        ("scoring/backends/nli.py", "import torch; import scoring.types"),
        ("annotation/corpora/jobs/service.py", "def f(): from annotation.corpora import tasks"),
        ("annotation/corpora/jobs/service.py", "from annotation.corpora.jobs.models import Job"),
        ("annotation/corpora/tasks.py", "from annotation.corpora.jobs import service"),
        ("annotation/units/models.py", "from annotation.corpora.models import Example"),
        ("annotation/corpora/jobs/views.py", "from django import views; import scoring.overlap"),
    ],
)
def test_it_lets_needs_pass(path: str, source: str) -> None:
    assert crossings(PurePosixPath(path), source) == []


def test_it_knows_the_order_of_every_app() -> None:
    apps = [path.parent.name for path in (ROOT / "annotation").glob("*/apps.py")]
    assert apps
    assert set(apps) <= set(APPS)


def test_it_has_no_file_named_for_nothing() -> None:
    assert [path for path in repository() if path.name in ("utils.py", "helpers.py")] == []


def test_it_annotates_every_signature(faults: dict[str, list[str]]) -> None:
    assert faults["untyped"] == []


@pytest.mark.parametrize(
    "source, is_typed",
    [
        ("def f() -> None: ...", True),
        ("def f(): ...", False),
        ("def f(a) -> None: ...", False),
        ("async def f(*, a) -> None: ...", False),
        ("def f(*a: int, **b) -> None: ...", False),
        ("class C:\n def f(self, a: int) -> None: ...", True),
        ("def f() -> None:\n def g(): ...", False),
    ],
)
def test_it_notices_a_missing_annotation(source: str, is_typed: bool) -> None:
    assert (untyped(PurePosixPath("scoring/x.py"), source) == []) is is_typed


def test_it_imports_the_science_without_the_heavy_libraries() -> None:
    modules = [
        ".".join(path.with_suffix("").parts).removesuffix(".__init__")
        for path in python_files("scoring")
        if path.parts[1] != "backends" and path.name != "__main__.py"
    ]
    loaded = load_in_a_process(f"import {', '.join(modules)}")
    assert {"scoring", "scoring.judge"} <= loaded
    assert loaded & {"django", *HEAVY} == set()


def test_it_loads_no_judge_before_one_is_asked_for() -> None:
    code = "from scoring.judge import *; list(PRESETS); default_judge()"
    missing = (
        "\nfor name in ('anly', './nowhere'):\n try: load_judge(name)\n except ValueError: pass"
    )
    loaded = load_in_a_process(code + missing)
    assert "scoring.judge.catalogue" in loaded
    assert {name for name in loaded if name.startswith("scoring.backends")} == set()
    assert loaded & HEAVY == set()


GUARDED = {"Content-Security-Policy", "Content-Disposition", "Location", "Refresh"}
# Where a redirect goes if it is not to a named address: why that is not open to anybody's wish.
REDIRECTS = {
    "f'{path}?{urlencode(query)}' if query else path": "reversed; the rest encoded",
    "f'{path}?{query}'": "reversed; the rest encoded",
    "stay_here(request, target, 'corpora:projects')": "an address of this site",
    "stay_here(request, address, 'corpora:projects')": "an address of this site",
    "stay_here(request, request.POST.get('next', ''), page)": "an address of this site",
    "queries.find_place(service.mark_read(user=user_of(request), pk=pk))": "reversed",
    "f\"{reverse('corpora:account')}#notifications\"": "reversed",
    "f\"{code_page}?{urlencode({'next': target})}\"": "reversed; the rest encoded",
    "home": "reversed by an app's own rule",
    "frame_address(request, '', hit, assignment_id, worker)": "our own frame, reversed",
    "completion_url(campaign)": "Prolific's address, a constant, with a code of ours",
    "_address_of(accept_hit(hit_id=hit_id, worker=worker))": "reversed",
    "_address_of(accept_next(hit_type=get_hit_type(hit_type_id), worker=worker))": "reversed",
    "_address_of(assignment)": "reversed",
    "_address_of(accept_next(hit_type=assignment.hit.hit_type, worker=worker))": "reversed",
    "f'{_list_at(asked.path, access)}?{query.urlencode()}{place}'": "reversed; the rest encoded",
    "f'{address}?{query.urlencode()}'": "reversed; the rest encoded",
    "f'{address}?{request.GET.urlencode()}'": "reversed; the rest encoded",
    "_page_of(access, found.worker_id)": "reversed",
    "_page_of(access, worker_pk)": "reversed",
}


def find_header_writes(source: str) -> list[str]:
    """Guarded headers that a file names itself, where annotation/headers.py should."""
    nodes = (node for node in ast.walk(parse(source)) if isinstance(node, ast.Constant))
    return [node.value for node in nodes if node.value in GUARDED]


def test_it_writes_guarded_headers_in_one_place() -> None:
    found = {
        str(path): names
        for path in python_files("annotation", "deploy")
        if (names := find_header_writes(read(path)))
    }
    assert found == {"annotation/headers.py": ["Content-Security-Policy", "Content-Disposition"]}


def find_redirects(source: str) -> list[str]:
    """Targets of redirects that are no names of addresses."""
    called = [
        node
        for node in ast.walk(parse(source))
        if isinstance(node, ast.Call)
        and ast.unparse(node.func).split(".")[-1] in ("redirect", "HttpResponseRedirect")
    ]
    targets = [node.args[0] for node in called]
    return [ast.unparse(item) for item in targets if not isinstance(item, ast.Constant)]


def test_it_knows_why_every_redirect_stays_here() -> None:
    files = python_files("annotation", "deploy")
    assert {item for path in files for item in find_redirects(read(path))} == set(REDIRECTS)


def test_it_notices_a_redirect_and_a_header() -> None:
    assert find_redirects("redirect(request.GET['next'])") == ["request.GET['next']"]
    assert find_redirects("shortcuts.redirect('app:page', pk)") == []
    assert find_header_writes("response.headers['Location'] = x") == ["Location"]


def load_in_a_process(code: str) -> set[str]:
    """What is imported after *code* ran."""
    code = f"{code}\nimport sys; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, check=True)
    return set(done.stdout.decode().split())


FAULTS = {"IntegrityError", "DataError", "OperationalError", "DatabaseError", "ProgrammingError"}


def broken_blocks(path: PurePosixPath, source: str) -> list[str]:
    """Where a statement may follow one that failed, in the same transaction.

    PostgreSQL answers nothing more there: an error must leave its `atomic` block, or have one of
    its own, and a block is rolled back by an error that leaves it.
    """
    return list(_broken(parse(source), path, is_atomic=False))


def _broken(node: ast.AST, path: PurePosixPath, is_atomic: bool) -> Iterator[str]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Attribute) and child.attr == "set_rollback":
            yield f"{path}:{child.lineno} calls set_rollback: raise an error out of the block"
        if is_atomic and _catches_faults(child):
            yield f"{path}:{child.lineno} catches a database error inside an atomic block"
        if isinstance(child, FUNCTIONS):
            within = any("atomic" in ast.unparse(item) for item in child.decorator_list)
        else:
            within = is_atomic or _is_atomic(child)
        yield from _broken(child, path, within)


def _catches_faults(node: ast.AST) -> TypeGuard[ast.Try]:
    """Unless all that it tries has an atomic block of its own."""
    if not isinstance(node, ast.Try) or all(_is_atomic(statement) for statement in node.body):
        return False
    caught = [item.type for item in node.handlers if item.type]
    return any(FAULTS & set(re.findall(r"\w+", ast.unparse(kind))) for kind in caught)


def _is_atomic(node: ast.AST) -> bool:
    return isinstance(node, ast.With) and any(
        re.search(r"\b(atomic|step)\(", ast.unparse(item.context_expr)) for item in node.items
    )


def test_it_sends_no_statement_after_one_that_failed():
    found = [broken_blocks(path, read(path)) for path in python_files("annotation", "deploy")]
    assert [line for lines in found for line in lines] == []


@pytest.mark.parametrize(
    "source, is_noticed",
    [
        ("def f():\n with transaction.atomic():\n  transaction.set_rollback(True)", True),
        (
            "with transaction.atomic():\n try:\n  row.save()\n except IntegrityError:\n  pass",
            True,
        ),
        ("@transaction.atomic\ndef f():\n try: g()\n except (KeyError, DataError): pass", True),
        ("with work.step():\n try: g()\n except db.OperationalError: pass", True),
        ("with atomic():\n try:\n  with atomic(): g()\n except IntegrityError: pass", False),
        ("try:\n with transaction.atomic(): g()\nexcept IntegrityError: h()", False),
        ("with transaction.atomic():\n try: g()\n except KeyError: pass", False),
    ],
)
def test_it_notices_a_statement_after_one_that_failed(source: str, is_noticed: bool):
    assert (broken_blocks(PurePosixPath("annotation/x.py"), source) != []) is is_noticed
