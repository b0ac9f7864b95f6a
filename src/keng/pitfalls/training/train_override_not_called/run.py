"""A running program: a model freezes parts of itself in `train()`, which nobody calls."""

from __future__ import annotations

import contextlib
import copy
import io
import sys
from typing import TYPE_CHECKING, Any
from weakref import WeakSet

from keng.model import say
from keng.run.events import RootModule, Step, TrainModeSet
from keng.run.frames import is_user
from keng.run.recorder import Recorder
from keng.run.state import RunState, unwatched

if TYPE_CHECKING:
    from torch import Tensor
    from torch.nn import Module

STEP = 3


class OverriddenTrain(Recorder):
    """What `train()` would do is tried on a copy without values."""

    dormant = (Step,)

    def __init__(self, run: RunState) -> None:
        super().__init__(run)
        self.called: WeakSet[Module] = WeakSet()
        self.suspects: WeakSet[Module] = WeakSet()
        self.steps = 0

    def root_module(self, event: RootModule) -> None:
        """A module's own parts are its children: what they override is found by way of it."""
        found = [m for m in event.module.modules() if _overrides(m) and m not in self.called]
        if found:
            self.suspects.update(found)
            self.steps = 0
            self.listen(Step)

    def train_mode_set(self, event: TrainModeSet) -> None:
        self.called.add(event.module)

    def step(self, event: Step) -> None:
        self.steps += 1
        if self.steps < STEP:
            return
        self.ignore(Step)
        for module in [m for m in self.suspects if m not in self.called]:
            if any(p.grad is not None for p in module.parameters()):
                self._try(module)
        self.suspects.clear()

    def _try(self, module: Module) -> None:
        with unwatched(), contextlib.redirect_stdout(io.StringIO()):
            try:
                frozen, modes = _changes(module)
            except Exception:  # not to be copied, or not to be called so: nothing is known
                return
        if frozen or modes:
            name, owner = self.run.module_name(module), type(module).__name__
            values = {"module": name, "owner": owner}
            if len(frozen) > 1:
                first = f"{name}.{frozen[0]}"
                says = say("would-freeze-several", first=first, more=len(frozen) - 1, **values)
            elif frozen:
                says = say("would-freeze", first=f"{name}.{frozen[0]}", **values)
            else:
                says = say("would-hold-layers", modes=modes, **values)
            self.report(says, frozen=len(frozen), layers=modes)


def _overrides(module: Module) -> bool:
    import torch

    kind = type(module)
    if kind.train is torch.nn.Module.train:
        return False
    home: Any = next(k for k in kind.__mro__ if "train" in vars(k))
    path = getattr(sys.modules.get(home.__module__), "__file__", None)
    # The tap misses an override that does not call torch's own.
    return path is not None and is_user(path) and "__class__" in home.train.__code__.co_freevars


def _changes(module: Module) -> tuple[list[str], int]:
    """The parameters that learn and that `train()` would freeze, and how many layers it would put into eval
    mode."""
    bare = copy.deepcopy(module, {id(t): _bare(t) for t in _values(module)})
    bare.train()
    left = dict(bare.named_parameters())
    frozen = [
        name
        for name, p in module.named_parameters()
        if p.requires_grad and name in left and not left[name].requires_grad
    ]
    return frozen, sum(
        was.training and not now.training
        for was, now in zip(module.modules(), bare.modules(), strict=True)
    )


def _values(module: Module) -> list[Tensor]:
    return [*module.parameters(), *module.buffers()]


def _bare(tensor: Tensor) -> Tensor:
    import torch

    empty = torch.empty_like(tensor, device="meta")
    if isinstance(tensor, torch.nn.Parameter):
        return torch.nn.Parameter(empty, tensor.requires_grad)
    return empty
