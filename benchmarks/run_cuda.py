"""What `keng.watch` does to training steps on a GPU: `python benchmarks/run_cuda.py [cpu]`.

For three models, in float32 and under autocast with a GradScaler: whether thirty steps end in the same bits
watched and alone (and alone a second time), how often a step waits for the card by torch's own count
(`torch.cuda.set_sync_debug_mode`), and the time of a step in blocks by turns, by the clock, with the card
waited for at the end of each block. `cpu` tries it where there is no card, and counts no waits.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable
from contextlib import nullcontext
from statistics import median
from time import perf_counter
from typing import NamedTuple

import torch
from nets import Block
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812

import keng

CARD = sys.argv[1:] != ["cpu"]
DEVICE = "cuda" if CARD else "cpu"
STEPS, FIRST, ROUNDS = 60, 150, 5
"""Steps of a block, those of a watch that are left out before it, and blocks of each kind."""


def gpt() -> nn.Module:
    blocks = (Block(384, 6) for _ in range(4))
    return nn.Sequential(nn.Embedding(256, 384), *blocks, nn.Linear(384, 256), nn.Flatten(0, 1))


def conv() -> nn.Module:
    layers: list[nn.Module] = []
    for n in range(8):
        layers += [
            nn.Conv2d(64 if n else 3, 64, 3, padding=1),
            nn.BatchNorm2d(64),
            nn.ReLU(),
        ]
    return nn.Sequential(*layers, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(64, 10))


def mlp() -> nn.Module:
    return nn.Sequential(nn.Linear(64, 256), nn.ReLU(), nn.Linear(256, 10))


class Case(NamedTuple):
    name: str
    model: Callable[[], nn.Module]
    x: Tensor
    y: Tensor
    scaled: bool

    def training(self) -> tuple[nn.Module, Callable[[], None]]:
        """A model, the same each time, and its step."""
        torch.manual_seed(0)
        net = self.model().to(DEVICE)
        optimizer = torch.optim.AdamW(net.parameters(), lr=1e-3)
        scaler = torch.amp.GradScaler(DEVICE, enabled=self.scaled)
        low = torch.float16 if CARD else torch.bfloat16

        def step() -> None:
            optimizer.zero_grad()
            with torch.autocast(DEVICE, dtype=low, enabled=self.scaled):
                loss = F.cross_entropy(net(self.x).float(), self.y)
            scaler.scale(loss).backward()
            if not self.scaled:
                nn.utils.clip_grad_norm_(net.parameters(), 1.0)
            scaler.step(optimizer)
            scaler.update()

        return net, step


def cases() -> list[Case]:
    tokens = torch.randint(256, (8, 128), device=DEVICE)
    images = torch.randn(64, 3, 64, 64, device=DEVICE)
    few, many = (torch.randint(10, (n,), device=DEVICE) for n in (64, 128))
    rows = torch.randn(128, 64, device=DEVICE)
    return [
        Case(name, model, x, y, scaled)
        for name, model, x, y in (
            ("gpt", gpt, tokens, tokens.flatten()),
            ("conv", conv, images, few),
            ("mlp", mlp, rows, many),
        )
        for scaled in (False, True)
    ]


def bits(case: Case, watched: bool) -> list[Tensor]:
    with keng.watch() if watched else nullcontext():
        net, step = case.training()
        for _ in range(30):
            step()
    return [value.cpu() for value in net.state_dict().values()]


def same(one: list[Tensor], other: list[Tensor]) -> str:
    return "yes" if all(map(torch.equal, one, other)) else "no"


def waits(step: Callable[[], None], steps: int) -> int:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        torch.cuda.set_sync_debug_mode("warn")
        for _ in range(steps):
            step()
        torch.cuda.set_sync_debug_mode("default")
    return sum("synchroniz" in str(each.message) for each in caught) - 1  # the last line's own


def waited(case: Case) -> str:
    if not CARD:
        return "-"
    alone = waits(case.training()[1], STEPS)
    with keng.watch():
        _, step = case.training()
        first, then = waits(step, STEPS), waits(step, STEPS)
    return f"{alone}, {first}, {then}"


def block(step: Callable[[], None], steps: int) -> float:
    """Milliseconds a step."""
    finish = torch.cuda.synchronize if CARD else bool
    finish()
    begun = perf_counter()
    for _ in range(steps):
        step()
    finish()
    return (perf_counter() - begun) / steps * 1e3


def timed(case: Case) -> tuple[float, float]:
    plain, watched = [], []
    _, alone = case.training()
    for _ in range(ROUNDS):
        block(alone, 10)
        plain.append(block(alone, STEPS))
        with keng.watch():
            _, step = case.training()
            block(step, FIRST)
            watched.append(block(step, STEPS))
    return median(plain), median(w / p for w, p in zip(watched, plain, strict=True))


def main() -> int:
    if CARD and not torch.cuda.is_available():
        print("there is no GPU here; `cpu` tries it without", file=sys.stderr)
        return 2
    torch.backends.cudnn.deterministic = True
    # The fast kernels of attention add up in another order each time.
    torch.backends.cuda.enable_flash_sdp(False)
    torch.backends.cuda.enable_mem_efficient_sdp(False)
    if hasattr(torch.backends.cuda, "enable_cudnn_sdp"):
        torch.backends.cuda.enable_cudnn_sdp(False)
    heads = ("same bits", "twice alone", "waits of 60: alone, first, then", "plain ms", "watched")
    print(f"{'model':12}{'  '.join(heads)}")
    for case in cases():
        alone = bits(case, watched=False)
        again, watched = same(alone, bits(case, watched=False)), same(alone, bits(case, True))
        plain, ratio = timed(case)
        name = f"{case.name}, scaled" if case.scaled else case.name
        row = (f"{watched:>9}", f"{again:>11}", f"{waited(case):>31}", f"{plain:8.2f}")
        print(f"{name:12}{'  '.join(row)}  {ratio:7.3f}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
