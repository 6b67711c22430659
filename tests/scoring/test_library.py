"""`scoring` as others use it: what it offers, what it needs, and the page that shows it."""

from __future__ import annotations

import ast
import functools
import importlib
import importlib.metadata
import inspect
import pkgutil
import re
import subprocess
import sys
import tomllib

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

import scoring
from scoring.extras import EXTRAS, MissingLibrary, explain
from tests.library_page import PAGE, elsewhere, run_blocks
from tests.servers import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
OPTIONAL = PROJECT["optional-dependencies"]
PINS = {
    canonicalize_name(match[1]): match[2]
    for file in ("requirements.lock", "requirements-torch.txt")
    for match in re.finditer(r"^([\w.-]+)(?:\[\w+\])?==(\S+)", (ROOT / file).read_text(), re.M)
}
# Looked for by name only, and named to whoever asks for it: its models are downloaded by hand.
NOT_OURS = {"benepar"}


def needed(lines):
    """What is listed, without other extras of our own."""
    found = [Requirement(line) for line in lines]
    return [requirement for requirement in found if requirement.name != PROJECT["name"]]


def brought_by(extra):
    """The names of everything that an extra brings, through other extras too."""
    names = set()
    for requirement in map(Requirement, OPTIONAL[extra]):
        if requirement.name == PROJECT["name"]:
            names |= {name for other in requirement.extras for name in brought_by(other)}
        else:
            names.add(canonicalize_name(requirement.name))
    return names


@functools.cache
def brought_modules():
    """Which distributions bring each module: all that is installed is looked through, once."""
    return importlib.metadata.packages_distributions()


def distributions_of(module):
    return {canonicalize_name(name) for name in brought_modules()[module]}


def imported():
    """The libraries that files of scoring import, and whether a backend does."""
    for path in sorted((ROOT / "scoring").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom) and not node.level:
                names = [str(node.module)]
            tops = {name.partition(".")[0] for name in names} - {
                "scoring",
                *sys.stdlib_module_names,
            }
            yield from ((top, "backends" in path.parts) for top in tops)


@pytest.fixture(scope="module")
def session():
    with elsewhere():
        return list(run_blocks(PAGE.read_text(encoding="utf-8")))


def test_its_page_prints_what_it_says(session):
    assert len(session) >= 7
    for code, said, printed in session:
        assert printed == said, f"`python -m tests.library_page` renews it. After:\n{code}"


def test_its_page_lists_every_name_that_is_offered():
    table = PAGE.read_text().partition("## Public names")[2]
    listed = {
        name
        for row in re.findall(r"^\| (`.*?) \|", table, re.M)
        for name in re.findall(r"`(\w+)`", row)
    }
    assert listed == set(scoring.__all__)


def test_its_page_lists_every_extra():
    listed = re.findall(r"^\| `(\w+)` \| .* \| .* \|$", PAGE.read_text(), re.M)
    assert listed == list(OPTIONAL)


def test_it_loads_nothing_before_it_is_asked():
    code = "import scoring, sys; print(*(n for n in sys.modules if n[:5] in ('scori', 'numpy')))"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, check=True)
    assert done.stdout.split() == [b"scoring"]


@pytest.mark.parametrize("name", scoring.__all__)
def test_it_offers_what_it_lists(name):
    assert getattr(scoring, name).__name__ == name
    assert name in dir(scoring)


def test_it_knows_no_other_name():
    with pytest.raises(AttributeError, match="no attribute 'scroe'"):
        _ = scoring.scroe  # type: ignore[attr-defined]


def offered():
    parts = [part.name for part in pkgutil.iter_modules(scoring.__path__) if part.ispkg]
    modules = [scoring, *(importlib.import_module(f"scoring.{name}") for name in parts)]
    for module in modules:
        for name in getattr(module, "__all__", []):
            found = getattr(module, name)
            if inspect.isfunction(found) or inspect.isclass(found):
                yield f"{found.__module__}.{name}", found


def test_it_explains_everything_that_it_offers():
    found = dict(offered())
    assert len(found) > 80
    # A dataclass without one is given its signature.
    silent = [
        name
        for name, it in found.items()
        if not it.__doc__ or it.__doc__.startswith(f"{it.__name__}(")
    ]
    assert silent == []


def test_it_types_everything_that_it_offers():
    for name, it in offered():
        if inspect.isfunction(it):
            signature = inspect.signature(it)
            untyped = [
                part.name for part in signature.parameters.values() if part.annotation is part.empty
            ]
            assert (name, untyped) == (name, [])
            assert signature.return_annotation is not signature.empty, name


@pytest.mark.parametrize("extra", ["", *OPTIONAL])
def test_its_needs_agree_with_what_the_server_runs_on(extra):
    for requirement in needed(OPTIONAL[extra] if extra else PROJECT["dependencies"]):
        pin = PINS[canonicalize_name(requirement.name)]
        assert requirement.specifier.contains(pin), f"{requirement}, but {pin} is pinned"
        bounds = {part.operator for part in requirement.specifier}
        assert bounds in ({">=", "<"}, {"=="}), f"{requirement} is bounded on one side only"


def test_it_declares_every_library_that_it_imports():
    core = {canonicalize_name(requirement.name) for requirement in needed(PROJECT["dependencies"])}
    for library, is_backend in set(imported()) - {(name, True) for name in NOT_OURS}:
        names = distributions_of(library)
        if not names & core:
            assert is_backend, f"{library} is imported by the core"
            assert names & brought_by(EXTRAS[library]), library


def test_every_extra_brings_what_it_is_named_for():
    for library, extra in EXTRAS.items():
        assert distributions_of(library) & brought_by(extra), library
    assert brought_by("all") == {name for extra in OPTIONAL for name in brought_by(extra)}


def test_it_names_the_extra_of_a_missing_library():
    told = explain(ModuleNotFoundError("No module named 'torch'", name="torch.nn"))
    assert isinstance(told, MissingLibrary)
    assert "torch, which is not installed. Install it: pip install 'giza[judge]'." in str(told)


def test_it_leaves_other_errors_as_they_are():
    error = ModuleNotFoundError("No module named 'scoring.nowhere'", name="scoring.nowhere")
    assert explain(error) is error


def test_the_page_runs_on_realsumm(realsumm_dir):
    """Its marks are no words: ROUGE-1 recall of one system is .405, and not .354."""
    text = PAGE.read_text(encoding="utf-8")
    printed = [out for _, _, out in run_blocks(text, realsumm_dir)]
    assert printed[0].startswith("folder 100 ['abs_bart_out'")
    assert "<t>" not in "".join(printed)
    [correlations] = [out for out in printed if "rouge-2  summary" in out]
    assert "rouge-2  system   tau 0.83 over 25" in correlations
    assert "rouge-2  summary  tau 0.36 over 100" in correlations


@pytest.mark.parametrize("keep_marks, recall", [(False, 0.405), (True, 0.354)])
def test_marks_are_no_words_of_a_reference(realsumm_dir, keep_marks, recall):
    examples = list(scoring.open_corpus(realsumm_dir, keep_marks=keep_marks).examples())
    rouge = scoring.load_metric("rouge")
    found = rouge.score(
        [example.summaries["abs_bottom_up_out"] for example in examples],
        [[one.text for one in example.references] for example in examples],
        [[] for _ in examples],
    )
    column = found.values[:, found.columns.index("rouge1_recall")]
    assert column.mean() == pytest.approx(recall, abs=5e-4)


def test_marks_become_sentences(tmp_path):
    (tmp_path / "summaries").mkdir()
    (tmp_path / "references.txt").write_text("<t> One . </t> <t> Two. Still two </t>\nPlain.\n")
    (tmp_path / "documents.txt").write_text("<t> A document . </t>\nB.\n")
    (tmp_path / "summaries" / "a.summary").write_text("<t> x </t>\ny < t > z\n")
    first, second = scoring.open_corpus(tmp_path).examples()
    [reference] = first.references
    assert reference.text == "One . Two. Still two"
    assert reference.sentences is not None
    said = [reference.text[start:end] for start, end in reference.sentences]
    assert said == ["One .", "Two. Still two"]
    assert (first.documents, first.summaries["a"]) == (("A document .",), "x")
    assert second.references[0].sentences is None
    assert second.summaries["a"] == "y < t > z"
    [kept, _] = scoring.open_corpus(tmp_path, keep_marks=True).examples()
    assert kept.references[0].text.startswith("<t>")
    reader = scoring.open_corpus(tmp_path)
    assert (reader.format, reader.notes, len(reader.systems())) == ("folder", [], 1)
    reader.verify()
