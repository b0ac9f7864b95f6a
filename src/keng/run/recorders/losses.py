"""Calls of torch's loss functions, and what went into them."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

import torch

from keng.run.events import Loss, LossFailed
from keng.run.frames import name_of
from keng.run.graph.nodes import LEAF
from keng.run.moments import Labels, LossCall
from keng.run.recorder import Recorder
from keng.run.sampling import Sampler
from keng.run.state import MARK, Facts, RunState, unwatched

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
    "SigmoidBackward0": "sigmoid",
    "SoftmaxBackward0": "softmax",
}
CHOICES = frozenset({"AmaxBackward0", "GatherBackward0", "IndexBackward0", "MaxBackward0"})
NEAR = 64
"""Nodes: a goal is made by a few operations."""
ARITHMETIC = frozenset({"AddBackward0", "MulBackward0", "SubBackward0"})
IGNORE_INDEX = {"cross_entropy": 4, "nll_loss": 4}


class LossFacts(Facts):
    def __init__(self, recorder: Losses, function: str, args: Any, failed: bool) -> None:
        self._recorder, self._function, self._args, self._failed = recorder, function, args, failed

    def input(self) -> str:
        return name_of(self._args[0])

    def target(self) -> str:
        return name_of(self._args[1])

    @cached_property
    def _maker(self) -> Any:
        return _maker_of(self._args[0])

    def input_made_by(self) -> str:
        node, _ = self._maker
        made_by = MAKERS.get(node.name(), "") if node is not None else ""
        over, dims = self.normalized_over(), self._args[0].dim()
        return made_by if over is None or over == (1 if dims > 1 else 0) else ""

    def normalized_over(self) -> int | None:
        node, viewed = self._maker
        over = getattr(node, "_saved_dim", None)
        if over is None or viewed or node.name() not in MAKERS:
            return None
        # Saved as unsigned: -1 is there as 2**64 - 1.
        over = over - 2**64 if over >= 2**63 else over
        return int(over % self._args[0].dim()) if self._args[0].dim() else None

    def input_module(self) -> str:
        module = _module_of(self._args[0])
        return self._recorder.run.module_name(module) if module is not None else ""

    @cached_property
    def _target_module(self) -> Any:
        module = _module_of(self._args[1])
        return module if module is not _module_of(self._args[0]) else None

    def target_module(self) -> str:
        module = self._target_module
        return self._recorder.run.module_name(module) if module is not None else ""

    def input_learns(self) -> bool:
        return bool(self._args[0].requires_grad)

    def target_range(self) -> tuple[float, float]:
        target = self._args[1]
        if not target.is_cpu or not target.numel() or target.is_complex():
            return 0.0, 0.0
        with unwatched():
            low, high = target.aminmax()
        return float(low), float(high)

    def target_is_raw(self) -> bool:
        """Whether some of it are no probabilities. A device would have to be waited for."""
        low, high = self.target_range()
        return low < 0 or high > 1

    def target_is_trained(self) -> bool:
        return self._target_module is not None and self._target_module.training

    def classes_last(self) -> bool:
        node = self._args[0].grad_fn
        if node is not None and node.name() == "AddBackward0":
            sides = [side for side, _ in node.next_functions]
            # What is not contiguous is multiplied first, and the bias added to it.
            node = sides[0] if sides[1] is not None and sides[1].name() == LEAF else None
        if node is None or node.name() not in ("ViewBackward0", "UnsafeViewBackward0"):
            return False
        inner = node.next_functions[0][0]
        return inner is not None and inner.name() in ("AddmmBackward0", "MmBackward0")

    def own_goal(self) -> str:
        """The module from whose output both sides are made, the target by choosing among its columns."""
        given, _ = _sources(self._args[0].grad_fn, CHOICES)
        goals, ways = _sources(self._args[1].grad_fn, CHOICES | ARITHMETIC)
        both = given & goals if ways & CHOICES and ways & ARITHMETIC else set()
        return self._recorder.run.module_name(both.pop()) if both else ""

    def labels(self) -> Labels | None:
        return self._recorder._labels(self._function, self._args, self._failed)


def _maker_of(tensor: Tensor) -> tuple[Any, bool]:
    """The node that made a tensor, views apart, and whether there were any."""
    node: Any = tensor.grad_fn
    viewed = False
    while node is not None and node.name() in VIEWS:
        node, viewed = node.next_functions[0][0], True
    return node, viewed


def _module_of(tensor: Tensor) -> Any:
    """The module whose output a tensor is, views apart."""
    node: Any = tensor.grad_fn
    while node is not None:
        mark = node.metadata.get(MARK)
        module = mark.module() if mark is not None and mark.module is not None else None
        if module is not None or node.name() not in VIEWS:
            return module
        node = node.next_functions[0][0]
    return None


def _sources(node: Any, ways: frozenset[str]) -> tuple[set[Any], set[str]]:
    """The modules whose outputs lie behind a node through views and these operations, and which of these
    there were."""
    modules: set[Any] = set()
    met: set[str] = set()
    seen: set[Any] = set()
    waiting = [node]
    while waiting and len(seen) < NEAR:
        node = waiting.pop()
        if node in seen:
            continue
        seen.add(node)
        mark = node.metadata.get(MARK) if node is not None else None
        if mark is not None and mark.output and mark.module is not None:
            modules.add(mark.module())
        elif node is not None and (node.name() in VIEWS or node.name() in ways):
            met |= {node.name()} & ways
            waiting += [before for before, _ in node.next_functions]
    return modules - {None}, met


def _shape(tensor: Tensor) -> tuple[int, ...]:
    """As it was before it was broadcast: `mse_loss` and its kin expand their arguments first."""
    return tuple(
        1 if step == 0 else size for size, step in zip(tensor.shape, tensor.stride(), strict=True)
    )


class Losses(Recorder):
    provides = ("loss",)
    sampled = (Loss,)

    def __init__(self, run: RunState) -> None:
        super().__init__(run)
        self.sampler = Sampler()
        self.calls = Sampler(first=10, every=10)
        self.seen: dict[tuple[str, int], Labels] = {}

    def loss(self, event: Loss) -> None:
        # How a loss is called does not change from step to step.
        if self.calls.due((event.function, getattr(event.args[0], "ndim", None))):
            self._show(event.function, event.args, failed=False)

    def loss_failed(self, event: LossFailed) -> None:
        self._show(event.function, event.args, failed=True)

    def _show(self, function: str, args: Any, failed: bool) -> None:
        if not all(isinstance(each, torch.Tensor) for each in args[:2]):
            return  # it will be refused
        facts = LossFacts(self, function, args, failed)
        given, target = args[0], args[1]
        moment = LossCall(
            self.run.step,
            facts,
            function,
            failed,
            _shape(given),
            _shape(target),
            str(target.dtype).removeprefix("torch."),
        )
        self.run.show("loss", moment)

    def _labels(self, function: str, args: Any, failed: bool) -> Labels | None:
        if function not in IGNORE_INDEX or not (failed or self.sampler.due(function)):
            return None
        logits, target = args[0], args[1]
        if target.device.type != "cpu" or target.is_floating_point() or not target.numel():
            return None
        classes = int(logits.shape[1 if logits.dim() > 1 else 0])
        seen = _range(target, args[IGNORE_INDEX[function]])
        if seen is None:
            return None
        known = self.seen.get((function, classes), Labels(*seen, classes))
        now = Labels(min(seen[0], known.lowest), max(seen[1], known.highest), classes)
        self.seen[function, classes] = now
        return now


def _range(target: Tensor, ignored: int) -> tuple[int, int] | None:
    with unwatched():
        # An ignored label of -100 lies outside any range; look closer only where the range is odd.
        low, high = (int(value) for value in target.aminmax())
        if not low <= ignored <= high:
            return low, high
        kept = target[target != ignored]
        return (int(kept.min()), int(kept.max())) if kept.numel() else None
