"""What metrics are given: a string is one reference, and what is no text is refused by all."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from scoring.errors import InputError
from scoring.metrics import METRICS, load_metric
from scoring.metrics.protocol import DOCUMENTS, REFERENCES, check_texts

SUMMARY, TEXT = "The dam burst on Monday.", "The dam burst. Nobody was hurt on Monday."
QUICK = sorted(name for name, entry in METRICS.items() if entry.is_quick)


def reader(*needs: str) -> Any:
    """A metric as far as its texts go."""
    return SimpleNamespace(name="reader", needs=frozenset(needs))


@pytest.mark.parametrize("name", QUICK)
def test_a_string_is_one_reference_or_one_document(name):
    metric = load_metric(name)
    plain = metric.score([SUMMARY], [TEXT], [TEXT]).values
    listed = metric.score([SUMMARY], [[TEXT]], [[TEXT]]).values
    np.testing.assert_array_equal(plain, listed)


def test_rouge_of_a_string_reads_words_and_not_letters():
    found = load_metric("rouge").score(["a b c"], ["a b"], [""])
    recall = found.values[0, found.columns.index("rouge1_recall")]
    precision = found.values[0, found.columns.index("rouge1_precision")]
    assert (recall, precision) == pytest.approx((1.0, 2 / 3))


@pytest.mark.parametrize("kind", [REFERENCES, DOCUMENTS])
@pytest.mark.parametrize(
    "given",
    [None, 7, "a b", b"a b", {"a": "b"}, [None], [7], [[7]], [["a", None]], [b"a"], [[["a"]]]],
)
def test_what_is_no_text_is_refused(kind, given):
    texts = {REFERENCES: [["a"]], DOCUMENTS: [["a"]]} | {kind: given}
    with pytest.raises(InputError, match=kind):
        check_texts(reader(kind), ["a"], texts[REFERENCES], texts[DOCUMENTS])


@pytest.mark.parametrize("given", ["a summary", [None], [["a"]]])
def test_summaries_are_a_list_of_strings(given):
    with pytest.raises(InputError, match="summaries"):
        check_texts(reader(), given, [], [])


def test_what_is_not_read_may_be_anything():
    nothing: Any = None
    found = check_texts(reader(REFERENCES), ["a"], ("b",), nothing)
    assert list(found) == [["a"], [("b",)], None]


@pytest.mark.parametrize("name", sorted(METRICS))
def test_every_metric_asks_for_its_texts_so(name, monkeypatch):
    """Whatever it loads later: it reads the texts first, as everybody does."""
    asked = []

    class Stopped(Exception):
        pass

    def stop(metric, *texts):
        asked.append(metric.name)
        raise Stopped

    for module in (METRICS[name].module, "scoring.metrics.pseudo"):
        monkeypatch.setattr(f"{module}.check_texts", stop, raising=False)
    with pytest.raises(Stopped):
        load_metric(name).score(["a"], ["a"], ["a"])
    assert asked == [name]
