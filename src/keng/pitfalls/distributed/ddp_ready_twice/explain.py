"""Error messages: a parameter of a DistributedDataParallel model is ready twice in one backward."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains

NAMED = re.compile(
    r"Parameter at index (\d+)(?: with name ([\w.]+))? has been marked as ready twice"
)


@explains("counted-twice")
def counted_twice(failure: Failure) -> Hits:
    found = NAMED.search(failure.message)
    which = "a parameter"
    if found is not None:
        which = f"`{found[2]}`" if found[2] else f"parameter {found[1]}"
    says = f"{which} got two gradients in one backward"
    shown = " ".join(f"{frame.path} {frame.text}" for frame in failure.frames)
    again = "checkpoint(..., use_reentrant=False)"
    if "transformers" in shown:
        again = "gradient_checkpointing_kwargs={'use_reentrant': False}"
    cure = f"{again}, static_graph=True, or no find_unused_parameters"
    if "checkpoint" not in shown:
        cure += "; without checkpointing, one forward for each backward"
    yield failure.hit(f"{says}: {cure}")
