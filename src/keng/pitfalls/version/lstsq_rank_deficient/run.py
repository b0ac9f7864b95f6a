"""A running program: a least-squares problem is solved by a driver that cannot see that its matrix is
singular."""

from __future__ import annotations

import torch

from keng.model import say
from keng.run.events import Lstsq
from keng.run.recorder import Recorder
from keng.run.sampling import Sampler
from keng.run.state import RunState, unwatched

LARGEST = 1_000_000
"""Elements."""


class SolvedMatrices(Recorder):
    """A rank takes a decomposition of its own: only some matrices are checked, and no large ones."""

    def __init__(self, run: RunState) -> None:
        super().__init__(run)
        self.sampler = Sampler(first=3, every=500)

    def lstsq(self, event: Lstsq) -> None:
        matrix = event.matrix
        driver = event.driver or ("gels" if matrix.is_cuda else "gelsy")
        if driver != "gels" or matrix.numel() > LARGEST or not self.sampler.due():
            return
        with unwatched():
            rank = int(torch.linalg.matrix_rank(matrix.detach()).min())
        columns = min(matrix.shape[-2:])
        if rank < columns:
            says = say("rank-below-columns", rank=rank, columns=columns, driver=driver)
            self.report(says, rank=rank)
