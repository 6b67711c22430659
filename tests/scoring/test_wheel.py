"""`pip install .`, as somebody does who has the checkout and nothing else of ours."""

from __future__ import annotations

import shutil
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest

from tests.library_page import BLOCK, PAGE
from tests.servers import ROOT

LIBRARIES = Path(sysconfig.get_paths()["purelib"])
CORE = ("numpy", "scipy", "krippendorff")
COMMANDS = [
    line.split() for line in PAGE.read_text().splitlines() if line.startswith("giza-scoring ")
]


def run(*command, folder):
    return subprocess.run(
        [str(part) for part in command],
        cwd=folder,
        env={"PATH": "/usr/bin:/bin", "OMP_NUM_THREADS": "1", "HOME": str(folder)},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """Built from a copy, so that the checkout stays as it is; nothing is fetched."""
    folder = tmp_path_factory.mktemp("build")
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, folder)
    for name in ("scoring", "annotation"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    offline = ("--no-index", "--no-deps", "--no-build-isolation", "--no-cache-dir")
    done = run(
        sys.executable, "-m", "pip", "wheel", *offline, "--wheel-dir", "made", ".", folder=folder
    )
    assert done.returncode == 0, done.stderr
    (made,) = (folder / "made").glob("*.whl")
    return made


@pytest.fixture(scope="module")
def fresh(wheel, tmp_path_factory):
    """An environment with the wheel and, of all libraries, those that it says it needs."""
    folder = tmp_path_factory.mktemp("fresh")
    run(sys.executable, "-m", "venv", "--without-pip", "venv", folder=folder)
    python = folder / "venv" / "bin" / "python"
    pip = (sys.executable, "-m", "pip", "--python", python, "install", "--no-index", "--no-deps")
    done = run(*pip, "--no-compile", wheel, folder=folder)
    assert done.returncode == 0, done.stderr
    (site,) = (folder / "venv" / "lib").glob("python*/site-packages")
    show(site, *CORE)
    return python.parent, site


def show(site, *libraries):
    """Make libraries of the tests' own environment visible, and no others."""
    for library in libraries:
        for found in LIBRARIES.glob(f"{library}*"):
            if not (site / found.name).exists():
                (site / found.name).symlink_to(found)


def test_it_holds_the_science_and_nothing_else(wheel):
    names = zipfile.ZipFile(wheel).namelist()
    assert {name.split("/")[0] for name in names} == {"scoring", "giza-0.1.0.dist-info"}
    data = {path.relative_to(ROOT).as_posix() for path in (ROOT / "scoring").rglob("*.json")}
    assert len(data) > 5
    assert {*data, "scoring/py.typed", "scoring/backends/nli/judge.py"} <= set(names)


def test_it_runs_outside_of_the_checkout(fresh, tmp_path):
    binaries, _ = fresh
    done = run(binaries / "giza-scoring", "metrics", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "rouge" in done.stdout


def test_it_names_the_extra_to_install(fresh, tmp_path):
    binaries, _ = fresh
    code = "import scoring; scoring.load_judge('lexical')"
    assert (
        "pip install 'giza[trees]'" in run(binaries / "python", "-c", code, folder=tmp_path).stderr
    )


def test_it_runs_the_page_and_its_commands(fresh, tmp_path):
    """Last: the page's extra is installed now."""
    binaries, site = fresh
    show(site, "xgboost")
    blocks = list(BLOCK.finditer(PAGE.read_text()))
    (tmp_path / "page.py").write_text("\n".join(block["code"] for block in blocks))
    done = run(binaries / "python", "page.py", folder=tmp_path)
    assert done.stdout == "".join(block["printed"] or "" for block in blocks), done.stderr
    assert len(COMMANDS) == 2
    for program, *arguments in COMMANDS:
        done = run(binaries / program, *arguments, folder=tmp_path)
        assert done.returncode == 0, done.stderr
    assert "terse" in done.stdout
