"""Source code: a generator of random numbers on the dataset is copied into each worker."""

from __future__ import annotations

from keng.model import Hits
from keng.rules import finds
from keng.source import Code


@finds
def generator_copied(code: Code) -> Hits:
    for owner in code.datasets():
        for name, call in code.kept_for_samples(owner):
            if not code.makes_random(call) or code.minds_workers(owner, name):
                continue
            if code.forked_loaders(owner):
                yield code.hit(call, f"each worker copies `self.{name}`, and all draw the same")
