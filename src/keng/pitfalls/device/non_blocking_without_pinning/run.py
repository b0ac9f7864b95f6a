"""A running program: a copy that is not to block has no pinned memory, or is read too soon."""

from __future__ import annotations

from keng.model import say
from keng.run.events import AsyncCopy
from keng.run.recorder import Recorder
from keng.run.sampling import Sampler
from keng.run.state import RunState


class UnpinnedCopies(Recorder):
    needs = "cuda"

    def __init__(self, run: RunState) -> None:
        super().__init__(run)
        self.sampler = Sampler(every=1000)

    def async_copy(self, event: AsyncCopy) -> None:
        tensor = event.tensor
        if tensor.is_cpu and event.result.is_cuda and not tensor.is_pinned() and self.sampler.due():
            size = tensor.numel() * tensor.element_size() / 1024
            self.report(say("unpinned-copy", size=f"{size:.0f}"))
