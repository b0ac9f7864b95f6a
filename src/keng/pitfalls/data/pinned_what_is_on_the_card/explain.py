"""Error messages: memory is to be pinned that is not the CPU's."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("not-of-the-cpu")
def not_of_the_cpu(failure: Failure) -> Hits:
    yield failure.hit(
        f"what is to be pinned is a {failure.groups['kind']} and not on the CPU: let the dataset return tensors of the "
        "CPU, or pin_memory=False"
    )
