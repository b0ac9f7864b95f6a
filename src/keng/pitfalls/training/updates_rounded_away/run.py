"""A running program: weights in half precision do not move, as each update is smaller than rounding."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple
from weakref import WeakKeyDictionary

import torch
from torch.optim import optimizer as torch_optimizer

from keng.model import say
from keng.run.bus import taps_shut
from keng.run.events import NewOptimizer, Step, StepEnd
from keng.run.frames import spoken
from keng.run.recorder import Recorder
from keng.run.state import RunState, unwatched

if TYPE_CHECKING:
    from torch import Tensor

LOW = (torch.bfloat16, torch.float16)
LOOKS = (12, 24, 48, 96, 192)
"""Steps of an optimizer that are compared with the same step in float32."""
FEW, LARGEST = 3, 1_000_000
"""Parameters that are compared, and the elements of each at most."""
KEPT = 0.25
"""Share of the update in float32 below which it counts as lost. A rate that fits keeps nearly all."""
SLIGHT = 1e-6
"""Update for each unit of weight below which nothing is to be learned in float32 either."""
RISES = 1.01


class Copy(NamedTuple):
    """A parameter before a step, and what the step makes of it in float32."""

    parameter: Tensor
    before: Tensor
    wanted: Tensor


@dataclass(slots=True)
class Looks:
    """Steps of an optimizer so far; the rate at the last look, if that found the update lost."""

    steps: int = 0
    lost_at: float | None = None


class RoundedUpdates(Recorder):
    """Compares some steps with the same step on a float32 copy. Two looks in a row must agree, at a rate
    that does not rise from one to the next: in a warm-up the updates are small for a while."""

    dormant = (Step, StepEnd)

    def __init__(self, run: RunState) -> None:
        super().__init__(run)
        self.looks: WeakKeyDictionary[Any, Looks] = WeakKeyDictionary()
        self.copies: list[Copy] = []

    def new_optimizer(self, event: NewOptimizer) -> None:
        if any(_groups(event.optimizer)):
            self.looks[event.optimizer] = Looks()
            self.listen(Step, StepEnd)

    def step(self, event: Step) -> None:
        looks = self.looks.get(event.optimizer)
        if looks is None:
            return
        looks.steps += 1
        if looks.steps in LOOKS:
            with unwatched():
                self.copies = list(_copies(event.optimizer))

    def step_end(self, event: StepEnd) -> None:
        optimizer, copies = event.optimizer, self.copies
        self.copies = []
        looks = self.looks.get(optimizer)
        if looks is None:
            return
        if copies:
            with unwatched():
                self._judge(optimizer, looks, copies)
        if looks.steps >= LOOKS[-1]:
            self.looks.pop(optimizer, None)
        if not self.looks:
            self.ignore(Step, StepEnd)

    def _judge(self, optimizer: Any, looks: Looks, copies: list[Copy]) -> None:
        kept = _kept(copies)
        rate = max(float(group.get("lr", 0.0)) for group in optimizer.param_groups)
        before = looks.lost_at
        looks.lost_at = rate if kept is not None and kept < KEPT else None
        if kept is None or before is None or looks.lost_at is None or rate > RISES * before:
            return
        dtype = str(copies[0].parameter.dtype).removeprefix("torch.")
        says = say("rounded", optimizer=spoken(optimizer), dtype=dtype, share=f"{kept:.0%}")
        self.report(says)
        self.looks.pop(optimizer, None)


def _groups(optimizer: Any) -> Iterator[dict[str, Any]]:
    """The groups of one of torch's own optimizers that hold weights in half precision."""
    kind: type = type(optimizer)
    if f"{kind.__module__}.".startswith("torch.optim.") and kind.__name__ not in (
        "LBFGS",
        "SparseAdam",
    ):
        yield from (g for g in optimizer.param_groups if any(p.dtype in LOW for p in g["params"]))


def _copies(optimizer: Any) -> Iterator[Copy]:
    if any(not _is_ours(hook) for hook in _hooks_of_all_optimizers()):
        return  # they are the program's, and not to be called for a copy
    few = 0
    for group in _groups(optimizer):
        for parameter in group["params"]:
            if few < FEW and _is_compared(parameter):
                few += 1
                wanted = _in_float32(optimizer, group, parameter)
                yield Copy(parameter, parameter.detach().float(), wanted)


def _hooks_of_all_optimizers() -> list[Any]:
    before, after = (
        getattr(torch_optimizer, f"_global_optimizer_{when}_hooks") for when in ("pre", "post")
    )
    return [*before.values(), *after.values()]


def _is_ours(hook: Any) -> bool:
    return str(getattr(hook, "__module__", "")).startswith("keng.")


def _is_compared(parameter: Tensor) -> bool:
    plain = type(parameter.data) is torch.Tensor and parameter.grad is not None
    matrix = parameter.dim() > 1 and 0 < parameter.numel() <= LARGEST
    return plain and matrix and parameter.dtype in LOW and not _is_sparse(parameter.grad)


def _is_sparse(gradient: Tensor | None) -> bool:
    return gradient is None or gradient.layout is not torch.strided


def _in_float32(optimizer: Any, group: dict[str, Any], parameter: Tensor) -> Tensor:
    """The parameter after this step of an optimizer that holds it, its gradient and its state in float32."""
    copy = parameter.detach().float().clone().requires_grad_()
    assert parameter.grad is not None, "only parameters with gradients are compared"
    copy.grad = parameter.grad.detach().float().clone()
    other = type(optimizer)([copy], lr=float(group.get("lr", 0.0)))
    known = other.param_groups[0].keys() & group.keys() - {"params", "lr"}
    other.param_groups[0].update({key: group[key] for key in known})
    other.param_groups[0].update(foreach=False, fused=False, capturable=False)
    for key, value in optimizer.state.get(parameter, {}).items():
        other.state[copy][key] = _widened(value)
    with taps_shut():
        other.step()
    return copy.detach()


def _widened(value: Any) -> Any:
    if not isinstance(value, torch.Tensor):
        return value
    return value.detach().float().clone() if value.dtype in LOW else value.detach().clone()


def _kept(copies: list[Copy]) -> float | None:
    """The share of the wanted updates that the parameters have made; None where there is hardly any."""
    wanted = made = size = 0.0
    for copy in copies:
        want, got = copy.wanted - copy.before, copy.parameter.detach().float() - copy.before
        alike = want.sign() == got.sign()
        wanted += float(want.abs().sum())
        made += float(torch.minimum(want.abs(), got.abs())[alike].sum())
        size += float(copy.before.abs().sum())
    if not wanted > SLIGHT * size:
        return None
    return made / wanted
