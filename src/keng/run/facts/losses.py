"""Calls of torch's loss functions, and what they are given."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

import torch

from keng.run.events import Loss, LossFailed
from keng.run.frames import name_of
from keng.run.recorder import Fact, Recorder
from keng.run.sampling import Sampler
from keng.run.state import MARK, RunState, unwatched

if TYPE_CHECKING:
    from torch import Tensor

VIEWS = {
    "AliasBackward0",
    "CloneBackward0",
    "PermuteBackward0",
    "ReshapeAliasBackward0",
    "SelectBackward0",
    "SliceBackward0",
    "SqueezeBackward0",
    "SqueezeBackward1",
    "ToCopyBackward0",
    "TransposeBackward0",
    "UnsafeViewBackward0",
    "UnsqueezeBackward0",
    "ViewBackward0",
}
MAKERS = {
    "LogSoftmaxBackward0": "log_softmax",
    "ReluBackward0": "relu",
    "SigmoidBackward0": "sigmoid",
    "SoftmaxBackward0": "softmax",
}


class LossCall(Fact):
    """One of torch's loss functions is about to be called, by itself or through its module; `failed` if it
    has raised. `function` and `args` are those of the events."""

    function: str
    args: tuple[Any, ...]
    failed: bool

    @cached_property
    def input_shape(self) -> tuple[int, ...]:
        """As the program gave it, before it was broadcast."""
        return _shape(self.args[0])

    @cached_property
    def target_shape(self) -> tuple[int, ...]:
        return _shape(self.args[1])

    @cached_property
    def target_dtype(self) -> str:
        return str(self.args[1].dtype).removeprefix("torch.")

    @property
    def has_label_for_each_row(self) -> bool:
        """True if labels fit to scores, but for a label that is no class."""
        return self.target_shape == (self.input_shape[0], *self.input_shape[2:]) and (
            self.target_dtype in ("int64", "uint8")
        )

    @cached_property
    def input(self) -> str:
        """The name that the program has for the input, or nothing."""
        return name_of(self.args[0])

    @cached_property
    def target(self) -> str:
        """The name that the program has for the target, or nothing."""
        return name_of(self.args[1])

    @cached_property
    def input_made_by(self) -> str:
        """ "softmax", "log_softmax", "sigmoid", "relu": the last operation over classes before the loss,
        apart from views; nothing where no gradient is recorded."""
        node, _ = self._maker
        made_by = MAKERS.get(node.name(), "") if node is not None else ""
        over, dims = self.normalized_over, self.args[0].dim()
        return made_by if over is None or over == (1 if dims > 1 else 0) else ""

    @cached_property
    def normalized_over(self) -> int | None:
        """The dimension over which a softmax or its logarithm has made the input, where no view follows."""
        node, viewed = self._maker
        over = getattr(node, "_saved_dim", None)
        if over is None or viewed or node.name() not in MAKERS:
            return None
        # Saved as unsigned: -1 is there as 2**64 - 1.
        over = over - 2**64 if over >= 2**63 else over
        return int(over % self.args[0].dim()) if self.args[0].dim() else None

    @cached_property
    def input_module(self) -> str:
        """The module whose output the input is, or nothing."""
        module = module_of(self.args[0])
        return self.run.module_name(module) if module is not None else ""

    @cached_property
    def target_range(self) -> tuple[float, float]:
        """The least and the greatest target; 0 and 0 where reading it would wait for a device."""
        target = self.args[1]
        if not target.is_cpu or not target.numel() or target.is_complex():
            return 0.0, 0.0
        with unwatched():
            low, high = target.aminmax()
        return float(low), float(high)

    @cached_property
    def _maker(self) -> tuple[Any, bool]:
        """The node that made the input, apart from views, and whether there were any."""
        node: Any = self.args[0].grad_fn
        viewed = False
        while node is not None and node.name() in VIEWS:
            node, viewed = node.next_functions[0][0], True
        return node, viewed


def module_of(tensor: Tensor) -> Any:
    """The module whose output a tensor is, apart from views."""
    node: Any = tensor.grad_fn
    while node is not None:
        mark = node.metadata.get(MARK)
        module = mark.module() if mark is not None and mark.module is not None else None
        if module is not None or node.name() not in VIEWS:
            return module
        node = node.next_functions[0][0]
    return None


def _shape(tensor: Tensor) -> tuple[int, ...]:
    """As it was before it was broadcast: `mse_loss` and the like expand their arguments first."""
    return tuple(
        1 if step == 0 else size for size, step in zip(tensor.shape, tensor.stride(), strict=True)
    )


class LossCalls(Recorder):
    """The first calls of a loss function, and then some: how it is called does not change from step to
    step."""

    provides = (LossCall,)
    sampled = (Loss,)

    def __init__(self, run: RunState) -> None:
        super().__init__(run)
        self.sampler = Sampler(first=10, every=10)

    def loss(self, event: Loss) -> None:
        if self.sampler.due((event.function, getattr(event.args[0], "ndim", None))):
            self._show(event.function, event.args, failed=False)

    def loss_failed(self, event: LossFailed) -> None:
        self._show(event.function, event.args, failed=True)

    def _show(self, function: str, args: tuple[Any, ...], failed: bool) -> None:
        if all(isinstance(each, torch.Tensor) for each in args[:2]):
            self.show(LossCall(self.run, function, args, failed))
