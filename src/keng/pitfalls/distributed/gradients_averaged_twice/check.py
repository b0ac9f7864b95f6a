"""Source code: gradients that DistributedDataParallel has averaged are divided by the number of ranks once more."""

from __future__ import annotations

from keng.model import Hits
from keng.rules import finds
from keng.source import Code


@finds
def divided_after_the_mean(code: Code) -> Hits:
    for node, model in code.gradients_divided_again():
        says = f"the gradients of `{model}` are the mean of all ranks already"
        yield code.hit(node, f"{says}: this divides them by the number of ranks once more")
