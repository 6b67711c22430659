"""Training the reader's network: AdamW, checkpoints, taken up again after a kill."""

from __future__ import annotations

import json
import random
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import torch
from safetensors.torch import load_file, save_file
from tokenizers import Tokenizer
from torch import Tensor
from torch.nn import functional

from scoring.backends.checkpoints import find_checkpoints, load_checkpoint, save_checkpoint
from scoring.backends.minilm import check_weights, find_weights
from scoring.backends.reader.groups import (
    CONTRADICTION,
    ENTAILMENT,
    NEUTRAL,
    Group,
    Labelled,
)
from scoring.backends.reader.network import LONGEST, Batch, Network, pack
from scoring.backends.reader.weights import pack_weights

WATCHED = 300  # groups that are held out, to see how training goes
NEW_PARTS = ("match", "dense", "out")  # what training starts from nothing


@dataclass(frozen=True, slots=True)
class LearningOptions:
    """How the network is trained."""

    steps: int = 3000
    tokens: int = 2048  # of a batch
    learning_rate: float = 2e-4
    new_rate: float = 6e-4  # of the parts that MiniLM doesn't have
    warm_up: float = 0.03
    cool_down: float = 0.3  # share of the steps at the end, while the rate falls to 0
    seed: int = 0
    threads: int = 1
    bf16: bool = False
    checkpoint_every: int = 100


@dataclass(frozen=True, slots=True)
class Encoded:
    """A group as word pieces."""

    premise: list[int]
    statements: list[list[int]]
    labels: list[int]
    source: str

    @property
    def size(self) -> int:
        return len(self.premise) + 2 + sum(len(one) + 2 for one in self.statements)


def read_network() -> tuple[Network, Tokenizer, tuple[int, int]]:
    """MiniLM's network with an untrained head, its tokenizer, and its two marks."""
    folder = find_weights()
    check_weights(folder)
    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    network = Network(config, load_file(folder / "model.safetensors"))
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    vocabulary = tokenizer.get_vocab()
    return network, tokenizer, (vocabulary["[CLS]"], vocabulary["[SEP]"])


def encode(groups: Sequence[Group], tokenizer: Tokenizer) -> list[Encoded]:
    """Groups that fit."""
    texts = [
        text for group in groups for text in (group.premise, *(s.text for s in group.statements))
    ]
    pieces = iter([found.ids for found in tokenizer.encode_batch(texts, add_special_tokens=False)])
    found = [
        Encoded(
            next(pieces),
            [next(pieces) for _ in group.statements],
            [statement.label for statement in group.statements],
            group.source,
        )
        for group in groups
    ]
    return [one for one in found if len(one.premise) <= LONGEST and one.size <= 2 * LONGEST]


class Learning:
    """One training, and the folder in which it goes on after a kill."""

    def __init__(self, groups: Sequence[Group], options: LearningOptions, work: Path) -> None:
        torch.set_num_threads(options.threads)
        torch.manual_seed(options.seed)
        self.options = options
        self.work = work
        self.network, tokenizer, self.marks = read_network()
        found = encode(groups, tokenizer)
        self.watched = found[:WATCHED] + [one for one in found[WATCHED:] if one.source == "watched"]
        self.items = [one for one in found[WATCHED:] if one.source != "watched"]
        rates = {True: options.new_rate, False: options.learning_rate}
        parts: dict[bool, list[Tensor]] = {True: [], False: []}
        for name, part in self.network.trained().items():
            parts[name.startswith(NEW_PARTS)].append(part)
        self.optimiser = torch.optim.AdamW(
            [{"params": parts[new], "lr": rate, "peak": rate} for new, rate in rates.items()],
            weight_decay=0.01,
        )

    def run(self, tell: Callable[[str], None]) -> Network:
        step = self._resume()
        self.network.train()
        started, lately = time.monotonic(), []
        for batch in self._batches(step):
            if step >= self.options.steps:
                break
            lately.append(self._step(batch, step))
            step += 1
            if step % 20 == 0:
                pace = (time.monotonic() - started) / len(lately)
                loss = sum(lately[-20:]) / len(lately[-20:])
                tell(f"step {step} of {self.options.steps}: loss {loss:.3f}, {pace:.2f} s a step")
            if step % self.options.checkpoint_every == 0:
                save_checkpoint(self.work, step, self.network, self.optimiser, {})
                tell(f"step {step}: {json.dumps(self.watch())}")
        return self.network

    def _resume(self) -> int:
        kept = find_checkpoints(self.work)
        if not kept:
            return 0
        return int(load_checkpoint(kept[-1], self.network, self.optimiser)["step"])

    def _batches(self, start: int) -> Iterator[list[Encoded]]:
        """Of about the same number of pieces, groups of like length together."""
        number, epoch = 0, 0
        while True:
            for batch in plan_epoch(self.items, self.options, epoch):
                if number >= start:
                    yield batch
                number += 1
            epoch += 1

    def _step(self, items: Sequence[Encoded], step: int) -> float:
        share = schedule(step, self.options)
        for group in self.optimiser.param_groups:
            group["lr"] = group["peak"] * share
        loss = find_loss(self._logits(items), [label for item in items for label in item.labels])
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.network.trained().values(), 1.0)
        self.optimiser.step()
        self.optimiser.zero_grad(set_to_none=True)
        return float(loss.detach())

    def _logits(self, items: Sequence[Encoded]) -> Tensor:
        batch: Batch = pack([(item.premise, item.statements) for item in items], self.marks)
        with torch.autocast("cpu", dtype=torch.bfloat16, enabled=self.options.bf16):
            return self.network(batch).float()

    def watch(self) -> dict[str, str]:
        """By source: how many true statements are accepted, and how many false ones refused."""
        self.network.eval()
        right: Counter[tuple[str, bool]] = Counter()
        total: Counter[tuple[str, bool]] = Counter()
        with torch.inference_mode():
            for start in range(0, len(self.watched), 12):
                items = self.watched[start : start + 12]
                chances = self._logits(items).softmax(1)[:, ENTAILMENT].tolist()
                labels = [(item.source, label) for item in items for label in item.labels]
                for (source, label), chance in zip(labels, chances, strict=True):
                    key = (source, label == ENTAILMENT)
                    total[key] += 1
                    right[key] += (chance > 0.5) == key[1]
        self.network.train()
        return {
            f"{source} {is_true}": f"{right[source, is_true] / count:.2f} of {count}"
            for (source, is_true), count in sorted(total.items())
        }


def plan_epoch(
    items: Sequence[Encoded], options: LearningOptions, epoch: int
) -> list[list[Encoded]]:
    rng = random.Random(f"{options.seed} {epoch}")
    order = sorted(range(len(items)), key=lambda place: items[place].size + rng.random() * 12)
    batches: list[list[Encoded]] = [[]]
    for place in order:
        longest = max([items[place].size, *(item.size for item in batches[-1])])
        if batches[-1] and longest * (len(batches[-1]) + 1) > options.tokens:
            batches.append([])
        batches[-1].append(items[place])
    rng.shuffle(batches)
    return batches


def schedule(step: int, options: LearningOptions) -> float:
    rising = options.warm_up * options.steps
    falling = options.cool_down * options.steps
    return max(min((step + 1) / rising, 1.0, (options.steps - step) / falling), 0.0)


def find_loss(logits: Tensor, labels: Sequence[int]) -> Tensor:
    """Cross-entropy; of neutral and contradiction together where that is all that is known."""
    chances = functional.log_softmax(logits, dim=1)
    either = torch.logsumexp(chances[:, [NEUTRAL, CONTRADICTION]], dim=1, keepdim=True)
    targets = torch.tensor(labels)[:, None]
    return -torch.cat([chances, either], dim=1).gather(1, targets).mean()


def write_groups(path: Path, groups: Sequence[Group]) -> None:
    """Whole, or not at all."""
    part = path.with_name(f".{path.name}")
    part.write_text("".join(json.dumps(asdict(group)) + "\n" for group in groups), "utf-8")
    part.replace(path)


def read_groups(path: Path) -> list[Group]:
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return [
        Group(row["premise"], tuple(Labelled(**one) for one in row["statements"]), row["source"])
        for row in rows
    ]


def save_trained(network: Network, path: Path) -> None:
    """As they ship: see `weights`."""
    save_file(pack_weights({k: v.detach() for k, v in network.trained().items()}), path)
