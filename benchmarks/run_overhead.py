"""What `keng.watch` adds to a training step: `python benchmarks/run_overhead.py`.

Each model's step is timed in one process in short blocks, plain and watched in turn, by process CPU
time on one thread. Printed: the median over the rounds of watched over plain, and the added time, as
the difference of the medians.
"""

from __future__ import annotations

import statistics
import sys
from collections.abc import Callable
from time import process_time
from typing import NamedTuple

import torch
from torch import nn
from torch.nn import functional as F  # noqa: N812

import keng

torch.set_num_threads(1)


class Block(nn.Module):
    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.one, self.two = nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.up, self.down = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)
        self.drop = nn.Dropout(0.1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        b, t, c = x.shape
        q, k, v = self.qkv(self.one(x)).view(b, t, 3, self.heads, c // self.heads).unbind(2)
        q, k, v = (part.transpose(1, 2) for part in (q, k, v))
        mixed = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.drop(self.out(mixed.transpose(1, 2).reshape(b, t, c)))
        return x + self.drop(self.down(F.gelu(self.up(self.two(x)))))


class Gpt(nn.Module):
    def __init__(self, words: int = 256, width: int = 128, layers: int = 4) -> None:
        super().__init__()
        self.words, self.places = nn.Embedding(words, width), nn.Embedding(64, width)
        self.blocks = nn.Sequential(*(Block(width, 4) for _ in range(layers)))
        self.norm, self.head = nn.LayerNorm(width), nn.Linear(width, words)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.words(x) + self.places(torch.arange(x.shape[1]))
        return self.head(self.norm(self.blocks(x))).flatten(0, 1)


class Case(NamedTuple):
    name: str
    step: Callable[[], None]
    steps: int
    rounds: int


def case(
    name: str, model: nn.Module, x: torch.Tensor, y: torch.Tensor, steps: int, rounds: int
) -> Case:
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3, weight_decay=0.1)

    def step() -> None:
        optimizer.zero_grad()
        F.cross_entropy(model(x), y).backward()
        optimizer.step()

    return Case(name, step, steps, rounds)


def cases() -> list[Case]:
    torch.manual_seed(0)
    layers: list[nn.Module] = []
    for cin, cout in ((3, 16), (16, 32), (32, 32), (32, 64), (64, 64)):
        layers += [nn.Conv2d(cin, cout, 3, padding=1), nn.BatchNorm2d(cout), nn.ReLU()]
    cnn = nn.Sequential(*layers, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(64, 10))
    mlp = nn.Sequential(nn.Linear(64, 64), nn.ReLU(), nn.Dropout(0.1), nn.Linear(64, 64), nn.ReLU())
    mlp.append(nn.Linear(64, 10))
    tokens = torch.randint(256, (16, 64))
    return [
        case("mlp", mlp, torch.randn(32, 64), torch.randint(10, (32,)), 400, 25),
        case("cnn", cnn, torch.randn(16, 3, 16, 16), torch.randint(10, (16,)), 20, 25),
        case("gpt", Gpt(), tokens, tokens.flatten(), 4, 21),
    ]


def seconds(step: Callable[[], None], steps: int) -> float:
    begun = process_time()
    for _ in range(steps):
        step()
    return (process_time() - begun) / steps


def main() -> int:
    print("model   plain ms   watched ms   ratio   added us a step")
    for name, step, steps, rounds in cases():
        seconds(step, max(steps // 4, 2))
        plain, watched, blind = [], [], 0
        # A program is watched from its first step; its dear first looks are over by now.
        for index in range(rounds):
            for kind in (plain, watched) if index % 2 else (watched, plain):
                if kind is plain:
                    plain.append(seconds(step, steps))
                    continue
                with keng.watch(on_finding=lambda finding: sys.exit(f"{finding}")) as watching:
                    seconds(step, 6)
                    watched.append(seconds(step, steps))
                blind += len(watching.result.blind)
        ratio = statistics.median(w / p for w, p in zip(watched, plain, strict=True))
        added = (statistics.median(watched) - statistics.median(plain)) * 1e6
        print(
            f"{name:6}{1e3 * statistics.median(plain):10.3f}{1e3 * statistics.median(watched):13.3f}"
            f"{ratio:8.3f}{added:12.0f}   blind {blind}"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
