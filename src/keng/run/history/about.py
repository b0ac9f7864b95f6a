"""What a run is made of, for its record: environment, seed, models, batch, optimizers, schedules."""

from __future__ import annotations

import platform
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any
from weakref import WeakSet

import torch

from keng.run.events import Batch, Forward, NewOptimizer, SchedulerInit
from keng.run.frames import spoken
from keng.run.recorder import Recorder
from keng.run.state import RunState, tensors_in

if TYPE_CHECKING:
    from torch.nn import Module

About = Callable[[str, str], None]
"""Takes a property of the run: its id (`about_ID` in the texts of the report) and its value."""
PLAIN = (bool, int, float, str, tuple, type(None))
STATE = {"last_epoch", "verbose", "swa_params", "initial_lr", "lr_scheduler", "params", "lr"}
"""What optimizers and schedulers change or repeat."""


class AboutRun(Recorder):
    """Notes each property once, the first time it is known. Of several ranks the first keeps the run."""

    def __init__(self, run: RunState, note: About) -> None:
        super().__init__(run)
        self.note = note
        self.models: WeakSet[Module] = WeakSet()
        self.begun = False

    def batch(self, event: Batch) -> None:
        self._batch(event.batch)

    def forward(self, event: Forward) -> None:
        self._batch((event.args, event.kwargs))

    def _batch(self, batch: Any) -> None:
        shapes = [f"{tuple(each.shape)} {str(each.dtype)[6:]}" for each in tensors_in(batch)]
        if shapes:
            self._say("batch", ", ".join(shapes[:6]))
            self.ignore(Batch, Forward)

    def new_optimizer(self, event: NewOptimizer) -> None:
        self._say("seed", str(torch.initial_seed()))
        for module in list(self.run.roots):
            if module not in self.models:
                self.models.add(module)
                self._say("model", sized(module, self.run.module_name(module)))
        optimizer = event.optimizer
        self._say("optimizer", f"{spoken(optimizer)}: {settings_of(optimizer)}")

    def scheduler_init(self, event: SchedulerInit) -> None:
        kind = type(event.scheduler).__name__
        own = settings(dict(vars(event.scheduler)))
        self._say("schedule", f"{kind}({own})")

    def _say(self, name: str, value: str) -> None:
        if self.run.findings.rank:
            return
        if not self.begun:
            self.begun = True
            self.note("environment", environment())
        self.note(name, value)


def environment() -> str:
    devices = [torch.cuda.get_device_name(n) for n in range(torch.cuda.device_count())]
    python = platform.python_version()
    parts = [f"Python {python}", f"PyTorch {torch.__version__}", sys.platform, platform.machine()]
    return ", ".join([*parts, *devices])


def sized(module: Module, name: str) -> str:
    """How many parameters a model has, and how many of them are trained."""
    own = list(module.parameters())
    count = sum(each.numel() for each in own)
    trained = sum(each.numel() for each in own if each.requires_grad)
    return f"{name} ({type(module).__name__}): {count:,} / {trained:,}"


def settings_of(optimizer: Any) -> str:
    """The class, the rate of each group, and what all groups have in common."""
    groups = optimizer.param_groups
    rates = ", ".join(dict.fromkeys(f"{float(g['lr']):.4g}" for g in groups if "lr" in g))
    lr = f"lr={rates}, " if rates else ""
    return f"{type(optimizer).__name__}({lr}{settings(groups[0])})"


def settings(values: dict[str, Any]) -> str:
    """What is not switched off."""
    own = {
        name: value
        for name, value in values.items()
        if type(value) in PLAIN
        and value not in (None, False)
        and name not in STATE
        and name[:1] != "_"
    }
    return ", ".join(f"{name}={value!r}" for name, value in own.items())
