"""Draws from generators that nobody has seeded, matrices without full rank, locks without an owner."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path
from time import time
from typing import TYPE_CHECKING

import torch

from keng.run.bus import Recorder
from keng.run.moments import LeastSquares, UnseededDraw, WaitedLock
from keng.run.sampling import Sampler
from keng.run.state import Facts, Scene, aside

if TYPE_CHECKING:
    from torch import Tensor

LARGEST = 1_000_000


class Draws(Recorder):
    makes = ("random.unseeded",)

    def __init__(self, scene: Scene) -> None:
        super().__init__(scene)
        self.homes: set[str] = set()

    def seeded(self, home: str) -> None:
        self.homes.add(home)

    def drawn(self, home: str, function: str) -> None:
        if "torch" in self.homes and home not in self.homes:
            self.homes.add(home)  # once is enough
            self.scene.show(
                "random.unseeded", UnseededDraw(self.scene.step, Facts(), home, function)
            )


class Squares(Recorder):
    """A rank takes a decomposition of its own: only some matrices are looked at, and none that has to
    be waited for."""

    makes = ("least.squares",)

    def __init__(self, scene: Scene) -> None:
        super().__init__(scene)
        self.sampler = Sampler(first=3, every=500)

    def lstsq(self, matrix: Tensor, driver: str | None) -> None:
        driver = driver or ("gels" if matrix.is_cuda else "gelsy")
        if driver != "gels" or matrix.numel() > LARGEST or not self.sampler.due():
            return
        with aside():
            rank = int(torch.linalg.matrix_rank(matrix.detach()).min())
        columns = min(matrix.shape[-2:])
        self.scene.show(
            "least.squares", LeastSquares(self.scene.step, Facts(), driver, rank, columns)
        )


class Locks(Recorder):
    makes = ("lock.waited",)

    def lock_waited(self, path: str) -> None:
        with contextlib.suppress(OSError):
            age = time() - Path(path).stat().st_mtime
            moment = WaitedLock(self.scene.step, Facts(), path, age, _is_open(path))
            self.scene.show("lock.waited", moment)


def _is_open(path: str) -> bool:
    """Whether a process has a file open: who builds keeps its lock so until it is done."""
    wanted = os.path.realpath(path)
    for descriptor in Path("/proc").glob("[0-9]*/fd/*"):
        with contextlib.suppress(OSError):
            if os.readlink(descriptor) == wanted:
                return True
    return False
