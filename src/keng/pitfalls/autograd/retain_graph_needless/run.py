"""A running program: a graph is kept that no second backward uses."""

from __future__ import annotations

from keng.model import Hits
from keng.rules import watches
from keng.run.moments import RetainedGraph


@watches("graph.retained")
def nobody_came_back(seen: RetainedGraph) -> Hits:
    says = f"this line has kept {seen.times} graphs, and no later backward went through any"
    yield seen.hit(says, graphs=seen.times)
