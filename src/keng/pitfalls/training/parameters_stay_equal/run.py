"""A running program: parameters that are trained apart, and are the same numbers with the same gradients."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary, ref

import torch

from keng.model import say
from keng.run.events import NewOptimizer, StepEnd
from keng.run.optimizers import parameters_of
from keng.run.recorder import Recorder
from keng.run.state import RunState, unwatched

if TYPE_CHECKING:
    from torch import Tensor

FIRST, LOOKS = 3, 3
"""The step of an optimizer after which its parameters are compared, and how often in turn they must be equal."""
NUMBERS, MOST = 16, 4000
"""Numbers of a parameter, at least, and parameters of an optimizer that are compared."""
UNITS = 4
"""Units of a layer, at least, that are all the same."""
OPTIMIZERS = 8
"""Optimizers whose parameters are compared."""

Pair = tuple[ref[Any], ref[Any]]


class EqualParameters(Recorder):
    """What starts equal and gets equal gradients stays equal. A copy that is averaged has no gradient, and the
    copies that data parallel training makes by hand differ by their batches until they are averaged."""

    dormant = (StepEnd,)

    def __init__(self, run: RunState) -> None:
        super().__init__(run)
        self.steps: WeakKeyDictionary[Any, int] = WeakKeyDictionary()
        self.equal: WeakKeyDictionary[Any, list[Pair]] = WeakKeyDictionary()
        self.begun = self.ended = 0

    def new_optimizer(self, event: NewOptimizer) -> None:
        if self.begun < OPTIMIZERS:
            self.begun += 1
            self.steps[event.optimizer] = 0
            self.listen(StepEnd)

    def step_end(self, event: StepEnd) -> None:
        optimizer = event.optimizer
        step = self.steps.get(optimizer)
        if step is None:
            return
        step = self.steps[optimizer] = step + 1
        if step >= FIRST:
            with unwatched():
                self._look(optimizer, step - FIRST)

    def _look(self, optimizer: Any, look: int) -> None:
        if not look:
            kept = _compared(optimizer)
            self.equal[optimizer] = [*_equal_pairs(kept), *_equal_units(kept)]
        pairs = [pair for pair in self.equal[optimizer] if _is_equal(pair)]
        self.equal[optimizer] = pairs
        if not pairs or look == LOOKS - 1:
            del self.steps[optimizer], self.equal[optimizer]
            self.ended += 1
            if self.ended == self.begun:
                self.ignore(StepEnd)
            self._say(pairs)

    def _say(self, pairs: list[Pair]) -> None:
        """Of the networks and of the units one finding each: what is equal has many weights."""
        for units in (False, True):
            held = [(one(), other()) for one, other in pairs if (one is other) is units]
            found = [(one, other) for one, other in held if one is not None and other is not None]
            names = [self.run.parameter_names(each) for each in found]
            first = next((n for n, each in enumerate(names) if all(each)), None)
            if first is None:
                continue
            (one, other), count = names[first], found[first][0].shape[0]
            if units:
                self.report(say("units-equal", name=one, count=count))
            else:
                self.report(say("parameters-equal", one=one, other=other, count=len(found)))


def _compared(optimizer: Any) -> list[Tensor]:
    """Weights with a gradient; not those of several ranks or of another layout."""
    kept = [
        p
        for p in parameters_of(optimizer)
        if p.dim() > 1 and p.numel() >= NUMBERS and p.is_floating_point() and _is_plain(p)
    ]
    return kept if len(kept) <= MOST else []


def _is_plain(parameter: Any) -> bool:
    grad = parameter.grad
    dense = grad is not None and grad.layout is torch.strided and type(grad) is torch.Tensor
    return dense and type(parameter.data) is torch.Tensor and not parameter.is_meta


def _equal_pairs(kept: list[Tensor]) -> Iterator[Pair]:
    """Parameters of one shape with one norm, which are compared number by number."""
    groups: dict[Any, list[Tensor]] = {}
    for parameter in {id(p): p for p in kept}.values():
        groups.setdefault((parameter.shape, parameter.dtype, parameter.device), []).append(
            parameter
        )
    for several in groups.values():
        if len(several) < 2:
            continue
        norms = torch.stack(torch._foreach_norm([p.data for p in several])).tolist()
        alike: dict[float, list[Tensor]] = {}
        for norm, parameter in zip(norms, several, strict=True):
            alike.setdefault(norm, []).append(parameter)
        for same in alike.values():
            yield from ((ref(one), ref(other)) for one, other in combinations(same[:3], 2))


def _equal_units(kept: list[Tensor]) -> Iterator[Pair]:
    """Parameters whose first two rows are equal, as pairs with themselves."""
    rows = [p for p in kept if p.shape[0] >= UNITS]
    if rows:
        same = [(p[0] == p[1]).all().to(rows[0].device) for p in rows]
        for parameter, equal in zip(rows, torch.stack(same).tolist(), strict=True):
            if equal:
                one = ref(parameter)
                yield one, one


def _is_equal(pair: Pair) -> bool:
    one, other = pair[0](), pair[1]()
    if one is None or other is None or one.grad is None or other.grad is None:
        return False
    if pair[0] is pair[1]:
        return _rows_equal(one) and _rows_equal(one.grad) and bool(one.grad.any())
    if not torch.equal(one, other) or not torch.equal(one.grad, other.grad):
        return False
    return bool(one.grad.any()) and bool(one.min() != one.max())


def _rows_equal(tensor: Tensor) -> bool:
    return bool((tensor == tensor[:1]).all())
