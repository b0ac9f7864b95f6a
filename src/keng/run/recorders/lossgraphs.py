"""The graph of a loss before its backward: its operations, their shapes and types."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING, Any

import torch

from keng.model import Span
from keng.run.classes import names
from keng.run.events import Backward
from keng.run.graph.nodes import LEAF, MOST, PRODUCTS, dtype_of, made_by
from keng.run.lines import line_in, line_of, line_with
from keng.run.moments import Logarithm, LossGraph, Mixed, Pairing, RawScores, Widened
from keng.run.recorder import Recorder
from keng.run.reshaped_views import mixing, reshaping
from keng.run.sampling import Sampler
from keng.run.state import MARK, Facts, RunState, tensors_in, unwatched

if TYPE_CHECKING:
    from torch import Tensor
    from torch.nn import Module

SEEN_THROUGH = ("Squeeze", "View", "Reshape", "Clone", "Alias")
"""Views that leave the elements in their order. `unsqueeze` is none of them: who writes it means pairs."""
ROUNDED = {"SoftmaxBackward0": "softmax", "SigmoidBackward0": "sigmoid"}
SPOKEN = {"Mul": "mul", "Add": "add", "Sub": "sub", "Div": "div", "Cat": "cat", "Where": "where"}
MOVED = ("TBackward", "Transpose", "Permute", "View", "UnsafeView", "Expand")
SUMMED = ("Logsumexp", "LogBackward")
CHOSEN = ("GatherBackward", "MaxBackward", "AmaxBackward")
"""What takes one of a model's columns for each sample, as the values of actions are."""
DOUBLE = frozenset({"double", "float64"})


class GraphFacts(Facts):
    def __init__(self, run: RunState, outputs: list[Tensor]) -> None:
        self._run, self._outputs = run, outputs

    @cached_property
    def _nodes(self) -> list[tuple[Any, Any]]:
        """All nodes from the loss on, each with the module whose output they lie behind, if any."""
        waiting: list[tuple[Any, Any]] = [(t.grad_fn, None) for t in self._outputs]
        seen: dict[Any, Any] = {}
        while waiting and len(seen) < MOST:
            node, module = waiting.pop()
            if node is None or node in seen:
                continue
            own = _output_of(node)  # a module may have a length, and so be false
            module = module if own is None else own
            seen[node] = module
            waiting.extend((after, module) for after, _ in node.next_functions)
        return list(seen.items())

    def pairings(self) -> tuple[Pairing, ...]:
        return tuple(self._pairings())

    def _pairings(self) -> Iterator[Pairing]:
        for node, inside in self._nodes:
            if not (node.name().startswith("SubBackward") and _computes_a_loss(inside)):
                continue
            operands = [(after, slot) for after, slot in node.next_functions if after is not None]
            result = _made(node)
            # With two graphs the pairs are of predictions, which is a ranking or a contrast.
            if len(operands) != 1 or len(result) != 2 or result[0] != result[1] or result[0] < 2:
                continue
            operand, slot = operands[0]
            module, output = module_behind(_chosen_from(operand)), _made(operand, slot)
            if output not in ((result[0], 1), (result[0],)):
                continue
            name = self._run.module_name(module) if module is not None else self._layer(operand)
            if name:
                where = line_with("sub", output) if inside is None else line_in(inside, "sub")
                yield Pairing(name, output, result, where)

    def _layer(self, node: Any) -> str:
        """The linear layer that an operation is; of a model's several outputs only the first is marked."""
        if not node.name().startswith("Addmm"):
            return ""
        leaf = getattr(node.next_functions[0][0], "variable", None)
        return self._run.parameter_name(leaf).rpartition(".")[0] if leaf is not None else ""

    def logarithms(self) -> tuple[Logarithm, ...]:
        return tuple(self._logarithms())

    def _logarithms(self) -> Iterator[Logarithm]:
        for node, inside in self._nodes:
            if node.name() != "LogBackward0":
                continue
            given = node.next_functions[0][0]
            of = ROUNDED.get(given.name(), "") if given is not None else ""
            if given is not None and not of and _is_one_plus_exp(node, given):
                of = "1 + exp"
            if of:
                yield Logarithm(of, self._line("log", inside))

    def widened(self) -> Widened | None:
        leaves = [node for node, _ in self._nodes if node.name() == LEAF]
        if not leaves or any(dtype_of(leaf) is not torch.float32 for leaf in leaves):
            return None
        for node, inside in self._nodes:
            if inside is None or dtype_of(node) is not torch.float64:
                continue
            name = "to" if _casts_a_leaf(node) and not names(inside, DOUBLE) else _widens(node)
            if name:
                return Widened(name, self._run.module_name(inside), self._line(name, inside))
        return None

    def mixed(self) -> tuple[Mixed, ...]:
        found: dict[Span, Mixed] = {}
        for node, inside in self._nodes:
            shapes = mixing(node)
            if shapes is None:
                continue
            written = reshaping(None if _computes_a_loss(inside) else inside, len(shapes[1]))
            if written:
                found.setdefault(written[1], Mixed(written[0], *shapes, written[1]))
        return tuple(found.values())

    def raw_scores(self) -> RawScores | None:
        if any(node.name().startswith(SUMMED) for node, _ in self._nodes):
            return None
        for node, inside in self._nodes:
            given = node.next_functions[0][0] if node.name().startswith("NllLoss") else None
            layer = _layer_behind(given)
            highest = _highest(node._saved_self) if layer is not None else 0.0
            if highest > 0:
                module = module_behind(given)
                name = self._run.module_name(module) if module is not None else self._layer(layer)
                inside = None if _computes_a_loss(inside) else inside
                return RawScores(name, highest, self._line("nll_loss", inside))
        return None

    def _line(self, operation: str, inside: Module | None) -> Span | None:
        """In the functions that run now; in a module's own for what its forward has done."""
        return line_of(operation) if inside is None else line_in(inside, operation)


def _layer_behind(node: Any) -> Any:
    """The linear layer or convolution, one of several, whose numbers these are in another order."""
    while node is not None and node.name().startswith((*MOVED, *SEEN_THROUGH)):
        node = node.next_functions[0][0]
    if node is None or node.name().startswith(PRODUCTS):
        return node
    stacked = node.name() in ("StackBackward0", "CatBackward0")
    parts = [_layer_behind(part) for part, _ in node.next_functions] if stacked else [None]
    return parts[0] if None not in parts else None


def _highest(scores: Tensor) -> float:
    """0 where a device would have to be waited for."""
    with unwatched():
        return float(scores.max()) if scores.is_cpu and scores.numel() else 0.0


class LossGraphs(Recorder):
    provides = ("loss.graph",)
    sampled = (Backward,)

    def __init__(self, run: RunState) -> None:
        super().__init__(run)
        self.sampler = Sampler(first=4, every=500)

    def backward(self, event: Backward) -> None:
        if not event.accumulates or not self.sampler.due():
            return
        losses = [t for t in tensors_in(event.outputs) if t.grad_fn is not None]
        if losses:
            self.run.show("loss.graph", LossGraph(self.run.step, GraphFacts(self.run, losses)))


def _output_of(node: Any) -> Any:
    mark = node.metadata.get(MARK)
    return mark.module() if mark is not None and mark.output and mark.module is not None else None


def _computes_a_loss(inside: Module | None) -> bool:
    """Whether what stands in no module, or in this one, is of the loss: a criterion has no parameters."""
    return inside is None or next(inside.parameters(), None) is None


def module_behind(node: Any) -> Any:
    while node is not None:
        module = _output_of(node)
        if module is not None or not node.name().startswith(SEEN_THROUGH):
            return module
        node = node.next_functions[0][0]
    return None


def _chosen_from(node: Any) -> Any:
    while node is not None and node.name().startswith((*SEEN_THROUGH, *CHOSEN)):
        if _output_of(node) is not None:
            return node
        node = node.next_functions[0][0]
    return node


def _made(node: Any, slot: int = 0) -> tuple[int, ...]:
    """The shape that an operation has made."""
    made = made_by(node)
    return tuple(made[slot].shape) if slot < len(made) else ()


def _widens(node: Any) -> str:
    """What computes with a wider number. A cast is meant."""
    before = [after for after, _ in node.next_functions if after is not None]
    name = SPOKEN.get(node.name().partition("Backward")[0], "")
    return name if all(dtype_of(after) is not torch.float64 for after in before) else ""


def _casts_a_leaf(node: Any) -> bool:
    """A matrix product with a parameter that was cast to the type of the other operand."""
    if not node.name().startswith(PRODUCTS):
        return False
    operands = (_moved(after) for after, _ in node.next_functions)
    casts = [each for each in operands if each is not None and each.name().startswith("ToCopy")]
    sources = (_moved(cast.next_functions[0][0]) for cast in casts)
    return any(source is not None and source.name() == LEAF for source in sources)


def _moved(node: Any) -> Any:
    """What a view is of, transposed or not."""
    while node is not None and node.name().startswith(MOVED):
        node = node.next_functions[0][0]
    return node


def _is_one_plus_exp(log: Any, given: Any) -> bool:
    edges = [after for after, _ in given.next_functions]
    powers = [after for after in edges if after is not None and after.name() == "ExpBackward0"]
    if given.name() != "AddBackward0" or len(powers) != 1:
        return False
    power, total = powers[0]._saved_result, log._saved_self
    if not power.is_cpu or power.shape != total.shape or not power.numel():
        return False
    return bool((power.reshape(-1)[:64] + 1 == total.reshape(-1)[:64]).all())
