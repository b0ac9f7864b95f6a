"""What a rank reports of models that it trains without a wrapper: their gradients, after backward and as the
optimizer takes them. Whether the ranks have made them one in between, is seen side by side."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary, WeakSet

import torch
from torch.nn import Module

from keng.model import Span, Value
from keng.ranks.collect import digests
from keng.ranks.collect.models import settings_of, still_buffers
from keng.ranks.collect.parallel_models import is_parallel
from keng.ranks.collect.section import Looks, Part
from keng.ranks.collect.statistics import running_statistics
from keng.ranks.manual_averaging import ByHand, Gradient
from keng.run.events import Backward, BackwardEnd, Forward, ForwardEnd, Step
from keng.run.frames import here
from keng.run.optimizers import held_by
from keng.run.state import RunState, unwatched

if TYPE_CHECKING:
    from torch import Tensor

Sums = dict[str, tuple["Tensor", ...]]
NODES = 1 << 14
"""Of a graph, in which the uses of parameters are looked for."""


@dataclass(slots=True)
class StepTaken:
    """A model before the step of its optimizer: for each parameter the digests and sums of itself, of its
    own gradient and of the one that is taken, which are 0 where it has none; how many numbers it has, and
    whether a gradient is taken. `groups` are the ranks of a smaller group that have summed the gradient,
    and `summed` is whether the program has summed the gradient, and the parameter, over the ranks, and
    `summed_at` the line that did. `late` is whether it has summed those of the last step after that."""

    name: str
    optimizer: str
    where: Span | None
    sums: Sums
    numbers: dict[str, int]
    there: dict[str, bool]
    summed: dict[str, tuple[bool, bool]]
    buffers: dict[str, Tensor]
    settings: dict[str, Value] = field(default_factory=dict)
    statistics: dict[str, Tensor] = field(default_factory=dict)
    mates: tuple[int, ...] = ()
    fed: Tensor | None = None
    used: dict[str, tuple[str, ...]] = field(default_factory=dict)
    groups: dict[str, tuple[int, ...]] = field(default_factory=dict)
    late: bool = False
    again: tuple[str, ...] = ()
    summed_at: Span | None = None


class ByHands(Part):
    dozes = (Forward, ForwardEnd, Backward, BackwardEnd, Step)

    def __init__(self, run: RunState, looks: Looks) -> None:
        super().__init__(run, looks)
        self._own: WeakKeyDictionary[Module, Sums] = WeakKeyDictionary()
        self._steps: list[StepTaken] = []
        self._before: dict[tuple[str, str], int] = {}
        self._made = 0
        self._inputs: list[Tensor] = []
        self._fed: WeakKeyDictionary[Module, Tensor] = WeakKeyDictionary()
        self._uses: dict[int, tuple[str, ...]] = {}
        self._stepped: WeakKeyDictionary[Module, set[int]] = WeakKeyDictionary()
        """Where the gradients lay by which a model was stepped, if they had not been summed by then."""
        self._late: WeakSet[Module] = WeakSet()

    def forward(self, event: Forward) -> None:
        self._made, self._inputs = self.looks.made, list(event.inputs)

    def forward_end(self, event: ForwardEnd) -> None:
        """The inputs of a model whose forward the program lets exchange values."""
        module, inputs, self._inputs = event.module, self._inputs, []
        whole = [each for each in inputs if digests.is_whole(each)]
        if module.training and whole and self.looks.made > self._made:
            with unwatched():
                self._fed[module] = torch.stack(
                    [digests.digest(each).cpu() for each in whole]
                ).sum()

    def backward(self, event: Backward) -> None:
        if event.accumulates and self.looks.now:
            self._uses = uses(event.outputs)
            self._find_late()

    def _find_late(self) -> None:
        """What has been summed since the last step, before the first backward after it."""
        summed = self.looks.summed | self.looks.summed_in.keys()
        for model, grads in self._stepped.items():
            if 2 * len(grads & summed) > len(grads):
                self._late.add(model)
        self._stepped.clear()

    def backward_end(self, event: BackwardEnd) -> None:
        if not (event.accumulates and self.looks.now):
            return
        with unwatched():
            for model in list(self.run.roots):
                if not any(map(is_parallel, model.modules())):
                    self._own[model] = {
                        name: (digests.digest(grad), digests.projection(grad), digests.norm(grad))
                        for name, _, grad in _gradients(model)
                        if grad is not None
                    }

    def step(self, event: Step) -> None:
        held = held_by([event.optimizer])
        for model, own in list(self._own.items()):
            with unwatched():
                taken = [each for each in _gradients(model) if id(each[1]) in held]
                sums = {name: _sums(p, own.get(name), grad) for name, p, grad in taken}
            there = {name: grad is not None for name, _, grad in taken}
            if any(there.values()):
                name, kind = self.run.module_name(model), type(event.optimizer).__name__
                numbers = {name: p.numel() for name, p, _ in taken}
                with unwatched():
                    buffers = still_buffers(model)
                step = StepTaken(
                    name, kind, here(), sums, numbers, there, self._summed(taken), buffers
                )
                with unwatched():
                    step.used = {n: self._uses.get(id(p), ()) for n, p, _ in taken if _varies(p)}
                step.groups = self._groups(taken)
                step.summed_at = self._summed_at(taken)
                summed_again = self.looks.again
                step.again = tuple(
                    n for n, _, g in taken if g is not None and g.data_ptr() in summed_again
                )
                self._note_late(model, step, taken)
                step.settings.update(settings_of(event.optimizer))
                step.mates, step.fed = _mates(model), self._fed.get(model)
                with unwatched():
                    kept = running_statistics(model)
                    step.statistics = {name: digests.digest(buffer) for name, buffer in kept}
                self._steps.append(step)
        self._own.clear()

    def _note_late(
        self, model: Module, step: StepTaken, taken: list[tuple[str, Tensor, Tensor | None]]
    ) -> None:
        """Gradients that have not been summed yet may be so after the step."""
        step.late = model in self._late
        self._late.discard(model)
        if not any(step.groups.values()) and not any(grad for grad, _ in step.summed.values()):
            self._stepped[model] = {g.data_ptr() for _, _, g in taken if g is not None}

    def _summed(
        self, taken: list[tuple[str, Tensor, Tensor | None]]
    ) -> dict[str, tuple[bool, bool]]:
        """By the memory that was summed, or by a flat copy of all gradients or all parameters."""
        summed, lengths = self.looks.summed, self.looks.lengths
        grads = [grad for _, _, grad in taken if grad is not None]
        flat = len(taken) > 1 and sum(grad.numel() for grad in grads) in lengths
        return {
            name: (
                grad is not None and (flat or grad.data_ptr() in summed),
                parameter.data_ptr() in summed,
            )
            for name, parameter, grad in taken
        }

    def _groups(self, taken: list[tuple[str, Tensor, Tensor | None]]) -> dict[str, tuple[int, ...]]:
        found = self.looks.summed_in
        return (
            {n: found.get(g.data_ptr(), ()) for n, _, g in taken if g is not None} if found else {}
        )

    def _summed_at(self, taken: list[tuple[str, Tensor, Tensor | None]]) -> Span | None:
        held = (each for _, parameter, grad in taken for each in (grad, parameter))
        lines = (self.looks.lines.get(each.data_ptr()) for each in held if each is not None)
        return next((where for where in lines if where), None)

    def draft(self) -> Callable[[], Mapping[str, Any]]:
        steps, self._steps = self._steps, []
        return lambda: {"by_hand": tuple(map(self._read, steps))}

    def _read(self, step: StepTaken) -> ByHand:
        values = dict(zip(step.buffers, digests.numbers(step.buffers.values()), strict=True))
        kept = {n: v for n, v in values.items() if self._before.get((step.name, n)) == v}
        self._before.update({(step.name, n): v for n, v in values.items()})
        moved = zip(step.statistics, digests.numbers(step.statistics.values()), strict=True)
        fed = None if step.fed is None else int(step.fed)
        read = _read(step)._replace(buffers=kept, settings=step.settings)
        read = read._replace(statistics=dict(moved), mates=step.mates, fed=fed, late=step.late)
        return read._replace(again=step.again, summed_at=step.summed_at)


def uses(outputs: Iterable[Tensor]) -> dict[int, tuple[str, ...]]:
    """The operations of a graph that read each of its leaves, by the identity of the leaf."""
    found: dict[int, set[str]] = {}
    left: list[Any] = [each.grad_fn for each in outputs if each.grad_fn is not None]
    seen = set(left)
    while left and len(seen) < NODES:
        node = left.pop()
        for following, _ in node.next_functions:
            leaf = getattr(following, "variable", None)
            if leaf is not None:
                found.setdefault(id(leaf), set()).add(node.name())
            elif following is not None and following not in seen:
                seen.add(following)
                left.append(following)
    return {leaf: tuple(sorted(names)) for leaf, names in found.items()}


def _varies(parameter: Tensor) -> bool:
    """Whether its numbers are not all the same one, as biases begin."""
    flat = parameter.detach().reshape(-1)
    return flat.numel() > 1 and bool(flat[0] != flat[-1])


def _mates(model: Module) -> tuple[int, ...]:
    """The ranks of the mesh over which some of its parameters are sharded, if that is one mesh."""
    found: set[tuple[int, ...]] = set()
    for parameter in model.parameters():
        mesh: Any = getattr(parameter, "device_mesh", None)
        places: Any = getattr(parameter, "placements", ())
        if mesh is not None and mesh.ndim == 1 and any(place.is_shard() for place in places):
            found.add(tuple(mesh.mesh.flatten().tolist()))
    return found.pop() if len(found) == 1 else ()


def _gradients(model: Module) -> Iterator[tuple[str, Tensor, Tensor | None]]:
    """The parameters that lie here whole, with their gradients, if they have any."""
    for name, parameter in model.named_parameters():
        grad = parameter.grad
        if digests.is_whole(parameter) and (grad is None or digests.is_whole(grad)):
            yield name, parameter, grad


def _sums(
    parameter: Tensor, own: tuple[Tensor, ...] | None, grad: Tensor | None
) -> tuple[Tensor, ...]:
    nothing = torch.zeros((), dtype=torch.int64, device=parameter.device)
    none = nothing.to(torch.float64)
    before = own or (nothing, none, none)
    taken = (nothing, none)
    if grad is not None:
        taken = digests.digest(grad), digests.projection(grad)
    return digests.digest(parameter.detach()), taken[0], *before, taken[1]


def _read(step: StepTaken) -> ByHand:
    columns = list(zip(*step.sums.values(), strict=True))
    parameter, taken, own = (digests.numbers(columns[at]) for at in (0, 1, 2))
    own_sum, size, taken_sum = (digests.numbers(columns[at]) for at in (3, 4, 5))
    called, averaged = zip(*step.summed.values(), strict=True)
    used = [step.used.get(name, ()) for name in step.sums]
    groups = [step.groups.get(name, ()) for name in step.sums]
    told = (step.numbers.values(), step.there.values(), called, averaged, used, groups)
    rows = zip(parameter, own, taken, own_sum, taken_sum, size, *told, strict=True)
    gradients = dict(zip(step.sums, (Gradient(*row) for row in rows), strict=True))
    return ByHand(step.name, step.optimizer, step.where, gradients)
