"""A running program: samples of one batch differ in size."""

from __future__ import annotations

from collections.abc import Iterator

import torch

from keng.model import say
from keng.run.events import LoaderFailed
from keng.run.recorder import Recorder


class FailedBatches(Recorder):
    def loader_failed(self, event: LoaderFailed) -> None:
        shapes = {shape: index for index, shape in reversed(list(_samples(event.error)))}
        if len(shapes) > 1:
            (one, first), (other, second), *_ = reversed(shapes.items())
            says = say("dataset-shapes-differ", first=first, one=one, second=second, other=other)
            self.report(says)


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
