"""Steps that break: one is kept, and one that was kept is put in the place of the first."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch

from keng.run.events import (
    Backward,
    BackwardFailed,
    Batch,
    Forward,
    ForwardFailed,
    LossEnd,
    StepEnd,
)
from keng.run.frames import here
from keng.run.recorder import Recorder
from keng.run.replay import capsules
from keng.run.replay.capsules import Capsule, Program
from keng.run.state import RunState, tensors_in, unwatched

if TYPE_CHECKING:
    from torch import Tensor
    from torch.nn import Module

MODULES = 4
"""Models of one step that are kept: a GAN has two, a distillation as well."""


class SavedStep(Recorder):
    """Remembers what a step began with, and writes it down, once, where an error is raised in it or its
    loss is not finite. On a device that waits for every loss."""

    def __init__(
        self, run: RunState, home: Path, program: Program, told: Callable[[Path], None]
    ) -> None:
        super().__init__(run)
        self.home, self.program, self.told = home, program, told
        self.batches: Any = None
        self.modules: list[tuple[Module, dict[str, Tensor]]] = []
        self.begun: dict[str, Any] = {}
        self.done = False

    def batch(self, event: Batch) -> None:
        self.batches = event.batch
        self.modules.clear()  # of several batches of one step that one is kept which breaks it

    def forward(self, event: Forward) -> None:
        module = event.module
        if self.done or not torch.is_grad_enabled():
            return
        with unwatched():
            if not self.modules:
                states = capsules.random_states()
                self.begun = {"random": states, "args": event.args, "kwargs": event.kwargs}
            if len(self.modules) < MODULES and all(module is not m for m, _ in self.modules):
                buffers = {name: b.detach().clone() for name, b in module.named_buffers()}
                self.modules.append((module, buffers))

    def loss_end(self, event: LossEnd) -> None:
        self._look(event.output)

    def backward(self, event: Backward) -> None:
        self._look(event.outputs)

    def forward_failed(self, event: ForwardFailed) -> None:
        self._broke(event.error)

    def backward_failed(self, event: BackwardFailed) -> None:
        self._broke(event.error)

    def step_end(self, event: StepEnd) -> None:
        self.modules.clear()

    def _look(self, losses: Any) -> None:
        for loss in tensors_in(losses):
            if loss.numel() == 1 and not math.isfinite(value := float(loss.detach())):
                self._keep(f"the loss is {value}")

    def _broke(self, error: Exception) -> None:
        self._keep(f"{type(error).__name__}: {error}")

    def _keep(self, why: str) -> None:
        if self.done or not self.modules:
            return
        self.done = True
        with unwatched():
            self.told(capsules.write(self.home, self._capsule(why)))
        self.modules.clear()

    def _capsule(self, why: str) -> Capsule:
        left_out: set[str] = set()
        tensors = {
            "batch": capsules.plain(self.batches, left_out),
            "args": capsules.plain(self.begun["args"], left_out),
            "kwargs": capsules.plain(self.begun["kwargs"], left_out),
            "random": self.begun["random"],
            "modules": [
                {"kind": type(module).__name__, "weights": capsules.weights(module, buffers)}
                for module, buffers in self.modules
            ],
        }
        place = here()
        story = {
            "program": list(self.program.words),
            "module": self.program.module,
            "folder": self.program.folder,
            "step": self.run.step,
            "why": why,
            "where": f"{place.path}:{place.line}" if place else None,
            "torch": torch.__version__,
            "files": capsules.files(),
            "left_out": sorted(left_out),
        }
        return Capsule(story, tensors)


class ReplayedStep(Recorder):
    """Puts what a capsule holds in the place of what the program's first training step begins with: its
    batch where a loader hands one out that fits, or else the inputs of the model."""

    def __init__(self, run: RunState, tensors: dict[str, Any]) -> None:
        super().__init__(run)
        self.tensors = tensors
        self.left: list[dict[str, Any]] = list(tensors["modules"])
        self.met: list[Module] = []
        self.put = False

    def batch(self, event: Batch) -> None:
        if not self.met:
            self.put = _put(event.batch, self.tensors["batch"])

    def forward(self, event: Forward) -> None:
        module = event.module
        if not torch.is_grad_enabled() or any(module is m for m in self.met):
            return
        with unwatched():
            if not self.met:
                if not self.put:
                    _put((event.args, event.kwargs), (self.tensors["args"], self.tensors["kwargs"]))
                capsules.set_random_states(self.tensors["random"])
            self.met.append(module)
            self._fill(module)

    def _fill(self, module: Any) -> None:
        saved = next((s for s in self.left if s["kind"] == type(module).__name__), None)
        if saved is None or saved["weights"] is None:
            return
        self.left.remove(saved)
        own = {**dict(module.named_parameters()), **dict(module.named_buffers())}
        for name, tensor in own.items():
            tensor.data.copy_(saved["weights"][name])


def _put(there: Any, saved: Any) -> bool:
    """In place, as the program holds these very tensors. Whether all had a fellow."""
    pairs = list(zip(tensors_in(there), tensors_in(saved), strict=False))
    fits = [a.dtype == b.dtype and a.shape[1:] == b.shape[1:] for a, b in pairs]
    if not pairs or not all(fits):
        return False
    for tensor, other in pairs:
        tensor.data = other.to(tensor.device)
    return True
