"""Clipped losses of policies (PPO, GRPO), as their graphs show them."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import torch

from keng.model import Span
from keng.run.events import Backward, Forward
from keng.run.facts.losses import VIEWS
from keng.run.operation_lines import line_of
from keng.run.recorder import Fact, Recorder
from keng.run.state import RunState, unwatched

if TYPE_CHECKING:
    from torch import Tensor

NEAR = 80
"""Nodes of a graph from the loss on: what is clipped is a few operations before it."""
TRIES = 4
"""Backwards after which a program without such a loss is left alone."""
UNTIL = 200
ROWS = 32
"""Rows of the input of a model that are known again."""
CHOICES = {"MinimumBackward0": "min", "MaximumBackward0": "max"}
POSITIVE = {"MeanBackward0", "MeanBackward1", "SumBackward0", "SumBackward1"} | VIEWS


class Surrogate(NamedTuple):
    """`choice` ("min" or "max") of two products: of a ratio, and of the same one between `bounds`, with an
    advantage. `sign` is that with which it counts in the loss, 0 where that is not known; `graph` where an
    advantage has a gradient."""

    choice: str
    sign: int
    ratio: Tensor
    bounds: tuple[float, float]
    products: tuple[Tensor, Tensor]
    graph: bool


class PolicyLoss(Fact):
    """A backward is about to begin at a loss with a `surrogate`. `fresh` before the first step of the run;
    `unmoved` counts the losses so far at which every ratio was exactly 1 although the rows that the model was
    given had been trained on before, 0 once another ratio was seen."""

    surrogate: Surrogate
    fresh: bool
    unmoved: int

    @cached_property
    def where(self) -> Span | None:
        return line_of(self.surrogate.choice)

    @cached_property
    def different(self) -> bool:
        """Whether the products differ where the ratio is not clipped."""
        ratio, (low, high) = self.surrogate.ratio, self.surrogate.bounds
        one, other = self.surrogate.products
        if not one.shape == other.shape == ratio.shape:
            return False
        with unwatched():
            inside = (ratio > low) & (ratio < high)
            apart = ~torch.isclose(one, other, rtol=1e-3, atol=1e-6) & inside
            return bool(2 * apart.sum() > inside.sum()) and bool(inside.any())

    @cached_property
    def far_from_one(self) -> float:
        """The share of ratios that are not 1, but for rounding and for dropout of a few units."""
        with unwatched():
            return float(((self.surrogate.ratio - 1).abs() > 0.05).float().mean())


class PolicyLosses(Recorder):
    provides = (PolicyLoss,)
    dormant = (Forward,)

    def __init__(self, run: RunState) -> None:
        super().__init__(run)
        self.tries = self.losses = self.unmoved = 0
        self.moved = False
        self.rows: set[bytes] = set()
        self.known = 0.0

    def forward(self, event: Forward) -> None:
        """The share of rows that the model was given before."""
        rows = next((t for t in event.inputs if t.is_cpu and t.dim() > 1), None)
        if rows is None or not torch.is_grad_enabled():
            return
        with unwatched():
            given = [row.tobytes() for row in rows.detach().flatten(1)[:ROWS].float().numpy()]
        self.known = sum(row in self.rows for row in given) / max(1, len(given))
        self.rows.update(given)

    def backward(self, event: Backward) -> None:
        found = next(_surrogates(event.outputs), None) if event.accumulates else None
        if found is None:
            self.tries += not self.losses
            if self.tries == TRIES:
                self.ignore(Backward)
            return
        self.losses += 1
        self._count(found)
        self.show(PolicyLoss(self.run, found, self.run.step == 1, self.unmoved))
        if self.losses == UNTIL:
            self.ignore(Backward, Forward)

    def _count(self, found: Surrogate) -> None:
        if self.moved or not found.ratio.is_cpu:
            return
        self.listen(Forward)
        with unwatched():
            self.moved = not bool((found.ratio == 1).all())
        if self.moved:
            self.unmoved = 0
            self.rows.clear()
            self.ignore(Forward)
        elif self.known > 0.5:
            self.unmoved += 1


def _surrogates(outputs: list[Tensor]) -> Iterator[Surrogate]:
    """The nearest nodes first, each with the sign of its part of the sum."""
    waiting: deque[tuple[Any, int]] = deque((t.grad_fn, 1) for t in outputs)
    seen: set[Any] = set()
    while waiting and len(seen) < NEAR:
        node, sign = waiting.popleft()
        if node is None or node in seen:
            continue
        seen.add(node)
        if node.name() in CHOICES and (found := _surrogate(node, sign)) is not None:
            yield found
        waiting += [
            (after, sign * _sign(node, at)) for at, (after, _) in enumerate(node.next_functions)
        ]


def _sign(node: Any, at: int) -> int:
    """The sign with which an operation passes on one of its operands; 0 where it depends."""
    name = node.name()
    if name in POSITIVE or name == "AddBackward0" or (name == "SubBackward0" and at == 0):
        return 1
    if name in ("NegBackward0", "SubBackward0"):
        return -1
    if name not in ("MulBackward0", "DivBackward0") or at or node.next_functions[1][0] is not None:
        return 0
    other = node._saved_other
    if not isinstance(other, torch.Tensor) or not other.numel():
        return 0
    with unwatched():
        low, high = other.aminmax()
        return 1 if low >= 0 and high > 0 else -1 if high <= 0 and low < 0 else 0


def _surrogate(node: Any, sign: int) -> Surrogate | None:
    """What a minimum or maximum is of, where one operand is a product with a ratio and the other one with the
    same ratio, clipped."""
    one, other = (_factors(after) for after, _ in node.next_functions)
    for (free, _), (clipped, _) in (
        (a, b) for x, y in ((one, other), (other, one)) for a in x for b in y
    ):
        if (
            clipped.name() != "ClampBackward1"
            or _seen_through(clipped.next_functions[0][0]) is not free
        ):
            continue
        low, high = clipped._saved_min, clipped._saved_max
        if low is None or high is None:
            continue
        graph = any(has for factors in (one, other) for _, has in factors)
        bounds, products = (float(low), float(high)), (node._saved_self, node._saved_other)
        return Surrogate(CHOICES[node.name()], sign, clipped._saved_self, bounds, products, graph)
    return None


def _factors(node: Any) -> list[tuple[Any, bool]]:
    """The operands of a product that have a graph, each with whether the other one has one too."""
    node = _seen_through(node, {"NegBackward0"})
    if node is None or node.name() != "MulBackward0":
        return []
    inner = [_seen_through(after, {"NegBackward0"}) for after, _ in node.next_functions]
    found = [each for each in inner if each is not None]
    return [(each, len(found) > 1) for each in found]


def _seen_through(node: Any, also: set[str] = frozenset()) -> Any:  # type: ignore[assignment]
    while node is not None and (node.name() in VIEWS or node.name() in also):
        node = node.next_functions[0][0]
    return node
