"""Memory that was freed goes back, and what is loaded is not looked through."""

from __future__ import annotations

import gc
import importlib
import subprocess
import sys
from typing import Any

import pytest
from celery.signals import task_postrun
from django.core.signals import request_finished

from deploy import memory
from tests.servers import ROOT

# Fills a heap with pieces that are too small to be mapped alone, frees all but the last, and then
# serves a request; prints how much memory the process has at each of the three moments.
PROGRAM = """
import psutil
from django.core.signals import request_finished
from deploy import memory
memory.SECONDS = 0.0
memory.give_back_after(request_finished)
process = psutil.Process()
pieces = [bytearray(20_000) for _ in range(5_000)]
full = process.memory_info().rss
last = pieces.pop()
del pieces
freed = process.memory_info().rss
request_finished.send(sender=None)
print(full, freed, process.memory_info().rss)
"""


def test_it_gives_back_what_a_large_request_took():
    asked = [sys.executable, "-c", PROGRAM]
    told = subprocess.run(asked, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    full, freed, after = map(int, told.split())
    assert full - freed < 50_000_000  # what C's allocator keeps by itself
    assert full - after > 80_000_000


def test_it_looks_for_no_garbage_while_it_loads():
    known = gc.get_freeze_count()
    with memory.loading():
        assert not gc.isenabled()
    assert gc.isenabled()
    assert gc.get_freeze_count() > known


def test_it_gives_back_now_and_then_and_not_after_each_request(monkeypatch: pytest.MonkeyPatch):
    given: list[int] = []
    giver = memory.Giver(lambda: given.append(1))
    giver.hear()
    assert given == []
    monkeypatch.setattr(memory, "SECONDS", 0.0)
    giver.hear()
    assert given == [1]


@pytest.mark.parametrize("module", ["deploy.wsgi", "deploy.celery"])
def test_web_and_worker_do(module: str, monkeypatch: pytest.MonkeyPatch):
    # A web process forbids models, and this one runs other tests.
    monkeypatch.setattr(sys, "meta_path", list(sys.meta_path))
    importlib.import_module(module)
    signals: dict[str, Any] = {"deploy.wsgi": request_finished, "deploy.celery": task_postrun}
    assert any(receiver[0][0] == "memory" for receiver in signals[module].receivers)
