"""A running program: cross-entropy gets labels of another type or shape than it takes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from keng.model import Hits, say
from keng.pitfalls.loss.cross_entropy_target._shared import LOSSES
from keng.rules import watches
from keng.run.facts.losses import LossCall
from keng.run.graph.nodes import LEAF

if TYPE_CHECKING:
    from torch import Tensor


@watches(LossCall)
def scores_and_labels_apart(loss: LossCall) -> Hits:
    given, target = loss.input_shape, loss.target_shape
    if loss.function not in LOSSES or (loss.failed and loss.has_label_for_each_row):
        return
    if loss.failed:
        yield loss.hit(say("do-not-fit", scores=given, labels=target, dtype=loss.target_dtype))
    elif _is_square(given, target) and _has_classes_last(loss.args[0]):
        named = say("classes-last-unnoticed", name=loss.input, scores=given)
        yield loss.hit(named if loss.input else say("input-classes-last", scores=given))


def _is_square(given: tuple[int, ...], target: tuple[int, ...]) -> bool:
    """As many steps as classes, so that nothing is raised whichever comes first."""
    return len(given) == 3 and given[1] == given[2] and target == given[:-1]


def _has_classes_last(scores: Tensor) -> bool:
    """Whether a linear layer made them as they are."""
    node: Any = scores.grad_fn
    if node is not None and node.name() == "AddBackward0":
        sides = [side for side, _ in node.next_functions]
        # What is not contiguous is multiplied first, and the bias added to it.
        node = sides[0] if sides[1] is not None and sides[1].name() == LEAF else None
    if node is None or node.name() not in ("ViewBackward0", "UnsafeViewBackward0"):
        return False
    inner = node.next_functions[0][0]
    return inner is not None and inner.name() in ("AddmmBackward0", "MmBackward0")
