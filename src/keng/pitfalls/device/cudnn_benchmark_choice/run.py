"""A running program: algorithms are tried out for speed in a run that is to be repeatable."""

from __future__ import annotations

from keng.model import Hits
from keng.rules import watches
from keng.run.moments import CudnnSearch


@watches("cudnn.search")
def both_are_on(search: CudnnSearch) -> Hits:
    if search.deterministic:
        yield search.hit(
            "cudnn.benchmark and cudnn.deterministic are both on: one undoes the other"
        )


@watches("cudnn.search", needs="cuda")
def searched_for_every_shape(search: CudnnSearch) -> Hits:
    if search.on_cuda and search.shapes >= 16:
        says = f"cudnn.benchmark searches anew for each of {search.shapes} shapes of inputs by now"
        yield search.hit(says, shapes=search.shapes)
