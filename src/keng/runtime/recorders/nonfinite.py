"""The first loss or gradient that is NaN or infinite."""

from __future__ import annotations

import math
from collections import deque
from functools import cached_property
from typing import TYPE_CHECKING, Any
from weakref import ref

import torch

from keng.moments import NotFinite, Origin
from keng.runtime.bus import Recorder
from keng.runtime.origins import backward_origin, loss_origin
from keng.runtime.replay import Call, versions
from keng.runtime.sampling import Sampler
from keng.runtime.scene import Facts, Scene, aside

if TYPE_CHECKING:
    from torch import Tensor

CALLS = 4
"""Forwards of one step that are kept until it ends: a GAN has three, accumulation many."""
LATE = 50
"""Losses on a device that are looked at together: each look would wait for the device."""
HISTORY = 6
SMALL = 1024


class NotFiniteFacts(Facts):
    def __init__(
        self, recorder: NonFinite, outputs: list[Tensor], function: str, args: Any
    ) -> None:
        self._recorder, self._outputs, self._function, self._args = (
            recorder,
            outputs,
            function,
            args,
        )

    @cached_property
    def _origin(self) -> Origin:
        recorder = self._recorder
        with aside():
            if self._function == "backward":
                return backward_origin(self._outputs)
            return loss_origin(
                recorder.scene,
                recorder.calls,
                self._outputs,
                self._function,
                self._args,
                list(recorder.history),
            )

    def origin(self) -> Origin:
        return self._origin


class NonFinite(Recorder):
    """On the CPU every loss is read, which costs nothing; on a device they are kept, and read fifty
    at a time. A gradient is read now and then: where one is not finite, the next loss is not either.
    The alarm rings once."""

    makes = ("not.finite",)
    in_stretches = ("backward_end",)

    def __init__(self, scene: Scene) -> None:
        super().__init__(scene)
        self.calls: list[Call] = []
        self.history: deque[float] = deque(maxlen=HISTORY)
        self.later: list[Tensor] = []
        self.batches = 0
        self.small: ref[Tensor] | None = None
        self.read: ref[Tensor] | None = None
        self.rung = False
        self.sampler = Sampler(first=3)
        self.scaled = False

    def batch(self, iterator: Any, batch: Any, waited: float) -> None:
        self.batches = iterator._num_yielded

    def forward(self, module: Any, args: Any, kwargs: Any, inputs: list[Tensor]) -> None:
        if self.rung or not torch.is_grad_enabled():
            return
        # Dear beside a short forward, and seldom what it hangs on.
        state = torch.default_generator.get_state() if self.scene.attends else None
        self.calls.append(Call(module, args, kwargs, state, versions(inputs)))
        del self.calls[:-CALLS]

    def loss_end(self, function: str, args: Any, out: Tensor) -> None:
        self._read(out, function, args)

    def backward(self, outputs: list[Tensor], adds: bool) -> None:
        for output in outputs:
            if self.read is None or self.read() is not output:
                self._read(output, "", ())

    def scale(self, scaler: Any, outputs: Any) -> None:
        """A GradScaler finds its scale by gradients that are infinite, and skips their steps."""
        self.scaled = True

    def backward_end(self, outputs: list[Tensor], adds: bool) -> None:
        if not adds or self.rung or self.scaled or not self.sampler.due():
            return
        grad = self._small_gradient()
        if grad is not None and grad.is_cpu and not grad.requires_grad:
            value = float(grad.sum())
            if not math.isfinite(value):
                self._ring("the gradients", value, "backward", outputs, ())

    def step_end(self, optimizer: Any) -> None:
        self.calls.clear()

    def _read(self, out: Tensor, function: str, args: Any) -> None:
        if self.rung or type(out) is not torch.Tensor or out.dim() or not out.is_floating_point():
            return
        if not out.is_cpu:
            self._keep(out)
            return
        value = float(out.item())
        if math.isfinite(value):
            self.read = ref(out)
            self.history.append(value)
        else:
            self._ring("the loss", value, function, [out], args)

    def _keep(self, out: Tensor) -> None:
        self.later.append(out.detach())
        if len(self.later) < LATE:
            return
        with aside():
            values = torch.stack([t.float() for t in self.later]).tolist()
        self.later.clear()
        bad = next((value for value in values if not math.isfinite(value)), None)
        if bad is not None:
            self._ring("the loss", bad, "", [out], ())

    def _ring(
        self, what: str, value: float, function: str, outputs: list[Tensor], args: Any
    ) -> None:
        self.rung = True
        facts = NotFiniteFacts(self, outputs, function, args)
        name = "NaN" if math.isnan(value) else "infinite"
        self.scene.show("not.finite", NotFinite(self.scene.step, facts, what, name, self.batches))
        self.calls.clear()

    def _small_gradient(self) -> Tensor | None:
        """Of a small parameter early in the model: what is not finite anywhere after it gets there."""
        parameter = self.small() if self.small is not None else None
        if parameter is None or parameter.grad is None:
            for call in self.calls:
                for parameter in call.module.parameters():
                    if parameter.grad is not None and parameter.numel() <= SMALL:
                        self.small = ref(parameter)
                        return parameter.grad
            return None
        return parameter.grad
