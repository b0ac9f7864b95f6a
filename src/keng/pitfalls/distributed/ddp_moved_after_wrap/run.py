"""A running program: a model is moved or cast after it was wrapped by DistributedDataParallel."""

from __future__ import annotations

from keng.run.events import ModuleMoved
from keng.run.recorder import Recorder


class MovedWrappers(Recorder):
    def module_moved(self, event: ModuleMoved) -> None:
        from torch.nn.parallel import DistributedDataParallel

        if isinstance(event.module, DistributedDataParallel):
            says = f"`{self.run.module_name(event.module)}` was wrapped by DistributedDataParallel before:"
            says = f"{says} other memory now lies under its parameters, and their gradients are no longer"
            self.report(f"{says} averaged")
