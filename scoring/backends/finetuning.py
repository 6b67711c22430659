"""The trainer: AdamW under a linear schedule with warm-up, seeded, taken up again after a kill.

The same data, options and seed give the same weights on the same machine with one thread, whether
or not the training was broken off in between.
"""

from __future__ import annotations

import platform
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import torch
import transformers
from torch import nn

from scoring import __version__
from scoring.backends.checkpoints import find_checkpoints, load_checkpoint, save_checkpoint
from scoring.backends.learners import Item, Learner, make_learner, read_base
from scoring.errors import InputError
from scoring.finetune.data import TrainingRecord
from scoring.finetune.options import FineTuneOptions
from scoring.finetune.progress import Progress
from scoring.translation import gettext as _

LATELY = 50  # steps whose mean loss is shown

Tell = Callable[[Progress], None]


@dataclass(slots=True)
class Position:
    """How far it is: steps that are done, and the sums of their losses by epoch."""

    step: int = 0
    losses: dict[str, list[float]] = field(default_factory=dict)

    def add(self, epoch: int, loss: float, units: int) -> None:
        total = self.losses.setdefault(str(epoch), [0.0, 0.0])
        total[0] += loss * units
        total[1] += units

    def means(self) -> list[float]:
        return [total / units for total, units in self.losses.values()]


def train(
    records: Sequence[TrainingRecord],
    options: FineTuneOptions,
    *,
    work: Path,
    result: Path,
    tell: Tell | None = None,
) -> dict[str, Any]:
    """Fine-tune the base on the records and write the model to *result*; gives facts for its card.

    Checkpoints are kept in *work*; one that is there is taken up.
    """
    with _seeded(options):
        learner = make_learner(options)
        items = learner.prepare(records)
        if not items:
            raise InputError(_("There is no training data: all labelled summaries are empty."))
        position = Training(learner, items, options).run(work, tell)
        learner.save(result)
    return {
        **learner.card(),
        "training": {
            "steps": position.step,
            "losses": position.means(),
            "units": sum(len(item.places) for item in items),
            "summaries_cut": len({id(item.record) for item in items if item.is_cut}),
        },
    }


class Training:
    """One training of one model."""

    def __init__(self, learner: Learner, items: Sequence[Item], options: FineTuneOptions) -> None:
        self.learner = learner
        self.items = items
        self.options = options
        self.learner.module.to(options.device).train()
        self.optimiser = make_optimiser(learner.module, options)
        self.plan = plan_batches([len(item.places) for item in items], options)

    def run(self, work: Path, tell: Tell | None = None) -> Position:
        position = self._resume(work)
        lately: deque[float] = deque(maxlen=LATELY)
        started, done = time.monotonic(), 0
        for epoch, batch in self.plan[position.step :]:
            items = [self.items[place] for place in batch]
            loss, units = self._step(items, position.step), sum(len(item.places) for item in items)
            position.step += 1
            position.add(epoch, loss, units)
            lately.append(loss)
            done += units
            every = self.options.checkpoint_every
            if every and position.step % every == 0 and position.step < len(self.plan):
                self._keep(work, position)
            if tell:
                seconds = max(time.monotonic() - started, 1e-9)
                tell(
                    Progress(position.step, len(self.plan), float(np.mean(lately)), done / seconds)
                )
        return position

    def _step(self, items: Sequence[Item], step: int) -> float:
        for group in self.optimiser.param_groups:
            rate = schedule(step, len(self.plan), self.options.warm_up)
            group["lr"] = self.options.learning_rate * rate
        logits = self.learner.logits(items)
        labels = [label for item in items for label in item.labels]
        # Present is class 0.
        targets = 1 - torch.tensor(labels, device=logits.device)
        loss = nn.functional.cross_entropy(logits, targets)
        loss.backward()
        nn.utils.clip_grad_norm_(self.learner.module.parameters(), self.options.clip)
        self.optimiser.step()
        self.optimiser.zero_grad(set_to_none=True)
        return float(loss.detach())

    def _resume(self, work: Path) -> Position:
        kept = find_checkpoints(work)
        if not kept:
            return Position()
        found = load_checkpoint(kept[-1], self.learner.module, self.optimiser)
        return Position(found["step"], found["losses"])

    def _keep(self, work: Path, position: Position) -> None:
        facts = {"losses": position.losses}
        save_checkpoint(work, position.step, self.learner.module, self.optimiser, facts)


def plan_batches(sizes: Sequence[int], options: FineTuneOptions) -> list[tuple[int, list[int]]]:
    """Every step of every epoch: items by place, shuffled anew in each epoch."""
    plan = []
    for epoch in range(options.epochs):
        order = np.random.default_rng([options.seed, epoch]).permutation(len(sizes)).tolist()
        plan += [(epoch, batch) for batch in _batches(order, sizes, options.batch_size)]
    return plan


def schedule(step: int, steps: int, warm_up: float) -> float:
    """What the learning rate is multiplied with: up to 1 within the warm-up, then down to 0."""
    rising = round(warm_up * steps)
    if step < rising:
        return (step + 1) / rising
    return (steps - step) / (steps - rising)


def make_optimiser(model: nn.Module, options: FineTuneOptions) -> torch.optim.Optimizer:
    """AdamW; biases and norms do not decay."""
    trained = [part for part in model.parameters() if part.requires_grad]
    return torch.optim.AdamW(
        [
            {"params": [part for part in trained if part.ndim > 1]},
            {"params": [part for part in trained if part.ndim <= 1], "weight_decay": 0.0},
        ],
        lr=options.learning_rate,
        weight_decay=options.weight_decay,
    )


def describe_base(options: FineTuneOptions) -> dict[str, str]:
    """What training starts from, to the byte; refuses what a judge can't be made of."""
    folder = read_base(options).folder
    found = {"name": options.base, "weights": folder.digest()}
    return found | ({"revision": folder.revision} if folder.revision else {})


def versions() -> dict[str, str]:
    return {
        "giza": __version__,
        "python": platform.python_version(),
        "torch": torch.__version__,
        "transformers": transformers.__version__,
    }


def _batches(order: Sequence[int], sizes: Sequence[int], most: int) -> Iterator[list[int]]:
    """Items up to so many units; one that has more is a batch of its own."""
    batch: list[int] = []
    units = 0
    for place in order:
        if batch and units + sizes[place] > most:
            yield batch
            batch, units = [], 0
        batch.append(place)
        units += sizes[place]
    yield batch


@contextmanager
def _seeded(options: FineTuneOptions) -> Iterator[None]:
    """Random numbers by the seed, threads as told; afterwards both are as they were."""
    threads = torch.get_num_threads()
    with torch.random.fork_rng():
        torch.manual_seed(options.seed)
        if options.threads:
            torch.set_num_threads(options.threads)
        try:
            yield
        finally:
            torch.set_num_threads(threads)
