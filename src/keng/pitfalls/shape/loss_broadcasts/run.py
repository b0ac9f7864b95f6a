"""A running program: predictions and targets of different shapes are broadcast in the loss."""

from __future__ import annotations

from typing import Any

from keng.model import Hits, say
from keng.rules import watches
from keng.run.facts.loss_graph import LossGraph
from keng.run.facts.losses import LossCall
from keng.run.facts.traced_step import TracedStep, Value
from keng.run.graph.nodes import SEEN_THROUGH, computes_a_loss, made_by, module_behind, output_of
from keng.run.operation_lines import line_in, line_with

COMPARING = ("mse_loss", "l1_loss", "smooth_l1_loss", "huber_loss")
CHOSEN = ("GatherBackward", "MaxBackward", "AmaxBackward")
"""What takes one of a model's columns for each sample, as the values of actions are."""
ELEMENTWISE = frozenset("add sub mul div pow minimum maximum eq ne gt lt ge le".split())
ONE_BY_ONE = ELEMENTWISE | frozenset(
    "neg abs square exp log sqrt clamp float double to where sigmoid relu detach clone min max".split()
)
"""Operations that keep the shape of what they are given."""
SHAPED = frozenset(
    "unsqueeze view reshape expand expand_as transpose permute T mT t movedim repeat unflatten".split()
)
"""Who writes one of these to get a column means pairs."""


@watches(LossCall)
def expanded_against_each_other(loss: LossCall) -> Hits:
    given, target = loss.input_shape, loss.target_shape
    if loss.function in COMPARING and not loss.failed and _are_paired(given, target):
        names = {"input": loss.input, "target": loss.target}
        if loss.input and loss.target:
            yield loss.hit(say("every-pair", given=given, wants=target, **names))
        else:
            yield loss.hit(say("every-pair-unnamed", given=given, wants=target))


def _are_paired(given: tuple[int, ...], target: tuple[int, ...]) -> bool:
    """Whether each side was expanded along a dimension of the other: (N, 1) against (N,)."""
    larger = [(a > b) - (a < b) for a, b in zip(given, target, strict=False)]
    return len(given) == len(target) and {-1, 1} <= set(larger)


@watches(LossGraph)
def subtracted_from_each_other(graph: LossGraph) -> Hits:
    """A model's output (N, 1) or (N,), and a target of another shape, whose difference is (N, N)."""
    for node, inside in graph.nodes:
        if not (node.name().startswith("SubBackward") and computes_a_loss(inside)):
            continue
        operands = [(after, slot) for after, slot in node.next_functions if after is not None]
        result = _shape_of(node)
        # With two graphs the pairs are of predictions, which is a ranking or a contrast.
        if len(operands) != 1 or len(result) != 2 or result[0] != result[1] or result[0] < 2:
            continue
        operand, slot = operands[0]
        module, output = module_behind(_chosen_from(operand)), _shape_of(operand, slot)
        if output not in ((result[0], 1), (result[0],)):
            continue
        name = graph.run.module_name(module) if module is not None else graph.layer_name(operand)
        if name:
            where = line_with("sub", output) if inside is None else line_in(inside, "sub")
            says = say("difference-of-pairs", output=output, name=name, result=result)
            yield graph.hit(says, where=where)


def _chosen_from(node: Any) -> Any:
    while node is not None and node.name().startswith((*SEEN_THROUGH, *CHOSEN)):
        if output_of(node) is not None:
            return node
        node = node.next_functions[0][0]
    return node


def _shape_of(node: Any, slot: int = 0) -> tuple[int, ...]:
    """The shape of what an operation has made."""
    made = made_by(node)
    return tuple(made[slot].shape) if slot < len(made) else ()


@watches(TracedStep)
def column_against_rows(step: TracedStep) -> Hits:
    """A value (N, 1) that came so, with one (N,), whose pairs are all summed up."""
    for value in step.values:
        if value.by not in ELEMENTWISE or len(value.given) != 2 or not value.recorded:
            continue
        column, row = sorted(value.given, key=lambda each: -len(each.shape))
        count = value.shape[0] if value.shape else 0
        if count < 2 or (column.shape, row.shape) != ((count, 1), (count,)):
            continue
        if not _is_made_a_column(column) and _is_summed_up(value):
            says = say("column-and-row", count=count)
            yield step.hit(says, where=value.where)


def _is_made_a_column(value: Value) -> bool:
    """Whether the program itself gave a value its dimension of one: `unsqueeze`, `[:, None]`, `keepdim`."""
    for each in value.behind():
        if each.shape != value.shape or not each.by:
            continue
        taken = each.by == "getitem" and each.index is None
        if taken or each.by in SHAPED or any(a is True for a in each.arguments):
            return True
    return False


def _is_summed_up(value: Value) -> bool:
    """Whether all that is made from a matrix of pairs is one number, without any use of its rows."""
    waiting, summed = list(value.used), False
    while waiting:
        used = waiting.pop()
        if used.by in ("mean", "sum") and not used.shape:
            summed = True
        elif used.by in ONE_BY_ONE and used.shape == value.shape:
            waiting += used.used
        else:
            return False
    return summed
