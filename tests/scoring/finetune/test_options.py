"""Options of fine-tuning."""

from __future__ import annotations

import pytest

from scoring.finetune import FineTuneOptions
from scoring.finetune.progress import Progress


def test_it_starts_from_the_papers_settings():
    options = FineTuneOptions("base")
    assert (options.learning_rate, options.epochs, options.sharing) == (1e-5, 2, "pairs")


@pytest.mark.parametrize(
    "field, value",
    [
        ("base", " "),
        ("sharing", "both"),
        ("learning_rate", 0),
        ("epochs", 0),
        ("warm_up", 1),
        ("batch_size", 0),
        ("weight_decay", -1),
        ("clip", 0),
        ("window", -1),
        ("pooling", "last"),
        ("seed", -1),
        ("threads", -1),
        ("checkpoint_every", -1),
    ],
)
def test_it_refuses_what_can_not_be(field, value):
    with pytest.raises(ValueError, match=f"^{field} can't be {value!r}. Expected"):
        FineTuneOptions(**{"base": "x", field: value})


def test_it_knows_a_run_by_what_decides_the_weights():
    options = FineTuneOptions("base")
    assert options.key("data") == FineTuneOptions("base", checkpoint_every=3).key("data")
    assert options.key("data") != FineTuneOptions("base", seed=1).key("data")
    assert options.key("data") != options.key("other")


@pytest.mark.parametrize(
    "seconds, told",
    [(None, "…"), (9.4, "9 s left"), (83, "1 min 23 s left"), (7260, "2 h 1 min left")],
)
def test_it_tells_how_far_it_is(seconds, told):
    line = str(Progress(20, 1320, 0.51234, 35.2, "fold1", seconds))
    assert line == f"fold1: step 20 of 1,320 · loss 0.5123 · 35 pairs/s · {told}"
