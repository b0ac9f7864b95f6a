"""A running program: the loss becomes NaN or infinite."""

from __future__ import annotations

import ast
import math
from collections import deque
from itertools import pairwise
from typing import TYPE_CHECKING, Any
from weakref import ref

import torch

from keng.model import Message, say
from keng.run.device_reads import Underway
from keng.run.events import (
    Backward,
    BackwardEnd,
    Batch,
    Forward,
    HostRead,
    LossEnd,
    NewOptimizer,
    RunEnd,
    Scale,
    Step,
    StepEnd,
)
from keng.run.frames import here
from keng.run.graph.nonfinite import Origin
from keng.run.graph.nonfinite_origin import backward_origin, loss_origin
from keng.run.recorder import Recorder
from keng.run.replay.forward import Call, versions
from keng.run.state import RunState, unwatched
from keng.run.step_sizes import StepSizes, TooLarge
from keng.run.user_code import code_at
from keng.run.written_rates import lowered

if TYPE_CHECKING:
    from torch import Tensor

    from keng.source import Code

CALLS = 4
"""Forwards of one step that are kept until it ends: a GAN has three, accumulation many."""
LATE = 50
"""Losses on a device that are read together, once they have arrived."""
HISTORY = 6
FIRST, EVERY = 3, 50
"""Backwards after which a gradient is read: the first ones, and one of so many."""
SMALL = 1024
EARLY = 100
"""Steps within which a loss that diverges from the first step on is lost."""
ASKS, LEARNS = frozenset({"isfinite", "isnan", "isinf"}), frozenset({"backward", "step"})
IN_A_ROW = 6
"""Losses that are not finite, of each step its own and the scaled one, after which a GradScaler does not help."""


def _asks_before_it_learns() -> bool:
    """Whether the file that runs tests that something is finite, and leaves a batch out by that."""
    where = here()
    code = code_at(where.path) if where is not None else None
    if code is None:
        return False
    return any(
        _calls(code, each.test, ASKS) and _leaves_out(code, each) for each in code.of(ast.If)
    )


def _leaves_out(code: Code, test: ast.If) -> bool:
    leaves = isinstance(test.body[-1], (ast.Continue, ast.Return))
    return leaves or any(_calls(code, each, LEARNS) for each in test.body)


def _calls(code: Code, node: ast.AST, names: frozenset[str]) -> bool:
    """Whether a function or method of these names is called in a node."""
    calls = [node] if isinstance(node, ast.Call) else []
    calls += code.below(node, ast.Call)
    return any(code.calls.attribute_name(call.func) in names for call in calls)


class NonFiniteValues(Recorder):
    """On the CPU every loss is read, which costs nothing; on a device they are kept, and fetched fifty at a
    time, but one that the program reads itself is known at once. A gradient is read now and then: where
    one is not finite, the next loss is not either. The alarm rings once."""

    sampled = (BackwardEnd,)
    dormant = (Step,)

    def __init__(self, run: RunState) -> None:
        super().__init__(run)
        self.calls: list[Call] = []
        self.history: deque[float] = deque(maxlen=HISTORY)
        self.first: float | None = None
        self.later: list[tuple[int, Tensor]] = []
        self.fetched: tuple[list[int], Underway] | None = None
        self.batches = 0
        self.small: ref[Tensor] | None = None
        self.looked_at: ref[Tensor] | None = None
        self.rung = False
        self.backwards = 0
        self.scaled = False
        self.row = 0
        self.sizes = StepSizes()
        self.measuring = False

    def batch(self, event: Batch) -> None:
        self.batches = event.iterator._num_yielded

    def forward(self, event: Forward) -> None:
        if self.rung or not torch.is_grad_enabled():
            return
        # Expensive next to a short forward, and seldom the cause.
        state = torch.default_generator.get_state() if self.run.sampling else None
        self.calls.append(
            Call(event.module, event.args, event.kwargs, state, versions(event.inputs))
        )
        del self.calls[:-CALLS]

    def loss_end(self, event: LossEnd) -> None:
        self._read(event.output, event.function, event.args)

    def backward(self, event: Backward) -> None:
        for output in event.outputs:
            if self.looked_at is None or self.looked_at() is not output:
                self._read(output, "", ())

    def scale(self, event: Scale) -> None:
        """A GradScaler finds its scale by gradients that are infinite, and skips their steps."""
        self.scaled = True

    def backward_end(self, event: BackwardEnd) -> None:
        if not event.accumulates or self.rung or self.scaled:
            return
        self.backwards += 1
        if self.backwards > FIRST and self.backwards % EVERY:
            return
        grad = self._small_gradient()
        if grad is not None and grad.is_cpu and not grad.requires_grad:
            value = float(grad.sum())
            if not math.isfinite(value):
                self._ring(False, value, "backward", event.outputs, ())

    def new_optimizer(self, event: NewOptimizer) -> None:
        self.measuring = self.sizes.add(event.optimizer)
        (self.listen if self.measuring else self.ignore)(Step)

    def step(self, event: Step) -> None:
        with unwatched():
            self.sizes.before(event.optimizer)

    def step_end(self, event: StepEnd) -> None:
        self.calls.clear()
        if self.measuring:
            with unwatched():
                self.measuring = not self.sizes.after(event.optimizer)
            if not self.measuring:
                self.ignore(Step)

    def host_read(self, event: HostRead) -> None:
        """By the program, which has waited for it."""
        value = event.value
        if self.rung or not isinstance(value, float) or math.isfinite(value):
            return
        if any(kept.data_ptr() == event.tensor.data_ptr() for _, kept in self.later[-CALLS:]):
            self._ring(True, value, "", [event.tensor], ())

    def run_end(self, event: RunEnd) -> None:
        if self.rung:
            return
        try:
            if self.fetched is not None:
                self._look([])
            if self.later and not self.rung:
                self._fetch()
                self._look([])
        except RuntimeError:
            # A kernel has failed: nothing can be read from the device any more.
            return

    def _read(self, out: Tensor, function: str, args: Any) -> None:
        if self.rung or type(out) is not torch.Tensor or out.dim() or not out.is_floating_point():
            return
        if not out.is_cpu:
            self._keep(out)
            return
        value = float(out.item())
        if math.isfinite(value):
            self.row = 0
            self.looked_at = ref(out)
            self.history.append(value)
            self.first = value if self.first is None else self.first
        else:
            self._ring(True, value, function, [out], args)

    def _keep(self, out: Tensor) -> None:
        self.later.append((self.run.step, out.detach()))
        if self.fetched is not None and self.fetched[1].come():
            self._look([out])
        if self.fetched is None and len(self.later) >= LATE:
            self._fetch()

    def _fetch(self) -> None:
        kept = [(step, t) for step, t in self.later if t.device == self.later[-1][1].device]
        with unwatched():
            losses = torch.stack([t.float() for _, t in kept])
            self.fetched = [step for step, _ in kept], Underway(losses)
        self.later.clear()

    def _look(self, outputs: list[Tensor]) -> None:
        assert self.fetched is not None
        steps, losses = self.fetched
        self.fetched = None
        for step, value in zip(steps, losses.values(), strict=True):
            if not math.isfinite(value):
                self._ring(True, value, "", outputs, (), step)
                if self.rung:
                    return
                continue
            self.row = 0
            self.history.append(value)
            self.first = value if self.first is None else self.first

    def _ring(
        self,
        loss: bool,
        value: float,
        function: str,
        outputs: list[Tensor],
        args: Any,
        step: int = 0,
    ) -> None:
        if loss and self._is_skipped():
            return
        self.rung = True
        became = _became(loss, math.isnan(value))
        if self.batches and not step:
            became = say("at-batch", became=became, batch=self.batches)
        origin = self._origin(function, outputs, args)
        large = self._too_large(origin, step or self.run.step)
        if large is not None:
            self._report_rate(became, large, step)
        else:
            self._report(became, origin, step)
        self.calls.clear()

    def _is_skipped(self) -> bool:
        """Whether a GradScaler is about to skip the step, as it does for a batch that overflows, or the program
        itself: not the steps of many batches in a row, nor of weights that are broken already."""
        self.row += 1
        if not self.scaled and not _asks_before_it_learns():
            return False
        modules = (call.module for call in self.calls)
        weights = [p for module in modules for p in module.parameters() if p.is_floating_point()]
        with unwatched():
            return self.row < IN_A_ROW and all(bool(p.isfinite().all()) for p in weights)

    def _origin(self, function: str, outputs: list[Tensor], args: Any) -> Origin:
        with unwatched():
            if function == "backward":
                return backward_origin(outputs)
            return loss_origin(self.run, self.calls, outputs, function, args, list(self.history))

    def _too_large(self, origin: Origin, step: int) -> TooLarge | None:
        """The step size, where nothing else explains the loss and it grew with each step."""
        other = origin.cause not in ("exploded", "weights") and origin.detail is not None
        losses = list(self.history)
        rising = self.first is not None and self.first <= losses[0]
        rising = rising and all(a < b for a, b in pairwise(losses))
        if other or not rising or self.scaled or step > EARLY:
            return None
        with unwatched():
            return self.sizes.too_large()

    def _report_rate(self, became: Message, large: TooLarge, step: int) -> None:
        values = large.words()
        why = say("rate-too-high", **values)
        if len(self.history) > 1:
            first, last = f"{self.first:.3g}", f"{self.history[-1]:.3g}"
            why = say("rate-too-high-grew", first=first, last=last, **values)
        where, fix = lowered(large, say("lower-rate", wanted=values["wanted"]))
        self.report(
            say("because", became=became, why=why), where=where, fix=fix, step=step, cause="rate"
        )

    def _report(self, became: Message, origin: Origin, step: int) -> None:
        if origin.module and origin.cause != "weights":
            became = say("in-module", became=became, module=origin.module)
        if origin.sample is not None:
            became = say("first-in-sample", became=became, sample=origin.sample)
        known = say("because", became=became, why=origin.detail)
        self.report(
            known if origin.detail else say("of-unknown-origin", became=became),
            where=origin.where,
            step=step,
            cause=origin.cause,
            operation=origin.operation,
            module=origin.module,
        )

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


def _became(loss: bool, nan: bool) -> Message:
    """What became of the loss, or of the gradients."""
    if loss:
        return say("loss-nan") if nan else say("loss-infinite")
    return say("gradients-nan") if nan else say("gradients-infinite")
