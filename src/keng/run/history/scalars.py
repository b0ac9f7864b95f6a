"""The scalars of a run, step by step: loss, rate, norms, updates by layer, memory, and where time went."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

import torch

from keng.run.events import (
    Backward,
    BackwardEnd,
    Batch,
    Forward,
    ForwardEnd,
    LossEnd,
    RunEnd,
    Step,
    StepEnd,
)
from keng.run.frames import spoken
from keng.run.optimizers import norms_of, parameters_of
from keng.run.plan import Record
from keng.run.recorder import Recorder
from keng.run.sampling import Sampler
from keng.run.state import RunState, tensors_in, unwatched

if TYPE_CHECKING:
    from torch import Tensor

LATE = 50
"""Values on a device that are read together: each reading would wait for the device."""
LAYERS = 32
LARGEST = 20_000_000
"""Elements of all layers of which the weights before a step are kept, to see how they move."""
STATM = Path("/proc/self/statm")
PAGE = 4096


class Scalars(Recorder):
    """Goes first among the recorders: a part of the step begins before the others look and ends before
    they do, and what they take between is not counted to it."""

    def __init__(self, run: RunState, record: Record) -> None:
        super().__init__(run)
        self.record = record
        self.names: WeakKeyDictionary[Any, str] = WeakKeyDictionary()
        self.layers: dict[int, str] = {}
        self.parts: dict[str, float] = defaultdict(float)
        self.losses: list[Tensor] = []
        self.evaluated: tuple[Tensor, int] | None = None
        self.later: list[tuple[str, str, int, Tensor]] = []
        self.weights: tuple[list[Tensor], list[Tensor]] | None = None
        self.norms, self.updates, self.memory = Sampler(20, 10), Sampler(3), Sampler()
        self.begins = perf_counter()
        self.begun = self.begins, 0.0
        self.last: tuple[float, float] | None = None

    # Where the time of a step goes

    def batch(self, event: Batch) -> None:
        self.parts["data"] += event.waited

    def forward(self, event: Forward) -> None:
        self._begin()

    def forward_end(self, event: ForwardEnd) -> None:
        self._end("forward")

    def backward(self, event: Backward) -> None:
        self._begin()
        if event.accumulates:
            self.losses += [t.detach() for t in tensors_in(event.outputs) if t.numel() == 1]

    def backward_end(self, event: BackwardEnd) -> None:
        self._end("backward")

    def loss_end(self, event: LossEnd) -> None:
        """Losses of an evaluation are averaged up to the next step."""
        if torch.is_grad_enabled() or event.output.numel() != 1:
            return
        loss = event.output.detach().reshape(()).float()
        total, count = self.evaluated or (torch.zeros_like(loss), 0)
        self.evaluated = total + loss, count + 1

    def _evaluated(self, step: int) -> None:
        if self.evaluated is not None:
            total, count = self.evaluated
            self.evaluated = None
            self._record("evaluated", "", step, float(total) / count)

    def step(self, event: Step) -> None:
        self._evaluated(self.run.step - 1)
        self._begin()  # first: what is computed here counts as keng's, and is taken off below
        with unwatched():
            self._before(event.optimizer)

    def step_end(self, event: StepEnd) -> None:
        self._end("optimizer")
        with unwatched():
            label = self._label(event.optimizer)
            self._loss(label)
            self._rates(event.optimizer, label)
            self._moved()
            self._memory()
            self._times()

    def run_end(self, event: RunEnd) -> None:
        self._flush()
        self._evaluated(self.run.step - 1)
        if self.last is not None:
            took = perf_counter() - self.last[0]
            self._record("outside", "end", self.run.step - 1, took)

    def _begin(self) -> None:
        self.begun = perf_counter(), self.run.spent

    def _end(self, part: str) -> None:
        begun, spent = self.begun
        took = perf_counter() - begun - (self.run.spent - spent)
        self.parts[part] += max(took, 0.0)  # keng's own time is an estimate

    def _times(self) -> None:
        """From the end of a step to the end of the next one. What is before the end of the first step is
        the start of the program, imports and data sets, and no part of any step."""
        now, spent = perf_counter(), self.run.spent
        last, self.last = self.last, (now, spent)
        parts, self.parts = self.parts, defaultdict(float)
        if last is None:
            self._keep("outside", "start", now - self.begins)
            return
        parts["keng"] = spent - last[1]
        rest = now - last[0] - sum(parts.values())
        for part in ("data", "forward", "backward", "optimizer", "keng"):
            self._keep("seconds", part, parts[part])
        self._keep("seconds", "other", max(rest, 0.0))

    # What is computed

    def _label(self, optimizer: Any) -> str:
        if optimizer not in self.names:
            self.names[optimizer] = spoken(optimizer)
        return self.names[optimizer]

    def _loss(self, label: str) -> None:
        """The mean of the losses that this step is made of."""
        losses, self.losses = self.losses, []
        if losses:
            self._read("loss", label, torch.stack([t.reshape(()).float() for t in losses]).mean())

    def _rates(self, optimizer: Any, label: str) -> None:
        groups = optimizer.param_groups
        for at, group in enumerate(groups):
            rate = group.get("lr")
            name = label if len(groups) == 1 else f"{label}.{at}"
            if isinstance(rate, torch.Tensor):
                self._read("rate", name, rate.detach().clone())
            elif rate is not None:
                self._keep("rate", name, float(rate))

    def _before(self, optimizer: Any) -> None:
        if hasattr(optimizer, "grad_scale"):
            return
        label = self._label(optimizer)
        if self.norms.due(label):
            _, norms = norms_of(optimizer)
            if norms is not None:
                self._read("norm", label, norms[0].square().sum().sqrt())
        if self.updates.due(label):
            held = _layers(optimizer)
            self.weights = held, [p.detach().clone() for p in held]

    def _moved(self) -> None:
        """How far each layer went in this step, against how large it is."""
        if self.weights is None:
            return
        held, before = self.weights
        self.weights = None
        self._name([parameter for parameter in held if id(parameter) not in self.layers])
        for parameter, old in zip(held, before, strict=True):
            size = old.norm()
            ratio = (parameter.detach() - old).norm() / size.clamp_min(1e-12)
            self._read("update", self.layers[id(parameter)], ratio)

    def _name(self, layers: list[Tensor]) -> None:
        for parameter, name in zip(layers, self.run.parameter_names(layers), strict=True):
            self.layers[id(parameter)] = name or f"parameter {len(self.layers) + 1}"

    def _memory(self) -> None:
        if not self.memory.due():
            return
        if STATM.exists():
            self._keep("memory", "host", float(int(STATM.read_text().split()[1]) * PAGE))
        if torch.cuda.is_initialized():  # type: ignore[no-untyped-call]
            self._keep("memory", "device", float(torch.cuda.memory_allocated()))

    def _keep(self, name: str, label: str, value: float) -> None:
        self._record(name, label, self.run.step, value)

    def _read(self, name: str, label: str, value: Tensor) -> None:
        if value.is_cpu:
            self._keep(name, label, float(value))
            return
        self.later.append((name, label, self.run.step, value))
        if len(self.later) >= LATE:
            self._flush()

    def _flush(self) -> None:
        later, self.later = self.later, []
        for name, label, step, value in later:
            self._record(name, label, step, float(value))

    def _record(self, name: str, label: str, step: int, value: float) -> None:
        """Of several ranks the first keeps the run."""
        if not self.run.findings.rank:
            self.record(name, label, step, value)


def _layers(optimizer: Any) -> list[Tensor]:
    """The weights that have a gradient; an even choice of them where they are many."""
    kept = [p for p in parameters_of(optimizer) if p.grad is not None and p.dim() > 1]
    kept = [p for p in kept if type(p.data) is torch.Tensor and p.is_floating_point()]
    chosen = kept[:: -(-len(kept) // LAYERS) or 1]
    return chosen if sum(p.numel() for p in chosen) <= LARGEST else []
