"""Error messages: what stands in the brackets of a tensor is no index."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("no-index")
def no_index(failure: Failure) -> Hits:
    came = failure.groups["came"]
    if came == "float":
        yield failure.hit("an index is a float: `//` divides to a whole number, int(i) makes one")
    else:
        yield failure.hit(
            f"an index is a {came}, and no whole number: is this the tensor that is meant?"
        )


@explains("no-index-of-graphs")
def no_index_of_graphs(failure: Failure) -> Hits:
    yield failure.hit(
        f"`{failure.groups['came']}` is no index of a dataset of graphs: int(i) or index.tolist(), as it takes whole numbers of Python, slices, "
        "lists, and arrays of long or bool alone"
    )
