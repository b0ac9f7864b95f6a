"""A running program: the weights of a batch of sums are normalized over another dimension than they are
summed over."""

from __future__ import annotations

from collections.abc import Iterator

from keng.model import Hits, say
from keng.rules import watches
from keng.run.facts.traced_step import TracedStep, Value

KEPT = frozenset("dropout clone contiguous to float half detach".split())
"""Operations that leave the weights what they are."""
PRODUCTS = ("matmul", "bmm")
BATCHED = 3
"""Dimensions of scores of a batch. A matrix whose columns add up to 1 may be of transitions."""


@watches(TracedStep)
def summed_over_another(step: TracedStep) -> Hits:
    for value in step.values:
        over = _dimension(value) if value.by == "softmax" else None
        if over is None or len(value.shape) < BATCHED or over == len(value.shape) - 1:
            continue
        if any(product.given[0] is weights for weights, product in _products(value)):
            values = {"over": over, "shape": value.shape, "last": len(value.shape) - 1}
            yield step.hit(say("over-another", **values), where=value.where)


def _dimension(value: Value) -> int | None:
    """The dimension that an operation was given, from 0 on."""
    given = [a for a in value.arguments if isinstance(a, int) and not isinstance(a, bool)]
    return given[0] % len(value.shape) if given and value.shape else None


def _products(weights: Value) -> Iterator[tuple[Value, Value]]:
    """The products that weights are part of, as they are or after a dropout."""
    waiting = [weights]
    while waiting:
        value = waiting.pop()
        for used in value.used:
            if used.by in PRODUCTS and len(used.given) == 2:
                yield value, used
            elif used.by in KEPT and used.shape == value.shape:
                waiting.append(used)
