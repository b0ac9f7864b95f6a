"""A running program: a number that is to be learned becomes a constant on its way through forward."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from textwrap import shorten
from typing import TYPE_CHECKING
from weakref import ref

from keng.model import Span, say
from keng.run.events import GraphCut, Step
from keng.run.frames import here
from keng.run.graph.nodes import nodes_of
from keng.run.optimizers import holds
from keng.run.recorder import Recorder
from keng.run.state import RunState

if TYPE_CHECKING:
    from torch import Tensor

NODES = 300
SPOKEN = {"__float__": "float()", "__int__": "int()", "__array__": "np.array()", "data": ".data"}


@dataclass(slots=True)
class Cut:
    operation: str
    where: Span | None
    detached: bool
    leaves: list[ref[Tensor]]


class GraphCuts(Recorder):
    """A number that is only printed or logged cuts nothing: the parameters behind it still get their
    gradient. So it is the step that decides."""

    dormant = (Step,)

    def __init__(self, run: RunState) -> None:
        super().__init__(run)
        self.cuts: list[Cut] = []
        self.detached: list[tuple[ref[Tensor], Span | None]] = []

    def graph_cut(self, event: GraphCut) -> None:
        operation, place = event.operation, here()
        if operation == "detach" and not self._is_again(event.tensor, place):
            return
        leaves = [ref(leaf) for leaf in _leaves(event.tensor)]
        self.listen(Step)
        spoken = SPOKEN.get(operation, f"{operation}()")
        self.cuts.append(Cut(spoken, place, operation == "detach", leaves))

    def _is_again(self, tensor: Tensor, place: Span | None) -> bool:
        """Whether one line detaches a tensor twice. Once is a goal that is to stay, or a part that is not
        to learn; twice, a gradient that was to go straight through one of them."""
        again = any(known() is tensor and at == place for known, at in self.detached)
        self.detached.append((ref(tensor), place))
        return again

    def step(self, event: Step) -> None:
        self.ignore(Step)
        cuts, self.cuts, self.detached = self.cuts, [], []
        for cut in cuts:
            leaves = [leaf for known in cut.leaves if (leaf := known()) is not None]
            lost = [leaf for leaf in leaves if leaf.grad is None]
            if cut.detached and not any(holds(event.optimizer, leaf) for leaf in lost):
                continue
            if lost and len(lost) == len(leaves):
                self._report(cut, [f"`{name}`" for name in self.run.parameter_names(lost) if name])

    def _report(self, cut: Cut, names: list[str]) -> None:
        if names:
            named = shorten(", ".join(names), 80, placeholder=" ...")
            says = say("no-gradient-after-backward", names=named, operation=cut.operation)
            self.report(says, where=cut.where)


def _leaves(tensor: Tensor) -> Iterator[Tensor]:
    """The parameters that a value depends on."""
    if tensor.is_leaf:
        yield tensor
        return
    for node in nodes_of([tensor], NODES):
        if (leaf := getattr(node, "variable", None)) is not None:
            yield leaf
