"""A running program: a mask is made of bytes instead of booleans."""

from __future__ import annotations

import torch

from keng.model import say
from keng.run.events import TensorIndexed
from keng.run.recorder import Recorder
from keng.run.state import unwatched


class ByteMasks(Recorder):
    def tensor_indexed(self, event: TensorIndexed) -> None:
        index = event.index
        if not isinstance(index, torch.Tensor) or index.dtype is not torch.uint8:
            return
        if index.dim() and index.shape == event.tensor.shape[: index.dim()] and index.is_cpu:
            with unwatched():
                highest = int(index.max()) if index.numel() else 0
            flipped = say("mask-flipped", highest=highest)
            self.report(flipped if highest > 1 else say("index-of-bytes"))
