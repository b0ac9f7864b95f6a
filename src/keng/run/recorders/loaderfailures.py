"""DataLoaders that raise: which samples did not fit, and whether the kernel has killed a worker."""

from __future__ import annotations

import os
from collections.abc import Iterator

import torch

from keng.env.cgroups import kills
from keng.env.files import Files
from keng.run import moments
from keng.run.events import LoaderFailed
from keng.run.recorder import Recorder
from keng.run.state import Facts, RunState


class FailureFacts(Facts):
    def __init__(self, killed_before: int) -> None:
        self._killed_before = killed_before

    def killed_for_memory(self) -> int:
        return kills(Files()) - self._killed_before

    def free(self) -> int:
        return os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")


class LoaderFailures(Recorder):
    provides = ("loader.failed",)

    def __init__(self, run: RunState) -> None:
        super().__init__(run)
        self.killed = kills(Files())

    def loader_failed(self, event: LoaderFailed) -> None:
        error = event.error
        message = f"{type(error).__name__}: {error}"
        moment = moments.LoaderFailed(
            self.run.step, FailureFacts(self.killed), message, tuple(_samples(error))
        )
        self.run.show("loader.failed", moment)


def _samples(error: Exception) -> Iterator[tuple[int, tuple[int, ...]]]:
    """Indices and shapes of the batch that was put together, from the frame that had them."""
    at = error.__traceback__
    while at is not None:
        here = at.tb_frame.f_locals
        indices, data = here.get("possibly_batched_index"), here.get("data")
        if isinstance(indices, list) and isinstance(data, list) and len(indices) == len(data):
            for index, sample in zip(indices, data, strict=True):
                first = sample[0] if isinstance(sample, (tuple, list)) and len(sample) else sample
                if isinstance(first, torch.Tensor) and isinstance(index, int):
                    yield index, tuple(first.shape)
        at = at.tb_next
