"""What threads share: every module-level value that changes, with why eight threads may use it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import PurePosixPath

from tests.test_architecture import TYPED, find_imports, parse, python_files, read

CHANGES = {
    *("append", "extend", "insert", "remove", "pop", "popitem", "clear", "update"),
    *("setdefault", "add", "discard", "appendleft", "popleft"),
}
MEMOISERS = {"cache", "lru_cache", "once"}
HOLDERS = {"Memory", "Kept", "Computed", "Stored", "Shell", "Lock", "RLock", "Event", "local"}

REGISTRY = "filled while Django starts, before there is a second thread; only read afterwards"
PURE = "lru_cache locks itself, is bounded, and holds values that nothing changes"
FEW = "one value for each of a few names that ship with Giza; nothing changes it"
MODEL = "a model, read-only once it is loaded; two threads may both load it, and one is kept"
LOCKED = "annotation/memory.py: locked, bounded, made once, and by database"
CHECKED = "annotation/computed.py: in the shared cache, by database, version and fields"
PLACED = "the pieces of one template, put in their place whole; two threads make the same"
SIGNAL = "made for threads to signal each other"

SHARED: dict[str, dict[str, str]] = {
    "annotation/corpora/jobs/queries.py": dict.fromkeys(("ABOUT", "ORIGINS", "OUTCOMES"), REGISTRY),
    "annotation/corpora/projects/queries.py": dict.fromkeys(("HOMES", "STAGES"), REGISTRY),
    "annotation/corpora/search/queries.py": {"KINDS": REGISTRY},
    "annotation/corpora/accounts/service.py": {"KEY_REVOKERS": REGISTRY}
    | {"LINK_ENDERS": REGISTRY},
    "annotation/corpora/corpus/demo.py": {"PARTS": REGISTRY},
    "annotation/corpora/imports/writing.py": {"REFUSALS": REGISTRY},
    "annotation/corpora/projects/service.py": {"LINK_WITHDRAWERS": REGISTRY}
    | {"REMOVE_FIRST": REGISTRY},
    "annotation/corpora/imports/cleaning.py": {"_due": "a time, of the one thread that sweeps"},
    "annotation/corpora/corpus/queries.py": {"SYSTEM_STATS": CHECKED} | {"EXAMPLE_PARTS": REGISTRY},
    "annotation/corpora/templatetags/translation.py": {"look_up": PURE},
    "annotation/corpora/corpus/exports.py": {"REASONS": CHECKED},
    "annotation/corpora/jobs/kinds.py": dict.fromkeys(("DELIVERIES", "KINDS", "SWEEPS"), REGISTRY),
    "annotation/corpora/targets.py": {"KINDS": REGISTRY, "_by_model": REGISTRY},
    "annotation/crowd/market/question_forms.py": {"_compile": PURE},
    "annotation/crowd/market/validation.py": {"get_operation": PURE, "load_model": FEW}
    | {"_compiled": PURE},
    "annotation/crowd/providers/mturk_wire.py": {
        "make_client": "bounded; boto3's clients are made for threads; the keys are its key",
        "making": SIGNAL,
    },
    "annotation/crowd/judging_page/question.py": {"inlined": FEW},
    "annotation/crowd/campaigns/presets.py": {"country_codes": FEW, "list_countries": FEW},
    "annotation/crowd/campaigns/sums.py": {"AGREEMENTS": CHECKED}
    | dict.fromkeys(
        ("_books", "_counts", "_entries", "_filtered", "_hit_states", "_places", "_wages"), LOCKED
    ),
    "annotation/crowd/campaigns/service.py": {"CAMPAIGN_REFUSALS": REGISTRY},
    "annotation/crowd/campaigns/queries.py": dict.fromkeys(
        ("_collected", "_hasty", "_wage", "_work"), LOCKED
    ),
    "annotation/crowd/campaigns/live.py": {"_judged_systems": LOCKED},
    "annotation/crowd/campaigns/planning.py": {
        "_counts": LOCKED,
        "LONGEST": CHECKED,
        "SIZES": CHECKED,
    },
    "annotation/crowd/campaigns/steps.py": {"LEFT_OUT": CHECKED},
    "annotation/crowd/campaigns/recollecting.py": {"DROPPED": REGISTRY},
    "annotation/crowd/campaigns/cleaning.py": {"_casers": LOCKED},
    "annotation/crowd/work/views_frame.py": {"RECEIPT": PLACED},
    "annotation/crowd/work/views.py": {"ASSIGNMENT": PLACED},
    "annotation/evaluation/judges/offered.py": {"_judges": LOCKED},
    "annotation/evaluation/reports/files.py": {"_styles": FEW},
    "annotation/evaluation/labels/answers.py": {"_collected": LOCKED},
    "annotation/evaluation/labels/votes.py": {"_hashes": LOCKED} | {"OUTLOOKS": CHECKED},
    "annotation/evaluation/planning/queries.py": {"FIGURES": CHECKED} | {"TEXT_SIZES": CHECKED},
    "annotation/evaluation/metrics/sources.py": {"PAIRS": CHECKED},
    "annotation/evaluation/labels/figures.py": {"FIGURES": CHECKED, "_read": LOCKED},
    "annotation/evaluation/runs/queries.py": {"COUNTS": CHECKED} | {"ROWS": CHECKED},
    "annotation/evaluation/samples/queries.py": {"_populations": LOCKED},
    "annotation/evaluation/labels/outcome.py": {"_outcomes": LOCKED},
    "annotation/evaluation/runs/comparison.py": {
        "COMPARISONS": CHECKED,
        "DISAGREEING": CHECKED,
    },
    "annotation/evaluation/runs/summaries.py": {"GAPS": CHECKED},
    "annotation/evaluation/runs/review.py": {"REVIEWS": CHECKED},
    "annotation/evaluation/runs/probes.py": {"REPORTS": CHECKED},
    "annotation/evaluation/judges/queries.py": {"COUNTS": CHECKED, "SCORED": CHECKED},
    "annotation/evaluation/metrics/queries.py": {"ROWS": CHECKED},
    "annotation/evaluation/labels/scores.py": {"SCORES": CHECKED},
    "annotation/clock.py": {"_asked": "replaced whole; two threads may both ask the database"},
    "annotation/computed.py": {"_fields": FEW},
    "annotation/units/sets/comparison.py": {"DIFFERING": CHECKED},
    "annotation/units/plans/queries.py": {"WRITING_TIMES": CHECKED},
    "annotation/units/stus/regressors.py": {"read_shipped_card": FEW},
    "annotation/units/sets/service.py": {"SET_REFUSALS": REGISTRY},
    "deploy/cache.py": {"breaker_of": "locks itself; two made at once cost one more try of Redis"},
    "deploy/health.py": {"_migrated": "once true it stays true; two threads may both ask"},
    "deploy/backup/schema.py": {"_models_of": PURE},
    "scoring/translation.py": dict.fromkeys(("_translate", "_translate_plural"), REGISTRY),
    "scoring/judge/cues.py": {"_is_small": PURE, "read_words": PURE},
    "scoring/judge/learned.py": {"read_shipped": FEW},
    "scoring/judge/probes.py": {"_read_texts": FEW, "read_shipped": FEW},
    "scoring/figures/letters.py": {"load_font": FEW},
    "scoring/backends/easiness_trees.py": {"load_shipped": MODEL},
    "scoring/backends/embedded.py": {"encode": PURE},
    "scoring/backends/encoders.py": {"load_signed": MODEL},
    "scoring/backends/minilm.py": {"load_encoder": MODEL},
    "scoring/backends/nli/folder.py": {"_streamed": FEW},
    "scoring/backends/reader/contrast.py": {"_twins": PURE, "ask_scenes": PURE},
    "scoring/backends/reader/meanings.py": {"load_meanings": FEW},
    "scoring/backends/reader/reading.py": {"load_reader": MODEL, "read_question": PURE},
    "scoring/backends/questions.py": {"load_answerer": MODEL, "load_asker": MODEL},
    "scoring/backends/spacy_coreference.py": {"load": MODEL},
    "scoring/backends/spacy_parser.py": {"_load": MODEL},
    "scoring/backends/tree_training.py": dict.fromkeys(("_match", "_read", "rows_of"), PURE),
    "scoring/backends/wordnet.py": {"_content": PURE, "load_wordnet": MODEL},
    "scoring/coverage/held_out.py": {"_truth": PURE},
    "scoring/easiness/stu_features.py": {"_is_content": PURE, "_keys": PURE},
    "scoring/io/gold/shapes.py": {"_hints": FEW, "_later": FEW, "_needed": FEW},
    "scoring/judge/frequencies.py": {"_count": PURE, "load_frequencies": FEW},
    "scoring/judge/readings.py": {"read_text": PURE},
    "scoring/linting.py": {"of": PURE},
    "scoring/measured_coverage.py": {"read_measured": FEW},
    "scoring/overlap.py": {"_token": FEW},
    "scoring/planning/priors.py": {"_known": FEW},
    "scoring/coverage/planning.py": dict.fromkeys(("_true_gain", "_true_error_gap"), PURE),
    "scoring/coverage/studies.py": {"_true_mean_alpha": PURE},
    "scoring/porter.py": {"porter_stem": PURE},
    "scoring/stemming.py": {"stem": PURE, "stems": PURE},
    "scoring/stu/rich/features.py": {"stems_of": PURE},
    "scoring/stu/rich/ranking.py": {"load_shipped": MODEL},
}


def find_shared(source: str, changed: set[str]) -> Iterator[str]:
    """Module-level names that somebody changes, or that hold what was computed."""
    for node in parse(source).body:
        if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            for target in targets:
                if isinstance(target, ast.Name) and _is_shared(target.id, node.value, changed):
                    yield target.id
        elif isinstance(node, ast.FunctionDef | ast.ClassDef):
            yield from _memoised(node)
    for inner in ast.walk(parse(source)):
        if isinstance(inner, ast.Global):
            yield from inner.names


def _is_shared(name: str, value: ast.expr, changed: set[str]) -> bool:
    is_plain = isinstance(value, ast.Dict | ast.List | ast.Set) or (
        isinstance(value, ast.Call) and _called(value) in ("dict", "list", "set", "defaultdict")
    )
    is_holder = isinstance(value, ast.Call) and _called(value) in HOLDERS | MEMOISERS
    return (is_plain and name in changed) or is_holder


def _memoised(node: ast.AST) -> Iterator[str]:
    for inner in ast.walk(node):
        if isinstance(inner, ast.FunctionDef) and any(
            _called(item) in MEMOISERS for item in inner.decorator_list
        ):
            yield inner.name


def _called(node: ast.expr) -> str:
    return ast.unparse(node.func if isinstance(node, ast.Call) else node).split(".")[-1]


def find_changed(path: PurePosixPath, source: str) -> Iterator[tuple[str, str]]:
    """File and name of each value that some statement of a file changes in place."""
    imported = {item.name[-1]: _file_of(item.name[:-1]) for item in find_imports(path, source)}
    for node in ast.walk(parse(source)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            changed = node.func.value if node.func.attr in CHANGES else None
        elif isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store | ast.Del):
            changed = node.value
        else:
            changed = None
        if isinstance(changed, ast.Name):
            yield imported.get(changed.id, str(path)), changed.id


def _file_of(module: tuple[str, ...]) -> str:
    if not module:
        return ""
    path = PurePosixPath(*module)
    package = path / "__init__.py"
    return str(package if package in FILES else path.with_suffix(".py"))


FILES = [path for path in python_files(*TYPED) if "migrations" not in path.parts]


def list_shared() -> dict[str, set[str]]:
    changed: dict[str, set[str]] = {}
    for path in FILES:
        for file, name in find_changed(path, read(path)):
            changed.setdefault(file, set()).add(name)
    found = {
        str(path): set(find_shared(read(path), changed.get(str(path), set()))) for path in FILES
    }
    return {path: names for path, names in found.items() if names}


def test_it_knows_why_threads_may_share_each_value() -> None:
    assert list_shared() == {path: set(names) for path, names in SHARED.items()}


def test_it_notices_what_threads_share() -> None:
    source = "KEPT: dict[int, int] = {}\nFIXED = {}\ndef f(): KEPT[1] = 2"
    path = PurePosixPath("annotation/x.py")
    assert set(find_changed(path, source)) == {("annotation/x.py", "KEPT")}
    assert set(find_shared(source, {"KEPT"})) == {"KEPT"}
    other = "from annotation.computed import KEPT\nKEPT.append(1)"
    assert set(find_changed(path, other)) == {("annotation/computed.py", "KEPT")}
    assert set(find_shared("@lru_cache(8)\ndef f(): ...", set())) == {"f"}
    assert set(find_shared("class C:\n @cache\n def f(self): ...", set())) == {"f"}
    assert set(find_shared("def f():\n global x\n x = 1", set())) == {"x"}
    assert set(find_shared("kept = Memory(4)", set())) == {"kept"}
