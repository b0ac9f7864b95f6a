"""What `keng.watch` adds to a training step: `python benchmarks/run_overhead.py [ROUNDS]`.

Each model's step is timed in one process in short blocks, plain, watched and under torch's own
`set_detect_anomaly` in turn, by CPU time on one thread. Printed are medians over the rounds: of the
plain step, of watched over plain, of what watching adds, of what the watcher itself says that it took, and
of anomaly detection over plain. With a C++ compiler at hand two of the models are also compiled. Named
models alone: `... ROUNDS mlp lstm`.
"""

from __future__ import annotations

import shutil
import statistics
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from time import thread_time
from typing import Any, NamedTuple

import torch
from nets import Block
from torch import nn
from torch.nn import functional as F  # noqa: N812

import keng
from keng.run.findings import NOTHING, Overhead

torch.set_num_threads(1)


class Gpt(nn.Module):
    def __init__(self, words: int = 256, width: int = 128, layers: int = 4) -> None:
        super().__init__()
        self.words, self.places = nn.Embedding(words, width), nn.Embedding(64, width)
        self.blocks = nn.Sequential(*(Block(width, 4) for _ in range(layers)))
        self.norm, self.head = nn.LayerNorm(width), nn.Linear(width, words)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.words(x) + self.places(torch.arange(x.shape[1]))
        return self.head(self.norm(self.blocks(x))).flatten(0, 1)


class Lstm(nn.Module):
    def __init__(self, width: int = 128, classes: int = 10) -> None:
        super().__init__()
        self.rnn = nn.LSTM(32, width, num_layers=2, batch_first=True)
        self.head = nn.Linear(width, classes)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.head(self.rnn(x)[0][:, -1])


def mlp() -> nn.Module:
    layers = [nn.Linear(64, 64), nn.ReLU(), nn.Dropout(0.1), nn.Linear(64, 64), nn.ReLU()]
    return nn.Sequential(*layers, nn.Linear(64, 10))


def cnn() -> nn.Module:
    layers: list[nn.Module] = []
    for cin, cout in ((3, 16), (16, 32), (32, 32), (32, 64), (64, 64)):
        layers += [nn.Conv2d(cin, cout, 3, padding=1), nn.BatchNorm2d(cout), nn.ReLU()]
    return nn.Sequential(*layers, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(64, 10))


class Case(NamedTuple):
    """`first` steps of a watch are left out of the timing: its dear first looks are over by then."""

    name: str
    step: Callable[[], None]
    first: int
    steps: int


def case(name: str, model: Any, x: torch.Tensor, y: torch.Tensor, first: int, steps: int) -> Case:
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3, weight_decay=0.1)

    def step() -> None:
        optimizer.zero_grad()
        F.cross_entropy(model(x), y).backward()
        optimizer.step()

    return Case(name, step, first, steps)


def cases() -> Iterator[Case]:
    torch.manual_seed(0)
    tokens, images, rows = (
        torch.randint(256, (16, 64)),
        torch.randn(16, 3, 16, 16),
        torch.randn(32, 64),
    )
    labels, few = torch.randint(10, (32,)), torch.randint(10, (16,))
    yield case("mlp", mlp(), rows, labels, 100, 400)
    yield case("lstm", Lstm(), torch.randn(16, 20, 32), few, 64, 128)
    yield case("cnn", cnn(), images, few, 10, 20)
    yield case("gpt", Gpt(), tokens, tokens.flatten(), 10, 4)
    if shutil.which("c++") or shutil.which("g++"):
        yield case("mlp, compiled", torch.compile(mlp()), rows, labels, 100, 400)
        yield case("gpt, compiled", torch.compile(Gpt()), tokens, tokens.flatten(), 10, 4)


@contextmanager
def watched(told: list[Any]) -> Iterator[Any]:
    with keng.watch(on_finding=told.append) as watching:
        yield watching
    told.extend(watching.result.skipped)


def seconds(step: Callable[[], None], steps: int) -> float:
    begun = thread_time()
    for _ in range(steps):
        step()
    return (thread_time() - begun) / steps


def measured(each: Case, rounds: int) -> str:
    told: list[Any] = []
    kinds: dict[str, Callable[[], AbstractContextManager[Any]]] = {
        "plain": nullcontext,
        "watched": lambda: watched(told),
        "anomaly": lambda: torch.autograd.set_detect_anomaly(True),
    }
    took: dict[str, list[float]] = {kind: [] for kind in kinds}
    said: list[float] = []
    for turn in range(-1, rounds):
        for kind in sorted(kinds, reverse=bool(turn % 2)):
            with kinds[kind]() as watching:
                seconds(each.step, each.first)
                before = watching.result.overhead if watching else NOTHING
                took[kind].append(seconds(each.step, each.steps))
                if kind == "watched":
                    said.append(took[kind][-1] * share(before, watching.result.overhead))
    plain, watch, anomaly = (took[kind][1:] for kind in kinds)  # the first round warms up
    added = statistics.median(w - p for w, p in zip(watch, plain, strict=True)) * 1e6
    own = statistics.median(said[1:]) * 1e6
    line = f"{each.name:14}{1e3 * statistics.median(plain):10.3f}{ratio(watch, plain):10.3f}"
    line += f"{added:10.0f}{own:10.0f}{ratio(anomaly, plain):10.2f}"
    return f"{line}   {'; '.join(map(str, told))}"


def share(before: Overhead, after: Overhead) -> float:
    """Of the time between, which the watcher takes by the wall clock, as its own part."""
    return (after.own - before.own) / (after.seconds - before.seconds)


def ratio(some: list[float], plain: list[float]) -> float:
    return statistics.median(s / p for s, p in zip(some, plain, strict=True))


def main() -> int:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 25
    heads = ("plain ms", "watched", "added us", "own us", "anomaly")
    print(f"{'model':14}{''.join(f'{head:>10}' for head in heads)}   said")
    for each in cases():
        if len(sys.argv) > 2 and each.name not in sys.argv[2:]:
            continue
        print(measured(each, rounds), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
