"""Draws from generators that nobody has seeded, matrices without full rank, locks without an owner."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path
from time import time
from typing import TYPE_CHECKING

import torch

from keng.run.events import BuildLockWait, Lstsq, RandomDraw, RandomSeed
from keng.run.moments import LeastSquares, UnseededDraw, WaitedLock
from keng.run.recorder import Recorder
from keng.run.sampling import Sampler
from keng.run.state import Facts, RunState, unwatched

if TYPE_CHECKING:
    pass

LARGEST = 1_000_000


class Draws(Recorder):
    provides = ("random.unseeded",)

    def __init__(self, run: RunState) -> None:
        super().__init__(run)
        self.homes: set[str] = set()

    def random_seed(self, event: RandomSeed) -> None:
        self.homes.add(event.home)

    def random_draw(self, event: RandomDraw) -> None:
        home = event.home
        if "torch" in self.homes and home not in self.homes:
            self.homes.add(home)  # once is enough
            self.run.show(
                "random.unseeded", UnseededDraw(self.run.step, Facts(), home, event.function)
            )


class Squares(Recorder):
    """A rank takes a decomposition of its own: only some matrices are looked at, and none that has to
    be waited for."""

    provides = ("least.squares",)

    def __init__(self, run: RunState) -> None:
        super().__init__(run)
        self.sampler = Sampler(first=3, every=500)

    def lstsq(self, event: Lstsq) -> None:
        matrix, driver = event.matrix, event.driver
        driver = driver or ("gels" if matrix.is_cuda else "gelsy")
        if driver != "gels" or matrix.numel() > LARGEST or not self.sampler.due():
            return
        with unwatched():
            rank = int(torch.linalg.matrix_rank(matrix.detach()).min())
        columns = min(matrix.shape[-2:])
        self.run.show("least.squares", LeastSquares(self.run.step, Facts(), driver, rank, columns))


class Locks(Recorder):
    provides = ("lock.waited",)

    def build_lock_wait(self, event: BuildLockWait) -> None:
        path = event.path
        with contextlib.suppress(OSError):
            age = time() - Path(path).stat().st_mtime
            moment = WaitedLock(self.run.step, Facts(), path, age, _is_open(path))
            self.run.show("lock.waited", moment)


def _is_open(path: str) -> bool:
    """Whether a process has a file open: who builds keeps its lock so until it is done."""
    wanted = os.path.realpath(path)
    for descriptor in Path("/proc").glob("[0-9]*/fd/*"):
        with contextlib.suppress(OSError):
            if os.readlink(descriptor) == wanted:
                return True
    return False
