"""Source code: the class is chosen along the samples of a batch."""

from __future__ import annotations

from keng.model import Hits
from keng.rules import finds
from keng.source import Code


@finds
def most_like_each_class(code: Code) -> Hits:
    for call, output in code.chosen_over_samples():
        says = f"dimension 0 of `{code.text_of(output)}` is the samples of the batch"
        yield code.hit(call, f"{says}: the classes are dimension 1")
