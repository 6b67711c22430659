"""The embedded judge on all of REALSumm, through the product: from cold, and again from the store;
and the judge that reads, from cold.

Against a MiniLM cross-encoder run the way the paper's code runs, extrapolated from a sample. All
figures are of processor time, set-up of the judging process included.
"""

from __future__ import annotations

import json
import resource
import tempfile

from tests import servers
from tests.benchmarks.judging_sample import make_cross_encoder, sample
from tests.benchmarks.judging_worker import padded_seconds_per_pair
from tests.benchmarks.report import Figure
from tests.conftest import GIZA_DATA

LEAST_FASTER = 20
READER_FASTER, READER_SLOWER = 9, 3  # than the paper's way, than the embedded judge
SET_UP = """
from django.core.management import call_command
from annotation.units.models import UnitSet
from tests import factories
owner = factories.make_user("Owner")
folder = {folder!r}
call_command("import_corpus", folder, "--project", "bench", "--owner", owner.email)
call_command("import_units", folder + "/SCUs.txt", "--project", "bench", "--set", "SCUs")
factories.freeze(UnitSet.objects.get(project__slug="bench"), owner)
"""
RUN = ("--project", "bench", "--unit-set", "SCUs", "--wait", "--json", "--judge")


def measure() -> list[Figure]:
    each = padded_seconds_per_pair(make_cross_encoder(sample("realsumm")), "realsumm")
    with tempfile.TemporaryDirectory() as folder:
        environment = servers.clean_environment(
            SECRET_KEY=servers.SECRET_KEY, DATA_DIR=folder, DEBUG="false"
        )
        servers.run_serve(environment, "migrate")
        set_up = SET_UP.format(folder=str(GIZA_DATA / "realsumm"))
        servers.run_to_end(environment, "manage.py", "shell", "-c", set_up)
        (pairs, cold), (_, again) = (_judge(environment, "embedded") for _ in range(2))
        _, reader = _judge(environment, "reader")
    return [
        Figure("judgements of all of REALSumm", pairs),
        Figure("a cross-encoder the paper's way, extrapolated", each * pairs, "s"),
        Figure("the embedded judge from cold", cold, "s"),
        Figure("times as fast", each * pairs / cold, "x", at_least=LEAST_FASTER),
        Figure("again, from the store", again, "s"),
        Figure("of the time from cold", again / cold, "x", at_most=0.5),
        Figure("the judge that reads, from cold", reader, "s"),
        Figure("times as fast", each * pairs / reader, "x", at_least=READER_FASTER),
        Figure("of the embedded judge's time", reader / cold, "x", at_most=READER_SLOWER),
    ]


def _judge(environment: dict[str, str], judge: str) -> tuple[int, float]:
    """Pairs, and processor seconds of the process that judged them."""
    before = _used()
    told = json.loads(servers.run_to_end(environment, "manage.py", "judge_summaries", *RUN, judge))
    return int(told["counts"]["pairs"]), _used() - before


def _used() -> float:
    found = resource.getrusage(resource.RUSAGE_CHILDREN)
    return found.ru_utime + found.ru_stime
