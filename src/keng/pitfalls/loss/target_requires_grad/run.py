"""A running program: a target requires a gradient."""

from __future__ import annotations

from typing import Any

import torch

from keng.model import Hits, say
from keng.rules import watches
from keng.run.facts.losses import VIEWS, LossCall, module_of
from keng.run.state import MARK, unwatched

ONE_SIDED = ("cross_entropy", "binary_cross_entropy", "binary_cross_entropy_with_logits")
COMPARING = ("mse_loss", "l1_loss", "smooth_l1_loss", "huber_loss")
CHOICES = frozenset({"AmaxBackward0", "GatherBackward0", "IndexBackward0", "MaxBackward0"})
ARITHMETIC = frozenset({"AddBackward0", "MulBackward0", "SubBackward0"})
DISCOUNTS = (0.5, 1.0)
"""What the value of a next state is multiplied by: the second is no discount."""
NEAR = 64
"""Nodes: a goal is made by a few operations."""


@watches(LossCall)
def gradient_for_the_target(loss: LossCall) -> Hits:
    module = _module_of_target(loss)
    # Two networks in training may be meant to learn from each other.
    if module is None or module.training or _has_changed_places(loss):
        return
    target = f"`{loss.target}`" if loss.target else say("the-target")
    yield loss.hit(say("target-with-graph", target=target, module=loss.run.module_name(module)))


@watches(LossCall)
def changed_places(loss: LossCall) -> Hits:
    if _has_changed_places(loss):
        target = f"`{loss.target}`" if loss.target else say("the-second")
        made_by = loss.run.module_name(_module_of_target(loss))
        yield loss.hit(say("arguments-exchanged", target=target, module=made_by))


@watches(LossCall)
def moves_its_own_goal(loss: LossCall) -> Hits:
    goal = _own_goal(loss) if loss.function in COMPARING else None
    if goal is not None:
        target = f"`{loss.target}`" if loss.target else say("the-target")
        yield loss.hit(say("goal-is-made-of", target=target, module=loss.run.module_name(goal)))


def _module_of_target(loss: LossCall) -> Any:
    """The module whose output the target is and which the loss has a gradient for, where it is another
    than made the input; or None."""
    module = module_of(loss.args[1])
    return module if module is not module_of(loss.args[0]) else None


def _has_changed_places(loss: LossCall) -> bool:
    """Whether the target is the raw output of a module, with its graph, and the input has none."""
    if loss.function not in ONE_SIDED or loss.args[0].requires_grad:
        return False
    low, high = loss.target_range
    return _module_of_target(loss) is not None and (low < 0 or high > 1)


def _own_goal(loss: LossCall) -> Any:
    """The module of whose output the input is a part, and the target is made as well, with its graph: by
    arithmetic, and a choice among columns or a discount that ends with the episode, as of the value of the
    next state. None for others."""
    given, _ = _sources(loss.args[0].grad_fn, CHOICES)
    goals, ways = _sources(loss.args[1].grad_fn, CHOICES | ARITHMETIC)
    next_value = (ways & CHOICES and ways & ARITHMETIC) or {"discount", "reward", "end"} <= ways
    both = given & goals if next_value else set()
    return both.pop() if both else None


def _sources(node: Any, ways: frozenset[str]) -> tuple[set[Any], set[str]]:
    """The modules whose outputs lie behind a node through views and these operations, and which of these
    there were; with "discount" for a product with a number a little below one, "end" for one with ones and
    zeros, and "reward" for a sum with what has no graph."""
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
            met |= {node.name()} & ways | _meaning(node)
            waiting += [before for before, _ in node.next_functions]
    return modules - {None}, met


def _meaning(node: Any) -> set[str]:
    name, operands = node.name(), node.next_functions
    constant = len(operands) == 2 and None in (operands[0][0], operands[1][0])
    if name in ("AddBackward0", "SubBackward0") and constant:
        return {"reward"}
    if name != "MulBackward0" or not constant:
        return set()
    factors = (getattr(node, "_saved_other", None), getattr(node, "_saved_self", None))
    with unwatched():
        return {_factor(each) for each in factors if isinstance(each, torch.Tensor)} - {""}


def _factor(factor: Any) -> str:
    low, high = DISCOUNTS
    if not factor.dim():
        return "discount" if low <= float(factor) < high else ""
    return "end" if factor.is_cpu and bool(((factor == 0) | (factor == 1)).all()) else ""
