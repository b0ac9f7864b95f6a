"""Writes src/keng/tables/constructors.names: what the classes of torch take when they are made and when they are called.

Usage: python tools/constructors.py

The modules of torch.nn, the optimizers and the schedulers, asked of the torch that is installed.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from pathlib import Path

import torch
from torch import nn, optim
from torch.optim import lr_scheduler

OUT = Path(__file__).parents[1] / "src" / "keng" / "tables" / "constructors.names"


def main() -> None:
    head = f"# torch {torch.__version__}: class | parameters of the constructor | parameters of the call"
    OUT.write_text("\n".join([head, *sorted(_rows())]) + "\n", "utf-8")


def _rows() -> Iterator[str]:
    homes = ((nn, nn.Module), (optim, optim.Optimizer), (lr_scheduler, lr_scheduler.LRScheduler))
    for home, base in homes:
        for name, made in vars(home).items():
            public = inspect.isclass(made) and issubclass(made, base) and not name.startswith("_")
            if public and made is not base:
                called = made.forward if base is nn.Module else made.step
                yield f"{name}|{_parameters(made.__init__)}|{_parameters(called)}"


def _parameters(function: Callable[..., object]) -> str:
    return " ".join(p for p in inspect.signature(function).parameters if p != "self")


if __name__ == "__main__":
    main()
