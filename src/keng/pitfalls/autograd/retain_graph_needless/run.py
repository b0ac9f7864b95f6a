"""A running program: a graph is kept that no second backward uses."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from weakref import WeakSet

from keng.model import Span, say
from keng.run.events import Backward, GraphRetained, RunEnd, StepEnd
from keng.run.frames import here
from keng.run.graph.nodes import nodes_of
from keng.run.recorder import Recorder
from keng.run.state import RunState, tensors_in

TIMES = 3
KEY = "keng.retained"


class Token:
    """Lies in the metadata of all nodes of a graph that was kept, and lives as long as these."""

    __slots__ = ("__weakref__", "met")

    def __init__(self) -> None:
        self.met = False


@dataclass(slots=True)
class Line:
    last: WeakSet[Token]
    gone: int = 0
    asked: int = 0


class RetainedGraphs(Recorder):
    dormant = (Backward, StepEnd)

    def __init__(self, run: RunState) -> None:
        super().__init__(run)
        self.lines: dict[Span | None, Line] = {}
        self.tokens: list[tuple[Token, Span | None]] = []

    def graph_retained(self, event: GraphRetained) -> None:
        """Before a backward that keeps its graph and makes no further one."""
        place = here()
        line = self.lines.setdefault(place, Line(WeakSet()))
        if line.asked > TIMES:
            return
        line.asked += 1
        token = Token()
        for node in _nodes(event.outputs):
            node.metadata[KEY] = token
        self.tokens.append((token, place))
        self.listen(Backward, StepEnd)

    def backward(self, event: Backward) -> None:
        for node in _nodes(event.outputs):
            token = node.metadata.get(KEY)
            if token is not None:
                token.met = True

    def step_end(self, event: StepEnd) -> None:
        self._settle()

    def run_end(self, event: RunEnd) -> None:
        self._settle(open_still=0)

    def _settle(self, open_still: int = 2) -> None:
        """A graph is over when a later step has begun: two networks may share one for two steps."""
        at = max(len(self.tokens) - open_still, 0)
        settled, self.tokens = self.tokens[:at], self.tokens[at:]
        if not self.tokens:
            self.ignore(Backward, StepEnd)
        for token, place in settled:
            line = self.lines[place]
            line.gone = line.gone + 1 if not token.met else -1_000_000
            if line.gone == TIMES:
                self.report(say("graphs-kept", graphs=TIMES), where=place, graphs=TIMES)


def _nodes(outputs: Any) -> Iterator[Any]:
    """Leaves are shared by all graphs."""
    return (node for node in nodes_of(tensors_in(outputs)) if node.next_functions)
