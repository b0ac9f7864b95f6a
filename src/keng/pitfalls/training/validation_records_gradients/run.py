"""A running program: validation records a graph that nobody will use."""

from __future__ import annotations

from keng.model import Hits
from keng.rules import watches
from keng.run.moments import Evaluation


@watches("evaluation")
def graphs_that_no_backward_used(seen: Evaluation) -> Hits:
    if seen.training and not (seen.whole and seen.trained):
        return
    if seen.records and seen.forwards >= 2:
        says = f"`{seen.module}` recorded {seen.forwards} graphs that no backward has used"
        yield seen.hit(says, batches=seen.forwards)
