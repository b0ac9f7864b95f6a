"""Source code: a dataset of many small Python objects is copied into every worker, page by page."""

from __future__ import annotations

from keng.model import Hits
from keng.rules import finds
from keng.source import Code

MANY = 100_000


@finds
def many_small_objects(code: Code) -> Hits:
    for owner in code.datasets():
        for name, made in code.lists_of_objects(owner, MANY):
            if code.forked_loaders(owner):
                says = f"each worker comes to hold its own copy of `self.{name}`: use one array"
                yield code.hit(made, says)
