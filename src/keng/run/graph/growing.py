"""Averages and sums that hang on all their past: graphs of no output, which grow at each step."""

from __future__ import annotations

from collections import deque
from itertools import pairwise
from typing import Any

from keng.run.graph.holders import NODE_BYTES, Candidate, Holder, added_at, candidates

LOOKED_AT = 4
"""Tensors of a container."""
MOST = 1500
"""Nodes of a graph that are counted."""


class Chains:
    """How many nodes the graphs of each variable have had, look by look."""

    def __init__(self) -> None:
        self.counts: dict[str, list[tuple[int, ...]]] = {}
        self.large: set[str] = set()

    def look(self, first: bool, steps: int) -> dict[str, Candidate]:
        """The tensors that were counted, by name: keeping them would keep their graphs. One without a
        node for each step, or with too many, is left out at the next looks; counting the large graphs of
        a model would take too long."""
        known, self.counts = self.counts, {}
        there: dict[str, Candidate] = {}
        if not first and not known:
            return there  # no graph was long enough to be counted again
        for each in candidates():
            there.setdefault(each.name, each)
        for name, each in there.items():
            if name not in self.large and (first or name in known):
                counts = tuple(_nodes(tensor) for tensor in each.tensors[:LOOKED_AT])
                if max(counts) >= MOST:
                    self.large.add(name)
                elif min(counts) >= steps:
                    self.counts[name] = [*known.get(name, ()), counts]
        return there

    def judge(self, there: dict[str, Candidate]) -> tuple[Holder, int] | None:
        """The widest of those whose graphs had as many nodes more at each look, and the bytes of these."""
        counts, self.counts = self.counts, {}
        grown = [there[name] for name, rows in counts.items() if _grow(rows)]
        widest = max(grown, key=lambda each: len(each.tensors), default=None)
        if widest is None:
            return None
        holder = Holder(widest.name, added_at(widest.frame, widest.name), widest.bounded)
        return holder, NODE_BYTES * max(counts[widest.name][-1]) * len(widest.tensors)


def _grow(rows: list[tuple[int, ...]]) -> bool:
    if len({len(row) for row in rows}) > 1:
        return False
    for slot in zip(*rows, strict=True):
        more = {after - before for before, after in pairwise(slot)}
        if len(more) > 1 or more.pop() <= 0:
            return False
    return True


def _nodes(tensor: Any) -> int:
    waiting, seen = deque([tensor.grad_fn]), set[Any]()
    while waiting and len(seen) < MOST:
        node = waiting.popleft()
        if node is not None and node not in seen:
            seen.add(node)
            waiting.extend(after for after, _ in node.next_functions)
    return len(seen)
