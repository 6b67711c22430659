"""Every direct dependency has a reason and a row in the document; nothing else is imported."""

from __future__ import annotations

import re
import sys
from importlib.metadata import packages_distributions

import pytest

from tests.servers import ROOT
from tests.test_architecture import find_imports, python_files, read

PIN = re.compile(r"^([\w.-]+)(?:\[\w+\])?==\S+ +# \S.{8,}$", re.MULTILINE)
ROW = re.compile(r"^\| `([\w.-]+)` \| [^|]{8,} \| [^|]{3,} \| [^|]{3,} \|$", re.MULTILINE)
# They come with a direct dependency and are made to be used with it.
ALONG = {"botocore", "kombu", "pandas", "safetensors", "tokenizers", "huggingface_hub"}
OURS = {"annotation", "deploy", "scoring", "tests"}


def pins(name: str) -> list[str]:
    return PIN.findall((ROOT / name).read_text())


def test_it_explains_every_direct_dependency():
    document = (ROOT / "docs" / "dependencies.md").read_text()
    assert ROW.findall(document) == pins("requirements.txt") + pins("requirements-dev.txt")


def test_it_gives_a_reason_wherever_it_explains():
    """A pin without one stands below the line that says so."""
    for name in ("requirements.txt", "requirements-dev.txt"):
        direct, _, rest = (ROOT / name).read_text().partition("# What those need in turn")
        assert len(PIN.findall(direct)) == direct.count("==")
        assert "#" not in rest.partition("\n")[2]


@pytest.mark.parametrize("folder", ["annotation", "deploy", "scoring"])
def test_it_imports_direct_dependencies_alone(folder: str):
    direct = {name.lower() for name in pins("requirements.txt")} | ALONG
    known = packages_distributions()
    for path in python_files(folder):
        for item in find_imports(path, read(path)):
            top = item.name[0]
            if top in OURS or top in sys.stdlib_module_names:
                continue
            brought = {name.lower() for name in known[top]}
            assert brought & direct, f"{path}:{item.line} imports {top}"
