"""A running program: one tensor of a batch holds a single sample, and broadcasting hides it."""

from __future__ import annotations

from keng.model import Hits
from keng.rules import watches
from keng.run.moments import CollapsedBatch


@watches("batch.collapsed")
def one_for_all(seen: CollapsedBatch) -> Hits:
    says = f"`{seen.name}` is of shape {seen.shape}, and {seen.samples} samples are in the batch"
    yield seen.hit(f"{says}: one stands for all of them", samples=seen.samples)
