"""A web process can't load a model; a worker can."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from annotation.model_guard import is_model
from tests.servers import ROOT
from tests.test_architecture import python_files

TRIES = """
import importlib, json, sys
from importlib.util import find_spec
import {module}
found = {{"loaded": [], "refused": [], "installed": []}}
for name in {names}:
    if find_spec(name):
        found["installed"].append(name)
    try:
        importlib.import_module(name)
    except RuntimeError as error:
        assert "in a web process" in str(error), error
        found["refused"].append(name)
heavy = ("torch", "transformers", "spacy", "xgboost")
found["loaded"] = [name for name in heavy if name in sys.modules]
print(json.dumps(found))
"""
NAMES = ["xgboost", "scoring.backends.lexical", "scoring.backends.parquet"]


def run(module: str, names: list[str], folder: Path) -> dict[str, Any]:
    env = {
        **os.environ,
        "DATA_DIR": str(folder),
        "SECRET_KEY": "only-for-this-test-0123456789-abcdefghijklmnopqrstuvwxyz",
        "DJANGO_SETTINGS_MODULE": "deploy.settings",
    }
    code = TRIES.format(module=module, names=names)
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, env=env, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


@pytest.mark.parametrize("module", ["deploy.wsgi", "deploy.asgi"])
def test_a_web_process_refuses_models(module: str, tmp_path: Path):
    """Every address is loaded with it; whether a library is installed can still be asked."""
    found = run(module, NAMES, tmp_path)
    assert found == {"loaded": [], "refused": NAMES[:2], "installed": NAMES}


def test_a_worker_does_not(tmp_path: Path):
    found = run("deploy.celery", ["scoring.backends.lexical"], tmp_path)
    assert found["refused"] == []


def test_it_knows_every_judge_and_metric_by_its_module():
    """A new backend is a model unless the guard says otherwise."""
    names = [".".join(path.with_suffix("").parts) for path in python_files("scoring/backends")]
    allowed = {name.rpartition(".")[2] for name in names if not is_model(name)}
    assert allowed == {"__init__", "crowdkit", "parquet", "wordnet"}
