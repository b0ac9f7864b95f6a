"""A running program: a model is moved or cast after it was wrapped by DistributedDataParallel."""

from __future__ import annotations

from keng.model import say
from keng.run.events import ModuleMoved
from keng.run.recorder import Recorder


class MovedWrappers(Recorder):
    def module_moved(self, event: ModuleMoved) -> None:
        from torch.nn.parallel import DistributedDataParallel

        if isinstance(event.module, DistributedDataParallel):
            self.report(say("moved-after-wrap", name=self.run.module_name(event.module)))
